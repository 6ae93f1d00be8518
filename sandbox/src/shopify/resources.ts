import type { SearchField } from './graphql/search.ts'
import type { StoreScope } from './platform.ts'
import { findRow, part } from '../sql.ts'

/** A table as the platform lists it. Sort keys that are not named sort by id. */
export interface Listing {
  table: string
  fields: Record<string, SearchField>
  words: string[]
  sorts: Record<string, string>
}

/** One kind of object of the platform; the API, the webhooks and the admin pages are derived from it. */
interface Resource {
  /** Its rows, and the column that holds its number where that is not `id`. */
  table?: string
  key?: string
  search?: Record<string, SearchField>
  words?: string[]
  sorts?: Record<string, string>
  /** Fields of the root that answer one by its id, a page of them, and how many there are. */
  one?: string
  many?: string
  count?: string
  /** `node(id:)` finds it. */
  isNode?: true
  hasMetafields?: true
  /** The scope it needs, wherever it is met. Source: requiredAccess in the platform's schema. */
  scope?: string
  /** More fields of the root that read it, and those that change it. */
  reads?: string[]
  writes?: string[]
  /** Protected customer data; `names`: its fields that name people, an approval of their own. */
  isProtected?: true
  names?: string[]
  /** Its webhook topics; `personalTopics` carry personal data. */
  topics?: string[]
  personalTopics?: string[]
  /** Under which name it is counted. */
  counted?: string
  /** Its page of the store's admin. */
  page?: { path: string; ja: string; en: string }
}

/** Fields that are looked up in columns of their own names. */
const search = (kinds: Partial<Record<SearchField['kind'], string[]>>): Record<string, SearchField> =>
  Object.fromEntries(
    Object.entries(kinds).flatMap(([kind, columns]) =>
      columns.map((column) => [column, { kind: kind as SearchField['kind'], column }]),
    ),
  )
const tag: SearchField = { kind: 'tag', column: 'tags' }

