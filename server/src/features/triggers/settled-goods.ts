import type { EventKind, EventSubject } from '@okaeri/contract/scenarios/event'
import { recurring } from '../../kernel/due-merchants.ts'
import type { Facts } from '../../kernel/events.ts'
import { newId, NIL_ID } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { recordEvents } from '../events/index.ts'
import { readFlows, selectRunning } from '../flows/index.ts'
import { goodsAtRest } from './due-queries.ts'
import {
  beginRound,
  endRound,
  listRounds,
  noteGoods,
  selectSettled,
  selectWhoLike,
  type Settled,
} from './settling-queries.ts'
import { isLow } from './trigger-kinds/favorites-sql.ts'

export const notePrices = (scope: MerchantScope, { changes }: Facts['price.changed']): Promise<void> =>
  noteGoods(scope, 'price', changes)
/** Of what sells online; stock that was not known did not change. */
export const noteStock = (scope: MerchantScope, { changes }: Facts['online_stock.changed']): Promise<void> =>
  noteGoods(
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
      await tellRound(scope, roundId, signal)
      if (!signal.aborted) await endRound(scope, roundId)
    }
    return rounds.length > 0
  },
})

type Change = NonNullable<EventSubject['changes']>[number] & { title: string; pricedVariantId: number | null }

async function tellRound(scope: MerchantScope, roundId: string, signal: AbortSignal): Promise<void> {
  const products = [
    ...Map.groupBy(await selectSettled(scope, roundId), ({ storeProductId }) => storeProductId).values(),
  ]
  const thresholds = await wantedThresholds(scope)
  const prices = products.flatMap(pricesOf)
  const stock = products.flatMap(stockOf)
  const kinds: readonly [EventKind, Change[]][] = [
    ['favorite_price_dropped', prices.filter(({ before, after }) => after < before).sort(byShare)],
    ['favorite_back_in_stock', stock.filter(({ before, after }) => before <= 0 && after > 0)],
    ['favorite_low_stock', stock.filter((change) => thresholds.some((atMost) => isLow(change, atMost)))],
  ]
  for (const [kind, changes] of kinds) if (changes.length > 0) await tell(scope, { roundId, kind, changes }, signal)
}

/** Of scenarios that run. Other stock moves with each order, and would be an event for everyone who likes it. */
async function wantedThresholds(scope: MerchantScope): Promise<number[]> {
  const running = (await selectRunning(scope)).filter(({ trigger_kind }) => trigger_kind === 'favorite_low_stock')
  const flows = await readFlows(
    scope,
    running.map(({ id, version }) => ({ scenarioId: id, version })),
  )
  return running.flatMap(({ id, version }) => {
    const trigger = flows(id, version)?.trigger
    return trigger?.kind === 'favorite_low_stock' ? trigger.at_most : []
  })
}

async function tell(
  scope: MerchantScope,
  { roundId, kind, changes }: { roundId: string; kind: EventKind; changes: readonly Change[] },
  signal: AbortSignal,
): Promise<void> {
  const goods = changes.map((change) => ({
    storeProductId: change.store_product_id,
    storeVariantId: change.store_variant_id ?? 0,
  }))
  for (let after = NIL_ID; !signal.aborted; ) {
    const people = await selectWhoLike(scope, goods, { after, limit: PEOPLE_AT_ONCE })
    await recordEvents(
      scope,
      people.map(({ customerId, places }) => ({
        kind,
        key: `${kind}:${roundId}:${customerId}`,
        customerId,
        subject: subjectOf(places.slice(0, NAMED).flatMap((place) => changes[place] ?? [])),
        occurredAt: scope.now,
      })),
    )
    if (people.length < PEOPLE_AT_ONCE) return
    after = people.at(-1)?.customerId ?? after
  }
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

/** Of each variant, and of the product's cheapest one. A price that is not known did not change. */
function pricesOf(variants: readonly Settled[]): Change[] {
  const priced = variants.flatMap(({ priceBefore, priceAfter, ...variant }) =>
    priceBefore === null || priceAfter === null ? [] : { ...variant, before: priceBefore, after: priceAfter },
  )
  const [cheapest] = priced.toSorted((one, other) => one.after - other.after)
  if (!cheapest) return []
  const before = Math.min(...priced.map((variant) => variant.before))
  return changesOf(priced, { ...cheapest, before })
}

/** Of each variant, and of the product as a whole. Where one variant is not counted, the product is never sold out. */
function stockOf(variants: readonly Settled[]): Change[] {
  const counted = variants.flatMap(({ stockBefore, stockAfter, ...variant }) =>
    stockBefore === null || stockAfter === null ? [] : { ...variant, before: stockBefore, after: stockAfter },
  )
  const sum = (of: 'before' | 'after'): number => counted.reduce((all, each) => all + Math.max(0, each[of]), 0)
  const [inStock] = counted.toSorted((one, other) => other.after - one.after)
  const whole =
    inStock && counted.length === variants.length ? { ...inStock, before: sum('before'), after: sum('after') } : null
  return changesOf(counted, whole)
}

type Compared = Pick<Settled, 'storeProductId' | 'storeVariantId' | 'title'> & { before: number; after: number }
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
