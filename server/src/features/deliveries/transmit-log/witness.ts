import fs from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import type { Context } from '../../../kernel/context.ts'
import { newId } from '../../../kernel/ids.ts'
import { type MerchantScope, merchantScope } from '../../../kernel/merchant-scope.ts'
import { listReachable } from '../../../kernel/work/nodes-away.ts'
import {
  transmitLogFolder,
  type Journal,
  type JournalOnFile,
  listJournals,
  newJournal,
  type LoggedTransmit,
  readJournal,
  sweepJournals,
  unlessSwept,
} from './transmit-log.ts'
import { readFolderMark, writeFolderMark } from './folder-mark.ts'
import {
  type SendingHoldCause,
  insertJournal,
  insertUnrecorded,
  type LedgerState,
  markFolder,
  markEvaluated,
  hasSent,
  markReconciled,
  readLedgerState,
  readPositions,
  skipLeaseNumbers,
  touchJournals,
} from './witness-queries.ts'

/** Upward: which of these executions this database knows. */
declare module '../../../kernel/context.ts' {
  interface Ports {
    executionsKnown(
      scope: ReturnType<typeof merchantScope>,
      executionIds: readonly string[],
    ): Promise<ReadonlySet<string>>
  }
}

/** A dump older than this is not restored to go on from. */
const KEPT_MS = 35 * 86_400_000
/** Twenty million mails. Beyond it the oldest go: a dump from before them is still noticed, by the others. */
const KEPT_BYTES = 1024 ** 3
/** A journal is followed by another after this many bytes (170,000 mails), or a day. */
const JOURNAL_BYTES = 8 * 1024 * 1024
const JOURNAL_MS = 86_400_000
const AT_ONCE = 5000

/** What this process has seen of the database, and the journals it writes. */
interface Witness {
  /** As of the last comparison; null before the first. */
  seen: string | null
  journals: Map<string, Journal & { since: Date }>
  /** Merchants whose journals could not be compared, because their node of the cluster was away; with the error. */
  uncompared: ReadonlyMap<string, unknown>
}
const witnesses = new WeakMap<Context, Witness>()
function witnessOf(context: Context): Witness {
  const witness = witnesses.get(context) ?? { seen: null, journals: new Map(), uncompared: new Map() }
  witnesses.set(context, witness)
  return witness
}

const worker = (context: Context): string => `${hostname()}:${context.settings.dataDir}`

/** The journal of this process for the merchant, and the state of the database it was compared with. */
export async function journalOf(context: Context, merchantId: string): Promise<{ journal: Journal; seen: string }> {
  const witness = witnessOf(context)
  const { dataDir } = context.settings
  let seen = witness.seen ?? (await compareWithJournals(context))
  if (witness.uncompared.has(merchantId)) seen = await compareWithJournals(context)
  if (witness.uncompared.has(merchantId)) throw witness.uncompared.get(merchantId)
  const now = context.clock.realNow()
  const known = witness.journals.get(merchantId)
  if (known && now.getTime() - known.since.getTime() < JOURNAL_MS && sizeOf(known.file) < JOURNAL_BYTES)
    return { journal: known, seen }
  const journal = { ...newJournal(dataDir, merchantId, newId()), since: now }
  await insertJournal(merchantScope(context, merchantId), { id: journal.id, worker: worker(context) })
  witness.journals.set(merchantId, journal)
  sweep(context)
  return { journal, seen }
}

const sizeOf = (file: string): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0

/**
 * Compares the database with what the files of this data folder say has left, and puts sending on hold for all merchants where it is older: it
 * was put back from a dump or a copy. Who was sent something in the time it has forgotten is written down, to become uncertain when their
 * turn comes. At the start of every process, and again whenever the database is not as it was. Returns the state it was compared in. Of merchants
 * whose node of the cluster is away it is done before anything is sent for them.
 */
export async function compareWithJournals(context: Context): Promise<string> {
  const witness = witnessOf(context)
  // Files first: what is written while we look is then in the database, too.
  sweep(context)
  const journals = listJournals(context.settings.dataDir)
  const folder = readFolderMark(transmitLogFolder(context.settings.dataDir))
  const state = await readLedgerState(context)
  if (!state) throw new Error('the ledger has no state: the database is being restored')
  // Before anything is written of journals, which looks as if something had been sent.
  const [copied, putBack] = [await wasCopied(context, state, folder), await wasPutBack(context, state)]
  const { behind, uncompared } = await reconcile(context, journals)
  // With a copy even less is known: its journals end where it was copied.
  const because = copied ? 'copied' : behind > 0 || putBack ? 'restored' : null
  await holdSending(context, state, because, behind)
  const beat = writeFolderMark(transmitLogFolder(context.settings.dataDir), folder)
  if (beat) await markFolder(context, beat.id, beat.beat)
  // The present journals may be of the forgotten time.
  if (because) witness.journals.clear()
  witness.uncompared = uncompared
  witness.seen = state.vitals
  return state.vitals
}

async function holdSending(
  context: Context,
  state: LedgerState,
  because: SendingHoldCause | null,
  behind: number,
): Promise<void> {
  if (because === null && state.home === state.home_now) return
  if (!(await markEvaluated(context, because)))
    throw new Error('the ledger has no state: the database is being restored')
  if (because)
    context.log.error(
      { because, unrecorded: behind },
      'the database is older than what was sent: sending is on hold until a person has looked (npm run operator -- sending)',
    )
}

