import type { EventKind, EventSubject } from '@okaeri/contract/scenarios/event'
import type { Trigger } from '@okaeri/contract/scenarios/trigger'
import { recurring } from '../../kernel/work/due-merchants.ts'
import type { Facts } from '../../kernel/facts.ts'
import { newId, NIL_ID } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { readFlows, selectRunning } from '../flows/index.ts'
import { goodsAtRest } from './due-queries.ts'
import { recordFound } from './look-events.ts'
import {
  beginRound,
  endRound,
  listRounds,
  recordVariantChanges,
  selectSettled,
  selectWhoLike,
  type SettledVariant,
} from './settling-queries.ts'
import { goodOf, listNotifiedByRegistration } from './notified-by-registration.ts'
import { isLow } from './trigger-kinds/favorites-sql.ts'
import { selectWhoLookedAt } from './trigger-kinds/views-sql.ts'

export const recordPriceChanges = (scope: MerchantScope, { changes }: Facts['price.changed']): Promise<void> =>
  recordVariantChanges(scope, 'price', changes)
/** For what sells online; stock that was not known did not change. */
export const recordStockChanges = (scope: MerchantScope, { changes }: Facts['online_stock.changed']): Promise<void> =>
  recordVariantChanges(
    scope,
    'stock',
    changes.flatMap(({ before, ...change }) => (before === null ? [] : { ...change, before })),
  )

const PEOPLE_AT_ONCE = 2000
/** More of one person's favorites are not named in an event. */
const NAMED = 20

/**
 * When prices and stock are at rest, customers with such favorites get one event of each kind, with all that changed for them. Each event has
 * its key by round and customer, so a round that a process did not end is done again by another one.
 */
export const settleGoods = recurring({
  name: 'settle prices and stock',
  everyMs: 5000,
  due: goodsAtRest,
  async turn(scope, signal) {
    await beginRound(scope, newId())
    const rounds = await listRounds(scope)
    for (const roundId of rounds) {
      if (signal.aborted) return true
      await recordRound(scope, roundId, signal)
      if (!signal.aborted) await endRound(scope, roundId)
    }
    return rounds.length > 0
  },
})

type Change = NonNullable<EventSubject['changes']>[number] & { title: string; pricedVariantId: number | null }

async function recordRound(scope: MerchantScope, roundId: string, signal: AbortSignal): Promise<void> {
  const products = [
    ...Map.groupBy(await selectSettled(scope, roundId), ({ storeProductId }) => storeProductId).values(),
  ]
  const running = await runningTriggers(scope)
  const thresholds = running.flatMap((trigger) => (trigger.kind === 'favorite_low_stock' ? trigger.at_most : []))
  const prices = products.flatMap(pricesOf)
  const stock = products.flatMap(stockOf)
  const kinds: readonly [EventKind, Change[]][] = [
    ['favorite_price_dropped', prices.filter(({ before, after }) => after < before).sort(byShare)],
    ['favorite_back_in_stock', stock.filter(({ before, after }) => before <= 0 && after > 0)],
    ['favorite_low_stock', stock.filter((change) => thresholds.some((atMost) => isLow(change, atMost)))],
  ]
  for (const [kind, changes] of kinds)
    if (changes.length > 0)
      await recordChanges(scope, { roundId, kind, changes, find: whoLikes(scope, changes) }, signal)
  // By product: it is unknown which variant they looked at.
  const fell = prices
    .filter(({ before, after, store_variant_id }) => after < before && store_variant_id === null)
    .sort(byShare)
  const find = whoLookedAt(scope, fell, running)
  if (find && fell.length > 0)
    await recordChanges(scope, { roundId, kind: 'viewed_price_dropped', changes: fell, find }, signal)
}

/** A customer, with the places of what concerns them in the list of changes. */
interface ConcernedCustomer {
  customerId: string
  places: number[]
  days?: number[]
}
/** Those after this one. */
type FindPeople = (page: { after: string; limit: number }) => Promise<ConcernedCustomer[]>

function whoLikes(scope: MerchantScope, changes: readonly Change[]): FindPeople {
  const goods = changes.map((change) => ({
    storeProductId: change.store_product_id,
    storeVariantId: change.store_variant_id ?? 0,
  }))
  return (page) => selectWhoLike(scope, goods, page)
}

/** Null: no running scenario asks, and nothing is written. What customers have among their favorites is left to those scenarios, if one runs. */
function whoLookedAt(scope: MerchantScope, changes: readonly Change[], running: readonly Trigger[]): FindPeople | null {
  const days = running.flatMap((trigger) => (trigger.kind === 'viewed_price_dropped' ? trigger.within_days : []))
  if (days.length === 0) return null
  const since = new Date(scope.now.getTime() - Math.max(...days) * DAY_MS)
  const exceptFavorites = running.some(({ kind }) => kind === 'favorite_price_dropped')
  const products = changes.map((change) => change.store_product_id)
  return (page) => selectWhoLookedAt(scope, products, { since, exceptFavorites, ...page })
}
const DAY_MS = 86_400_000

