import pg from 'pg'

/**
 * Rows for PostgreSQL's COPY in its binary form. They are encoded one by one and sent together later. COPY takes the database half the work of
 * array parameters, and rows can be prepared without a database.
 */
export interface CopyRows {
  /** `copy <table> (<columns>) from stdin (format binary)` */
  readonly statement: string
  /** The number of rows. */
  count(): number
  /** Begins a row with the merchant's id; its other columns follow in the statement's order. Returns its number, counted from 0. */
  row(): number
  null(): void
  /** Removes NUL, which the database cannot store. */
  text(value: string | null): void
  uuid(value: string | null): void
  boolean(value: boolean): void
  int4(value: number): void
  int8(value: number | null): void
  /** `YYYY-MM-DD` */
  date(value: string | null): void
  timestamptz(value: Date | null): void
  jsonb(value: unknown): void
  textArray(value: readonly string[]): void
  /** Words without positions, each once; all with the same prefix `mark`. */
  tsvector(mark: string, words: readonly string[]): void
  /** The bytes of all rows, or of those with these numbers, as messages of the protocol. */
  messages(chosen?: readonly number[]): Buffer[]
  /** The rows are committed, so their memory can be reused. */
  release(): void
}

/** A COPY into one table: all rows, or those with these numbers. */
export interface Copy {
  rows: CopyRows
  chosen?: readonly number[]
}

/** Passed in place of a statement's parameters, for {@link CopyingClient}. */
export class Copies {
  readonly list: readonly Copy[]
  constructor(list: readonly Copy[]) {
    this.list = list
  }
}

/** Missing in pg's types: a query gets the connection it is sent on. */
interface Wire {
  query(text: string): void
  stream: { write(bytes: Buffer): void; cork(): void; uncork(): void }
}

/**
 * Several COPY statements in one message, followed by their rows: the database reads one after the other, and skips the rest after an error.
 */
class CopyQuery extends pg.Query {
  constructor(text: string, copies: Copies, done: (error: Error | undefined) => void) {
    super(text, [], done)
    this.submit = (connection) => {
      const wire = connection as unknown as Wire
      wire.stream.cork()
      wire.query(text)
      for (const { rows, chosen } of copies.list)
        for (const message of rows.messages(chosen)) wire.stream.write(message)
      wire.stream.uncork()
      return null
    }
  }
  /** The rows have been sent already. */
  handleCopyInResponse(): void {}
}

/** A connection that supports {@link copyIn}. */
export class CopyingClient extends pg.Client {
  override query(...given: unknown[]): never {
    const [text, values] = given
    const copies: unknown = Array.isArray(values) ? values[0] : null
    const run = super.query.bind(this) as (...given: unknown[]) => never
    if (!(copies instanceof Copies) || typeof text !== 'string') return run(...given)
    return new Promise((resolve, reject) => {
      run(new CopyQuery(text, copies, (error) => (error ? reject(error) : resolve({ command: 'COPY', rows: [] }))))
    }) as never
  }
}
