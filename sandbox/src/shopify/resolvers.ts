import { createHash } from 'node:crypto'
import type { GraphQLResolveInfo } from 'graphql'
import { type BulkRow, bulkListing, bulkUrl, findBulk, findRunningBulk } from './bulk-rows.ts'
import { type CheckoutRow, checkoutItems } from './checkouts.ts'
import { type ConnectionArguments, countListed, type Listing, listPage, pageOf, presentPage } from './connection.ts'
import {
  type Address,
  type CustomerRow,
  customerListing,
  customerName,
  findCustomer,
  findCustomerByEmail,
  findMetafield,
  listMetafields,
  type MetafieldRow,
} from './customers.ts'
import {
  findOrder,
  listItems,
  listRefunds,
  type OrderItemRow,
  type OrderRow,
  orderListing,
  type RefundRow,
} from './orders.ts'
import { gid, idIn, isoSeconds, latestVersion, type StoreScope, storeUrl } from './platform.ts'
import {
  type CollectionRow,
  collectionListing,
  countInCollection,
  findCollection,
  findProduct,
  findVariant,
  findVariantByItem,
  listCollectionsOf,
  listVariants,
  type ProductRow,
  productListing,
  type VariantRow,
  variantListing,
} from './products.ts'
import { findRow } from './sql.ts'
import { shopFields } from './shop-fields.ts'
import type { SubscriptionRow } from './webhooks.ts'

export interface GraphContext {
  scope: StoreScope
  scopes: string[]
  apiVersion: string
  bulk: boolean
}

// Each resolver names the source and arguments it takes; which one meets which is the schema's doing.
type Resolver = (source: never, given: never, context: GraphContext, info: GraphQLResolveInfo) => unknown
export type Resolvers = Record<string, Record<string, Resolver>>

export interface Row {
  id: number
}

interface CustomerIdentifier {
  id?: string | null
  emailAddress?: string | null
  phoneNumber?: string | null
}

function page<Source extends Row>(
  listing: Listing,
  narrowed?: (source: Source) => { where: string; parameters: number[] },
) {
  return (source: Source, given: ConnectionArguments, { scope, bulk }: GraphContext) =>
    presentPage(listPage<Row>(scope, listing, given, { bulk, ...narrowed?.(source) }), (row) => row)
}

function count(listing: Listing) {
  return (_: unknown, given: { query?: string; limit?: number | null }, { scope }: GraphContext) => {
    const found = countListed(scope, listing, given.query)
    const limit = given.limit ?? Number.POSITIVE_INFINITY
    return { count: Math.min(found, limit), precision: found > limit ? 'AT_LEAST' : 'EXACT' }
  }
}

const one =
  <Found>(kind: string, find: (scope: StoreScope, id: number) => Found | null) =>
  (_: unknown, given: { id: string }, { scope }: GraphContext): Found | null => {
    const id = idIn(kind, given.id)
    return id === null ? null : find(scope, id)
  }

const yen = (amount: number) => ({ amount: `${amount}.0`, currencyCode: 'JPY' })
const bag = (amount: number) => ({ shopMoney: yen(amount), presentmentMoney: yen(amount) })
const time = (seconds: number | null) => (seconds === null ? null : isoSeconds(seconds))
const times = {
  createdAt: (row: { created_at: number }) => isoSeconds(row.created_at),
  updatedAt: (row: { updated_at: number }) => isoSeconds(row.updated_at),
}
const identity = (kind: string) => ({
  id: (row: Row) => gid(kind, row.id),
  legacyResourceId: (row: Row) => String(row.id),
})
const list = (text: string): string[] => JSON.parse(text) as string[]

const metafieldsOf = (type: string) => ({
  metafield: (row: Row, given: { namespace?: string; key: string }, { scope }: GraphContext) => {
    const [namespace, key] = given.namespace ? [given.namespace, given.key] : splitKey(given.key)
    return findMetafield(scope, { type, id: row.id }, { namespace, key })
  },
  metafields: (
    row: Row,
    given: ConnectionArguments & { namespace?: string; keys?: string[] },
    { scope, bulk }: GraphContext,
  ) => {
    const rows = listMetafields(scope, { type, id: row.id }, given.namespace ?? null)
    const wanted = given.keys
    const kept = wanted
      ? rows.filter(({ namespace, key }) => wanted.includes(`${namespace}.${key}`) || wanted.includes(key))
      : rows
    return presentPage(pageOf(kept, given, { bulk }), (metafield) => metafield)
  },
})

