import type { EventSubject } from '@okaeri/contract/scenarios/event'
import type { Trigger } from '@okaeri/contract/scenarios/trigger'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { type ClaimedEvent, listEventsOfKind } from '../events/index.ts'
import { listOwnFavorites } from '../favorites/index.ts'
import { selectAnsweringChannels } from '../flows/index.ts'
import { type AskedGood, listRegistered } from '../restocks/index.ts'
import type { Span } from './trigger-kind.ts'

/** The message about a registration and the one about a favorite are about the same return, if they are no further apart than this. */
const SAME_RETURN_HOURS = 24
/** Events of the past whose goods are asked for at once. */
const EVENTS_AT_ONCE = 2000

type Change = NonNullable<EventSubject['changes']>[number]
export const goodOf = (
  customerId: string,
  change: Pick<Change, 'store_product_id' | 'store_variant_id'>,
  at: Date | null = null,
): AskedGood => ({
  customerId,
  storeProductId: change.store_product_id,
  storeVariantId: change.store_variant_id ?? 0,
  at,
})
const keyOf = ({ customerId, storeProductId, storeVariantId, at }: AskedGood): string =>
  `${customerId} ${storeProductId} ${storeVariantId} ${at?.getTime() ?? ''}`

/** Goods about which the customer is notified because they registered; none without an active scenario that answers. */
export async function listNotifiedByRegistration(
  scope: MerchantScope,
  goods: readonly AskedGood[],
): Promise<(good: AskedGood) => boolean> {
  if (goods.length === 0) return () => false
  const channels = await selectAnsweringChannels(scope)
  if (channels.length === 0) return () => false
  const known = new Set((await listRegistered(scope, goods, { channels, hours: SAME_RETURN_HOURS })).map(keyOf))
  return (good) => known.has(keyOf(good))
}

type Happened = Pick<ClaimedEvent, 'kind' | 'customer_id' | 'subject' | 'occurred_at'>
/**
 * The events that only report what their customer registered for. The registration notifies of that, and the news about their favorite would
 * repeat it (decision 204). `past`: by the registrations as they were when it happened.
 */
export async function selectNotifiedByRegistration<E extends Happened>(
  scope: MerchantScope,
  events: readonly E[],
  { past = false }: { past?: boolean } = {},
): Promise<Set<E>> {
  const asked = events.flatMap((event) => {
    const { kind, customer_id, subject, occurred_at } = event
    if (kind !== 'favorite_back_in_stock' || customer_id === null) return []
    const goods = (subject.changes ?? []).map((change) => goodOf(customer_id, change, past ? occurred_at : null))
    return goods.length > 0 ? { event, goods } : []
  })
  const isNotified = await listNotifiedByRegistration(
    scope,
    asked.flatMap(({ goods }) => goods),
  )
  return new Set(asked.flatMap(({ event, goods }) => (goods.every(isNotified) ? event : [])))
}

/** For rehearsals: whether the event of this trigger that a customer had at that time (milliseconds) was left to their registration. */
export async function readPastNotifiedByRegistration(
  scope: MerchantScope,
  { kind }: Trigger,
  span: Span,
): Promise<(customerId: string, at: number) => boolean> {
  if (kind !== 'favorite_back_in_stock' || (await selectAnsweringChannels(scope)).length === 0) return () => false
  const notified = new Set<string>()
  for (let before: string | null = null; ; ) {
    const events: ClaimedEvent[] = await listEventsOfKind(scope, kind, { ...span, before, limit: EVENTS_AT_ONCE })
    for (const { customer_id, occurred_at } of await selectNotifiedByRegistration(scope, events, { past: true }))
      notified.add(`${customer_id} ${occurred_at.getTime()}`)
    before = events.at(-1)?.id ?? null
    if (events.length < EVENTS_AT_ONCE) return (customerId, at) => notified.has(`${customerId} ${Math.floor(at)}`)
  }
}

/** Nothing came back yet: how many of a customer's favorites they will be notified of because they registered. */
export async function countRegisteredFavorites(
  scope: MerchantScope,
  customerId: string,
): Promise<{ favorites: number; registered: number }> {
  const favorites = (await listOwnFavorites(scope, { customerId })).map(({ product_id, variant_id }) =>
    goodOf(customerId, { store_product_id: product_id, store_variant_id: variant_id }),
  )
  const isNotified = await listNotifiedByRegistration(scope, favorites)
  return { favorites: favorites.length, registered: favorites.filter(isNotified).length }
}
