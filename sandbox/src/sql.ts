import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/** A statement is compiled once per database: lists and bulk exports run the same few texts many thousand times. */
const compiled = new WeakMap<DatabaseSync, Map<string, StatementSync>>()

export function prepared(database: DatabaseSync, sql: string): StatementSync {
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

export function findRow<Row>(database: DatabaseSync, sql: string, ...parameters: Parameter[]): Row | undefined {
  return prepared(database, sql).get(...parameters) as Row | undefined
}

export function listRows<Row>(database: DatabaseSync, sql: string, ...parameters: Parameter[]): Row[] {
  return prepared(database, sql).all(...parameters) as Row[]
}

export function execute(database: DatabaseSync, sql: string, ...parameters: Parameter[]): number {
  return Number(prepared(database, sql).run(...parameters).changes)
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
