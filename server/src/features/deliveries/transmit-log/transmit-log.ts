import { ChannelName } from '@okaeri/contract/deliveries/delivery'
import fs from 'node:fs'
import path from 'node:path'
import { isAbsent } from '../../../kernel/absent.ts'

/**
 * Which bodies left, in files outside the database: one journal for each process and merchant, written before each body. After the death of
 * a worker it says which of the cleared deliveries really left, and which of them were surely taken. It also knows what left when an older state of the database was put back.
 * For this it names the person and the campaign or scenario, since a database from before the reservation makes new ids for the same mails,
 * and the position the database had reported.
 *
 * Not synced to the disk: after a restart of the machine a missing line proves nothing.
 */
export interface TransmitLog {
  readonly journalId: string
  /** What the database answered last. */
  readonly position: number
  /** Notes that this position of the database is what leaves from now on was cleared under. */
  reached(position: number): void
  /** Makes sure there is room, before anything is claimed. Throws when it cannot be written. */
  begin(lease: LeaseOnFile): void
  /** About to leave, in one body. Takes microseconds; throws when it cannot be written, and then the body must not leave. */
  add(transmits: readonly Transmit[]): void
  /** The provider took it. Written with what leaves next, so that it costs no write of its own; until then only the process knows. */
  accepted(delivery: string, at: Date): void
  close(): void
}

/** What a journal says of a lease, once for all that leaves under it. */
export interface LeaseOnFile {
  id: number
  /** The campaign or scenario. */
  program: string | null
  node: string | null
  /** Null in journals that are older than this field. */
  channel: ChannelName | null
}
export interface Transmit {
  delivery: string
  customer: string | null
  /** Only for a scenario's message. */
  execution: string | null
  round: number | null
}
/** A line of a journal, as it is read back. */
export type LoggedTransmit = Transmit & LeaseOnFile & { position: number }

/** A journal as its process remembers it. */
export interface Journal {
  readonly id: string
  readonly file: string
  /** What the database answered last. */
  position: number
  /** What the last lines of the file are about. */
  written: { lease: number; position: number }
  /** A line may have been written in part: the disk was full. */
  torn: boolean
}

const FOLDER = 'departures'
export const transmitLogFolder = (dataDir: string): string => path.join(dataDir, FOLDER)
const fileOf = (dataDir: string, merchantId: string, journalId: string): string =>
  path.join(transmitLogFolder(dataDir), `${merchantId}.${journalId}`)

export const newJournal = (dataDir: string, merchantId: string, id: string): Journal => ({
  id,
  file: fileOf(dataDir, merchantId, id),
  position: 0,
  written: { lease: -1, position: -1 },
  torn: false,
})

/** Sixteen bytes are 22 letters; a million mails are 50 MB. */
const pack = (id: string | null): string =>
  id === null ? '-' : Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')