/** A database copied within its server before anything was sent is a template, not a backup. */
async function wasPutBack(context: Context, { home, home_now: now }: LedgerState): Promise<boolean> {
  if (home === null || home === now) return false
  const [cluster, , table] = home.split('/')
  const [clusterNow, , tableNow] = now.split('/')
  return cluster !== clusterNow || table !== tableNow || (await mayHaveSent(context))
}

/** Whether anything was ever sent by these data. Of a node that is away it is not known. */
async function mayHaveSent(context: Context): Promise<boolean> {
  try {
    return await hasSent(context)
  } catch (error) {
    if (await listReachable(context, error)) return true
    throw error
  }
}

/**
 * A copied folder. Where the database is in it, it was copied too: both are of the same old day, and the original may be sending. With the
 * database elsewhere, only if neither the original nor the database has moved on since.
 */
async function wasCopied(
  context: Context,
  state: LedgerState,
  folder: ReturnType<typeof readFolderMark>,
): Promise<boolean> {
  const { dataDir } = context.settings
  if (!folder?.isCopy || !(await mayHaveSent(context))) return false
  if (fs.existsSync(path.join(dataDir, 'postgres'))) return true
  return !folder.originalIsSame && (state.folders[folder.id] ?? 0) <= folder.beat
}

/** At a start, and whenever a journal is begun: a process may run for months. */
function sweep({ settings, clock }: Context): void {
  const oldest = new Date(clock.realNow().getTime() - KEPT_MS)
  sweepJournals(settings.dataDir, { oldest, bytes: KEPT_BYTES })
}

interface Reconciled {
  /** How many bodies left without the database knowing. */
  behind: number
  uncompared: Map<string, unknown>
}

async function reconcile(context: Context, journals: readonly JournalOnFile[]): Promise<Reconciled> {
  let behind = 0
  const uncompared = new Map<string, unknown>()
  for (const [merchantId, theirs] of Map.groupBy(journals, ({ merchantId }) => merchantId))
    try {
      behind += await reconcileMerchant(context, merchantId, theirs)
    } catch (error) {
      const reachable = await listReachable(context, error)
      if (!reachable || reachable.includes(merchantId)) throw error
      uncompared.set(merchantId, error)
    }
  if (uncompared.size > 0)
    context.log.warn(
      { merchants: uncompared.size },
      'a node of the cluster is away: what left for merchants on it is compared before anything is sent for them',
    )
  return { behind, uncompared }
}

async function reconcileMerchant(
  context: Context,
  merchantId: string,
  theirs: readonly JournalOnFile[],
): Promise<number> {
  const scope = merchantScope(context, merchantId)
  const ids = theirs.map(({ id }) => id)
  const positions = await readPositions(scope, ids)
  // Another database's, or a store that was erased.
  if (!positions) return 0
  let unrecorded = 0
  for (const journal of theirs) {
    const known = positions.get(journal.id) ?? -1
    if (known >= journal.position && known >= 0) continue
    const lost = (unlessSwept(() => [...readJournal(journal.file)]) ?? []).filter(({ position }) => position > known)
    await record(context, merchantId, lost)
    await markReconciled(scope, { id: journal.id, position: journal.position, worker: worker(context) })
    unrecorded += lost.length
  }
  await touchJournals(scope, ids)
  return unrecorded
}

async function record(context: Context, merchantId: string, lost: readonly LoggedTransmit[]): Promise<void> {
  const scope = merchantScope(context, merchantId)
  for (let at = 0; at < lost.length; at += AT_ONCE) {
    const some = lost.slice(at, at + AT_ONCE)
    const executions = some.flatMap(({ execution }) => execution ?? [])
    const known = await context.ports.executionsKnown(scope, [...new Set(executions)])
    await insertUnrecorded(scope, some, known)
  }
  if (lost.length > 0) await skipLeaseNumbers(scope, Math.max(...lost.slice(-AT_ONCE).map(({ id }) => id)))
}

/** A sign that this folder is in use, which makes an older copy of it different. A copy put back meanwhile is handled as at a start. */
export async function markFolderAlive(context: Context): Promise<void> {
  const folder = transmitLogFolder(context.settings.dataDir)
  const known = readFolderMark(folder)
  if (known?.isCopy) {
    await compareWithJournals(context)
    return
  }
  const beat = writeFolderMark(folder, known)
  if (beat) await markFolder(context, beat.id, beat.beat)
}

/** A lease was refused: the database is not what it was, or has not come as far as our journal. What is known already is not looked at again. */
export async function lookAgain(context: Context): Promise<void> {
  const state = await readLedgerState(context)
  if (state?.held_since && state.vitals === witnessOf(context).seen) return
  await compareWithJournals(context)
}

/**
 * For what people see and is no delivery: whether sending is not on hold, and the data are where they were when they were compared. Where
 * they are not, they are compared first.
 */
export async function mayReachPeople({ context, merchantId }: MerchantScope): Promise<boolean> {
  const isOpen = async (): Promise<boolean> => {
    const state = await readLedgerState(context)
    return (
      state !== null &&
      state.held_since === null &&
      state.home === state.home_now &&
      !witnessOf(context).uncompared.has(merchantId)
    )
  }
  if (await isOpen()) return true
  await lookAgain(context)
  return isOpen()
}