/** `metafield(key: "facts.birth_date")` names the namespace within the key. */
export function splitKey(key: string): [string, string] {
  const dot = key.indexOf('.')
  return dot < 0 ? ['$app', key] : [key.slice(0, dot), key.slice(dot + 1)]
}

/** Finds what `node(id:)` points at, marked with its type. */
export function findNode(scope: StoreScope, globalId: string): (Row & { __typename: string }) | null {
  const [, kind = '', number = ''] = /^gid:\/\/shopify\/([A-Za-z]+)\/(\d{1,15})$/.exec(globalId) ?? []
  const finders: Record<string, (scope: StoreScope, id: number) => Row | null> = {
    Customer: findCustomer,
    Order: findOrder,
    Product: findProduct,
    ProductVariant: findVariant,
    Collection: findCollection,
    InventoryItem: findVariantByItem,
    BulkOperation: findBulk,
    WebhookSubscription: findSubscriptionById,
  }
  const row = finders[kind]?.(scope, Number(number)) ?? null
  return row ? { ...row, __typename: kind } : null
}

export function findSubscriptionById(scope: StoreScope, id: number): SubscriptionRow | null {
  return (
    findRow<SubscriptionRow>(
      scope.database,
      'SELECT * FROM store_subscription WHERE store_id = ? AND id = ?',
      scope.store.id,
      id,
    ) ?? null
  )
}

const subscriptionListing: Listing = {
  table: 'store_subscription',
  fields: { id: { kind: 'id', column: 'id' }, topic: { kind: 'upper', column: 'topic' } },
  words: ['uri'],
  sorts: { CREATED_AT: 'created_at' },
}
const checkoutListing: Listing = {
  table: 'store_checkout',
  fields: {
    id: { kind: 'id', column: 'id' },
    created_at: { kind: 'time', column: 'created_at' },
    updated_at: { kind: 'time', column: 'updated_at' },
  },
  words: ['email'],
  sorts: { CREATED_AT: 'created_at' },
}

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

const productImage = (row: ProductRow, _: unknown, { scope }: GraphContext) => {
  const image = {
    id: gid('ImageSource', row.id),
    altText: row.title,
    width: 480,
    height: 480,
    url: storeUrl(scope, `/cdn/products/${row.id}.png`),
  }
  const media = { __typename: 'MediaImage', id: gid('MediaImage', row.id), alt: row.title, mediaContentType: 'IMAGE' }
  return { ...media, preview: { image }, image }
}

const productOf = (row: { product_id: number | null }, _: unknown, { scope }: GraphContext) =>
  row.product_id === null ? null : findProduct(scope, row.product_id)
const variantOf = (row: { variant_id: number | null }, _: unknown, { scope }: GraphContext) =>
  row.variant_id === null ? null : findVariant(scope, row.variant_id)

const locationOf = (scope: StoreScope) => ({ id: scope.store.id + 90_000_000_000, name: '本店倉庫', isActive: true })