function unpack(text: string | undefined): string | null {
  if (text?.length !== 22) return null
  const hex = Buffer.from(text, 'base64url').toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const lineOf = ({ delivery, customer, execution, round }: Transmit): string =>
  execution === null
    ? `${pack(delivery)} ${pack(customer)}\n`
    : `${pack(delivery)} ${pack(customer)} ${pack(execution)} ${round ?? ''}\n`

/** Begins a line about a delivery that was taken. Versions that do not know it pass over it. */
const ACCEPTED = '*'
const acceptedLine = (delivery: string, at: Date): string =>
  `${ACCEPTED}${pack(delivery)} ${at.getTime().toString(36)}\n`

/** Marks a line that was not written to its end. */
const TORN = '!'

/** Throws when the file cannot be opened or written. */
export function openTransmitLog(journal: Journal): TransmitLog {
  fs.mkdirSync(path.dirname(journal.file), { recursive: true, mode: 0o700 })
  const descriptor = fs.openSync(journal.file, 'a', 0o600)
  let lease: LeaseOnFile | null = null
  let accepted = ''
  const append = (lines: string): void => {
    const text = journal.torn ? `${TORN}\n${lines}` : lines
    journal.torn = true
    const length = Buffer.byteLength(text)
    if (fs.writeSync(descriptor, text) !== length)
      throw Object.assign(new Error('the transmit log was not written to its end'), { code: 'ENOSPC' })
    journal.torn = false
  }
  /** What the next line is under, where it is not what the last one was under. */
  const heading = (): string => {
    const { written, position } = journal
    const moved = written.position === position ? '' : `+${position}\n`
    if (!lease || written.lease === lease.id) return moved
    return `${moved}=${lease.id} ${pack(lease.program)} ${encodeURIComponent(lease.node ?? '')} ${lease.channel ?? ''}\n`
  }
  const write = (line: string): void => {
    append(heading() + line)
    journal.written = { lease: lease?.id ?? -1, position: journal.position }
  }
  if (fs.fstatSync(descriptor).size === 0) append(`${process.pid} ${whoWrites()}\n`)
  return {
    journalId: journal.id,
    get position() {
      return journal.position
    },
    reached(position) {
      journal.position = Math.max(journal.position, position)
    },
    begin(begun) {
      lease = begun
      write('')
    },
    add(transmits) {
      let lines = accepted
      for (const transmit of transmits) lines += lineOf(transmit)
      write(lines)
      accepted = ''
    },
    accepted(delivery, at) {
      accepted += acceptedLine(delivery, at)
    },
    close: () => fs.closeSync(descriptor),
  }
}

/** Machine start and process world this process lives in; null where the system does not tell. */
function whereabouts(): string | null {
  try {
    return `${fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fs.readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}

/** Where this process runs and since when, as a journal begins; empty where the system does not tell. */
function whoWrites(): string {
  const here = whereabouts()
  return here === null ? '' : `${here} ${beginningOf('self')}`
}

/** When the process of this number began, in ticks since the machine's start; null where none runs, or it only waits to be buried. */
function beginningOf(pid: number | 'self'): string | null {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Behind the name, which may have anything in it.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? null : (fields[18] ?? null)
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

/** Whether the process that writes this journal is known to be dead: it ran on this boot of this machine, and is gone. */
export function isWriterDead(dataDir: string, merchantId: string, journalId: string): boolean {
  const file = fileOf(dataDir, merchantId, journalId)
  const beginning = unlessSwept(() => readPart(file, 0, 200))
  if (beginning === null) return false
  const [pid = '', boot, world, began] = (beginning.split('\n')[0] ?? '').split(' ')
  if (`${boot} ${world}` !== whereabouts() || !/^\d+$/.test(pid)) return false
  const present = beginningOf(Number(pid))
  // The number may be another program's by now. Journals of earlier versions do not say when theirs began.
  return present === null || (began !== undefined && present !== began)
}

/**
 * The deliveries of a dead worker's lease that left; null when that is not known here, as where the journal is damaged: what a line said is
 * lost. A worker that is not dead but only slow may still let bodies leave, so its journal says nothing yet.
 */
export function readTransmitLog(
  dataDir: string,
  merchantId: string,
  lease: { id: number; journal_id: string | null },
): Set<string> | null {
  const { journal_id: journalId } = lease
  if (!journalId || !isWriterDead(dataDir, merchantId, journalId)) return null
  const lines = unlessSwept(() => [...readLines(fileOf(dataDir, merchantId, journalId))])
  if (!lines || lines.some(({ isDamaged }) => isDamaged)) return null
  const left = lines.flatMap(({ under, words }) => (under.id === lease.id ? (unpack(words[0]) ?? []) : []))
  return new Set(left)
}

/**
 * The deliveries of a lease that were taken, and when; of a living worker's too, and of one on a machine that was started again since: a line
 * that is there is true, one that is not proves nothing.
 */
export function readAccepted(
  dataDir: string,
  merchantId: string,
  lease: { id: number; journal_id: string | null },
): Map<string, Date> {
  const { journal_id: journalId } = lease
  const lines = journalId ? unlessSwept(() => [...readLines(fileOf(dataDir, merchantId, journalId))]) : null
  const taken = (lines ?? []).flatMap(({ under, isDamaged, words: [first = '', at = ''] }): [string, Date][] => {
    const delivery = first.startsWith(ACCEPTED) ? unpack(first.slice(ACCEPTED.length)) : null
    return delivery && !isDamaged && under.id === lease.id ? [[delivery, new Date(Number.parseInt(at, 36))]] : []
  })
  return new Map(taken)
}

/** What a journal notes as left, in its order. */
export function* readJournal(file: string): Generator<LoggedTransmit> {
  for (const { under, position, words, isDamaged } of readLines(file)) {
    if (isDamaged) continue
    const [first, second, third, fourth] = words
    const delivery = unpack(first)
    if (!delivery) continue
    const [customer, execution] = [unpack(second), unpack(third)]
    yield { ...under, position, delivery, customer, execution, round: execution ? Number(fourth) : null }
  }
}

/** Every line that any version wrote, headings included. */
const WRITTEN =
  /^(\+\d+|=\d+ (-|[\w-]{22}) [\w%!~*'().-]*( \w*)?|\*[\w-]{22} [0-9a-z]{1,9}|[\w-]{22}( (-|[\w-]{22})){1,2}( \d*)?)$/
const NO_LEASE: LeaseOnFile = { id: -1, program: null, node: null, channel: null }

/**
 * The lines of a journal, and what they are under. A last line without an end is none. What follows a damaged line until the next heading is
 * under no lease: it may have been the heading.
 */
function* readLines(
  file: string,
): Generator<{ under: LeaseOnFile; position: number; words: string[]; isDamaged: boolean }> {
  let position = 0
  let under = NO_LEASE
  const lines = fs.readFileSync(file, 'utf8').split('\n').slice(1, -1)
  for (const line of lines) {
    if (line.endsWith(TORN)) continue
    const words = line.split(' ')
    const [first = ''] = words
    const heading = first.startsWith('=') ? headingOf(words) : under
    if (!heading || !WRITTEN.test(line)) {
      // Who stands below counts as of the time that a restored database has forgotten.
      ;[under, position] = [NO_LEASE, Number.POSITIVE_INFINITY]
      yield { under, position, words, isDamaged: true }
    } else if (first.startsWith('+')) position = Number(first.slice(1))
    else if (first.startsWith('=')) under = heading
    else yield { under, position, words, isDamaged: false }
  }
}

function headingOf([first = '', program, node = '', channel]: readonly string[]): LeaseOnFile | null {
  try {
    return {
      id: Number(first.slice(1)),
      program: unpack(program),
      node: decodeURIComponent(node) || null,
      channel: ChannelName.safeParse(channel).data ?? null,
    }
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

/** A journal in the folder, and how far it had come. */
export interface JournalOnFile {
  id: string
  merchantId: string
  file: string
  /** The database's position at its last line; 0 before the first. */
  position: number
  writtenAt: Date
}

export const listJournals = (dataDir: string): JournalOnFile[] =>
  filesOf(dataDir).flatMap(({ sizeBytes, ...journal }) => {
    const position = unlessSwept(() => lastPosition(journal.file, sizeBytes))
    return position === null ? [] : [{ ...journal, position }]
  })

/** Null where another process has swept the file, which it may at any moment. */
export function unlessSwept<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

function filesOf(dataDir: string) {
  const folder = transmitLogFolder(dataDir)
  if (!fs.existsSync(folder)) return []
  return fs.readdirSync(folder).flatMap((name) => {
    const [, merchantId, id] = /^([0-9a-f-]{36})\.([0-9a-f-]{36})$/.exec(name) ?? []
    const file = path.join(folder, name)
    const stat = fs.statSync(file, { throwIfNoEntry: false })
    return merchantId && id && stat ? [{ id, merchantId, file, writtenAt: stat.mtime, sizeBytes: stat.size }] : []
  })
}

/** Removes what was last written before `oldest`, and the oldest of what is more than so many bytes together. */
export function sweepJournals(dataDir: string, { oldest, bytes }: { oldest: Date; bytes: number }): void {
  let kept = 0
  for (const { file, writtenAt, sizeBytes } of filesOf(dataDir).sort(
    (a, b) => b.writtenAt.getTime() - a.writtenAt.getTime(),
  )) {
    kept += sizeBytes
    if (writtenAt < oldest || kept > bytes) fs.rmSync(file, { force: true })
  }
}

/** A position is noted at least with each commit, so it stands near the end. */
const TAIL_BYTES = 64 * 1024
function lastPosition(file: string, size: number): number {
  const from = Math.max(0, size - TAIL_BYTES)
  const found = readPart(file, from, size - from).match(/^\+\d+$/gm) ?? []
  if (found.length === 0 && from > 0) return [...readJournal(file)].at(-1)?.position ?? 0
  return Number(found.at(-1)?.slice(1) ?? 0)
}

function readPart(file: string, from: number, length: number): string {
  const descriptor = fs.openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(length)
    return buffer.toString('utf8', 0, fs.readSync(descriptor, buffer, 0, length, from))
  } finally {
    fs.closeSync(descriptor)
  }
}
