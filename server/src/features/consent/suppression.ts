import type { Suppression } from '@okaeri/contract/consent/suppression'
import type { SuppressionReason } from '@okaeri/contract/customers/customer'
import { normalizeEmail } from '@okaeri/contract/fields'
import type { Page } from '@okaeri/contract/paging'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { conflict, notFound } from '../../kernel/errors.ts'
import { runHeavyQuery } from '../../kernel/database/heavy-queries.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { listCustomerIdsByAddress, listSelected } from '../customers/index.ts'
import {
  findInForce,
  findSuppression,
  insertSuppression,
  insertSuppressions,
  markLifted,
  selectAddressesOf,
  selectHolders,
  selectInForce,
  selectOneInForce,
  selectSuppressions,
  type SuppressionListQuery,
  type SuppressionRow,
} from './suppression-queries.ts'

/**
 * No mail goes to this address, for all customers who have it. `detail` of a bounce or complaint is the receiving side's own words and kept
 * as proof. Returns whether that is new; the first reason stays. A lifted suppression can come again.
 */
export function suppress(
  scope: MerchantScope,
  { address, reason, detail }: { address: string; reason: SuppressionReason; detail?: string | null },
): Promise<boolean> {
  const addressKey = normalizeEmail(address)
  const said = reason === 'manual' ? { detail: detail || null, proof: null } : { detail: null, proof: detail || null }
  return scope.transaction(async (scope) => {
    const isNew = await insertSuppression(scope, { addressKey, reason, ...said })
    if (isNew) await tellChanged(scope, addressKey)
    return isNew
  })
}

/** As {@link suppress} with each of the addresses of these customers, in one statement; others with the same address are included. */
export async function suppressCustomers(
  scope: MerchantScope,
  { detail, ...selected }: Parameters<typeof listSelected>[1] & { detail?: string | undefined },
): Promise<{ suppressed: number; already_suppressed: number; without_email: number }> {
  const customerIds = await runHeavyQuery(scope, () => listSelected(scope, selected))
  return retriedTransaction(scope, async (scope) => {
    const { addresses, without } = await selectAddressesOf(scope, customerIds)
    const added = await insertSuppressions(scope, addresses, detail || null)
    if (added.length > 0) {
      const changed = await selectHolders(scope, added)
      await scope.context.publish(scope, 'customers.changed', { customerIds: changed })
    }
    return {
      suppressed: added.length,
      already_suppressed: addresses.length - added.length,
      without_email: without,
    }
  })
}

/** Mail may go there again. The row stays as history. Returns whether there was a suppression. */
export function liftSuppression(
  scope: MerchantScope,
  { address, reason }: { address: string; reason?: string },
): Promise<boolean> {
  return scope.transaction(async (scope) => {
    const row = await findInForce(scope, normalizeEmail(address))
    if (row) await lift(scope, row, reason ?? null)
    return row !== null
  })
}

/** A member adds an address by hand. */
export async function addSuppression(
  scope: MerchantScope,
  { email, detail }: { email: string; detail?: string | undefined },
): Promise<Suppression> {
  return scope.transaction(async (scope) => {
    const isNew = await suppress(scope, { address: email, reason: 'manual', detail: detail ?? null })
    if (!isNew) throw conflict('already_suppressed', 'this address is on the list')
    const row = await findInForce(scope, normalizeEmail(email))
    if (!row) throw notFound()
    return present(row)
  })
}

/** A member takes an address off the list; who and why stays on record. */
export async function liftSuppressionById(scope: MerchantScope, id: string, reason: string): Promise<Suppression> {
  return scope.transaction(async (scope) => {
    const row = await findSuppression(scope, id)
    if (!row) throw notFound('there is no such suppression')
    if (row.lifted_at !== null) throw conflict('suppression_lifted', 'it was lifted before')
    await lift(scope, row, reason)
    const lifted = await findSuppression(scope, id)
    if (!lifted) throw notFound()
    return present(lifted)
  })
}

async function lift(scope: MerchantScope, row: SuppressionRow, reason: string | null): Promise<void> {
  await markLifted(scope, row.id, reason)
  await tellChanged(scope, row.address)
}

/** What keeps mail from this address (in lower case); null: nothing. */
export async function findSuppressionInForce(scope: MerchantScope, addressKey: string): Promise<Suppression | null> {
  const row = await selectOneInForce(scope, addressKey)
  return row && present(row)
}

async function tellChanged(scope: MerchantScope, addressKey: string): Promise<void> {
  const customerIds = await listCustomerIdsByAddress(scope, addressKey)
  if (customerIds.length > 0) await scope.context.publish(scope, 'customers.changed', { customerIds })
}

export async function listSuppressions(scope: MerchantScope, query: SuppressionListQuery): Promise<Page<Suppression>> {
  const { rows, total } = await selectSuppressions(scope, query)
  return { data: rows.map(present), limit: query.limit, offset: query.offset, total }
}

const present = (row: SuppressionRow): Suppression => ({
  ...row,
  created_at: row.created_at.toISOString(),
  lifted_at: row.lifted_at?.toISOString() ?? null,
})

/** The reasons in force, by address in lower case. */
export async function suppressionsOf(
  scope: MerchantScope,
  addressKeys: readonly string[],
): Promise<Map<string, SuppressionReason>> {
  if (addressKeys.length === 0) return new Map()
  const rows = await selectInForce(scope, addressKeys)
  return new Map(rows.map(({ addressKey, reason }) => [addressKey, reason]))
}
