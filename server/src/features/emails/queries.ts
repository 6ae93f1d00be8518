import { Design } from '@okaeri/contract/emails/design'
import type { Locale } from '@okaeri/contract/locale'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { Variant } from './variant.ts'

export interface EmailRow {
  id: string
  name: string
  subject: string
  preheader: string
  from_email: string | null
  from_name: string | null
  content: string
  /** What the content was made from; null where it was written. */
  design: Design | null
  is_visual: boolean
  /** The plain-text part as it was written; null: made from the content. */
  plain_text: string | null
  /** Hash of the content it was written for. */
  plain_text_for: string | null
  /** The email in other languages. */
  variants: Variant[]
  /** Theirs. */
  languages: Locale[]
  /** Keys of the components whose tags stand in it, in any language. */
  components: string[]
  size_bytes: number
  created_at: Date
  updated_at: Date
}
/** What is written. */
export type EmailColumns = Omit<EmailRow, 'is_visual' | 'languages' | 'created_at' | 'updated_at'>
export type EmailSummaryRow = Omit<
  EmailRow,
  'content' | 'components' | 'design' | 'plain_text' | 'plain_text_for' | 'variants'
>

const summaryColumns = sql`e.id, e.name, e.subject, e.preheader, e.from_email, e.from_name, e.size_bytes, e.created_at, e.updated_at, e.design is not null as is_visual,
  array(select v ->> 'language' from jsonb_array_elements(e.variants) v) as languages`
const wholeColumns = sql`${summaryColumns}, e.content, e.components, e.design, e.plain_text, e.plain_text_for, e.variants`

export async function findEmailRow(
  scope: MerchantScope,
  id: string,
  { lock }: { lock: boolean } = { lock: false },
): Promise<EmailRow | null> {
  const { rows } = await sql<EmailRow>`select ${wholeColumns} from emails e
    where e.merchant_id = ${scope.merchantId} and e.id = ${id} and e.deleted_at is null
    ${lock ? sql`for update` : sql``}`.execute(scope.db)
  const [row] = rows
  return row ? { ...withCompleted(row), variants: row.variants.map(withCompleted) } : null
}

/** One that was kept before a field was there has its default. */
const completed = (design: Design | null): Design | null => design && Design.parse(design)

export const withCompleted = <Of extends { design: Design | null }>(said: Of): Of => ({
  ...said,
  design: completed(said.design),
})

/** What of an email is sent, as it is typed. */
export type TypedContent = Pick<
  EmailRow,
  | 'id'
  | 'name'
  | 'subject'
  | 'preheader'
  | 'from_email'
  | 'from_name'
  | 'content'
  | 'design'
  | 'plain_text'
  | 'plain_text_for'
  | 'variants'
>
/** Those of these emails that exist. */
export async function listTypedContents(scope: MerchantScope, ids: readonly string[]): Promise<TypedContent[]> {
  const { rows } = await sql<TypedContent>`
    select id, name, subject, preheader, from_email, from_name, content, design, plain_text, plain_text_for, variants from emails
    where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[]) and deleted_at is null`.execute(scope.db)
  return rows
}

export async function updateSize(
  scope: MerchantScope,
  {
    id,
    content,
    sizeBytes,
    ...sizes
  }: Pick<EmailRow, 'id' | 'content' | 'variants'> & {
    sizeBytes: number
    sizesOfVariants: readonly number[]
  },
): Promise<void> {
  const variants = sizes.variants.map((variant, at) => ({
    ...variant,
    size_bytes: sizes.sizesOfVariants[at] ?? variant.size_bytes,
  }))
  await sql`update emails set size_bytes = ${sizeBytes}, variants = ${JSON.stringify(variants)}
    where merchant_id = ${scope.merchantId} and id = ${id} and content = ${content}
      and variants = ${JSON.stringify(sizes.variants)}::jsonb`.execute(scope.db)
}

export async function insertEmail(scope: MerchantScope, { design, variants, ...email }: EmailColumns): Promise<void> {
  await scope.db
    .insertInto('emails')
    .values({
      ...email,
      design: asJson(design),
      variants: JSON.stringify(variants),
      merchant_id: scope.merchantId,
      created_at: scope.now,
      updated_at: scope.now,
    })
    .execute()
}

export async function updateEmail(
  scope: MerchantScope,
  { id, design, variants, ...columns }: EmailColumns,
): Promise<void> {
  await scope.db
    .updateTable('emails')
    .set({ ...columns, design: asJson(design), variants: JSON.stringify(variants), updated_at: scope.now })
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', id)
    .execute()
}

