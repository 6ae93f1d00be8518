import { setTimeout as sleep } from 'node:timers/promises'
import { cautiousStopwatch } from '../../kernel/clock.ts'
import { crashPoint } from '../../kernel/crash-point.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { Program } from '../stats/index.ts'
import type { Channel, Result } from './channel.ts'
import type { Transmit, TransmitLog } from './transmit-log.ts'
import {
  deleteLease,
  extendLease,
  hasUncertain,
  type LeaseAnswer,
  lockLease,
  returnLeasedRows,
  storeKnown,
  storeResults,
} from './lease-queries.ts'
import { markMessageState } from './queries.ts'
import { countAgainFrom } from './scenario-queries.ts'
import { endStoppage, noteStoppage } from './stoppage.ts'

declare module '../../kernel/events.ts' {
  interface Facts {
    /** Of mails that were taken for uncertain it became known how they ended, or that they never left and wait again. */
    'deliveries.fate_known': { messageId: string; program: Program | null }
  }
}

/**
 * A worker's hold on deliveries of one message, from its side. Deliveries are cleared some ahead of the connections and results come in;
 * one write of each kind at a time, beside each other, for what has gathered since the last: many messages share a commit, no connection
 * waits for one, and what may leave does not wait for what came back.
 */
export interface Lease {
  readonly id: number
  /** False once another took it away, or the message was held or stopped, or test mode switched: no more bodies leave. */
  readonly open: boolean
  /**
   * Remembers that the bodies up to this delivery, in the order of ids, may leave from now on, and answers when that is committed; false
   * when they must not. Each call goes further than the one before.
   */
  advanceWatermark(upTo: string): Promise<boolean>
  /**
   * Remembers that the body for these people, all cleared before, leaves now; false when it must not, or cannot be remembered: then for none
   * of them.
   */
  mayTransmit(transmits: readonly Transmit[]): boolean
  /** Stores with the next commit how it ended. Until then the delivery's body may have left, for all the database knows. */
  report(result: Result): void
  /** Gives a sign of life, so that a slow server does not cost the lease. */
  renew(): void
  /** Stores what is left and lets go, however long that takes. Of a lease that was lost it tells what it knows. */
  end(): Promise<void>
}

/** While the database is away answers that came are kept and tried again. */
const RETRY_EVERY_MS = 250
/** With more answers than this waiting to be stored nothing more is cleared: a worker that dies then may leave all of them uncertain. */
const MAX_UNSTORED = 200
/**
 * The same where trying again is safe, so that nobody becomes uncertain: answers wait for others, so many or so long, because a statement costs
 * the database and the worker as much as some thirty of its rows.
 */
const STORED_TOGETHER = 400
const STORED_AFTER_MS = 100
const MAX_UNSTORED_IF_SAFE = 2 * STORED_TOGETHER
/** Leases this process still works on: it must not take them from itself after an outage. */
const ownLeases = new Set<number>()
export const isOwnLease = (id: number): boolean => ownLeases.has(id)

interface LeaseTerms {
  id: number
  messageId: string
  /** Null: tests of an email. */
  program: Program | null
  channel: Pick<Channel, 'recordBounces' | 'safeRetryMs'>
  merchantInTestMode: boolean
  seconds: number
  /** Open; closed by the caller that opened it. */
  transmitLog: TransmitLog
}

