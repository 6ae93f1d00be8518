import type { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync, zstdDecompressSync, constants as zlib } from 'node:zlib'
import type { SandboxClock } from '../clock.ts'
import { transaction } from '../sql.ts'
import { noSwitches, switchNames, type MailSwitches } from './sentinels.ts'
import { foldText, readHead, readWords } from './source.ts'

/** One stored message as lists show it. */
export interface MailSummary {
  id: number
  /** Envelope recipients, as written in RCPT TO. */
  to: string[]
  /** The From header, decoded. */
  from: string
  /** The sender of the envelope, where bounces would go; empty for the null sender. */
  envelope_from: string
  subject: string
  message_id: string
  /** ISO 8601, by the sandbox's clock. */
  received_at: string
  size: number
}

export interface MailFilter {
  /** One recipient of the envelope, whole, in any case. */
  to?: string
  /** Part of the subject. */
  subject?: string
  /** Part of an address, the subject or the text. Several words must all be there. */
  q?: string
  limit?: number
  offset?: number
}

export interface MailPage {
  data: MailSummary[]
  total: number
  /** Messages whose text could not be read in the time a search has; they were searched by addresses and subject only. */
  unread_texts: number
}

export interface ArrivingMail {
  envelopeFrom: string
  envelopeTo: string[]
  raw: Buffer
}

export interface MailStore {
  /** Resolves once the message is on disk. Messages of one turn of the event loop share a transaction. */
  add(mail: ArrivingMail): Promise<void>
  list(filter: MailFilter): MailPage
  /** As `list`, after reading the texts of messages a search by `q` has not seen yet, newest first. */
  search(filter: MailFilter): Promise<MailPage>
  find(id: number): MailSummary | null
  findSource(id: number): Buffer | null
  counts(): { recipient: string; count: number }[]
  total(): number
  /** Deletes every message and forgets how often the `-once` and `-twice` addresses were tried. */
  clear(): void
  /** Counts one try of an address and answers how many there were before. */
  countTry(address: string): number
  switches(): MailSwitches
  writeSwitches(next: MailSwitches): void
  /** Calls the listener after each batch is stored. Returns what takes it off again. */
  onStored(listener: (batch: MailSummary[]) => void): () => void
  close(): void
}

/** The newest so many are kept (README: Capacity). */
const keptMessages = 200_000
// Deleting the oldest in lots keeps the cost of one arriving message flat.
const trimLot = 1_000
const searchBudgetMs = 2_000

const dependentTables = ['mail_sources', 'mail_texts', 'mail_unread_texts', 'mail_recipients']

const tables = `
  CREATE TABLE IF NOT EXISTS mails (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    envelope_from TEXT NOT NULL,
    envelope_to TEXT NOT NULL,
    header_from TEXT NOT NULL,
    subject TEXT NOT NULL,
    message_id TEXT NOT NULL,
    received_at_ms INTEGER NOT NULL,
    size_bytes INTEGER NOT NULL,
    words TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS mail_sources (id INTEGER PRIMARY KEY, source BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS mail_texts (id INTEGER PRIMARY KEY, words TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS mail_unread_texts (id INTEGER PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS mail_recipients (address TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (address, id)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS mail_recipients_by_id ON mail_recipients (id);
  CREATE TABLE IF NOT EXISTS mail_tries (address TEXT PRIMARY KEY, tries INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS mail_switches (name TEXT PRIMARY KEY, value INTEGER NOT NULL);`

type Row = Record<string, unknown>

