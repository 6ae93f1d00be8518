import type { ReceiverPace } from '@okaeri/contract/receiver-paces/routes'
import { receiverOf } from '@okaeri/contract/emails/receivers'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import type { ClaimedRow, PacedRows } from '../../deliveries/index.ts'
import { findWarmUpOf, returnToWarmUp, grantWarmUp } from '../../sender-domains/index.ts'
import { FORGOTTEN_AFTER_MS, isGivenUp, share, slower } from './pace.ts'
import { deleteForgotten, deletePace, hasPaces, listPaces, lockPaces, writePace } from './pace-queries.ts'

/** One worker's part in keeping to what receiving operators take; what it learns, all learn. */
export interface Pacing {
  /** In the transaction of a claim: who of these is handed over now, and until when the others are put off. */
  share(scope: TransactionScope, rows: readonly ClaimedRow[]): Promise<PacedRows>
  /** Until when a row that was claimed before the operator said so is better not handed over; null: it may. */
  heldUntil(row: ClaimedRow, now: Date): { until: Date; answer: string } | null
  /** At the slice's end: so many of those that were to be handed over did not leave. */
  returnUnsent(scope: TransactionScope, count: number): Promise<void>
  /** A mail was taken. */
  accepted(): void
  /** So many operators say it, and hardly anything was taken: it is about the server we hand over to, whatever its words. */
  readonly limitsAllReceivers: boolean
  /** The operator of this row said that it was too much. Resolves when all workers know it, or when it could not be stored. */
  slowed(row: ClaimedRow, answer: string): Promise<void>
}

const SPREAD_MS = 3_600_000
const MANY_RECEIVERS = 10

const receiverOfRow = ({ address }: ClaimedRow): string => receiverOf(address.slice(address.lastIndexOf('@') + 1))

/** What goes to test addresses is no sign of anything and never waits. */
const isPaced = ({ kind, test_mode: testMode }: ClaimedRow): boolean => kind !== 'test' && !testMode