const asJson = (design: Design | null): string | null => (design === null ? null : JSON.stringify(design))

/** Messages sent keep pointing at it, so the row stays. */
export async function markEmailDeleted(scope: MerchantScope, id: string): Promise<void> {
  await scope.db
    .updateTable('emails')
    .set({ deleted_at: scope.now })
    .where('merchant_id', '=', scope.merchantId)
    .where('id', '=', id)
    .execute()
}

export type EmailSort = 'created_at' | 'updated_at' | 'name' | 'sent_count' | 'open_rate' | 'click_rate' | 'revenue'

const sortColumns: Record<EmailSort, ReturnType<typeof sql>> = {
  created_at: sql`e.created_at`,
  updated_at: sql`e.updated_at`,
  name: sql`e.name`,
  sent_count: sql`coalesce(s.sent, 0)`,
  open_rate: sql`coalesce(s.opened::float8 / nullif(s.sent, 0), 0)`,
  click_rate: sql`coalesce(s.clicked::float8 / nullif(s.sent, 0), 0)`,
  revenue: sql`coalesce(s.revenue, 0)`,
}
const BY_RESULTS: ReadonlySet<EmailSort> = new Set(['sent_count', 'open_rate', 'click_rate', 'revenue'])

/** One page, without content. The results are only added up over all emails where the order depends on them. */
export async function selectEmails(
  scope: MerchantScope,
  query: { q?: string | undefined; sort: EmailSort; direction: 'asc' | 'desc'; limit: number; offset: number },
): Promise<{ rows: EmailSummaryRow[]; total: number }> {
  const pattern = query.q?.trim() ? `%${query.q.trim().replace(/[\\%_]/g, '\\$&')}%` : null
  const where = sql`e.merchant_id = ${scope.merchantId} and e.deleted_at is null
    and (${pattern}::text is null or e.name ilike ${pattern} or e.subject ilike ${pattern})`
  const results = BY_RESULTS.has(query.sort)
    ? sql`left join (
        select email_id, sum(sent) as sent, sum(opened) as opened, sum(clicked) as clicked, sum(revenue) as revenue
        from message_stats where merchant_id = ${scope.merchantId} group by email_id
      ) s on s.email_id = e.id`
    : sql``
  const direction = query.direction === 'asc' ? sql`asc` : sql`desc`
  const [page, count] = await Promise.all([
    sql<EmailSummaryRow>`select ${summaryColumns} from emails e ${results} where ${where}
      order by ${sortColumns[query.sort]} ${direction}, e.created_at desc, e.id desc
      limit ${query.limit} offset ${query.offset}`.execute(scope.db),
    sql<{ total: number }>`select count(*)::int as total from emails e where ${where}`.execute(scope.db),
  ])
  return { rows: page.rows, total: count.rows[0]?.total ?? 0 }
}

/** What an email says in every language. Of the variants as JSON: an id, a name or an address stands in it as it is. */
const everyText = sql`(e.content || ' ' || e.subject || ' ' || e.preheader || ' ' || coalesce(e.plain_text, '') || ' ' || e.variants::text)`

/** Emails whose texts have all of these words somewhere. */
export async function selectEmailsMentioning(scope: MerchantScope, words: readonly string[]): Promise<EmailRow[]> {
  const everyWord = words.map((word) => sql`strpos(${everyText}, ${word}) > 0`)
  const { rows } = await sql<EmailRow>`select ${wholeColumns} from emails e
    where e.merchant_id = ${scope.merchantId} and e.deleted_at is null and ${sql.join(everyWord, sql` and `)}
    order by e.created_at, e.id`.execute(scope.db)
  return rows
}

/** Emails in whose content this text stands, such as a picture's address. */
export async function listEmailsShowing(scope: MerchantScope, text: string): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`select id, name from emails
    where merchant_id = ${scope.merchantId} and deleted_at is null and strpos(content || variants::text, ${text}) > 0
    order by created_at desc, id desc`.execute(scope.db)
  return rows
}

/** Emails in which the id stands: in the content, the subject or the preheader. */
export async function selectEmailsNaming(scope: MerchantScope, id: string): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`select e.id, e.name from emails e
    where e.merchant_id = ${scope.merchantId} and e.deleted_at is null
      and strpos(lower(${everyText}), ${id}) > 0
    order by created_at desc, id desc`.execute(scope.db)
  return rows
}
