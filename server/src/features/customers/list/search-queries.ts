import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { MAX_SEARCH_TEXT } from './search-text.ts'

/** The searched fields of a customer, and the text made of them. */
export interface SearchedRow {
  id: string
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  tags: string[]
  searchText: string
}

/** The prefix of every word: the end of the merchant's id. Two merchants may share it, so a search also filters by merchant. */
export const markOf = (scope: MerchantScope): string => scope.merchantId.slice(-6)

/** The words of a text for the index, each with the prefix: no duplicates (a word that was cut may be one) and no empty word. */
export function wordsOf(text: string): string[] {
  if (text === '') return []
  const words = text.split(' ')
  return text.length < MAX_SEARCH_TEXT ? words : [...new Set(words)].filter((word) => word !== '')
}

/** Updates the index from texts, names and creation days of these customers. A second call changes nothing. */
export async function indexTexts(scope: MerchantScope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    insert into customer_search as s (merchant_id, customer_id, created_at, display_name, words)
    select c.merchant_id, c.id, c.created_at, c.display_name, array_to_tsvector(array(
      select distinct ${markOf(scope)} || word from unnest(string_to_array(c.search_text, ' ')) as word where word <> ''
    ))
    from customers c where c.merchant_id = ${scope.merchantId} and c.id = any(${ids}::uuid[]) order by c.id
    on conflict (merchant_id, customer_id) do update
      set created_at = excluded.created_at, display_name = excluded.display_name, words = excluded.words
      where (s.created_at, s.display_name, s.words) is distinct from (excluded.created_at, excluded.display_name, excluded.words)
  `.execute(scope.db)
}

/** The next customers in the order of ids, to go through all of them. */
export async function selectSearched(scope: MerchantScope, after: string, limit: number): Promise<SearchedRow[]> {
  const { rows } = await sql<SearchedRow>`
    select id, first_name as "firstName", last_name as "lastName", email, phone, tags, search_text as "searchText" from customers
    where merchant_id = ${scope.merchantId} and id > ${after}::uuid order by id limit ${limit}
  `.execute(scope.db)
  return rows
}

export async function writeTexts(
  scope: MerchantScope,
  texts: readonly { id: string; searchText: string }[],
): Promise<void> {
  if (texts.length === 0) return
  await sql`
    update customers c set search_text = r.search_text
    from unnest(${texts.map(({ id }) => id)}::uuid[], ${texts.map(({ searchText }) => searchText)}::text[]) as r(id, search_text)
    where c.merchant_id = ${scope.merchantId} and c.id = r.id and c.search_text <> r.search_text
  `.execute(scope.db)
}

/** A tsquery that matches the word itself, or (`begins`) all words that begin with it. */
const lexeme = (text: string, begins: boolean): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'${begins ? ':*' : ''}`

export interface Searched {
  /** Each must be a prefix of a word of the text. */
  words: readonly string[]
  /** A whole word. */
  tag: string | undefined
}

/** Up to `limit` matches, from the index of words. */
export async function selectFound(scope: MerchantScope, searched: Searched, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select s.customer_id as id from customer_search s where ${isFound(scope, searched)} limit ${limit}
  `.execute(scope.db)
  return rows.map(({ id }) => id)
}

/** The number of matches, counted up to `counted`, and their ids if they are at most `few`. */
export async function lookUp(
  scope: MerchantScope,
  searched: Searched,
  { few, counted }: { few: number; counted: number },
): Promise<{ count: number; ids: string[] | null }> {
  const { rows } = await sql<{ count: number; ids: string[] | null }>`
    with found as materialized (
      select s.customer_id as id from customer_search s where ${isFound(scope, searched)} limit ${counted}
    ), counted as (select count(*) as count from found)
    select count, case when count <= ${few} then array(select id::text from found) end as ids from counted
  `.execute(scope.db)
  return rows[0] ?? { count: 0, ids: [] }
}

export async function countFound(scope: MerchantScope, searched: Searched): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from customer_search s where ${isFound(scope, searched)}
  `.execute(scope.db)
  return rows[0]?.count ?? 0
}

/** The same for `s`, a row of customer_search. */
export function isFound(scope: MerchantScope, { words, tag }: Searched): RawBuilder<boolean> {
  const mark = markOf(scope)
  const query = [
    ...words.map((word) => lexeme(mark + word, true)),
    ...(tag === undefined ? [] : [lexeme(mark + tag, false)]),
  ].join(' & ')
  return sql<boolean>`s.merchant_id = ${scope.merchantId} and s.words @@ ${query}::tsquery`
}

/** The same for `c`, a row of customers, for a walk along another index. */
export function textMatches({ words, tag }: Searched): RawBuilder<boolean>[] {
  return [
    ...words.map((word) => sql<boolean>`strpos(' ' || c.search_text, ${` ${word}`}) > 0`),
    ...(tag === undefined ? [] : [sql<boolean>`strpos(' ' || c.search_text || ' ', ${` ${tag} `}) > 0`]),
  ]
}

export async function analyzeSearch(scope: MerchantScope): Promise<void> {
  await sql`analyze customers, customer_search`.execute(scope.db)
}