/** For a time slice. `from`: the sender's address. If another worker is slowed down by a new operator meanwhile, that counts from the next time slice. */
export async function openPacing(
  outer: MerchantScope,
  { route, from }: { route: string; from: string },
): Promise<Pacing> {
  const [isSlowed, warmUp] = await Promise.all([hasPaces(outer, route), findWarmUpOf(outer, from)])
  const warmsUp = warmUp !== null
  const { context } = outer
  /** `uncounted`: put back before they were handed over, and not counted among those that wait. */
  const held = new Map<string, { until: Date; answer: string; uncounted: number }>()

  let accepted = 0
  /** What this slice counted to a day of the plan. */
  let granted = { day: '', count: 0 }

  async function slowDown(receiver: string, answer: string): Promise<void> {
    const now = context.clock.now()
    const known = held.get(receiver)
    if (known && known.until > now) return
    // At once, before anything is awaited: other connections are about to hand over more.
    held.set(receiver, { until: slower(null, receiver, answer, now).held_until, answer, uncounted: 0 })
    const pace = await outer.transaction(async (scope) => {
      const [before] = await lockPaces(scope, route, [receiver])
      const pace = slower(before ?? null, receiver, answer, now)
      await writePace(scope, route, pace)
      await deleteForgotten(scope, now)
      return pace
    })
    held.set(receiver, { until: pace.held_until, answer, uncounted: held.get(receiver)?.uncounted ?? 0 })
    context.log.info({ route, receiver, perMinute: pace.per_minute, answer }, 'a receiving operator takes fewer')
  }

  async function shareByReceivers(scope: TransactionScope, rows: readonly ClaimedRow[]): Promise<PacedRows> {
    if (!isSlowed && held.size === 0) return allLeave(rows)
    const byReceiver = new Map<string, ClaimedRow[]>()
    for (const row of rows) {
      if (!isPaced(row)) continue
      const receiver = receiverOfRow(row)
      const of = byReceiver.get(receiver)
      if (of) of.push(row)
      else byReceiver.set(receiver, [row])
    }
    if (byReceiver.size === 0) return allLeave(rows)
    const paces = await lockPaces(scope, route, [...byReceiver.keys()])
    if (paces.length === 0) return allLeave(rows)
    const now = context.clock.now()
    const reason = 'receiver_limit'
    const postponed: PacedRows['postponed'] = []
    const givenUp: PacedRows['givenUp'] = []
    for (const row of paces) {
      const local = held.get(row.receiver)
      const known = { ...row, waiting: row.waiting + (local?.uncounted ?? 0) }
      const of = byReceiver.get(known.receiver) ?? []
      const [waited, fresh] = [of.filter((row) => row.waited), of.filter((row) => !row.waited)]
      const shared = share(known, { waited: waited.length, fresh: fresh.length }, now)
      if (local) local.uncounted = 0
      if (shared.pace) await writePace(scope, route, shared.pace)
      else await deletePace(scope, route, known.receiver)
      for (const row of [...waited, ...fresh].slice(shared.leave)) {
        if (row.waited && isGivenUp(known, row.id, now)) givenUp.push({ id: row.id, reason, detail: known.answer })
        else postponed.push({ id: row.id, until: shared.retryAt(Math.random()), reason, detail: known.answer })
      }
    }
    const gone = new Set([...postponed, ...givenUp].map(({ id }) => id))
    return { leave: rows.filter(({ id }) => !gone.has(id)), postponed, givenUp }
  }

  /** Those of whom the day has room for leave, by their ids; the others go on over the first hour of the next. */
  async function shareByWarmUp(scope: TransactionScope, rows: readonly ClaimedRow[]): Promise<PacedRows> {
    const counted = rows.filter(isPaced)
    if (counted.length === 0) return allLeave(rows)
    const taken = await grantWarmUp(scope, from, counted.length)
    if (!taken) return allLeave(rows)
    // Grants of the previous day do not come back after midnight: too few mails are better than too many.
    granted = { day: taken.day, count: taken.granted + (granted.day === taken.day ? granted.count : 0) }
    const late = counted.slice(taken.granted)
    const gone = new Set(late.map(({ id }) => id))
    const postponed = late.map(({ id }) => ({
      id,
      until: new Date(taken.nextDay.getTime() + Math.random() * SPREAD_MS),
      reason: 'warm_up' as const,
      detail: null,
    }))
    return { leave: rows.filter(({ id }) => !gone.has(id)), postponed, givenUp: [] }
  }

  return {
    async share(scope, rows) {
      const byReceivers = await shareByReceivers(scope, rows)
      const byPlan = warmsUp ? await shareByWarmUp(scope, byReceivers.leave) : allLeave(byReceivers.leave)
      return { ...byReceivers, leave: byPlan.leave, postponed: [...byReceivers.postponed, ...byPlan.postponed] }
    },
    async returnUnsent(scope, count) {
      const back = Math.min(count, granted.count)
      if (back > 0) await returnToWarmUp(scope, from, { day: granted.day, count: back })
    },
    accepted() {
      accepted += 1
    },
    get limitsAllReceivers() {
      return held.size >= MANY_RECEIVERS && accepted < held.size
    },
    heldUntil(row, now) {
      if (held.size === 0 || !isPaced(row)) return null
      const of = held.get(receiverOfRow(row))
      if (!of || of.until <= now) return null
      of.uncounted += 1
      return of
    },
    async slowed(row, answer) {
      if (!isPaced(row)) return
      try {
        await slowDown(receiverOfRow(row), answer)
      } catch (error) {
        // The answer to this mail must not be lost for it; the next one will tell the same.
        context.log.warn({ error, route }, 'that a receiving operator takes fewer could not be written')
      }
    },
  }
}

const allLeave = (rows: readonly ClaimedRow[]): PacedRows => ({ leave: [...rows], postponed: [], givenUp: [] })

/** The receivers that limited us lately, by any route. */
export async function readPaces(scope: MerchantScope): Promise<ReceiverPace[]> {
  const { now } = scope
  const paces = await listPaces(scope, { since: new Date(now.getTime() - FORGOTTEN_AFTER_MS) })
  return paces.map(({ receiver, per_minute, held_until, waiting, since, answer }) => ({
    receiver,
    per_minute,
    held_until: held_until > now ? held_until.toISOString() : null,
    waiting,
    since: since.toISOString(),
    answer,
  }))
}