/** Of scenarios that run. Stock moves with each order, and would be an event for everyone who likes it; so would each price for all who looked. */
async function runningTriggers(scope: MerchantScope): Promise<Trigger[]> {
  const running = (await selectRunning(scope)).filter(({ trigger_kind }) => goodsKinds.includes(trigger_kind))
  const flows = await readFlows(
    scope,
    running.map(({ id, version }) => ({ scenarioId: id, version })),
  )
  return running.flatMap(({ id, version }) => flows(id, version)?.trigger ?? [])
}
const goodsKinds: readonly Trigger['kind'][] = ['favorite_price_dropped', 'favorite_low_stock', 'viewed_price_dropped']

async function recordChanges(
  scope: MerchantScope,
  { roundId, kind, changes, find }: { roundId: string; kind: EventKind; changes: readonly Change[]; find: FindPeople },
  signal: AbortSignal,
): Promise<void> {
  for (let after = NIL_ID; !signal.aborted; ) {
    const people = await find({ after, limit: PEOPLE_AT_ONCE })
    const recipients = kind === 'favorite_back_in_stock' ? await exceptRegistered(scope, people, changes) : people
    await recordFound(
      scope,
      recipients.map(({ customerId, places, days }) => ({
        kind,
        key: `${kind}:${roundId}:${customerId}`,
        customerId,
        subject: subjectOf(
          places.slice(0, NAMED).flatMap((place, index) => {
            const change = changes[place]
            return change ? { ...change, ...(days && { days_since_view: days[index] ?? 0 }) } : []
          }),
        ),
        occurredAt: scope.now,
      })),
    )
    if (people.length < PEOPLE_AT_ONCE) return
    after = people.at(-1)?.customerId ?? after
  }
}

/**
 * Goods that a person registered for come in the answer to that (decision 204), so it is not named beside what else came back. Where it is all that came back,
 * the event stays: the scenario does not let them in, and its page says why.
 */
async function exceptRegistered(
  scope: MerchantScope,
  people: readonly ConcernedCustomer[],
  changes: readonly Change[],
): Promise<readonly ConcernedCustomer[]> {
  const several = people.filter(({ places }) => places.length > 1)
  const known = await listNotifiedByRegistration(
    scope,
    several.flatMap(({ customerId, places }) =>
      places.flatMap((place) => {
        const change = changes[place]
        return change ? goodOf(customerId, change) : []
      }),
    ),
  )
  return people.map((one) => {
    const left = one.places.filter((place) => {
      const change = changes[place]
      return change && !known(goodOf(one.customerId, change))
    })
    return left.length > 0 ? { ...one, places: left } : one
  })
}

/** The first is what an email with one product shows. */
function subjectOf(changes: readonly Change[]): EventSubject {
  const [first] = changes
  return {
    ...(first && { store_product_id: first.store_product_id }),
    ...(first?.store_variant_id && { store_variant_id: first.store_variant_id }),
    changes: changes.map((each) => {
      const { title: _title, pricedVariantId: _variant, ...change } = each
      return change
    }),
    lines: changes.map(({ store_product_id, pricedVariantId, title }) => ({
      store_product_id,
      store_variant_id: pricedVariantId,
      title,
      quantity: 1,
    })),
  }
}

const byShare = (one: Change, other: Change): number => one.after / one.before - other.after / other.before

/** For each variant, and for the product's cheapest one. A price that is not known did not change. */
function pricesOf(variants: readonly SettledVariant[]): Change[] {
  const priced = variants.flatMap(({ priceBefore, priceAfter, ...variant }) =>
    priceBefore === null || priceAfter === null ? [] : { ...variant, before: priceBefore, after: priceAfter },
  )
  const [cheapest] = priced.toSorted((one, other) => one.after - other.after)
  if (!cheapest) return []
  const before = Math.min(...priced.map((variant) => variant.before))
  return changesOf(priced, { ...cheapest, before })
}

/** For each variant, and for the product as a whole. Where one variant is not counted, the product is never sold out. */
function stockOf(variants: readonly SettledVariant[]): Change[] {
  const counted = variants.flatMap(({ stockBefore, stockAfter, ...variant }) =>
    stockBefore === null || stockAfter === null ? [] : { ...variant, before: stockBefore, after: stockAfter },
  )
  const sum = (of: 'before' | 'after'): number => counted.reduce((all, each) => all + Math.max(0, each[of]), 0)
  const [inStock] = counted.toSorted((one, other) => other.after - one.after)
  const whole =
    inStock && counted.length === variants.length ? { ...inStock, before: sum('before'), after: sum('after') } : null
  return changesOf(counted, whole)
}

type Compared = Pick<SettledVariant, 'storeProductId' | 'storeVariantId' | 'title'> & { before: number; after: number }
const changesOf = (variants: readonly Compared[], whole: Compared | null): Change[] =>
  [
    ...variants.map((variant) => ({ ...variant, id: variant.storeVariantId })),
    ...(whole ? [{ ...whole, id: null }] : []),
  ]
    .filter(({ before, after }) => before !== after)
    .map(({ storeProductId, storeVariantId, title, before, after, id }) => ({
      store_product_id: storeProductId,
      store_variant_id: id,
      before,
      after,
      title,
      pricedVariantId: storeVariantId,
    }))