export function createMailStore(
  database: DatabaseSync,
  clock: SandboxClock,
  options: { keptMessages?: number } = {},
): MailStore {
  database.exec(tables)
  const arriving = createArriving(database, clock, options.keptMessages ?? keptMessages)
  const { list, search } = createReading(database, arriving)
  const selectMail = database.prepare('SELECT * FROM mails WHERE id = ?')
  const selectSource = database.prepare('SELECT source FROM mail_sources WHERE id = ?')
  const writeTry = database.prepare(
    'INSERT INTO mail_tries (address, tries) VALUES (?, 1) ON CONFLICT (address) DO UPDATE SET tries = tries + 1 RETURNING tries',
  )

  return {
    add: arriving.add,
    list,
    search,
    find(id) {
      const row = selectMail.get(id)
      return row === undefined ? null : summaryOf(row)
    },
    findSource(id) {
      const row = selectSource.get(id)
      return row === undefined ? null : zstdDecompressSync(row.source as Uint8Array)
    },
    counts() {
      return database
        .prepare('SELECT address, count(*) AS count FROM mail_recipients GROUP BY address ORDER BY count DESC, address')
        .all()
        .map((row) => ({ recipient: String(row.address), count: Number(row.count) }))
    },
    total: arriving.total,
    clear: arriving.clear,
    countTry: (address) => Number(writeTry.get(address.toLowerCase())?.tries) - 1,
    switches() {
      const switches = { ...noSwitches }
      for (const row of database.prepare('SELECT name, value FROM mail_switches').all()) {
        const name = switchNames.find((known) => known === row.name)
        if (name !== undefined) switches[name] = row.value === 1
      }
      return switches
    },
    writeSwitches(next) {
      transaction(database, () => {
        const write = database.prepare('INSERT OR REPLACE INTO mail_switches (name, value) VALUES (?, ?)')
        for (const name of switchNames) write.run(name, next[name] ? 1 : 0)
      })
    },
    onStored: arriving.onStored,
    close: arriving.close,
  }
}

interface Arriving {
  add: MailStore['add']
  clear: MailStore['clear']
  onStored: MailStore['onStored']
  total(): number
  close(): void
  isClosed(): boolean
}

