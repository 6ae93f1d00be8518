import type { ConsentChange, ConsentKind, ConsentState } from '@okaeri/contract/customers/customer'
import { normalizeEmail } from '@okaeri/contract/fields'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import {
  getConsentFlagsForUpdate,
  listCustomerIdsByAddress,
  markOptedOut,
  setConsentFlags,
} from '../customers/index.ts'
import { withoutForgottenPermissions } from './erased-consents.ts'
import { type ConsentSource, consentTakesEffect } from './consent-rule.ts'
import { appendChanges, type ChangeRow, deleteChanges, hasOptedOut, moveChanges, selectChanges } from './queries.ts'

declare module '../../kernel/facts.ts' {
  interface Facts {
    /** Of many at once where they changed at once: of one kind, from one source. */
    'consent.changed': {
      kind: ConsentKind
      source: ConsentSource
      /** The message whose link led to it. */
      deliveryId: string | null
      changes: readonly { customerId: string; from: ConsentState; to: ConsentState }[]
    }
  }
}

export interface ChangeOfConsent {
  customerId: string
  to: ConsentState
  /** Null where the source does not know; absent: now. */
  occurredAt?: Date | null
}

/** What is said once for all changes of a batch. `wording` and `page` are kept as proof of what was shown where. */
export interface ConsentCircumstances {
  kind: ConsentKind
  source: ConsentSource
  wording?: string | undefined
  page?: string | undefined
  deliveryId?: string | undefined
  /** Part of bulk work whose end says that much changed: the customers are not named one by one. */
  silent?: boolean | undefined
}

/**
 * The one writer of consent: appends what takes effect, updates the customers' flags and publishes it. Returns the customers whose
 * flag changed; saying again what is so changes nothing and is not recorded. Three statements for however many; give it a thousand or
 * so at a time.
 */
export function changeConsents(
  scope: MerchantScope,
  changes: readonly ChangeOfConsent[],
  circumstances: ConsentCircumstances,
): Promise<string[]> {
  const { kind, source } = circumstances
  if (changes.length === 0) return Promise.resolve([])
  return scope.transaction(async (scope) => {
    const wanted = new Map(changes.map((change) => [change.customerId, change]))
    const rows: ChangeRow[] = []
    for (const known of await getConsentFlagsForUpdate(scope, kind, [...wanted.keys()])) {
      const change = wanted.get(known.customerId)
      if (!change) continue
      const occurredAt = change.occurredAt === undefined ? scope.now : notLater(change.occurredAt, scope.now)
      const isAhead = known.changedAt !== null && known.changedAt > scope.now
      if (!consentTakesEffect({ ...known, isAhead }, { to: change.to, source, occurredAt })) continue
      rows.push({
        customerId: known.customerId,
        kind,
        from: known.state,
        to: change.to,
        source,
        wording: circumstances.wording || null,
        page: circumstances.page || null,
        deliveryId: circumstances.deliveryId ?? null,
        occurredAt: occurredAt ?? scope.now,
      })
    }
    const good = await withoutForgottenPermissions(scope, rows, wanted)
    if (good.length > 0) await store(scope, good, circumstances)
    return good.map(({ customerId }) => customerId)
  })
}

/** A time in the future counts as now: otherwise no one could opt out until then. */
const notLater = (at: Date | null, now: Date): Date | null => (at !== null && at > now ? now : at)

async function store(
  scope: MerchantScope,
  rows: readonly ChangeRow[],
  { kind, source, deliveryId, silent }: ConsentCircumstances,
): Promise<void> {
  await appendChanges(scope, rows)
  await setConsentFlags(
    scope,
    kind,
    rows.map(({ customerId, to, occurredAt }) => ({ customerId, state: to, changedAt: occurredAt })),
  )
  const changes = rows.map(({ customerId, from, to }) => ({ customerId, from, to }))
  await scope.context.publish(scope, 'consent.changed', { kind, source, deliveryId: deliveryId ?? null, changes })
  if (!silent)
    await scope.context.publish(scope, 'customers.changed', {
      customerIds: changes.map(({ customerId }) => customerId),
      learned: source === 'sync' || source === 'import',
    })
}

/** Two customers of the store became one: the ledger goes along, and of two permissions the newer holds, within a second the opt-out. */
export async function joinConsents(
  scope: MerchantScope,
  { fromId, intoId }: { fromId: string; intoId: string },
): Promise<void> {
  for (const kind of ['marketing', 'notification'] as const) {
    const flags = await getConsentFlagsForUpdate(scope, kind, [fromId, intoId])
    const from = flags.find(({ customerId }) => customerId === fromId)
    if (from && from.state !== 'unknown')
      await changeConsent(scope, {
        customerId: intoId,
        kind,
        to: from.state,
        source: 'store',
        occurredAt: from.changedAt,
      })
  }
  await moveChanges(scope, fromId, intoId)
}

/** One customer's permission. Returns whether it changed. */
export async function changeConsent(
  scope: MerchantScope,
  { customerId, to, occurredAt, ...circumstances }: ChangeOfConsent & ConsentCircumstances,
): Promise<boolean> {
  const change = { customerId, to, ...(occurredAt === undefined ? {} : { occurredAt }) }
  return (await changeConsents(scope, [change], circumstances)).length > 0
}

/** Changes the permission of every customer with this address: a link in a mail speaks for the mailbox. */
export function changeConsentByAddress(
  scope: MerchantScope,
  { address, to, ...circumstances }: { address: string; to: ConsentState } & ConsentCircumstances,
): Promise<string[]> {
  return scope.transaction(async (scope) => {
    const ids = await listCustomerIdsByAddress(scope, normalizeEmail(address))
    return changeConsents(
      scope,
      ids.map((customerId) => ({ customerId, to })),
      circumstances,
    )
  })
}

/** No more marketing to this address (lower case or not), for all customers who have it. Returns the customers whose flag changed. */
export const withdrawByAddress = (
  scope: MerchantScope,
  { addressKey, ...circumstances }: { addressKey: string } & Omit<ConsentCircumstances, 'kind'>,
): Promise<string[]> =>
  changeConsentByAddress(scope, { address: addressKey, to: 'withdrawn', kind: 'marketing', ...circumstances })

const SHOWN_CHANGES = 200

/** The newest first. */
export const listConsentChanges = (scope: MerchantScope, customerId: string): Promise<ConsentChange[]> =>
  selectChanges(scope, customerId, SHOWN_CHANGES)

/** A member set them on the customer's page. */
export async function recordPermissions(
  scope: MerchantScope,
  fact: { customerId: string; acceptsMarketing?: boolean; acceptsTransactions?: boolean },
): Promise<void> {
  const set = (kind: ConsentKind, accepts: boolean | undefined): Promise<unknown> =>
    accepts === undefined
      ? Promise.resolve()
      : changeConsent(scope, {
          customerId: fact.customerId,
          kind,
          to: accepts ? 'granted' : 'withdrawn',
          source: 'member',
        })
  await set('marketing', fact.acceptsMarketing)
  await set('notification', fact.acceptsTransactions)
}

/** Deleting a customer does not undo an opt-out: the opt-out is remembered with their address. */
export async function forgetCustomer(
  scope: MerchantScope,
  { customerId, emailKey }: { customerId: string; emailKey: string | null },
): Promise<void> {
  if (emailKey !== null && (await hasOptedOut(scope, customerId))) await markOptedOut(scope, emailKey)
  await deleteChanges(scope, customerId)
}
