import type { Locale } from '@okaeri/contract/locale'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { NIL_ID } from '../../kernel/ids.ts'
import { type ClaimedRow, makeTokens, type Outgoing } from '../deliveries/index.ts'
import {
  customerData,
  type EventData,
  eventData,
  exampleCustomer,
  exampleVariables,
  choosesForEach,
  type MessageData,
  NO_EVENT,
  type ProductCards,
  readOwnProducts,
  type SharedData,
  type RecipientData,
  readMemberships,
} from '../email-rendering/index.ts'
import { type MetafieldPath, readMailMetafields } from '../metafields/index.ts'

/** A message, with what is the same for all its recipients. */
export interface Shared {
  outgoing: Outgoing
  language: Locale
  shared: SharedData
  /** What its links begin with. */
  linkBase: string
}

/** What a message says to one recipient alone. */
export interface RecipientPart {
  token: string
  /** Where a mail comes back to; see bounce-token.ts. */
  bounceToken: string
  data: RecipientData
}

export function recipientPart(message: Shared, row: ClaimedRow): RecipientPart {
  const { merchantId, context } = message.outgoing.scope
  const { token, bounceToken } = makeTokens(context.keyring, { merchantId, deliveryId: row.id })
  const data = {
    ...variablesFor(row, message, `${message.linkBase}/r/${token}`),
    customer: customerData(isWithoutCustomer(row) ? exampleCustomer[message.language] : row, message.language),
    unsubscribe_url: `${message.linkBase}/u/${token}`,
    preferences_url: `${message.linkBase}/p/${token}`,
    ...(row.memberships && { memberships: row.memberships }),
    ...(row.own_products && { own_products: row.own_products }),
  }
  return { token, bounceToken, data }
}

/** A test for no customer in particular. */
const isWithoutCustomer = ({ kind, customer_id: id }: ClaimedRow): boolean => kind === 'test' && id === null

const TEST_CODE = 'TEST'

/** The event and the coupon that a message shows; a test shows examples. */
function variablesFor(row: ClaimedRow, { language: locale, shared, outgoing }: Shared, cancelUrl: string): EventData {
  const { merchant, message, scope } = outgoing
  const { timezone } = merchant
  if (row.variables) return eventData(row.variables, { locale, timezone, cancelUrl })
  if (row.kind !== 'test' || message.for_tests) return NO_EVENT
  const example = exampleVariables(locale, shared.store.url, scope.now)
  // No order accepts it, and no one mistakes it for a real one.
  const coupon = example.coupon && { ...example.coupon, code: TEST_CODE }
  return eventData({ ...example, ...(coupon && { coupon }) }, { locale, timezone, cancelUrl })
}

/** Metafields as they are at this moment, for a message that writes any. */
export async function withMetafields(
  scope: MerchantScope,
  rows: ClaimedRow[],
  { paths, locale }: { paths: readonly MetafieldPath[]; locale: Locale },
): Promise<ClaimedRow[]> {
  if (paths.length === 0) return rows
  const customerIds = rows.flatMap(({ customer_id: id }) => id ?? [])
  const values = await readMailMetafields(scope, customerIds, { paths, locale })
  return rows.map((row) => ({ ...row, metafields: values.get(row.customer_id ?? '') }))
}

/** Adds to recipients which segments named by the message's blocks they are in, in one statement for all. */
export async function withMemberships(
  scope: MerchantScope,
  rows: ClaimedRow[],
  segmentIds: readonly string[],
): Promise<ClaimedRow[]> {
  if (segmentIds.length === 0 || rows.length === 0) return rows
  const found = await readMemberships(scope, segmentIds, [...new Set(rows.map(idOf))])
  return rows.map((row) => ({ ...row, memberships: found.get(idOf(row)) }))
}

/** A guest is in no segment, and has no products of their own. */
const idOf = (row: ClaimedRow): string | null => (isWithoutCustomer(row) ? null : (row.customer_id ?? NIL_ID))

/** Products of each recipient's own, for a message that shows any. */
export async function withOwnProducts(
  scope: MerchantScope,
  rows: ClaimedRow[],
  { templates, cards }: { templates: readonly string[]; cards: ProductCards },
): Promise<ClaimedRow[]> {
  if (rows.length === 0 || !choosesForEach(templates)) return rows
  const found = await readOwnProducts(scope, { templates, customerIds: [...new Set(rows.map(idOf))], cards })
  return rows.map((row) => ({ ...row, own_products: found.get(idOf(row)) }))
}

export const sharedData = (
  { site_name, postal_address, staff_email, staff_phone }: Outgoing['merchant'],
  sender: MessageData['sender'],
  storeUrl: string,
): Shared['shared'] => ({
  store: {
    name: site_name,
    url: storeUrl,
    postal_address,
    contact_email: staff_email ?? '',
    contact_phone: staff_phone ?? '',
  },
  sender,
})
