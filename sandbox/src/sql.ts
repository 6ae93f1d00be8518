import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/** A statement is compiled once per database: lists and bulk exports run the same few texts many thousand times. */
const compiled = new WeakMap<DatabaseSync, Map<string, StatementSync>>()

function prepared(database: DatabaseSync, sql: string): StatementSync {
  let statements = compiled.get(database)
  if (!statements) {
    statements = new Map()
    compiled.set(database, statements)
  }
  let statement = statements.get(sql)
  if (!statement) {
    statement = database.prepare(sql)
    statements.set(sql, statement)
  }
  return statement
}

export type Parameter = SQLInputValue

/** A piece of a statement that was made elsewhere, with the parameters of its question marks. */
export interface Part {
  readonly text: string
  readonly parameters: readonly Parameter[]
}
export const part = (text: string, ...parameters: readonly Parameter[]): Part => ({ text, parameters })

/** What is written into the template becomes a parameter; a `part` becomes text. */
type Statement<Result> = (texts: TemplateStringsArray, ...values: readonly (Parameter | Part)[]) => Result

const isPart = (value: Parameter | Part): value is Part =>
  typeof value === 'object' && value !== null && 'text' in value

function partOf(texts: TemplateStringsArray, values: readonly (Parameter | Part)[]): Part {
  const parts = values.map((value) => (isPart(value) ? value : part('?', value)))
  const text = texts.map((piece, index) => piece + (parts[index]?.text ?? '')).join('')
  return part(text, ...parts.flatMap(({ parameters }) => parameters))
}

/** ``findRow<Row>(database)`SELECT … WHERE id = ${id}` ``, and the others likewise. */
export const findRow =
  <Row>(database: DatabaseSync): Statement<Row | undefined> =>
  (texts, ...values) => {
    const { text, parameters } = partOf(texts, values)
    return prepared(database, text).get(...parameters) as Row | undefined
  }

export const listRows =
  <Row>(database: DatabaseSync): Statement<Row[]> =>
  (texts, ...values) => {
    const { text, parameters } = partOf(texts, values)
    return prepared(database, text).all(...parameters) as Row[]
  }

/** Answers how many rows it changed. */
export const execute =
  (database: DatabaseSync): Statement<number> =>
  (texts, ...values) => {
    const { text, parameters } = partOf(texts, values)
    return Number(prepared(database, text).run(...parameters).changes)
  }

/** Joins the transaction already open, if there is one. */
export function transaction<Result>(database: DatabaseSync, work: () => Result): Result {
  if (database.isTransaction) return work()
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
