import { setTimeout as sleep } from 'node:timers/promises'
import { cautiousStopwatch } from '../../../kernel/clock.ts'
import { crashPoint } from '../../../kernel/crash-point.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import type { Program } from '../../stats/index.ts'
import type { Channel, Composer, Result } from '../channel.ts'
import {
  deleteLease,
  extendLease,
  hasUncertain,
  type LeaseAnswer,
  lockLease,
  returnLeasedRows,
  storeLateAnswers,
  storeResults,
} from './lease-queries.ts'
import { markMessageState } from '../message-queries.ts'
import { countAgainFrom } from '../scenario-steps/scenario-queries.ts'
import { noteStoppage } from './stoppage.ts'
import type { Transmit, TransmitLog } from '../transmit-log/transmit-log.ts'

declare module '../../../kernel/facts.ts' {
  interface Facts {
    /** Of mails that were taken for uncertain it became known how they ended, or that they never left and wait again. */
    'deliveries.fate_known': { messageId: string; program: Program | null }
  }
}

/**
 * A worker's lease on deliveries of one message, from its side. Deliveries are cleared some ahead of the connections and results come in;
 * one write of each kind at a time, beside each other, for what has gathered since the last: many messages share a commit, no connection
 * waits for one, and what may leave does not wait for what came back.
 */
export interface Lease {
  readonly id: number
  /** False once another took it away, or the message was held or stopped, or test mode switched: no more bodies leave. */
  readonly open: boolean
  /**
   * Stores that the bodies up to this delivery, in the order of ids, may leave from now on, and returns when that is committed; false
   * when they must not. Each call goes further than the one before.
   */
  advanceWatermark(upTo: string): Promise<boolean>
  /**
   * Remembers that the body for these people, all cleared before, leaves now; false when it must not, or cannot be remembered: then for none
   * of them.
   */
  mayTransmit(transmits: readonly Transmit[]): boolean
  /** Stores with the next commit how it ended. Until then the database must assume that the delivery's body may have left. */
  report(result: Result): void
  /** Gives a sign of life, so that a slow server does not cost the lease. */
  renew(): void
  /** Stores what is left and lets go, however long that takes. Of a lease that was lost it stores the answers it knows. */
  end(): Promise<void>
}

/** While the database is away answers that came are kept and tried again. */
const RETRY_EVERY_MS = 250
/** With more answers than this waiting to be stored nothing more is cleared: a worker that dies then may leave all of them uncertain. */
const MAX_UNSTORED = 200
/**
 * The same where trying again is safe, so that no delivery becomes uncertain. Returns wait for others, up to this number or time, because one
 * statement costs the database and the worker as much as some thirty rows.
 */
const STORED_TOGETHER = 400
const STORED_AFTER_MS = 100
const MAX_UNSTORED_IF_SAFE = 2 * STORED_TOGETHER
/** Leases this process still works on: it must not take them from itself after an outage. */
const ownLeases = new Set<number>()
export const isOwnLease = (id: number): boolean => ownLeases.has(id)

interface LeaseOptions {
  id: number
  messageId: string
  /** Null: tests of an email. */
  program: Program | null
  channel: Pick<Channel, 'recordBounces' | 'safeRetryMs'>
  merchantInTestMode: boolean
  codeDoubts: number
  seconds: number
  returnUnsent?: Composer['returnUnsent']
  /** Open; closed by the caller that opened it. */
  transmitLog: TransmitLog
}