/** Stores what arrives, and deletes the oldest. */
function createArriving(database: DatabaseSync, clock: SandboxClock, kept: number): Arriving {
  const insertMail = database.prepare(
    `INSERT INTO mails (envelope_from, envelope_to, header_from, subject, message_id, received_at_ms, size_bytes, words)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertSource = database.prepare('INSERT INTO mail_sources (id, source) VALUES (?, ?)')
  const insertRecipient = database.prepare('INSERT OR IGNORE INTO mail_recipients (address, id) VALUES (?, ?)')
  const insertUnread = database.prepare('INSERT INTO mail_unread_texts (id) VALUES (?)')

  let total = Number(database.prepare('SELECT count(*) AS total FROM mails').get()?.total ?? 0)
  let waiting: { mail: ArrivingMail; stored: () => void; failed: (error: unknown) => void }[] = []
  const listeners = new Set<(batch: MailSummary[]) => void>()
  let closed = false

  function flush(): void {
    const batch = waiting
    waiting = []
    if (closed) {
      for (const { failed } of batch) failed(new Error('The mailbox is closed.'))
      return
    }
    const stored: MailSummary[] = []
    try {
      transaction(database, () => {
        for (const { mail } of batch) stored.push(insert(mail))
      })
    } catch (error) {
      for (const { failed } of batch) failed(error)
      return
    }
    total += stored.length
    if (total > kept + trimLot) trim()
    for (const { stored: resolve } of batch) resolve()
    for (const listener of listeners) listener(stored)
  }

  function insert({ envelopeFrom, envelopeTo, raw }: ArrivingMail): MailSummary {
    const head = readHead(raw)
    const receivedAt = clock.now()
    const words = foldText(`${envelopeTo.join(' ')} ${head.to} ${head.from} ${head.subject}`)
    const { lastInsertRowid } = insertMail.run(
      envelopeFrom,
      JSON.stringify(envelopeTo),
      head.from,
      head.subject,
      head.messageId,
      receivedAt.getTime(),
      raw.length,
      words,
    )
    const id = Number(lastInsertRowid)
    // Level 1: a 20 kB mail costs 0.05 ms and shrinks to a quarter, so a campaign of 100,000 stays under a gigabyte.
    insertSource.run(id, zstdCompressSync(raw, { params: { [zlib.ZSTD_c_compressionLevel]: 1 } }))
    insertUnread.run(id)
    for (const address of envelopeTo) insertRecipient.run(address.toLowerCase(), id)
    return {
      id,
      to: envelopeTo,
      from: head.from,
      envelope_from: envelopeFrom,
      subject: head.subject,
      message_id: head.messageId,
      received_at: receivedAt.toISOString(),
      size: raw.length,
    }
  }

  function trim(): void {
    const edge = database.prepare('SELECT id FROM mails ORDER BY id DESC LIMIT 1 OFFSET ?').get(kept - 1)?.id
    if (typeof edge !== 'number') return
    transaction(database, () => {
      for (const table of [...dependentTables, 'mails']) {
        database.prepare(`DELETE FROM ${table} WHERE id < ?`).run(edge)
      }
    })
    total = kept
  }

  return {
    add(mail) {
      return new Promise((stored, failed) => {
        waiting.push({ mail, stored, failed })
        if (waiting.length === 1) setImmediate(flush)
      })
    },
    clear() {
      transaction(database, () => {
        for (const table of [...dependentTables, 'mails', 'mail_tries']) {
          database.exec(`DELETE FROM ${table}`)
        }
      })
      total = 0
    },
    onStored(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    total: () => total,
    close() {
      closed = true
    },
    isClosed: () => closed,
  }
}

/** Lists what is stored, and reads the texts of messages that a search has not seen. */
function createReading(database: DatabaseSync, { total, isClosed }: Arriving): Pick<MailStore, 'list' | 'search'> {
  const deleteUnread = database.prepare('DELETE FROM mail_unread_texts WHERE id = ?')
  const insertText = database.prepare('INSERT OR REPLACE INTO mail_texts (id, words) VALUES (?, ?)')

  function list(filter: MailFilter): MailPage {
    const { where, values } = condition(filter)
    const rows = database
      .prepare(`SELECT m.* FROM mails m ${where} ORDER BY m.id DESC LIMIT ? OFFSET ?`)
      .all(...values, filter.limit ?? 50, filter.offset ?? 0)
    const matching =
      where === ''
        ? total()
        : Number(database.prepare(`SELECT count(*) AS total FROM mails m ${where}`).get(...values)?.total ?? 0)
    return { data: rows.map(summaryOf), total: matching, unread_texts: 0 }
  }

  async function search(filter: MailFilter): Promise<MailPage> {
    if (searchWords(filter).length === 0) return list(filter)
    const unread = await readTexts()
    return { ...list(filter), unread_texts: unread }
  }

  // Bodies are read at a search, not when they arrive: reading costs several times as much as storing, and most bodies are never searched.
  // Newest first; what does not fit into the budget is left for the next search.
  async function readTexts(): Promise<number> {
    const until = performance.now() + searchBudgetMs
    const next = database.prepare(
      'SELECT u.id, s.source FROM mail_unread_texts u JOIN mail_sources s ON s.id = u.id ORDER BY u.id DESC LIMIT 50',
    )
    while (!isClosed()) {
      const rows = next.all()
      if (rows.length === 0) return 0
      transaction(database, () => {
        for (const row of rows) {
          const id = Number(row.id)
          insertText.run(id, foldText(readWords(zstdDecompressSync(row.source as Uint8Array))))
          deleteUnread.run(id)
        }
      })
      if (performance.now() > until) break
      await new Promise((resolve) => setImmediate(resolve))
    }
    return isClosed()
      ? 0
      : Number(database.prepare('SELECT count(*) AS total FROM mail_unread_texts').get()?.total ?? 0)
  }

  return { list, search }
}

function condition(filter: MailFilter): { where: string; values: (string | number)[] } {
  const parts: string[] = []
  const values: (string | number)[] = []
  if (filter.to !== undefined) {
    parts.push('m.id IN (SELECT id FROM mail_recipients WHERE address = ?)')
    values.push(filter.to.toLowerCase())
  }
  if (filter.subject !== undefined) {
    parts.push('instr(m.subject, ?) > 0')
    values.push(filter.subject)
  }
  for (const word of searchWords(filter)) {
    parts.push(
      '(instr(m.words, ?) > 0 OR EXISTS (SELECT 1 FROM mail_texts t WHERE t.id = m.id AND instr(t.words, ?) > 0))',
    )
    values.push(word, word)
  }
  return { where: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values }
}

function searchWords(filter: MailFilter): string[] {
  return foldText(filter.q ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')
}

function summaryOf(row: Row): MailSummary {
  return {
    id: Number(row.id),
    to: JSON.parse(String(row.envelope_to)) as string[],
    from: String(row.header_from),
    envelope_from: String(row.envelope_from),
    subject: String(row.subject),
    message_id: String(row.message_id),
    received_at: new Date(Number(row.received_at_ms)).toISOString(),
    size: Number(row.size_bytes),
  }
}
