import { ordersShownSince } from '../access.ts'
import { type BulkRow, bulkUrl, findRunningBulk } from './bulk-rows.ts'
import { checkoutItems } from '../checkouts.ts'
import { type ConnectionArguments, listPage, pageOf, presentPage } from '../connection.ts'
import { customerName, findCustomer, findCustomerByEmail } from '../customers.ts'
import { type MetafieldRow, namespacesOf } from '../metafield-rows.ts'
import { definitionQueries, definitionResolvers } from '../metafields.ts'
import { listItems } from '../order-items.ts'
import { findOrder, listRefunds } from '../orders.ts'
import { gid, idIn, isoSeconds, latestVersion, type StoreScope, storeUrl, nowSeconds } from '../platform.ts'
import { findResource, type Kind, listingOf, resourceOf } from '../resources.ts'
import { goodsResolvers, productOf, stockQueries, variantOf } from './resolvers-goods.ts'
import {
  digestOf,
  type GraphContext,
  identity,
  list,
  metafieldsOf,
  resourceQueries,
  page,
  type Resolvers,
  type Row,
  time,
  times,
} from './graph-context.ts'
import { bagOf, moneyOf } from '../goods/money.ts'
import { discountQueries, discountResolvers } from './resolvers-discounts.ts'
import { segmentQueries, segmentResolvers } from './resolvers-segments.ts'
import { shopFields } from '../shop-fields.ts'
import { findRow } from '../../sql.ts'
import type { SubscriptionRow } from '../webhooks/webhooks.ts'
import type { Address, CheckoutRow, CustomerRow, OrderItemRow, OrderRow, RefundRow } from '../rows.ts'

interface CustomerIdentifier {
  id?: string | null
  emailAddress?: string | null
  phoneNumber?: string | null
}

/** Finds what `node(id:)` points at, marked with its type. */
export function findNode(scope: StoreScope, globalId: string): (Row & { __typename: string }) | null {
  const [, kind = '', number = ''] = /^gid:\/\/shopify\/([A-Za-z]+)\/(\d{1,15})$/.exec(globalId) ?? []
  const row = resourceOf(kind)?.isNode ? findResource<Row>(scope, kind as Kind, Number(number)) : null
  return row ? { ...row, __typename: kind } : null
}

/** As {@link findNode}, but for the orders the app is not shown. */
function findShownNode(context: GraphContext, globalId: string): (Row & { __typename: string }) | null {
  const node = findNode(context.scope, globalId)
  if (node?.__typename === 'Order' && 'created_at' in node && Number(node.created_at) < ordersSince(context))
    return null
  return node
}

export const findSubscriptionById = (scope: StoreScope, id: number): SubscriptionRow | null =>
  findResource(scope, 'WebhookSubscription', id)

type AddressSource = Address & { owner: CustomerRow }
const addressOf = (row: CustomerRow): AddressSource | null =>
  row.address === null ? null : { ...(JSON.parse(row.address) as Address), owner: row }
const addressOfOrder = (row: OrderRow, _: unknown, { scope }: GraphContext) => {
  const customer = row.customer_id === null ? null : findCustomer(scope, row.customer_id)
  return customer ? addressOf(customer) : null
}

function visit(row: OrderRow, _: unknown, { scope }: GraphContext) {
  if (row.landing_site === null) return null
  const landing = new URL(storeUrl(scope, row.landing_site))
  const read = (name: string) => landing.searchParams.get(`utm_${name}`)
  const names = ['campaign', 'content', 'medium', 'source', 'term'] as const
  const parameters = Object.fromEntries(names.map((name) => [name, read(name)]))
  return {
    id: gid('CustomerVisit', row.id),
    landingPage: landing.href,
    referrerUrl: row.referring_site,
    referralCode: landing.searchParams.get('ref'),
    source: read('source') ?? (row.referring_site === null ? 'direct' : new URL(row.referring_site).hostname),
    occurredAt: isoSeconds(row.processed_at),
    utmParameters: names.some((name) => parameters[name] !== null) ? parameters : null,
  }
}

const ordersSince = ({ scope, scopes }: GraphContext): number => ordersShownSince(nowSeconds(scope), scopes)

