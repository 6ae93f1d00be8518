import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { deleteLease, flushLease, type ResultRow } from './queries.ts'

/**
 * A worker's hold on deliveries of one message, from its side. Connections report results and ask leave to hand over a body; one flush
 * at a time stores what has gathered since the last, so that many messages share a commit.
 */
export interface Lease {
  readonly id: number
  /** False once another took it away: nothing may be handed over any more. */
  readonly held: boolean
  /** Remembers that the body of this delivery may leave, and answers when that is committed; false when it must not leave. */
  handOver(deliveryId: string): Promise<boolean>
  /** Stores how it ended; answers when that is committed. */
  report(result: ResultRow): Promise<void>
  /** Gives a sign of life, so that a slow server does not cost the lease. */
  renew(): Promise<void>
  /** After the last report. */
  end(): Promise<void>
}

interface Waiting {
  resolve: (held: boolean) => void
  reject: (error: unknown) => void
}

export function createLease(scope: MerchantScope, id: number, seconds: number): Lease {
  const bodiesOut = new Set<string>()
  let results: ResultRow[] = []
  let waiting: Waiting[] = []
  let flushing = false
  let held = true

  async function flush(): Promise<void> {
    if (flushing) return
    flushing = true
    while (waiting.length > 0) {
      // Everything that became ready in this turn of the event loop shares the commit.
      await new Promise((resolve) => setImmediate(resolve))
      const [batch, answered] = [results, waiting]
      results = []
      waiting = []
      try {
        if (held) held = await flushLease(scope, { leaseId: id, seconds, results: batch, handedOver: [...bodiesOut] })
        for (const one of answered) one.resolve(held)
      } catch (error) {
        // Not known whether it was committed. Without a commit nothing more may leave under this lease; what it held is recovered
        // from the database when it expires.
        held = false
        for (const one of answered) one.reject(error)
      }
    }
    flushing = false
  }
  const flushed = (): Promise<boolean> =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject })
      void flush()
    })

  return {
    id,
    get held() {
      return held
    },
    handOver(deliveryId) {
      bodiesOut.add(deliveryId)
      return flushed()
    },
    async report(result) {
      bodiesOut.delete(result.id)
      results.push(result)
      await flushed()
    },
    async renew() {
      await flushed()
    },
    async end() {
      if (held) await deleteLease(scope, id)
      held = false
    },
  }
}
