import { AsyncLocalStorage } from 'node:async_hooks'
import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'

// The tables a statement writes or reads, found in its text. A name that is not a table matches no work and is harmless, if it is not found as written
// in statements that change nothing ("for update skip locked"): what waits would wake itself.

const NAME = String.raw`\s+(?:only\s+)?(?:"?\w+"?\.)?"?(\w+)"?`
const WRITES = new RegExp(
  String.raw`\b(?:insert\s+into|(?<!\b(?:for|key|do)\s+)update|delete\s+from|merge\s+into|copy)${NAME}`,
  'gi',
)
const READS = new RegExp(String.raw`\b(?:from|join)${NAME}`, 'gi')
const namesIn = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
]

/** Before the table of an update that makes nothing due and is repeated all the time: it is not found. */
export const WAKES_NOTHING_TEXT = '/* wakes nothing */'
export const WAKES_NOTHING: RawBuilder<unknown> = sql.raw(WAKES_NOTHING_TEXT)

/** Tables a select reads. */
export const tablesReadBy = (text: string): string[] => namesIn(text, READS)

/** There are few texts, because values are parameters. Others, and long ones, must not fill the memory. */
const KEPT_TEXTS = 5000
const KEPT_LENGTH = 20_000
function kept(find: (text: string) => readonly string[]): (text: string) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  return (text) => {
    let names = known.get(text)
    if (!names) {
      names = find(text)
      if (text.length > KEPT_LENGTH) return names
      if (known.size >= KEPT_TEXTS) known.clear()
      known.set(text, names)
    }
    return names
  }
}
const tablesWrittenBy = kept((text) => namesIn(text, WRITES))
const tablesNamedBy = kept((text) => [...namesIn(text, READS), ...namesIn(text, WRITES)])

const noting = new AsyncLocalStorage<Set<string>>()

/** While `work` runs, adds each table that a statement of it reads or writes, before it is asked. */
export const noteTables = <T>(tables: Set<string>, work: () => Promise<T>): Promise<T> => noting.run(tables, work)

/** A statement is about to be asked. */
export function noteStatement(text: string): void {
  const tables = noting.getStore()
  if (tables) for (const table of tablesNamedBy(text)) tables.add(table)
}

const BEGINS = /^\s*(?:begin|start transaction)\b/i
const COMMITS = /\bcommit\s*;?\s*$/i
const ROLLS_BACK = /^\s*rollback\s*;?\s*$/i

/** Follows a connection's statements and reports the tables written after their commit. */
export function followWrites(onWritten: (tables: readonly string[]) => void): (text: string, result: unknown) => void {
  let begun: Set<string> | null = null
  return (text, result) => {
    const written = changedNothing(result) ? [] : tablesWrittenBy(text)
    if (BEGINS.test(text)) begun = new Set()
    for (const table of written) begun?.add(table)
    if (ROLLS_BACK.test(text)) begun = null
    else if (!begun) {
      if (written.length > 0) onWritten(written)
    } else if (COMMITS.test(text)) {
      if (begun.size > 0) onWritten([...begun])
      begun = null
    }
  }
}

/** A statement that ends in a select, or several statements in one, may still have written. */
function changedNothing(result: unknown): boolean {
  const { command, rowCount, rows } = (result ?? {}) as Partial<pg.QueryResult>
  return rowCount === 0 && rows?.length === 0 && command !== 'SELECT' && !Array.isArray(result)
}