export const resources = {
  Customer: {
    table: 'store_customer',
    search: {
      ...search({
        id: ['id'],
        text: ['email', 'phone', 'first_name', 'last_name'],
        upper: ['state'],
        number: ['orders_count', 'total_spent'],
        time: ['created_at', 'updated_at'],
      }),
      tag,
      customer_date: { kind: 'time', column: 'created_at' },
      email_marketing_state: { kind: 'upper', column: 'email_state' },
    },
    words: ['first_name', 'last_name', 'last_name || first_name', "last_name || ' ' || first_name", 'email', 'phone'],
    sorts: { CREATED_AT: 'created_at', UPDATED_AT: 'updated_at', NAME: 'last_name' },
    one: 'customer',
    many: 'customers',
    count: 'customersCount',
    isNode: true,
    hasMetafields: true,
    scope: 'read_customers',
    writes: [
      'customerCreate',
      'customerUpdate',
      'customerDelete',
      'customerAddressCreate',
      'customerAddressUpdate',
      'customerEmailMarketingConsentUpdate',
    ],
    isProtected: true,
    names: [
      'firstName',
      'lastName',
      'displayName',
      'email',
      'phone',
      'defaultEmailAddress',
      'defaultPhoneNumber',
      'defaultAddress',
      'addresses',
      'addressesV2',
    ],
    topics: ['customers/delete'],
    personalTopics: [
      'customers/create',
      'customers/update',
      'customers_email_marketing_consent/update',
      'customer.tags_added',
      'customer.tags_removed',
    ],
    counted: 'customers',
    page: { path: '/customers', ja: '顧客', en: 'Customers' },
  },
  CustomerMerge: { scope: 'read_customer_merge', topics: ['customers/merge'] },
  Order: {
    table: 'store_order',
    search: {
      ...search({
        id: ['id', 'customer_id'],
        text: ['name', 'email'],
        upper: ['financial_status', 'fulfillment_status'],
        time: ['created_at', 'processed_at', 'updated_at'],
      }),
      tag,
    },
    words: ['name', 'email'],
    sorts: {
      CREATED_AT: 'created_at',
      UPDATED_AT: 'updated_at',
      PROCESSED_AT: 'processed_at',
      ORDER_NUMBER: 'number',
      TOTAL_PRICE: 'total',
    },
    count: 'ordersCount',
    isNode: true,
    hasMetafields: true,
    scope: 'read_orders',
    isProtected: true,
    names: ['email', 'phone', 'shippingAddress', 'billingAddress', 'customerLocale'],
    personalTopics: [
      'orders/create',
      'orders/paid',
      'orders/updated',
      'orders/cancelled',
      'orders/edited',
      'orders/fulfilled',
    ],
    counted: 'orders',
    page: { path: '/orders', ja: '注文', en: 'Orders' },
  },
  LineItem: { scope: 'read_orders' },
  Refund: { scope: 'read_orders', personalTopics: ['refunds/create'] },
  CustomerJourneySummary: { scope: 'read_orders' },
  Product: {
    table: 'store_product',
    search: {
      ...search({
        id: ['id'],
        text: ['title', 'handle', 'vendor', 'product_type'],
        upper: ['status'],
        time: ['created_at', 'updated_at'],
      }),
      tag,
    },
    words: ['title', 'handle', 'product_type', 'vendor'],
    sorts: {
      CREATED_AT: 'created_at',
      UPDATED_AT: 'updated_at',
      TITLE: 'title',
      VENDOR: 'vendor',
      PRODUCT_TYPE: 'product_type',
    },
    one: 'product',
    many: 'products',
    count: 'productsCount',
    isNode: true,
    hasMetafields: true,
    scope: 'read_products',
    topics: ['products/create', 'products/update', 'products/delete'],
    counted: 'products',
    page: { path: '/products', ja: '商品', en: 'Products' },
  },
  ProductVariant: {
    table: 'store_variant',
    search: search({
      id: ['id', 'product_id'],
      text: ['sku', 'title'],
      number: ['inventory_quantity'],
      time: ['updated_at'],
    }),
    words: ['sku', 'title'],
    sorts: { SKU: 'sku', TITLE: 'title', INVENTORY_QUANTITY: 'inventory_quantity' },
    one: 'productVariant',
    many: 'productVariants',
    isNode: true,
    hasMetafields: true,
    scope: 'read_products',
    counted: 'variants',
  },
  Collection: {
    table: 'store_collection',
    search: search({ id: ['id'], text: ['title', 'handle'], time: ['updated_at'] }),
    words: ['title', 'handle'],
    sorts: { TITLE: 'title', UPDATED_AT: 'updated_at' },
    one: 'collection',
    many: 'collections',
    isNode: true,
    scope: 'read_products',
    topics: ['collections/create', 'collections/update', 'collections/delete'],
    counted: 'collections',
  },
  InventoryItem: {
    table: 'store_variant',
    key: 'inventory_item_id',
    search: search({ id: ['id'], text: ['sku'], time: ['created_at', 'updated_at'] }),
    one: 'inventoryItem',
    many: 'inventoryItems',
    isNode: true,
  },
  Location: {
    table: 'store_location',
    search: search({ id: ['id'], text: ['name'] }),
    words: ['name'],
    sorts: { NAME: 'name' },
    many: 'locations',
    isNode: true,
    scope: 'read_locations',
    reads: ['location'],
  },
  InventoryLevel: { scope: 'read_inventory', topics: ['inventory_levels/update', 'inventory_items/update'] },
  AbandonedCheckout: {
    table: 'store_checkout',
    search: search({ id: ['id'], time: ['created_at', 'updated_at'] }),
    words: ['email'],
    sorts: { CREATED_AT: 'created_at' },
    isNode: true,
    scope: 'read_orders',
    isProtected: true,
    topics: ['checkouts/delete'],
    personalTopics: ['checkouts/create', 'checkouts/update', 'carts/create', 'carts/update'],
    counted: 'checkouts',
  },
  AbandonedCheckoutLineItem: { scope: 'read_orders' },
  // Its objects are reached only through these fields, so they check no scope themselves.
  Discount: {
    scope: 'read_discounts',
    reads: ['codeDiscountNodeByCode', 'discountRedeemCodeBulkCreation'],
    writes: ['discountCodeBasicCreate', 'discountRedeemCodeBulkAdd'],
    topics: [
      'discounts/create',
      'discounts/update',
      'discounts/delete',
      'discounts/redeemcode_added',
      'discounts/redeemcode_removed',
    ],
    page: { path: '/discounts', ja: 'ディスカウント', en: 'Discounts' },
  },
  DiscountCodeNode: { table: 'store_discount' },
  DiscountRedeemCodeBulkCreation: { table: 'store_discount_bulk' },
  Segment: {
    table: 'store_segment',
    scope: 'read_customers',
    reads: [
      'segmentsCount',
      'customerSegmentMembersQuery',
      'customerSegmentMembership',
      'customerSegmentMembersQueryCreate',
    ],
    page: { path: '/segments', ja: 'セグメント', en: 'Segments' },
  },
  CustomerSegmentMember: {
    scope: 'read_customers',
    isProtected: true,
    names: ['firstName', 'lastName', 'displayName', 'defaultEmailAddress', 'defaultPhoneNumber'],
  },
  CustomerSegmentMembersQuery: { table: 'store_segment_query' },
  BulkOperation: {
    table: 'store_bulk',
    search: search({ id: ['id'], upper: ['status'], time: ['created_at'] }),
    sorts: { CREATED_AT: 'created_at', COMPLETED_AT: 'completed_at' },
    one: 'bulkOperation',
    many: 'bulkOperations',
    isNode: true,
    topics: ['bulk_operations/finish'],
  },
  WebhookSubscription: {
    table: 'store_subscription',
    search: search({ id: ['id'], upper: ['topic'] }),
    words: ['uri'],
    sorts: { CREATED_AT: 'created_at' },
    one: 'webhookSubscription',
    isNode: true,
    counted: 'subscriptions',
  },
  ShopLocale: { scope: 'read_locales' },
  Shop: { topics: ['shop/update'] },
  AppInstallation: {
    topics: [
      'app/uninstalled',
      'app/scopes_update',
      'app_subscriptions/update',
      'app_subscriptions/approaching_capped_amount',
      'app_purchases_one_time/update',
    ],
  },
} satisfies Record<string, Resource>

