import { normalizeEmail } from '@okaeri/contract/fields'
import type { Page } from '@okaeri/contract/paging'
import type { RestockChannel } from '@okaeri/contract/restocks/channel'
import type { RestockRequest, RestocksOfProduct, RestockStatus } from '@okaeri/contract/restocks/routes'
import { notFound } from '../../kernel/errors.ts'
import { foldText } from '../../kernel/folding.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { selectAggregated } from './count-queries.ts'
import { countAdded, countDoubled, countEnded, countMoved } from './counting.ts'
import {
  deleteDoubled,
  detachRequests,
  insertRequests,
  lockRequests,
  markDeleted,
  moveBetweenCustomers,
  moveToCustomer,
  type RestockFilter,
  selectRequests,
  selectRequestsOf,
} from './queries.ts'

/** One registration: by a customer, a guest, or only an address. */
export interface RestockRegistration {
  customerId?: string | null
  guestId?: string | null
  /** The address, if it is not the customer's own; the only identification of an unknown person. */
  email?: string | null
  storeProductId: number
  /** 0: the product as a whole. */
  storeVariantId?: number
  channel?: RestockChannel
  status?: RestockStatus
  source: 'storefront' | 'import'
  /** Null: unknown; then every existing request of this person counts as newer. */
  createdAt: Date | null
  sentAt?: Date | null
}

/**
 * Stores hundreds at once. A registration that is not newer than an existing one of the same person, product, variant and channel changes
 * nothing, so the same rows twice change nothing. Returns how many were new.
 */
export function addRestockRequests(scope: MerchantScope, given: readonly RestockRegistration[]): Promise<number> {
  if (given.length === 0) return Promise.resolve(0)
  return scope.transaction(async (scope) => {
    const rows = given.map((one) => ({
      id: newId(),
      customer_id: one.customerId ?? null,
      guest_id: one.guestId ?? null,
      email: one.email?.trim() || null,
      email_key: one.email?.trim() ? normalizeEmail(one.email) : null,
      store_product_id: one.storeProductId,
      store_variant_id: one.storeVariantId ?? 0,
      channel: one.channel ?? 'email',
      status: one.status ?? 'active',
      source: one.source,
      created_at: one.createdAt,
      sent_at: one.sentAt ?? null,
    }))
    const added = await insertRequests(scope, rows)
    await countAdded(scope, added)
    const customerIds = [...new Set(added.flatMap(({ customerId }) => (customerId === null ? [] : [customerId])))]
    if (customerIds.length > 0) await scope.context.publish(scope, 'customers.changed', { customerIds })
    return added.length
  })
}

export async function listRestocks(
  scope: MerchantScope,
  query: RestockFilter & { limit: number; offset: number },
): Promise<Page<RestockRequest>> {
  const { limit, offset, ...filter } = query
  const { rows, total } = await selectRequests(scope, filter, { limit, offset })
  return { data: rows, limit, offset, total }
}

export async function listRestocksAggregated(
  scope: MerchantScope,
  { q, limit, offset }: { q?: string | undefined; limit: number; offset: number },
): Promise<Page<RestocksOfProduct>> {
  const words = foldText(q ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')
  const { rows, total } = await selectAggregated(scope, words, { limit, offset })
  return { data: rows, limit, offset, total }
}

/** No notification is then sent. A second call changes nothing. */
export function deleteRestock(scope: MerchantScope, id: string): Promise<void> {
  return scope.transaction(async (scope) => {
    if (!(await deleteOne(scope, id, 'member'))) throw notFound('there is no such restock registration')
  })
}

async function deleteOne(scope: TransactionScope, id: string, by: 'person' | 'member'): Promise<boolean> {
  const [request] = await lockRequests(scope, [id])
  if (!request) return false
  await markDeleted(scope, id, by)
  await countMoved(scope, [{ ...request, was: request.status, status: 'deleted' }])
  if (request.customerId !== null)
    await scope.context.publish(scope, 'customers.changed', { customerIds: [request.customerId] })
  return true
}

/** The person wants no more notices of it, by whatever way they registered. A second time changes nothing. */
export function endRegistrationsOf(
  scope: MerchantScope,
  customerId: string,
  awaited: { storeProductId: number; storeVariantId: number },
): Promise<void> {
  return scope.transaction(async (scope) => {
    for (const id of await selectRequestsOf(scope, customerId, awaited)) await deleteOne(scope, id, 'person')
  })
}

/** The guest's requests become the customer's. */
export async function joinRestocks(
  scope: MerchantScope,
  { guestId, customerId }: { guestId: string; customerId: string },
): Promise<void> {
  const doubled = await deleteDoubled(scope, guestId, customerId)
  const moved = await moveToCustomer(scope, guestId, customerId)
  await countDoubled(scope, doubled)
  if (doubled.length + moved > 0) await scope.context.publish(scope, 'customers.changed', { customerIds: [customerId] })
}

/** Two customers of the store were merged; a request that both made stays once. */
export async function mergeRestocks(
  scope: MerchantScope,
  { fromId, intoId }: { fromId: string; intoId: string },
): Promise<void> {
  await countDoubled(scope, await moveBetweenCustomers(scope, fromId, intoId))
}

export async function detachRestocksOf(scope: MerchantScope, { customerId }: { customerId: string }): Promise<void> {
  await countEnded(scope, await detachRequests(scope, customerId))
}
