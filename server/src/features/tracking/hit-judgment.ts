import { recurring } from '../../kernel/work/due-merchants.ts'
import { newId } from '../../kernel/ids.ts'
import { job } from '../../kernel/work/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { recountMails } from '../customers/index.ts'
import { type Outcome, recordOutcomes, sumUpMails } from '../deliveries/index.ts'
import { addStats, type Measure } from '../stats/index.ts'
import { unjudgedHits } from './due-queries.ts'
import { claimUnjudged, claimUnjudgedOfCustomers, type HitRow, listNewestHits, markJudged } from './queries.ts'
import { type Evidence, judge } from './verdict.ts'

/** A machine that follows all links does so within 2 s, so all neighbors of a hit are there by then. */
export const JUDGE_AFTER_MS = 3000
const HITS_A_TURN = 1000
/** Neighbors read per delivery. More would say nothing new: someone requests its links endlessly. */
const MAX_NEIGHBORS = 200

/** Judges hits soon after they arrived. */
export const judgeHits = recurring({ name: 'judge-hits', everyMs: 1000, due: unjudgedHits, turn: judgeDueHits })

async function judgeDueHits(scope: MerchantScope): Promise<boolean> {
  return scope.transaction(async (inside) => {
    const before = new Date(inside.now.getTime() - JUDGE_AFTER_MS)
    const claimed = await claimUnjudged(inside, before, HITS_A_TURN)
    await judgeClaimed(inside, claimed)
    return claimed.length > 0
  })
}

/** Judges these customers' hits without waiting, because an order needs them for its attribution. */
export async function judgeHitsOfCustomers(scope: MerchantScope, customerIds: readonly string[]): Promise<void> {
  await judgeClaimed(scope, await claimUnjudgedOfCustomers(scope, customerIds, HITS_A_TURN))
}

async function judgeClaimed(scope: MerchantScope, claimed: readonly HitRow[]): Promise<void> {
  if (claimed.length === 0) return
  const claimedBy = Map.groupBy(claimed, ({ delivery_id }) => delivery_id)
  const newest = await listNewestHits(scope, [...claimedBy.keys()], MAX_NEIGHBORS)
  const newestBy = Map.groupBy(newest, ({ delivery_id }) => delivery_id)
  const verdicts: { id: string; verdict: 'human' | 'machine'; evidence: Evidence }[] = []
  const outcomes: Outcome[] = []
  for (const [deliveryId, hits] of claimedBy) {
    const neighbors = new Map([...hits, ...(newestBy.get(deliveryId) ?? [])].map((hit) => [hit.id, asHit(hit)]))
    const judged = judge([...neighbors.values()], hits[0]?.sent_at ?? null)
    const first = new Map<Outcome['kind'], Date>()
    for (const { id, kind, occurred_at } of hits) {
      const verdict = judged.get(id)
      if (!verdict) continue
      verdicts.push({ id, ...verdict })
      for (const outcome of outcomesOf(kind, verdict.verdict)) {
        const known = first.get(outcome)
        if (!known || occurred_at < known) first.set(outcome, occurred_at)
      }
    }
    for (const [kind, at] of first) outcomes.push({ deliveryId, kind, at })
  }
  await markJudged(scope, verdicts)
  await countOutcomes(scope, outcomes)
}

/**
 * Sums up what these customers opened and clicked. All of them are marked dirty, because no sum shows a change for LINE. Runs later, not while
 * hits are locked: an order locks its customer and waits for the hits, so a transaction that locks hits must not wait for a customer.
 */
export const recountReaders = job<{ id: string; customerIds: string[] }>(
  'tracking.recount_readers',
  ({ id }) => id,
  (scope, { customerIds }) =>
    scope.transaction(async (scope) => {
      await recountMails(scope, customerIds, sumUpMails)
      await scope.context.publish(scope, 'customers.changed', { customerIds })
    }),
)

/** Records what happened to deliveries, and counts each kind once per delivery; tests are recorded but not counted. */
export async function countOutcomes(scope: MerchantScope, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return
  const at = new Map(outcomes.map((outcome) => [`${outcome.deliveryId} ${outcome.kind}`, outcome.at]))
  const firsts = await recordOutcomes(scope, outcomes)
  const readers = firsts.flatMap(({ kind, customerId, testMode }) =>
    customerId && !testMode && (kind === 'opened' || kind === 'clicked') ? [customerId] : [],
  )
  if (readers.length > 0)
    await scope.context.jobs.later(scope, recountReaders, { id: newId(), customerIds: [...new Set(readers)] })
  await addStats(
    scope,
    firsts
      .filter(({ testMode }) => !testMode)
      .map(({ deliveryId, kind, program, channel, contentId }) => {
        const measure: Measure = kind
        return { at: at.get(`${deliveryId} ${kind}`) ?? scope.now, program, channel, contentId, [measure]: 1 }
      }),
  )
}

/** A click counts as an open, whether or not pictures were loaded. */
function outcomesOf(kind: 'open' | 'click', verdict: 'human' | 'machine'): Outcome['kind'][] {
  if (verdict === 'machine') return [kind === 'open' ? 'machine_opened' : 'machine_clicked']
  return kind === 'open' ? ['opened'] : ['opened', 'clicked']
}

const asHit = (row: Omit<HitRow, 'sent_at'>) => ({
  id: row.id,
  kind: row.kind,
  linkPosition: row.link_position,
  at: row.occurred_at,
  userAgent: row.user_agent,
})