export function createLease(scope: MerchantScope, options: LeaseOptions): Lease {
  const { id, messageId, transmitLog } = options
  const status = createLeaseStatus(scope)
  const watermark = createWatermark(scope, options, status)
  const answers = createAnswers(scope, options, status)
  /** What leaves can be noted. */
  let noted = true
  /** Answered without a try: they wait again. */
  let uncounted = 0
  ownLeases.add(id)
  return {
    id,
    get open() {
      return status.isOurs && status.maySend && noted
    },
    async advanceWatermark(upTo) {
      if (answers.areTooMany()) await answers.storing
      return watermark.advance(upTo)
    },
    mayTransmit(leaving) {
      if (!status.isOurs || !status.maySend || !noted || !watermark.covers(leaving)) return false
      try {
        transmitLog.add(leaving)
      } catch (error) {
        noted = false
        noteStoppage(scope.context, 'departures', error)
        return false
      }
      for (const { delivery } of leaving) answers.left.add(delivery)
      return true
    },
    report(result) {
      if (!result.countsAttempt) uncounted += 1
      answers.report(result)
    },
    renew: watermark.renew,
    async end() {
      answers.gatherNoLonger()
      while (watermark.extending || answers.storing) await Promise.all([watermark.extending, answers.storing])
      try {
        // What is still `sending` under it was claimed and not begun, or its body withheld: it cannot have reached anyone. Unless its body left
        // and a fault kept its answer from us.
        await status.untilDone(() =>
          scope.transaction(async (scope) => {
            if (!(await lockLease(scope, id))) status.isOurs = false
            const mayHaveLeft = [...answers.left]
            const lease = { id, message_id: messageId }
            const returned = await returnLeasedRows(scope, lease, { mayHaveLeft, isSafe: answers.isSafe })
            if (status.isOurs) await options.returnUnsent?.(scope, returned + uncounted)
            await deleteLease(scope, id)
          }),
        )
        if (!status.isOurs) await answers.storeKnownAnswers()
      } finally {
        status.isOurs = false
        ownLeases.delete(id)
      }
    },
  }
}

/** Whether the lease is still ours, as far as this process knows. */
interface LeaseStatus {
  /** False once another worker took the lease away, or it was ended. */
  isOurs: boolean
  /** False once the message was held or stopped, or test mode switched. */
  maySend: boolean
  update(answer: LeaseAnswer): void
  /** Tries until it is done or the lease is lost. What is tried again changes nothing, so it does not matter whether the first try was committed. */
  untilDone(write: () => Promise<void>): Promise<void>
}

function createLeaseStatus({ context }: MerchantScope): LeaseStatus {
  const status: LeaseStatus = {
    isOurs: true,
    maySend: true,
    // Lost is lost: an answer from before the lease was taken may arrive after the one that says so.
    update(answer) {
      status.isOurs &&= answer.is_ours
      status.maySend &&= answer.may_send
    },
    async untilDone(write) {
      while (status.isOurs) {
        try {
          await write()
          return
        } catch (error) {
          noteStoppage(context, 'database', error)
          await sleep(RETRY_EVERY_MS)
        }
      }
    },
  }
  return status
}

const heldLeaseOf = ({ id, messageId, merchantInTestMode, codeDoubts }: LeaseOptions) => ({
  leaseId: id,
  messageId,
  merchantInTestMode,
  codeDoubts,
})

/** How far deliveries may leave, written with the sign of life. */
function createWatermark(scope: MerchantScope, options: LeaseOptions, status: LeaseStatus) {
  const { seconds, transmitLog } = options
  const lease = heldLeaseOf(options)
  /** What may leave, and what leaves with the next commit, both up to this id. */
  let watermark: string | null = null
  let clearingTo: string | null = null
  let waiting: ((open: boolean) => void)[] = []
  let extending: Promise<void> | null = null
  /** Since the lease was last known to be ours. A process that slept past its end may not know yet that it was taken away. */
  let sinceSign = cautiousStopwatch()

  async function extend(): Promise<void> {
    while (waiting.length > 0) {
      const [those, upTo] = [waiting, clearingTo]
      waiting = []
      await status.untilDone(async () => {
        const sign = cautiousStopwatch()
        const answer = await extendLease(scope, { ...lease, journalId: transmitLog.journalId, watermark: upTo })
        // Further back than it was: an older state of the database was put back under us.
        status.update({ ...answer, is_ours: answer.is_ours && answer.position > transmitLog.position })
        transmitLog.reached(answer.position)
        sinceSign = sign
        watermark = upTo
      })
      for (const resolve of those) resolve(status.isOurs && status.maySend)
    }
    extending = null
  }
  const extended = (): Promise<boolean> =>
    new Promise((resolve) => {
      waiting.push(resolve)
      extending ??= extend()
    })

  return {
    get extending() {
      return extending
    },
    advance(upTo: string): Promise<boolean> {
      clearingTo = upTo
      return extended()
    },
    renew(): void {
      if (!extending) void extended()
    },
    /** All are cleared, and the last sign of life is not too old. */
    covers(leaving: readonly Transmit[]): boolean {
      if (watermark === null) return false
      for (const { delivery } of leaving) if (delivery > watermark) return false
      return sinceSign() < seconds * 1000
    },
  }
}

