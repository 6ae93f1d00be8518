/** What PostgreSQL does and a Citus cluster refuses, or silently does otherwise (decision 135): found in the text of statements. */
interface Shape {
  pattern: RegExp
  instead: string
}

const inStatements: readonly Shape[] = [
  { pattern: /\b(clock_timestamp|(?<!\.)random|gen_random_uuid)\(/, instead: 'give the value along' },
  { pattern: /\bdo update set\b[^;`]*?(=\s*default\b|\bnow\(\)|\bnextval\()/, instead: 'take it from "excluded"' },
  {
    pattern: /\bdo update\b[^;`]*?(\binterval '|'::interval\b)/,
    instead: 'give the time along: what may depend on settings is not asked of a row that is there already',
  },
  {
    pattern: /\bdo update\b[^;`]*?\w_at [+-] (\$\{|make_interval\()/,
    instead: 'subtract the one time from the other: a time and an interval make one that may depend on settings',
  },
  {
    pattern: /\binsert into\b[^`]*\bselect\b[^`]*\bdo update\b[^`]*[<>=] \$\{(?!sql\.)[a-z]/,
    instead:
      'take it from "excluded", or write it out by sql.lit: a parameter on a conflict of rows selected has no type',
  },
  {
    pattern: /\bfrom \w+ \w+\s+where \w+\.merchant_id = \w+\.(merchant_id|id)\b(?=[^`]*merchantId)/,
    instead: 'correlate by the bound merchant_id',
  },
  {
    pattern: /\bcase ([\w.]+ when \$\{|\w+ when ')/,
    instead: 'say "case when … = …": what is compared may be passed on as a value without a type',
  },
  { pattern: /set_config\('(timezone|lock_timeout)'/i, instead: 'set it on all nodes, by setLocally' },
  { pattern: /\bwhere ctid\b/, instead: 'put merchant_id before it' },
  {
    pattern:
      /\bupdate (?!ledger_state)\w+( \w+)? set\b(?:(?!\b(?:from|where)\b)[^`])*(\b(?:jsonb?_build_\w+|to_jsonb?)\(|[\w)] \+ interval\b|'::interval\b)/,
    instead:
      'compute it in a select the update is from: what may depend on settings is not asked of a row that is updated',
  },
  {
    pattern: /numAffectedRows \} = await sql`\s*insert into[^`]*\bselect\b/,
    instead: 'count what "returning" answers: rows that were there already are counted too',
  },
  {
    pattern: /numAffectedRows \} = await sql`\s*with\b[^`]*\binsert into[^`]*\bdo nothing\b/,
    instead: 'count what "returning" answers: rows that were there already are counted too',
  },
  {
    pattern:
      /const (\w+) =\s*await sql`\s*(with\b[^`]*)?insert into[^`]*\bselect\b[^`]*`[^`]{0,120}\b\1\.numAffectedRows/,
    instead: 'count what "returning" answers: rows that were there already are counted too',
  },
  {
    pattern: /exists \(\s*select from (ledger_state|installation|rate_limits|merchants)\b/,
    instead: 'say "select 1": what is asked first cannot be passed on without columns',
  },
]

const inMigrations: readonly Shape[] = [
  { pattern: /\badd column\b[^;,]*\bcheck\b/i, instead: 'add the check by a command of its own' },
  { pattern: /\breferences \w+|\bforeign key\b/i, instead: 'refer to no other table' },
  { pattern: /\bwith recursive\b/i, instead: 'select from merchants where exists' },
]
/** Those before were applied before anything could be distributed. */
const FIRST_MIGRATION = '0340'

export const citusOffences = (text: string): string[] => [
  ...offencesIn(text, inStatements),
  ...statementsIn(text).flatMap(readsBesideInsert),
]

/**
 * Rows of these tables are joined where both are of the bound merchant, and so on one node; other joins are refused. A condition that is
 * composed (`on ${…}`) is not looked into.
 */
export const citusJoinOffences = (text: string, tables: ReadonlySet<string>): string[] =>
  statementsIn(text).flatMap((statement) =>
    [...statement.matchAll(/\bjoin (\w+) (\w+) (?:on|using)\b(?! \$\{)/g)]
      .filter(
        ([, table = '', alias = '']) =>
          tables.has(table) && !new RegExp(String.raw`\b${alias}\.merchant_id\b`).test(statement),
      )
      .map(([join]) => `"${join}": bind the merchant_id of what is joined`),
  )

const statementsIn = (text: string): string[] => [...text.matchAll(/`([^`]*)`/g)].map(([, statement = '']) => statement)

export const citusOffencesOfMigration = (name: string, text: string): string[] =>
  name < FIRST_MIGRATION ? [] : offencesIn(text.replace(/--.*$/gm, ''), inMigrations)

const offencesIn = (text: string, shapes: readonly Shape[]): string[] =>
  shapes.flatMap(({ pattern, instead }) => {
    const found = pattern.exec(text)?.[0]
    return found ? [`"${found.replace(/\s+/g, ' ').slice(0, 80)}": ${instead}`] : []
  })

/**
 * A statement with an insert in a part of its WITH is done part by part, each seeing what those before wrote: what is to be read as it was
 * before stands before it and is materialized.
 */
function readsBesideInsert(statement: string): string[] {
  const parts = [...statement.matchAll(/(?:\bwith|\),)\s+(\w+) as (materialized )?\(/g)].map(
    ({ 0: head, 1: name = '', 2: materialized, index }) => {
      const from = index + head.length
      return {
        name,
        isMaterialized: materialized !== undefined,
        text: statement.slice(from, endOf(statement, from)),
        from,
      }
    },
  )
  const last = parts.at(-1)
  if (!last) return []
  const rest = {
    name: 'what follows',
    isMaterialized: false,
    text: statement.slice(last.from + last.text.length),
    from: 0,
  }
  return parts.flatMap(({ name, text }, at) => {
    const table = /^\s*insert into (\w+)/.exec(text)?.[1]
    if (!table) return []
    const reads = new RegExp(String.raw`\b(from|join) ${table}\b`)
    const isBefore = (place: number): boolean => place < at && parts[place]?.isMaterialized === true
    return [...parts, rest]
      .filter(
        (other, place) => place !== at && !isBefore(place) && reads.test(other.text.replace(/^\s*delete from \w+/, '')),
      )
      .map((other) => `"${other.name}" reads ${table}, which "${name}" writes: let it stand before it, materialized`)
  })
}

/** Where the bracket closes that was opened before `from`. */
function endOf(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')') depth -= 1
    if (depth === 0) return at
  }
  return text.length
}
