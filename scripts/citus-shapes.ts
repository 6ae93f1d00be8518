/** What PostgreSQL does and a Citus cluster refuses, or silently does otherwise (decision 135): found in the text of statements. */
interface Shape {
  pattern: RegExp
  instead: string
}

const inStatements: readonly Shape[] = [
  { pattern: /\b(clock_timestamp|(?<!\.)random|gen_random_uuid)\(/, instead: 'give the value along' },
  {
    pattern: /\bas (materialized )?\(\s*insert into\b/,
    instead:
      'let the insert stand outside of "with", or part the statement: all nodes must be there for it, and some parts see what it wrote',
  },
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

export const citusOffences = (text: string): string[] => offencesIn(text, inStatements)

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