export type Kind = keyof typeof resources
export const listed: readonly (readonly [Kind, Resource])[] = Object.entries(resources) as [Kind, Resource][]
export const resourceOf = (kind: string): Resource | undefined =>
  Object.hasOwn(resources, kind) ? resources[kind as Kind] : undefined

export function listingOf(kind: Kind): Listing {
  const { table, search: fields = {}, words = [], sorts = {} }: Resource = resources[kind]
  if (table === undefined) throw new Error(`${kind} has no table`)
  return { table, fields, words, sorts }
}

export function findResource<Row>(scope: StoreScope, kind: Kind, id: number): Row | null {
  const { table, key = 'id' }: Resource = resources[kind]
  const found = findRow<Row>(scope.database)`SELECT * FROM ${part(`${table}`)}
    WHERE store_id = ${scope.store.id} AND ${part(key)} = ${id}`
  return found ?? null
}

interface Topic {
  /** The name in webhooks: `orders/create`. */
  spoken: string
  scope: string | undefined
  isPersonal: boolean
}
/** Topics by the name the API subscribes with. The sandbox sends the ones it plays; any other may be subscribed to. */
export const topics: ReadonlyMap<string, Topic> = new Map(
  listed.flatMap(([, { scope, topics: plain = [], personalTopics = [] }]) =>
    [...plain, ...personalTopics].map((spoken) => [
      spoken.toUpperCase().replaceAll(/[/.]/g, '_'),
      { spoken, scope, isPersonal: personalTopics.includes(spoken) },
    ]),
  ),
)