export const readResolvers: Resolvers = {
  QueryRoot: {
    shop: (_, __, { scope }) => scope.store,
    shopLocales: () => [
      { locale: 'ja', name: 'Japanese', primary: true, published: true },
      { locale: 'en', name: 'English', primary: false, published: true },
    ],
    currentAppInstallation: (_, __, context) => context,
    node: (_, given: { id: string }, { scope }) => findNode(scope, given.id),
    nodes: (_, given: { ids: string[] }, { scope }) => given.ids.map((id) => findNode(scope, id)),
    customer: one('Customer', findCustomer),
    customerByIdentifier: (_, { identifier }: { identifier: CustomerIdentifier }, { scope }) => {
      if (identifier.emailAddress != null) return findCustomerByEmail(scope, identifier.emailAddress)
      if (identifier.id != null) return findCustomer(scope, idIn('Customer', identifier.id) ?? -1)
      const sql = 'SELECT * FROM store_customer WHERE store_id = ? AND phone = ? LIMIT 1'
      return findRow<CustomerRow>(scope.database, sql, scope.store.id, identifier.phoneNumber ?? '') ?? null
    },
    customers: page(customerListing),
    customersCount: count(customerListing),
    order: one('Order', findOrder),
    orders: page(orderListing),
    ordersCount: count(orderListing),
    product: one('Product', findProduct),
    products: page(productListing),
    productsCount: count(productListing),
    productVariant: one('ProductVariant', findVariant),
    productVariants: page(variantListing),
    inventoryItem: one('InventoryItem', findVariantByItem),
    collection: one('Collection', findCollection),
    collections: page(collectionListing),
    abandonedCheckouts: page(checkoutListing, () => ({ where: 'completed_at IS NULL', parameters: [] })),
    bulkOperation: one('BulkOperation', findBulk),
    bulkOperations: page(bulkListing),
    currentBulkOperation: (_, __, { scope }) =>
      findRunningBulk(scope) ??
      listPage<BulkRow>(scope, bulkListing, { first: 1, reverse: true }, { bulk: false }).rows[0] ??
      null,
    webhookSubscription: one('WebhookSubscription', findSubscriptionById),
    webhookSubscriptions: (_, given: ConnectionArguments & { topics?: string[]; uri?: string }, { scope, bulk }) => {
      const narrowed = [
        ...(given.topics ? [`topic IN (${given.topics.map(() => '?').join(', ') || 'NULL'})`] : []),
        ...(given.uri == null ? [] : ['uri = ?']),
      ]
      const parameters = [...(given.topics ?? []), ...(given.uri == null ? [] : [given.uri])]
      const options = { bulk, where: narrowed.join(' AND ') || '1', parameters }
      return presentPage(listPage<SubscriptionRow>(scope, subscriptionListing, given, options), (row) => row)
    },
  },
  ...shopFields,
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
    amountSpent: (row: CustomerRow) => yen(row.total_spent),
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
    orders: page<CustomerRow>(orderListing, (row) => ({ where: 'customer_id = ?', parameters: [row.id] })),
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
    tags: () => [],
    test: () => false,
    confirmed: () => true,
    closed: () => false,
    currencyCode: () => 'JPY',
    customer: (row: OrderRow, _, { scope }) => (row.customer_id === null ? null : findCustomer(scope, row.customer_id)),
    customerLocale: (row: OrderRow) => row.locale,
    customerAcceptsMarketing: () => false,
    customerJourneySummary: (row: OrderRow) => row,
    displayFinancialStatus: (row: OrderRow) => row.financial_status,
    displayFulfillmentStatus: (row: OrderRow) => row.fulfillment_status,
    discountCode: (row: OrderRow) => list(row.discount_codes)[0] ?? null,
    discountCodes: (row: OrderRow) => list(row.discount_codes),
    totalPriceSet: (row: OrderRow) => bag(row.total),
    currentTotalPriceSet: (row: OrderRow) => bag(row.current_total),
    subtotalPriceSet: (row: OrderRow) => bag(row.total),
    totalDiscountsSet: () => bag(0),
    totalRefundedSet: (row: OrderRow, _, { scope }) =>
      bag(listRefunds(scope, row.id).reduce((sum, refund) => sum + refund.amount, 0)),
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
    originalUnitPriceSet: (row: OrderItemRow) => bag(row.price),
    discountedUnitPriceSet: (row: OrderItemRow) => bag(row.price),
    originalTotalSet: (row: OrderItemRow) => bag(row.price * row.quantity),
    discountedTotalSet: (row: OrderItemRow) => bag(row.price * row.quantity),
    totalDiscountSet: () => bag(0),
  },
  Refund: {
    ...identity('Refund'),
    createdAt: times.createdAt,
    updatedAt: times.createdAt,
    totalRefundedSet: (row: RefundRow) => bag(row.amount),
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
      bag(checkoutItems(scope, row).reduce((sum, { variant, quantity }) => sum + variant.price * quantity, 0)),
    lineItems: (row: CheckoutRow, given, { scope, bulk }) => {
      const items = checkoutItems(scope, row).map(({ variant, product, quantity }) => ({
        id: gid('AbandonedCheckoutLineItem', `${row.id}${variant.id % 1000}`),
        title: product.title,
        sku: variant.sku,
        variantTitle: variant.title,
        quantity,
        product,
        variant,
      }))
      return presentPage(pageOf(items, given, { bulk }), (item) => item)
    },
  },
  Product: {
    ...identity('Product'),
    ...times,
    ...metafieldsOf('Product'),
    productType: (row: ProductRow) => row.product_type,
    tags: (row: ProductRow) => list(row.tags),
    description: (row: ProductRow, given: { truncateAt?: number }) =>
      row.description.slice(0, given.truncateAt ?? undefined),
    descriptionHtml: (row: ProductRow) => `<p>${row.description}</p>`,
    onlineStoreUrl: (row: ProductRow, _, { scope }) =>
      row.status === 'ACTIVE' ? storeUrl(scope, `/products/${row.handle}`) : null,
    onlineStorePreviewUrl: (row: ProductRow, _, { scope }) => storeUrl(scope, `/products/${row.handle}`),
    featuredMedia: productImage,
    totalInventory: (row: ProductRow, _, { scope }) =>
      listVariants(scope, row.id).reduce((sum, variant) => sum + variant.inventory_quantity, 0),
    tracksInventory: () => true,
    hasOnlyDefaultVariant: (row: ProductRow, _, { scope }) => listVariants(scope, row.id)[0]?.title === 'Default Title',
    priceRangeV2: (row: ProductRow, _, { scope }) => {
      const prices = listVariants(scope, row.id).map(({ price }) => price)
      return { minVariantPrice: yen(Math.min(...prices)), maxVariantPrice: yen(Math.max(...prices)) }
    },
    publishedAt: (row: ProductRow) => (row.status === 'ACTIVE' ? isoSeconds(row.created_at) : null),
    variantsCount: (row: ProductRow, _, { scope }) => ({
      count: listVariants(scope, row.id).length,
      precision: 'EXACT',
    }),
    variants: (row: ProductRow, given, { scope, bulk }) =>
      presentPage(pageOf(listVariants(scope, row.id), given, { bulk }), (variant) => variant),
    collections: (row: ProductRow, given, { scope, bulk }) =>
      presentPage(pageOf(listCollectionsOf(scope, row.id), given, { bulk }), (collection) => collection),
  },
  ProductVariant: {
    ...identity('ProductVariant'),
    ...times,
    displayName: (row: VariantRow, _, { scope }) => `${findProduct(scope, row.product_id)?.title ?? ''} - ${row.title}`,
    price: (row: VariantRow) => String(row.price),
    availableForSale: (row: VariantRow) => row.inventory_quantity > 0 || row.inventory_policy === 'CONTINUE',
    inventoryQuantity: (row: VariantRow) => row.inventory_quantity,
    sellableOnlineQuantity: (row: VariantRow) => row.inventory_quantity,
    inventoryPolicy: (row: VariantRow) => row.inventory_policy,
    inventoryItem: (row: VariantRow) => row,
    taxable: () => true,
    product: productOf,
  },
  InventoryItem: {
    id: (row: VariantRow) => gid('InventoryItem', row.inventory_item_id),
    legacyResourceId: (row: VariantRow) => String(row.inventory_item_id),
    ...times,
    tracked: () => true,
    variant: (row: VariantRow) => row,
    inventoryLevels: (row: VariantRow, given, { bulk }) =>
      presentPage(pageOf([row], given, { bulk }), (level) => level),
  },
  InventoryLevel: {
    id: (row: VariantRow, _, { scope }) =>
      `${gid('InventoryLevel', locationOf(scope).id)}?inventory_item_id=${row.inventory_item_id}`,
    location: (_, __, { scope }) => locationOf(scope),
    updatedAt: times.updatedAt,
    quantities: (row: VariantRow, given: { names: string[] }) =>
      given.names.map((name) => ({
        id: `${gid('InventoryQuantity', row.inventory_item_id)}?name=${name}`,
        name,
        quantity: name === 'available' || name === 'on_hand' ? row.inventory_quantity : 0,
      })),
  },
  Location: identity('Location'),
  Collection: {
    ...identity('Collection'),
    updatedAt: times.updatedAt,
    description: () => '',
    productsCount: (row: CollectionRow, _, { scope }) => ({
      count: countInCollection(scope, row.id),
      precision: 'EXACT',
    }),
    hasProduct: (row: CollectionRow, given: { id: string }, { scope }) =>
      listCollectionsOf(scope, idIn('Product', given.id) ?? -1).some(({ id }) => id === row.id),
    products: page<CollectionRow>(productListing, (row) => ({
      where: `id IN (SELECT product_id FROM store_collection_product l WHERE l.store_id = store_product.store_id AND l.collection_id = ?)`,
      parameters: [row.id],
    })),
  },
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
    metafieldNamespaces: () => [],
    apiVersion: (row: SubscriptionRow) => ({
      handle: row.api_version,
      displayName: row.api_version === latestVersion ? `${row.api_version} (Latest)` : row.api_version,
      supported: true,
    }),
  },
}

/** Changes whenever the value does: what `metafieldsSet(compareDigest:)` compares. */
export function digestOf(row: MetafieldRow): string {
  return createHash('sha256').update(`${row.type}\n${row.value}`).digest('hex')
}

function jsonValue(row: MetafieldRow): unknown {
  if (row.type.startsWith('list.') || row.type === 'json') return JSON.parse(row.value)
  if (row.type === 'number_integer' || row.type === 'number_decimal') return Number(row.value)
  if (row.type === 'boolean') return row.value === 'true'
  return row.value
}