export const readResolvers: Resolvers = {
  QueryRoot: {
    ...resourceQueries,
    shop: (_, __, { scope }) => scope.store,
    shopLocales: () => [
      { locale: 'ja', name: 'Japanese', primary: true, published: true },
      { locale: 'en', name: 'English', primary: false, published: true },
    ],
    currentAppInstallation: (_, __, context) => context,
    node: (_, given: { id: string }, context) => findShownNode(context, given.id),
    nodes: (_, given: { ids: string[] }, context) => given.ids.map((id) => findShownNode(context, id)),
    customerByIdentifier: (_, { identifier }: { identifier: CustomerIdentifier }, { scope }) => {
      if (identifier.emailAddress != null) return findCustomerByEmail(scope, identifier.emailAddress)
      if (identifier.id != null) return findCustomer(scope, idIn('Customer', identifier.id) ?? -1)
      const found = findRow<CustomerRow>(scope.database)`SELECT * FROM store_customer
        WHERE store_id = ${scope.store.id} AND phone = ${identifier.phoneNumber ?? ''} LIMIT 1`
      return found ?? null
    },
    order: (_, { id }: { id: string }, context) => {
      const row = findOrder(context.scope, idIn('Order', id) ?? -1)
      return row && row.created_at >= ordersSince(context) ? row : null
    },
    orders: page('Order', (_, context) => ({ where: 'created_at >= ?', parameters: [ordersSince(context)] })),
    abandonedCheckouts: page('AbandonedCheckout', () => ({ where: 'completed_at IS NULL', parameters: [] })),
    ...stockQueries,
    ...segmentQueries,
    ...discountQueries,
    currentBulkOperation: (_, __, { scope }) =>
      findRunningBulk(scope) ??
      listPage<BulkRow>(scope, listingOf('BulkOperation'), { first: 1, reverse: true }, { bulk: false }).rows[0] ??
      null,
    ...definitionQueries,
    webhookSubscriptions: (_, given: ConnectionArguments & { topics?: string[]; uri?: string }, { scope, bulk }) => {
      const narrowed = [
        ...(given.topics ? [`topic IN (${given.topics.map(() => '?').join(', ') || 'NULL'})`] : []),
        ...(given.uri == null ? [] : ['uri = ?']),
      ]
      const parameters = [...(given.topics ?? []), ...(given.uri == null ? [] : [given.uri])]
      const options = { bulk, where: narrowed.join(' AND ') || '1', parameters }
      return presentPage(
        listPage<SubscriptionRow>(scope, listingOf('WebhookSubscription'), given, options),
        (row) => row,
      )
    },
  },
  ...shopFields,
  ...definitionResolvers,
  Customer: {
    ...identity('Customer'),
    ...times,
    ...metafieldsOf('Customer'),
    firstName: (row: CustomerRow) => row.first_name,
    lastName: (row: CustomerRow) => row.last_name,
    displayName: customerName,
    tags: (row: CustomerRow) => list(row.tags),
    verifiedEmail: (row: CustomerRow) => row.email !== null,
    taxExempt: () => false,
    canDelete: (row: CustomerRow) => row.orders_count === 0,
    dataSaleOptOut: () => false,
    multipassIdentifier: () => null,
    lifetimeDuration: () => 'about 1 year',
    numberOfOrders: (row: CustomerRow) => String(row.orders_count),
    amountSpent: (row: CustomerRow, _, { scope }) => moneyOf(scope, row.total_spent),
    defaultEmailAddress: (row: CustomerRow) => (row.email === null ? null : row),
    defaultPhoneNumber: (row: CustomerRow) => (row.phone === null ? null : row),
    defaultAddress: addressOf,
    addresses: (row: CustomerRow) => [addressOf(row)].filter(Boolean),
    addressesV2: (row: CustomerRow, given, { bulk }) =>
      presentPage(pageOf([addressOf(row)].filter(Boolean), given, { bulk }), (address) => address),
    emailMarketingConsent: (row: CustomerRow) =>
      row.email === null
        ? null
        : {
            marketingState: row.email_state,
            marketingOptInLevel: row.email_opt_in_level,
            consentUpdatedAt: time(row.email_consent_at),
          },
    smsMarketingConsent: (row: CustomerRow) =>
      row.phone === null
        ? null
        : { marketingState: row.sms_state, marketingOptInLevel: 'SINGLE_OPT_IN', consentUpdatedAt: null },
    mergeable: () => ({ isMergeable: true, reason: null }),
    lastOrder: (row: CustomerRow, _, { scope }) =>
      row.last_order_id === null ? null : findOrder(scope, row.last_order_id),
    orders: page<CustomerRow>('Order', (row, context) => ({
      where: 'customer_id = ? AND created_at >= ?',
      parameters: [row.id, ordersSince(context)],
    })),
  },
  CustomerEmailAddress: {
    emailAddress: (row: CustomerRow) => row.email,
    marketingState: (row: CustomerRow) => row.email_state,
    marketingOptInLevel: (row: CustomerRow) => row.email_opt_in_level,
    marketingUpdatedAt: (row: CustomerRow) => time(row.email_consent_at),
    marketingUnsubscribeUrl: (row: CustomerRow, _, { scope }) =>
      storeUrl(scope, `/account/unsubscribe?customer=${row.id}`),
    openTrackingLevel: () => 'UNKNOWN',
    openTrackingUrl: (row: CustomerRow, _, { scope }) => storeUrl(scope, `/account/open-tracking?customer=${row.id}`),
    validFormat: () => true,
  },
  CustomerPhoneNumber: {
    phoneNumber: (row: CustomerRow) => row.phone,
    marketingState: (row: CustomerRow) => row.sms_state,
    marketingOptInLevel: () => null,
    marketingUpdatedAt: () => null,
  },
  MailingAddress: {
    id: (row: AddressSource) => `${gid('MailingAddress', row.id)}?model_name=CustomerAddress`,
    countryCodeV2: (row: AddressSource) => row.countryCode,
    name: (row: AddressSource) => customerName({ ...row.owner, first_name: row.firstName, last_name: row.lastName }),
    formatted: (row: AddressSource) =>
      [row.zip, row.province, row.city, row.address1, row.address2, row.country].filter((line) => line !== null),
  },
  Metafield: {
    ...identity('Metafield'),
    ...times,
    jsonValue: (row: MetafieldRow) => jsonValue(row),
    compareDigest: (row: MetafieldRow) => digestOf(row),
    ownerType: (row: MetafieldRow) => row.owner_type.toUpperCase(),
  },
  Order: {
    ...identity('Order'),
    ...times,
    ...metafieldsOf('Order'),
    processedAt: (row: OrderRow) => isoSeconds(row.processed_at),
    cancelledAt: (row: OrderRow) => time(row.cancelled_at),
    cancelReason: (row: OrderRow) => row.cancel_reason,
    tags: (row: OrderRow) => list(row.tags),
    test: () => false,
    confirmed: () => true,
    closed: () => false,
    currencyCode: (_, __, { scope }) => scope.store.currency,
    customer: (row: OrderRow, _, { scope }) => (row.customer_id === null ? null : findCustomer(scope, row.customer_id)),
    customerLocale: (row: OrderRow) => row.locale,
    customerAcceptsMarketing: () => false,
    customerJourneySummary: (row: OrderRow) => row,
    displayFinancialStatus: (row: OrderRow) => row.financial_status,
    displayFulfillmentStatus: (row: OrderRow) => row.fulfillment_status,
    discountCode: (row: OrderRow) => list(row.discount_codes)[0] ?? null,
    discountCodes: (row: OrderRow) => list(row.discount_codes),
    totalPriceSet: (row: OrderRow, _, { scope }) => bagOf(scope, row.total),
    currentTotalPriceSet: (row: OrderRow, _, { scope }) => bagOf(scope, row.current_total),
    subtotalPriceSet: (row: OrderRow, _, { scope }) => bagOf(scope, row.total),
    totalDiscountsSet: (_, __, { scope }) => bagOf(scope, 0),
    totalRefundedSet: (row: OrderRow, _, { scope }) =>
      bagOf(
        scope,
        listRefunds(scope, row.id).reduce((sum, refund) => sum + refund.amount, 0),
      ),
    shippingAddress: addressOfOrder,
    billingAddress: addressOfOrder,
    sourceName: () => 'web',
    statusPageUrl: (row: OrderRow, _, { scope }) => storeUrl(scope, `/orders/${row.token}`),
    refunds: (row: OrderRow, given: { first?: number }, { scope }) =>
      listRefunds(scope, row.id).slice(0, given.first ?? undefined),
    lineItems: (row: OrderRow, given, { scope, bulk }) =>
      presentPage(pageOf(listItems(scope, row.id), given, { bulk }), (item) => item),
  },
  CustomerJourneySummary: {
    ready: () => true,
    customerOrderIndex: () => null,
    daysToConversion: () => 0,
    firstVisit: visit,
    lastVisit: visit,
  },
  LineItem: {
    ...identity('LineItem'),
    name: (row: OrderItemRow) => (row.variant_title === null ? row.title : `${row.title} - ${row.variant_title}`),
    variantTitle: (row: OrderItemRow) => row.variant_title,
    vendor: () => null,
    currentQuantity: (row: OrderItemRow) => row.current_quantity,
    product: productOf,
    variant: variantOf,
    originalUnitPriceSet: (row: OrderItemRow, _, { scope }) => bagOf(scope, row.price),
    discountedUnitPriceSet: (row: OrderItemRow, _, { scope }) => bagOf(scope, row.price),
    originalTotalSet: (row: OrderItemRow, _, { scope }) => bagOf(scope, row.price * row.quantity),
    discountedTotalSet: (row: OrderItemRow, _, { scope }) => bagOf(scope, row.price * row.quantity),
    totalDiscountSet: (_, __, { scope }) => bagOf(scope, 0),
  },
  Refund: {
    ...identity('Refund'),
    createdAt: times.createdAt,
    updatedAt: times.createdAt,
    totalRefundedSet: (row: RefundRow, _, { scope }) => bagOf(scope, row.amount),
  },
  AbandonedCheckout: {
    ...identity('AbandonedCheckout'),
    ...times,
    name: (row: CheckoutRow) => `#${row.id}`,
    abandonedCheckoutUrl: (row: CheckoutRow, _, { scope }) => storeUrl(scope, `/checkouts/${row.token}`),
    completedAt: (row: CheckoutRow) => time(row.completed_at),
    customer: (row: CheckoutRow, _, { scope }) =>
      row.customer_id === null ? null : findCustomer(scope, row.customer_id),
    discountCodes: () => [],
    totalPriceSet: (row: CheckoutRow, _, { scope }) =>
      bagOf(
        scope,
        checkoutItems(scope, row).reduce((sum, { variant, quantity }) => sum + variant.price * quantity, 0),
      ),
    lineItems: (row: CheckoutRow, given, { scope, bulk }) => {
      const items = checkoutItems(scope, row).map(({ variant, product, quantity }) => ({
        id: gid('AbandonedCheckoutLineItem', `${row.id}${variant.id % 1000}`),
        title: product.title,
        sku: variant.sku,
        variantTitle: variant.title,
        quantity,
        product,
        variant,
        originalTotalPriceSet: bagOf(scope, variant.price * quantity),
      }))
      return presentPage(pageOf(items, given, { bulk }), (item) => item)
    },
  },
  ...goodsResolvers,
  ...segmentResolvers,
  ...discountResolvers,
  BulkOperation: {
    ...identity('BulkOperation'),
    type: () => 'QUERY',
    errorCode: (row: BulkRow) => row.error_code,
    createdAt: times.createdAt,
    completedAt: (row: BulkRow) => time(row.completed_at),
    objectCount: (row: BulkRow) => String(row.object_count),
    rootObjectCount: (row: BulkRow) => String(row.root_object_count),
    fileSize: (row: BulkRow) => (row.file_size === null ? null : String(row.file_size)),
    url: (row: BulkRow, _, { scope }) => (row.status === 'COMPLETED' ? bulkUrl(scope, row) : null),
    partialDataUrl: (row: BulkRow, _, { scope }) => (row.partial === 1 ? bulkUrl(scope, row) : null),
  },
  WebhookSubscription: {
    ...identity('WebhookSubscription'),
    ...times,
    format: () => 'JSON',
    includeFields: (row: SubscriptionRow) => list(row.include_fields),
    metafieldNamespaces: (row: SubscriptionRow, _, { scope }) => namespacesOf(scope, row.id),
    apiVersion: (row: SubscriptionRow) => ({
      handle: row.api_version,
      displayName: row.api_version === latestVersion ? `${row.api_version} (Latest)` : row.api_version,
      supported: true,
    }),
  },
}

function jsonValue(row: MetafieldRow): unknown {
  if (row.type.startsWith('list.') || row.type === 'json') return JSON.parse(row.value)
  if (row.type === 'number_integer' || row.type === 'number_decimal') return Number(row.value)
  if (row.type === 'boolean') return row.value === 'true'
  return row.value
}