export function createLease(scope: MerchantScope, terms: LeaseTerms): Lease {
  const { id, messageId, program, channel, merchantInTestMode, seconds, transmitLog } = terms
  const { context } = scope
  const lease = { leaseId: id, messageId, merchantInTestMode }
  /** What may leave, and what leaves with the next commit, both up to this id. */
  let watermark: string | null = null
  let clearingTo: string | null = null
  let waiting: ((open: boolean) => void)[] = []
  let extending: Promise<void> | null = null
  let results: Result[] = []
  let storing: Promise<void> | null = null
  const isSafe = channel.safeRetryMs > 0
  const maxUnstored = isSafe ? MAX_UNSTORED_IF_SAFE : MAX_UNSTORED
  /** Answers gather; this stores them now. */
  let gathering: (() => void) | null = null
  let ending = false
  let held = true
  let wanted = true
  /** What leaves can be noted. */
  let noted = true
  /** Whose answer the ledger does not have yet: none has come, or it is not stored. */
  const left = new Set<string>()
  const answered = new Map<string, Result>()
  /** Since the lease was last known to be ours. A process that slept past its end may not know yet that it was taken away. */
  let sinceSign = cautiousStopwatch()
  ownLeases.add(id)

  /** Lost is lost: an answer from before the lease was taken may arrive after the one that says so. */
  const learn = (answer: LeaseAnswer): void => {
    held &&= answer.held
    wanted &&= answer.wanted
  }

  /** Until it is done; what is tried again changes nothing, so it does not matter that the first try may have been committed. */
  async function untilDone(write: () => Promise<void>): Promise<void> {
    while (held) {
      try {
        await write()
        endStoppage(context, 'database')
        return
      } catch (error) {
        noteStoppage(context, 'database', error)
        await sleep(RETRY_EVERY_MS)
      }
    }
  }

  async function extend(): Promise<void> {
    while (waiting.length > 0) {
      const [told, upTo] = [waiting, clearingTo]
      waiting = []
      await untilDone(async () => {
        const sign = cautiousStopwatch()
        const answer = await extendLease(scope, { ...lease, journalId: transmitLog.journalId, watermark: upTo })
        // Further back than it was: an older state of the database was put back under us.
        learn({ ...answer, held: answer.held && answer.position > transmitLog.position })
        transmitLog.reached(answer.position)
        sinceSign = sign
        watermark = upTo
      })
      for (const tell of told) tell(held && wanted)
    }
    extending = null
  }
  const extended = (): Promise<boolean> =>
    new Promise((resolve) => {
      waiting.push(resolve)
      extending ??= extend()
    })

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
      await untilDone(async () => {
        const answer = await store(batch)
        learn(answer)
        if (answer.held)
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
      if (answer.held) await channel.recordBounces(scope, bounces)
      return answer
    })
  }

  /** It was taken from us, and some of it called uncertain: we know more, and no more of it leaves. */
  async function tellKnown(): Promise<void> {
    if (!(await hasUncertain(scope, lease))) return
    const known = await scope.transaction(async (scope) => {
      await context.publish(scope, 'deliveries.fate_known', { messageId, program })
      if (!program) await markMessageState(scope, messageId, 'released')
      await countAgainFrom(scope, messageId, [...answered.values()])
      return storeKnown(scope, lease, { results: [...answered.values()], left: [...left] })
    })
    context.log.warn({ messageId, known }, 'a worker that had been taken for dead told what it knew')
  }

  return {
    id,
    get open() {
      return held && wanted && noted
    },
    async advanceWatermark(upTo) {
      if (results.length > maxUnstored) await storing
      clearingTo = upTo
      return extended()
    },
    mayTransmit(leaving) {
      if (!held || !wanted || !noted || watermark === null) return false
      for (const { delivery } of leaving) if (delivery > watermark) return false
      if (sinceSign() >= seconds * 1000) return false
      try {
        transmitLog.add(leaving)
      } catch (error) {
        noted = false
        noteStoppage(context, 'departures', error)
        return false
      }
      for (const { delivery } of leaving) left.add(delivery)
      return true
    },
    report(result) {
      answered.set(result.id, result)
      results.push(result)
      // Where another try is safe, nobody needs to know.
      if (!isSafe && result.status === 'sent' && result.sentAt) transmitLog.accepted(result.id, result.sentAt)
      if (results.length >= STORED_TOGETHER) gathering?.()
      storing ??= storeGathered()
    },
    renew() {
      if (!extending) void extended()
    },
    async end() {
      ending = true
      gathering?.()
      while (extending || storing) await Promise.all([extending, storing])
      try {
        // What is still `sending` under it was claimed and not begun, or its body withheld: it cannot have reached anyone. Unless its body left
        // and a fault kept its answer from us.
        await untilDone(() =>
          scope.transaction(async (scope) => {
            if (!(await lockLease(scope, id))) held = false
            await returnLeasedRows(scope, { id, message_id: messageId }, { mayHaveLeft: [...left], isSafe })
            await deleteLease(scope, id)
          }),
        )
        if (!held) await tellKnown()
      } finally {
        held = false
        ownLeases.delete(id)
      }
    },
  }
}