/** What came back: it is stored together, and kept for the case that the lease is lost. */
function createAnswers(scope: MerchantScope, options: LeaseOptions, status: LeaseStatus) {
  const { messageId, program, channel, transmitLog } = options
  const { context } = scope
  const lease = heldLeaseOf(options)
  const isSafe = channel.safeRetryMs > 0
  const maxUnstored = isSafe ? MAX_UNSTORED_IF_SAFE : MAX_UNSTORED
  let results: Result[] = []
  let storing: Promise<void> | null = null
  /** Returns gather; this stores them now. */
  let gathering: (() => void) | null = null
  let ending = false
  /** Deliveries whose answer is not in the ledger yet: none has come, or it is not stored. */
  const left = new Set<string>()
  const answered = new Map<string, Result>()

  const othersGathered = (): Promise<void> =>
    new Promise((resolve) => {
      if (ending || results.length >= STORED_TOGETHER) return resolve()
      const timer = setTimeout(() => gathering?.(), STORED_AFTER_MS)
      gathering = () => {
        gathering = null
        clearTimeout(timer)
        resolve()
      }
    })
  async function storeGathered(): Promise<void> {
    while (results.length > 0) {
      // Everything that becomes ready meanwhile shares the commit.
      await (isSafe ? othersGathered() : new Promise((resolve) => setImmediate(resolve)))
      const batch = results
      results = []
      await status.untilDone(async () => {
        const answer = await store(batch)
        status.update(answer)
        if (answer.is_ours)
          for (const { id } of batch) {
            answered.delete(id)
            left.delete(id)
          }
        crashPoint('stored')
      })
    }
    storing = null
  }
  async function store(batch: readonly Result[]): Promise<LeaseAnswer> {
    const bounces = batch.flatMap(({ id: deliveryId, bounce }) => (bounce ? [{ deliveryId, ...bounce }] : []))
    if (bounces.length === 0) return storeResults(scope, lease, batch)
    return scope.transaction(async (scope) => {
      const answer = await storeResults(scope, lease, batch)
      if (answer.is_ours) await channel.recordBounces(scope, bounces)
      return answer
    })
  }

  return {
    isSafe,
    left,
    get storing() {
      return storing
    },
    areTooMany: (): boolean => results.length > maxUnstored,
    report(result: Result): void {
      answered.set(result.id, result)
      results.push(result)
      // Where another try is safe, it need not be known.
      if (!isSafe && result.status === 'sent' && result.sentAt) transmitLog.accepted(result.id, result.sentAt)
      if (results.length >= STORED_TOGETHER) gathering?.()
      storing ??= storeGathered()
    },
    gatherNoLonger(): void {
      ending = true
      gathering?.()
    },
    /** The lease was taken from us, and some of it called uncertain: we know more, and no more of it leaves. */
    async storeKnownAnswers(): Promise<void> {
      if (!(await hasUncertain(scope, lease))) return
      const known = await scope.transaction(async (scope) => {
        await context.publish(scope, 'deliveries.fate_known', { messageId, program })
        if (!program) await markMessageState(scope, messageId, 'released')
        await countAgainFrom(scope, messageId, [...answered.values()])
        return storeLateAnswers(scope, lease, { results: [...answered.values()], left: [...left] })
      })
      context.log.warn({ messageId, known }, 'a worker that had been taken for dead stored the answers it knew')
    },
  }
}
