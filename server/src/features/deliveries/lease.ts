import { setTimeout as sleep } from 'node:timers/promises'
import { crashPoint } from '../../kernel/crash-point.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { recordBounces } from './bounces.ts'
import { openDepartures } from './departures.ts'
import { deleteLease, flushLease, type ResultRow, returnLeasedRows } from './lease-queries.ts'

/** How a delivery ended, and what is to be remembered with it. */
export interface Result extends ResultRow {
  /** The address does not exist: the server's words. */
  bounce?: { address: string; detail: string }
}

/**
 * A worker's hold on deliveries of one message, from its side. Deliveries are cleared some ahead of the connections and results come in;
 * one flush at a time stores what has gathered since the last, so that many messages share a commit and no connection waits for one.
 */
export interface Lease {
  readonly id: number
  /** False once another took it away, or the message was held or stopped, or test mode switched: no more bodies leave. */
  readonly open: boolean
  /** Remembers that the bodies of these may leave from now on, and answers when that is committed; false when they must not. */
  clear(deliveryIds: readonly string[]): Promise<boolean>
  /** Remembers that this body, cleared before, leaves now; false when it must not. */
  leaves(deliveryId: string): boolean
  /** Stores with the next commit how it ended. Until then the delivery stands among those whose body may have left. */
  report(result: Result): void
  /** Gives a sign of life, so that a slow server does not cost the lease. */
  renew(): void
  /** Stores what is left and lets go. */
  end(): Promise<void>
}

/** While the database is away answers that came are kept and tried again; nothing new leaves meanwhile. */
const RETRY_EVERY_MS = 250
/** Leases this process still works on: it must not take them from itself after an outage. */
const ownLeases = new Set<number>()
export const isOwnLease = (id: number): boolean => ownLeases.has(id)

interface LeaseTerms {
  id: number
  messageId: string
  merchantInTestMode: boolean
  seconds: number
}

export function createLease(scope: MerchantScope, { id, messageId, merchantInTestMode, seconds }: LeaseTerms): Lease {
  const { log } = scope.context
  const cleared = new Set<string>()
  const departures = openDepartures(scope.context.settings.dataDir, scope.merchantId, id)
  let results: Result[] = []
  let waiting: ((held: boolean) => void)[] = []
  let flushing: Promise<void> | null = null
  let held = true
  let wanted = true
  ownLeases.add(id)

  async function store(
    batch: readonly Result[],
    handedOver: readonly string[],
  ): Promise<{ held: boolean; wanted: boolean }> {
    const bounces = batch.filter(({ bounce }) => bounce)
    const flush = { leaseId: id, messageId, merchantInTestMode, seconds, results: batch, handedOver }
    if (bounces.length === 0) return flushLease(scope, flush)
    return scope.transaction(async (scope) => {
      const answer = await flushLease(scope, flush)
      if (!answer.held) return answer
      await recordBounces(
        scope,
        bounces.flatMap(({ id: deliveryId, bounce }) => (bounce ? [{ deliveryId, ...bounce }] : [])),
      )
      return answer
    })
  }

  async function flush(): Promise<void> {
    while (waiting.length > 0 || results.length > 0) {
      // Everything that becomes ready in this turn of the event loop shares the commit.
      await new Promise((resolve) => setImmediate(resolve))
      const [batch, answered, handedOver] = [results, waiting, [...cleared]]
      results = []
      waiting = []
      while (held) {
        try {
          const answer = await store(batch, handedOver)
          held = answer.held
          wanted &&= answer.wanted
          crashPoint('stored')
          break
        } catch (error) {
          // Not known whether it was committed; storing it again changes nothing.
          log.warn({ error: error instanceof Error ? error.message : error }, 'results cannot be stored; trying again')
          await sleep(RETRY_EVERY_MS)
        }
      }
      for (const tell of answered) tell(held && wanted)
    }
    flushing = null
  }
  const flushSoon = (): Promise<void> => {
    flushing ??= flush()
    return flushing
  }
  const flushed = (): Promise<boolean> =>
    new Promise((resolve) => {
      waiting.push(resolve)
      void flushSoon()
    })

  return {
    id,
    get open() {
      return held && wanted
    },
    clear(deliveryIds) {
      for (const deliveryId of deliveryIds) cleared.add(deliveryId)
      return flushed()
    },
    leaves(deliveryId) {
      if (!held || !wanted || !cleared.has(deliveryId)) return false
      departures.add(deliveryId)
      return true
    },
    report(result) {
      cleared.delete(result.id)
      results.push(result)
      void flushSoon()
    },
    renew() {
      if (!flushing) void flushed()
    },
    async end() {
      while (flushing) await flushing
      // What is still `sending` under it was claimed and not begun, or its body withheld: nobody can have got it.
      let letGo = !held
      try {
        if (held)
          await scope.transaction(async (scope) => {
            await returnLeasedRows(scope, { id, message_id: messageId, handed_over: [] })
            await deleteLease(scope, id)
          })
        letGo = true
      } finally {
        departures.close(!letGo)
        held = false
        ownLeases.delete(id)
      }
    },
  }
}
