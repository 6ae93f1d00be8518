import { topics } from '../resources.ts'

/*
 * The part of the Admin API 2026-07 the sandbox answers, written here by hand. It is a structural subset: every type,
 * field, argument and enum value also exists in the real schema with the same type (schema.test.ts compares them where
 * the reference is at hand). What is missing here is refused as an unknown field.
 */

const paging = 'after: String, before: String, first: Int, last: Int, reverse: Boolean = false'
const connections = [
  'AppPurchaseOneTime',
  'Collection',
  'Customer',
  'InventoryItem',
  'InventoryLevel',
  'LineItem',
  'Location',
  'MailingAddress',
  'Metafield',
  'MetafieldDefinition',
  'Order',
  'Product',
  'ProductVariant',
  'WebhookSubscription',
  'BulkOperation',
  'AbandonedCheckout',
  'AbandonedCheckoutLineItem',
  'Segment',
  'DiscountRedeemCodeBulkCreationCode',
]
  .map(
    (name) => `type ${name}Connection { edges: [${name}Edge!]! nodes: [${name}!]! pageInfo: PageInfo! }
type ${name}Edge { cursor: String! node: ${name}! }`,
  )
  .join('\n')

const scalars = ['DateTime', 'Decimal', 'HTML', 'JSON', 'Money', 'UnsignedInt64', 'URL']
  .map((name) => `scalar ${name}`)
  .join('\n')

const metafields = `metafield(key: String!, namespace: String): Metafield
  metafields(after: String, before: String, first: Int, keys: [String!], last: Int, namespace: String, reverse: Boolean = false): MetafieldConnection!`

export const schemaText = `
${scalars}
schema { query: QueryRoot mutation: Mutation }

interface Node { id: ID! }
interface LegacyInteroperability { legacyResourceId: UnsignedInt64! }
interface DisplayableError { field: [String!] message: String! }
interface HasMetafields { ${metafields} }

type QueryRoot {
  shop: Shop!
  shopLocales(published: Boolean = false): [ShopLocale!]!
  currentAppInstallation: AppInstallation!
  node(id: ID!): Node
  nodes(ids: [ID!]!): [Node]!
  customer(id: ID!): Customer
  customerByIdentifier(identifier: CustomerIdentifierInput!): Customer
  customers(${paging}, query: String, sortKey: CustomerSortKeys = ID): CustomerConnection!
  customersCount(limit: Int = 10000, query: String): Count
  order(id: ID!): Order
  orders(${paging}, query: String, savedSearchId: ID, sortKey: OrderSortKeys = PROCESSED_AT): OrderConnection!
  ordersCount(limit: Int = 10000, query: String, savedSearchId: ID): Count
  product(id: ID!): Product
  products(${paging}, query: String, savedSearchId: ID, sortKey: ProductSortKeys = ID): ProductConnection!
  productsCount(limit: Int = 10000, query: String, savedSearchId: ID): Count
  productVariant(id: ID!): ProductVariant
  productVariants(${paging}, query: String, savedSearchId: ID, sortKey: ProductVariantSortKeys = ID): ProductVariantConnection!
  inventoryItem(id: ID!): InventoryItem
  inventoryItems(after: String, before: String, first: Int, last: Int, query: String, reverse: Boolean = false): InventoryItemConnection!
  inventoryLevel(id: ID!): InventoryLevel
  location(id: ID): Location
  locations(${paging}, includeInactive: Boolean = false, includeLegacy: Boolean = false, query: String, sortKey: LocationSortKeys = NAME): LocationConnection!
  collection(id: ID!): Collection
  collections(${paging}, query: String, savedSearchId: ID, sortKey: CollectionSortKeys = ID): CollectionConnection!
  abandonedCheckouts(${paging}, query: String, savedSearchId: ID, sortKey: AbandonedCheckoutSortKeys = ID): AbandonedCheckoutConnection!
  segments(${paging}, query: String, sortKey: SegmentSortKeys = CREATION_DATE): SegmentConnection!
  segment(id: ID!): Segment
  segmentsCount(limit: Int = 10000): Count
  customerSegmentMembers(${paging}, query: String, queryId: ID, segmentId: ID, sortKey: String, timezone: String): CustomerSegmentMemberConnection!
  customerSegmentMembersQuery(id: ID!): CustomerSegmentMembersQuery
  customerSegmentMembership(customerId: ID!, segmentIds: [ID!]!): SegmentMembershipResponse!
  codeDiscountNodeByCode(code: String!): DiscountCodeNode
  discountRedeemCodeBulkCreation(id: ID!): DiscountRedeemCodeBulkCreation
  bulkOperation(id: ID!): BulkOperation
  bulkOperations(${paging}, query: String, sortKey: BulkOperationsSortKeys = CREATED_AT): BulkOperationConnection!
  currentBulkOperation(type: BulkOperationType = QUERY): BulkOperation
  metafieldDefinitions(${paging}, key: String, namespace: String, ownerType: MetafieldOwnerType!): MetafieldDefinitionConnection!
  webhookSubscription(id: ID!): WebhookSubscription
  webhookSubscriptions(${paging}, format: WebhookSubscriptionFormat, query: String, sortKey: WebhookSubscriptionSortKeys = CREATED_AT, topics: [WebhookSubscriptionTopic!], uri: String): WebhookSubscriptionConnection!
}

type Mutation {
  customerCreate(input: CustomerInput!): CustomerCreatePayload
  customerUpdate(input: CustomerInput!): CustomerUpdatePayload
  customerDelete(input: CustomerDeleteInput!): CustomerDeletePayload
  customerAddressCreate(address: MailingAddressInput!, customerId: ID!, setAsDefault: Boolean): CustomerAddressCreatePayload
  customerAddressUpdate(
    address: MailingAddressInput!, addressId: ID!, customerId: ID!, setAsDefault: Boolean
  ): CustomerAddressUpdatePayload
  customerEmailMarketingConsentUpdate(input: CustomerEmailMarketingConsentUpdateInput!): CustomerEmailMarketingConsentUpdatePayload
  tagsAdd(id: ID!, tags: [String!]!): TagsAddPayload
  tagsRemove(id: ID!, tags: [String!]!): TagsRemovePayload
  metafieldsSet(metafields: [MetafieldsSetInput!]!): MetafieldsSetPayload
  metafieldsDelete(metafields: [MetafieldIdentifierInput!]!): MetafieldsDeletePayload
  bulkOperationRunQuery(groupObjects: Boolean! = false, query: String!): BulkOperationRunQueryPayload
  bulkOperationCancel(id: ID!): BulkOperationCancelPayload
  customerSegmentMembersQueryCreate(input: CustomerSegmentMembersQueryInput!): CustomerSegmentMembersQueryCreatePayload
  discountCodeBasicCreate(basicCodeDiscount: DiscountCodeBasicInput!): DiscountCodeBasicCreatePayload
  discountRedeemCodeBulkAdd(codes: [DiscountRedeemCodeInput!]!, discountId: ID!): DiscountRedeemCodeBulkAddPayload
  webhookSubscriptionCreate(topic: WebhookSubscriptionTopic!, webhookSubscription: WebhookSubscriptionInput!): WebhookSubscriptionCreatePayload
  webhookSubscriptionUpdate(id: ID!, webhookSubscription: WebhookSubscriptionInput!): WebhookSubscriptionUpdatePayload
  webhookSubscriptionDelete(id: ID!): WebhookSubscriptionDeletePayload
}

${connections}
type PageInfo { endCursor: String hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String }
type Count { count: Int! precision: CountPrecision! }
enum CountPrecision { AT_LEAST EXACT }
type MoneyV2 { amount: Decimal! currencyCode: CurrencyCode! }
type MoneyBag { presentmentMoney: MoneyV2! shopMoney: MoneyV2! }
enum CurrencyCode { JPY USD EUR GBP AUD SGD TWD }
enum CountryCode { JP US GB TW SG AU CA CN DE FR HK IT KR TH }
type UserError implements DisplayableError { field: [String!] message: String! }

type Shop implements Node {
  id: ID!
  name: String!
  email: String!
  contactEmail: String!
  shopOwnerName: String!
  myshopifyDomain: String!
  primaryDomain: Domain!
  url: URL!
  ianaTimezone: String!
  timezoneAbbreviation: String!
  timezoneOffset: String!
  timezoneOffsetMinutes: Int!
  currencyCode: CurrencyCode!
  enabledPresentmentCurrencies: [CurrencyCode!]!
  taxesIncluded: Boolean!
  plan: ShopPlan!
  createdAt: DateTime!
  updatedAt: DateTime!
}
type Domain implements Node { id: ID! host: String! url: URL! sslEnabled: Boolean! }
type ShopPlan { partnerDevelopment: Boolean! publicDisplayName: String! shopifyPlus: Boolean! }
type ShopLocale { locale: String! name: String! primary: Boolean! published: Boolean! }
type AppInstallation implements Node {
  id: ID!
  accessScopes: [AccessScope!]!
  app: App!
  launchUrl: URL!
  activeSubscriptions: [AppSubscription!]!
  oneTimePurchases(${paging}, sortKey: AppTransactionSortKeys = CREATED_AT): AppPurchaseOneTimeConnection!
}
type App implements Node { id: ID! apiKey: String! handle: String title: String! }
type AccessScope { handle: String! description: String! }
type AppSubscription implements Node {
  id: ID! name: String! status: AppSubscriptionStatus! test: Boolean! trialDays: Int!
  currentPeriodEnd: DateTime createdAt: DateTime! returnUrl: URL! lineItems: [AppSubscriptionLineItem!]!
}
enum AppSubscriptionStatus { ACTIVE CANCELLED DECLINED EXPIRED FROZEN PENDING }
type AppSubscriptionLineItem { id: ID! plan: AppPlanV2! }
type AppPlanV2 { pricingDetails: AppPricingDetails! }
union AppPricingDetails = AppRecurringPricing | AppUsagePricing
type AppRecurringPricing { price: MoneyV2! interval: AppPricingInterval! }
type AppUsagePricing { terms: String! balanceUsed: MoneyV2! cappedAmount: MoneyV2! }
enum AppPricingInterval { ANNUAL EVERY_30_DAYS }
type AppPurchaseOneTime implements Node { id: ID! name: String! status: AppPurchaseStatus! price: MoneyV2! test: Boolean! createdAt: DateTime! }
enum AppPurchaseStatus { ACTIVE DECLINED EXPIRED PENDING }
enum AppTransactionSortKeys { CREATED_AT ID }

type Customer implements HasMetafields & LegacyInteroperability & Node {
  id: ID!
  legacyResourceId: UnsignedInt64!
  firstName: String
  lastName: String
  displayName: String!
  email: String
  phone: String
  locale: String!
  note: String
  tags: [String!]!
  state: CustomerState!
  verifiedEmail: Boolean!
  taxExempt: Boolean!
  canDelete: Boolean!
  dataSaleOptOut: Boolean!
  multipassIdentifier: String
  lifetimeDuration: String!
  numberOfOrders: UnsignedInt64!
  amountSpent: MoneyV2!
  createdAt: DateTime!
  updatedAt: DateTime!
  defaultEmailAddress: CustomerEmailAddress
  defaultPhoneNumber: CustomerPhoneNumber
  defaultAddress: MailingAddress
  addresses(first: Int): [MailingAddress!]!
  addressesV2(${paging}): MailingAddressConnection!
  emailMarketingConsent: CustomerEmailMarketingConsentState
  smsMarketingConsent: CustomerSmsMarketingConsentState
  mergeable: CustomerMergeable!
  lastOrder: Order
  orders(${paging}, query: String, sortKey: OrderSortKeys = ID): OrderConnection!
  ${metafields}
}
enum CustomerState { DECLINED DISABLED ENABLED INVITED }
enum CustomerSortKeys { CREATED_AT ID LOCATION NAME RELEVANCE UPDATED_AT }
type CustomerEmailAddress {
  emailAddress: String!
  marketingState: CustomerEmailAddressMarketingState!
  marketingOptInLevel: CustomerMarketingOptInLevel
  marketingUpdatedAt: DateTime
  marketingUnsubscribeUrl: URL!
  openTrackingLevel: CustomerEmailAddressOpenTrackingLevel!
  openTrackingUrl: URL!
  validFormat: Boolean!
}
enum CustomerEmailAddressMarketingState { INVALID NOT_SUBSCRIBED PENDING SUBSCRIBED UNSUBSCRIBED }
enum CustomerEmailAddressOpenTrackingLevel { OPTED_IN OPTED_OUT UNKNOWN }
enum CustomerMarketingOptInLevel { CONFIRMED_OPT_IN SINGLE_OPT_IN UNKNOWN }
enum CustomerEmailMarketingState { INVALID NOT_SUBSCRIBED PENDING REDACTED SUBSCRIBED UNSUBSCRIBED }
enum CustomerSmsMarketingState { NOT_SUBSCRIBED PENDING REDACTED SUBSCRIBED UNSUBSCRIBED }
type CustomerPhoneNumber {
  phoneNumber: String!
  marketingState: CustomerSmsMarketingState!
  marketingOptInLevel: CustomerMarketingOptInLevel
  marketingUpdatedAt: DateTime
}
type CustomerEmailMarketingConsentState { marketingState: CustomerEmailMarketingState! marketingOptInLevel: CustomerMarketingOptInLevel consentUpdatedAt: DateTime }
type CustomerSmsMarketingConsentState { marketingState: CustomerSmsMarketingState! marketingOptInLevel: CustomerMarketingOptInLevel! consentUpdatedAt: DateTime }
type CustomerMergeable { isMergeable: Boolean! reason: String }
type MailingAddress implements Node {
  id: ID! firstName: String lastName: String name: String company: String address1: String address2: String city: String
  zip: String province: String provinceCode: String country: String countryCodeV2: CountryCode phone: String
  formatted(withCompany: Boolean = true, withName: Boolean = false): [String!]!
}
type Metafield implements LegacyInteroperability & Node {
  id: ID! legacyResourceId: UnsignedInt64! namespace: String! key: String! type: String! value: String! jsonValue: JSON!
  compareDigest: String! ownerType: MetafieldOwnerType! createdAt: DateTime! updatedAt: DateTime!
}
type MetafieldDefinition implements Node {
  id: ID! namespace: String! key: String! name: String! description: String ownerType: MetafieldOwnerType! type: MetafieldDefinitionType!
  metafieldsCount: Int! pinnedPosition: Int validationStatus: MetafieldDefinitionValidationStatus!
}
type MetafieldDefinitionType { category: String! name: String! }
enum MetafieldDefinitionValidationStatus { ALL_VALID IN_PROGRESS SOME_INVALID }
enum MetafieldOwnerType { CUSTOMER ORDER PRODUCT PRODUCTVARIANT COLLECTION SHOP }

input CustomerIdentifierInput @oneOf { id: ID emailAddress: String phoneNumber: String }
input CustomerInput {
  id: ID email: String firstName: String lastName: String phone: String locale: String note: String tags: [String!]
  taxExempt: Boolean emailMarketingConsent: CustomerEmailMarketingConsentInput metafields: [MetafieldInput!] addresses: [MailingAddressInput!]
}
input CustomerEmailMarketingConsentInput {
  marketingState: CustomerEmailMarketingState! marketingOptInLevel: CustomerMarketingOptInLevel consentUpdatedAt: DateTime sourceLocationId: ID
}
input CustomerEmailMarketingConsentUpdateInput { customerId: ID! emailMarketingConsent: CustomerEmailMarketingConsentInput! }
input CustomerDeleteInput { id: ID! }
input MailingAddressInput {
  address1: String address2: String city: String company: String countryCode: CountryCode firstName: String lastName: String
  phone: String provinceCode: String zip: String
}
input MetafieldInput { id: ID key: String namespace: String type: String value: String }
input MetafieldsSetInput { compareDigest: String key: String! namespace: String ownerId: ID! type: String value: String! }
type CustomerCreatePayload { customer: Customer userErrors: [UserError!]! }
type CustomerUpdatePayload { customer: Customer userErrors: [UserError!]! }
type CustomerAddressCreatePayload { address: MailingAddress userErrors: [UserError!]! }
type CustomerAddressUpdatePayload { address: MailingAddress userErrors: [UserError!]! }
type CustomerDeletePayload { deletedCustomerId: ID shop: Shop! userErrors: [UserError!]! }
type TagsAddPayload { node: Node userErrors: [UserError!]! }
type TagsRemovePayload { node: Node userErrors: [UserError!]! }
type CustomerEmailMarketingConsentUpdatePayload { customer: Customer userErrors: [CustomerEmailMarketingConsentUpdateUserError!]! }
type CustomerEmailMarketingConsentUpdateUserError implements DisplayableError {
  code: CustomerEmailMarketingConsentUpdateUserErrorCode field: [String!] message: String!
}
enum CustomerEmailMarketingConsentUpdateUserErrorCode { INCLUSION INTERNAL_ERROR INVALID MISSING_ARGUMENT }
input MetafieldIdentifierInput { key: String! namespace: String! ownerId: ID! }
type MetafieldsDeletePayload { deletedMetafields: [MetafieldIdentifier] userErrors: [UserError!]! }
type MetafieldIdentifier { key: String! namespace: String! ownerId: ID! }
type MetafieldsSetPayload { metafields: [Metafield!] userErrors: [MetafieldsSetUserError!]! }
type MetafieldsSetUserError implements DisplayableError { code: MetafieldsSetUserErrorCode elementIndex: Int field: [String!] message: String! }
enum MetafieldsSetUserErrorCode {
  APP_NOT_AUTHORIZED BLANK CAPABILITY_VIOLATION INCLUSION INTERNAL_ERROR INVALID INVALID_COMPARE_DIGEST INVALID_TYPE INVALID_VALUE
  LESS_THAN_OR_EQUAL_TO PRESENT STALE_OBJECT TAKEN TOO_LONG TOO_SHORT
}

type Order implements HasMetafields & LegacyInteroperability & Node {
  id: ID!
  legacyResourceId: UnsignedInt64!
  name: String!
  number: Int!
  email: String
  phone: String
  note: String
  tags: [String!]!
  test: Boolean!
  confirmed: Boolean!
  closed: Boolean!
  createdAt: DateTime!
  processedAt: DateTime!
  updatedAt: DateTime!
  cancelledAt: DateTime
  cancelReason: OrderCancelReason
  closedAt: DateTime
  currencyCode: CurrencyCode!
  customer: Customer
  customerLocale: String
  customerAcceptsMarketing: Boolean!
  customerJourneySummary: CustomerJourneySummary
  displayFinancialStatus: OrderDisplayFinancialStatus
  displayFulfillmentStatus: OrderDisplayFulfillmentStatus!
  discountCode: String
  discountCodes: [String!]!
  totalPriceSet: MoneyBag!
  currentTotalPriceSet: MoneyBag!
  subtotalPriceSet: MoneyBag
  totalDiscountsSet: MoneyBag
  totalRefundedSet: MoneyBag!
  shippingAddress: MailingAddress
  billingAddress: MailingAddress
  sourceName: String
  statusPageUrl: URL!
  refunds(first: Int): [Refund!]!
  lineItems(${paging}): LineItemConnection!
  ${metafields}
}
enum OrderSortKeys {
  CREATED_AT CURRENT_TOTAL_PRICE CUSTOMER_NAME DESTINATION FINANCIAL_STATUS FULFILLMENT_STATUS ID ORDER_NUMBER PO_NUMBER
  PROCESSED_AT RELEVANCE TOTAL_ITEMS_QUANTITY TOTAL_PRICE UPDATED_AT
}
enum OrderCancelReason { CUSTOMER DECLINED FRAUD INVENTORY OTHER STAFF }
enum OrderDisplayFinancialStatus { AUTHORIZED EXPIRED PAID PARTIALLY_PAID PARTIALLY_REFUNDED PENDING REFUNDED VOIDED }
enum OrderDisplayFulfillmentStatus {
  FULFILLED IN_PROGRESS ON_HOLD OPEN PARTIALLY_FULFILLED PENDING_FULFILLMENT REQUEST_DECLINED RESTOCKED SCHEDULED UNFULFILLED
}
type LineItem implements Node {
  id: ID! name: String! title: String! variantTitle: String sku: String vendor: String quantity: Int! currentQuantity: Int!
  product: Product variant: ProductVariant originalUnitPriceSet: MoneyBag! originalTotalSet: MoneyBag!
  discountedTotalSet(withCodeDiscounts: Boolean = false): MoneyBag! discountedUnitPriceSet: MoneyBag! totalDiscountSet: MoneyBag!
}
type Refund implements LegacyInteroperability & Node { id: ID! legacyResourceId: UnsignedInt64! note: String createdAt: DateTime updatedAt: DateTime! totalRefundedSet: MoneyBag! }
type CustomerJourneySummary { ready: Boolean! customerOrderIndex: Int daysToConversion: Int firstVisit: CustomerVisit lastVisit: CustomerVisit }
type CustomerVisit implements Node {
  id: ID! landingPage: URL referrerUrl: URL referralCode: String source: String! occurredAt: DateTime! utmParameters: UTMParameters
}
type UTMParameters { campaign: String content: String medium: String source: String term: String }

type AbandonedCheckout implements Node {
  id: ID! name: String! abandonedCheckoutUrl: URL! createdAt: DateTime! updatedAt: DateTime! completedAt: DateTime customer: Customer
  totalPriceSet: MoneyBag! discountCodes: [String!]! lineItems(${paging}): AbandonedCheckoutLineItemConnection!
}
type AbandonedCheckoutLineItem implements Node { id: ID! title: String quantity: Int! sku: String variantTitle: String product: Product variant: ProductVariant originalTotalPriceSet: MoneyBag! }
enum AbandonedCheckoutSortKeys { CHECKOUT_ID CREATED_AT CUSTOMER_NAME ID RELEVANCE TOTAL_PRICE }

type Product implements HasMetafields & LegacyInteroperability & Node {
  id: ID!
  legacyResourceId: UnsignedInt64!
  title: String!
  handle: String!
  status: ProductStatus!
  vendor: String!
  productType: String!
  tags: [String!]!
  description(truncateAt: Int): String!
  descriptionHtml: HTML!
  onlineStoreUrl: URL
  onlineStorePreviewUrl: URL
  featuredMedia: Media
  totalInventory: Int!
  tracksInventory: Boolean!
  hasOnlyDefaultVariant: Boolean!
  priceRangeV2: ProductPriceRangeV2!
  createdAt: DateTime!
  updatedAt: DateTime!
  publishedAt: DateTime
  variantsCount: Count
  variants(${paging}, sortKey: ProductVariantSortKeys = POSITION): ProductVariantConnection!
  options(first: Int): [ProductOption!]!
  collections(${paging}, query: String, sortKey: CollectionSortKeys = ID): CollectionConnection!
  ${metafields}
}
type ProductOption implements Node { id: ID! name: String! position: Int! values: [String!]! }
type ProductPriceRangeV2 { maxVariantPrice: MoneyV2! minVariantPrice: MoneyV2! }
enum ProductStatus { ACTIVE ARCHIVED DRAFT UNLISTED }
enum ProductSortKeys { CREATED_AT ID INVENTORY_TOTAL PRODUCT_TYPE PUBLISHED_AT RELEVANCE TITLE UPDATED_AT VENDOR }
type ProductVariant implements LegacyInteroperability & Node {
  id: ID! legacyResourceId: UnsignedInt64! title: String! displayName: String! sku: String barcode: String position: Int! price: Money!
  compareAtPrice: Money availableForSale: Boolean! inventoryQuantity: Int inventoryPolicy: ProductVariantInventoryPolicy!
  inventoryItem: InventoryItem! sellableOnlineQuantity: Int! taxable: Boolean! product: Product! createdAt: DateTime! updatedAt: DateTime!
  selectedOptions: [SelectedOption!]!
}
type SelectedOption { name: String! value: String! }
enum ProductVariantInventoryPolicy { CONTINUE DENY }
enum ProductVariantSortKeys {
  FULL_TITLE ID INVENTORY_LEVELS_AVAILABLE INVENTORY_MANAGEMENT INVENTORY_POLICY INVENTORY_QUANTITY NAME POPULAR POSITION RELEVANCE SKU TITLE
}
type InventoryItem implements LegacyInteroperability & Node {
  id: ID! legacyResourceId: UnsignedInt64! sku: String tracked: Boolean! variant: ProductVariant! createdAt: DateTime! updatedAt: DateTime!
  inventoryLevel(includeInactive: Boolean = false, locationId: ID!): InventoryLevel
  inventoryLevels(${paging}, includeInactive: Boolean = false, query: String): InventoryLevelConnection!
  locationsCount: Count
}
type InventoryLevel implements Node {
  id: ID! isActive: Boolean! item: InventoryItem! location: Location! quantities(names: [String!]!): [InventoryQuantity!]!
  createdAt: DateTime! updatedAt: DateTime!
}
type InventoryQuantity implements Node { id: ID! name: String! quantity: Int! }
type Location implements LegacyInteroperability & Node {
  id: ID! legacyResourceId: UnsignedInt64! name: String! isActive: Boolean! fulfillsOnlineOrders: Boolean! shipsInventory: Boolean!
  createdAt: DateTime! updatedAt: DateTime!
}
enum LocationSortKeys { ID NAME RELEVANCE }
interface Media { id: ID! alt: String mediaContentType: MediaContentType! preview: MediaPreviewImage }
type MediaImage implements Media & Node { id: ID! alt: String mediaContentType: MediaContentType! preview: MediaPreviewImage image: Image }
enum MediaContentType { EXTERNAL_VIDEO IMAGE MODEL_3D VIDEO }
type MediaPreviewImage { image: Image }
type Image { id: ID altText: String height: Int width: Int url: URL! }
type Collection implements Node {
  id: ID! legacyResourceId: UnsignedInt64! title: String! handle: String! description(truncateAt: Int): String! updatedAt: DateTime!
  productsCount: Count hasProduct(id: ID!): Boolean!
  products(${paging}, sortKey: ProductCollectionSortKeys = COLLECTION_DEFAULT): ProductConnection!
}
enum CollectionSortKeys { ID RELEVANCE TITLE UPDATED_AT }
enum ProductCollectionSortKeys { BEST_SELLING COLLECTION_DEFAULT CREATED ID MANUAL PRICE RELEVANCE TITLE }

type Segment implements Node { id: ID! name: String! query: String! creationDate: DateTime! lastEditDate: DateTime! }
enum SegmentSortKeys { CREATION_DATE ID LAST_EDIT_DATE RELEVANCE }
type CustomerSegmentMember implements HasMetafields {
  id: ID! displayName: String! firstName: String lastName: String note: String amountSpent: MoneyV2 numberOfOrders: UnsignedInt64
  lastOrderId: ID defaultEmailAddress: CustomerEmailAddress defaultPhoneNumber: CustomerPhoneNumber ${metafields}
}
type CustomerSegmentMemberConnection { edges: [CustomerSegmentMemberEdge!]! pageInfo: PageInfo! statistics: SegmentStatistics! totalCount: Int! }
type CustomerSegmentMemberEdge { cursor: String! node: CustomerSegmentMember! }
type SegmentStatistics { attributeStatistics(attributeName: String!): SegmentAttributeStatistics! }
type SegmentAttributeStatistics { average: Float! sum: Float! }
interface JobResult { done: Boolean! id: ID! }
type CustomerSegmentMembersQuery implements JobResult & Node { id: ID! currentCount: Int! done: Boolean! }
input CustomerSegmentMembersQueryInput { query: String reverse: Boolean = false segmentId: ID sortKey: String }
type CustomerSegmentMembersQueryCreatePayload { customerSegmentMembersQuery: CustomerSegmentMembersQuery userErrors: [CustomerSegmentMembersQueryUserError!]! }
type CustomerSegmentMembersQueryUserError implements DisplayableError { code: CustomerSegmentMembersQueryUserErrorCode field: [String!] message: String! }
enum CustomerSegmentMembersQueryUserErrorCode { INVALID }
type SegmentMembershipResponse { memberships: [SegmentMembership!]! }
type SegmentMembership { isMember: Boolean! segmentId: ID! }

type DiscountCodeNode implements Node { codeDiscount: DiscountCode! id: ID! }
union DiscountCode = DiscountCodeApp | DiscountCodeBasic | DiscountCodeBxgy | DiscountCodeFreeShipping
type DiscountCodeApp { asyncUsageCount: Int! codesCount: Count endsAt: DateTime startsAt: DateTime! title: String! usageLimit: Int }
type DiscountCodeBasic {
  asyncUsageCount: Int! codesCount: Count customerGets: DiscountCustomerGets! endsAt: DateTime startsAt: DateTime! title: String! usageLimit: Int
}
type DiscountCustomerGets { value: DiscountCustomerGetsValue! }
union DiscountCustomerGetsValue = DiscountPercentage
type DiscountPercentage { percentage: Float! }
type DiscountCodeBxgy { asyncUsageCount: Int! codesCount: Count endsAt: DateTime startsAt: DateTime! title: String! usageLimit: Int }
type DiscountCodeFreeShipping { asyncUsageCount: Int! codesCount: Count endsAt: DateTime startsAt: DateTime! title: String! usageLimit: Int }
type DiscountRedeemCode { id: ID! code: String! }
type DiscountRedeemCodeBulkCreation implements Node {
  id: ID! done: Boolean! codesCount: Int! importedCount: Int! failedCount: Int! createdAt: DateTime! discountCode: DiscountCodeNode
  codes(${paging}): DiscountRedeemCodeBulkCreationCodeConnection!
}
type DiscountRedeemCodeBulkCreationCode { code: String! discountRedeemCode: DiscountRedeemCode errors: [DiscountUserError!]! }
type DiscountUserError implements DisplayableError { code: DiscountErrorCode extraInfo: String field: [String!] message: String! }
enum DiscountErrorCode { BLANK END_DATE_BEFORE_START_DATE INVALID MINIMUM_SUBTOTAL_AND_QUANTITY_RANGE_BOTH_PRESENT TAKEN VALUE_OUTSIDE_RANGE }
type DiscountCodeBasicCreatePayload { codeDiscountNode: DiscountCodeNode userErrors: [DiscountUserError!]! }
type DiscountRedeemCodeBulkAddPayload { bulkCreation: DiscountRedeemCodeBulkCreation userErrors: [DiscountUserError!]! }
input DiscountRedeemCodeInput { code: String! }
input DiscountCodeBasicInput {
  appliesOncePerCustomer: Boolean code: String context: DiscountContextInput customerGets: DiscountCustomerGetsInput endsAt: DateTime
  minimumRequirement: DiscountMinimumRequirementInput startsAt: DateTime title: String usageLimit: Int
}
input DiscountContextInput { all: DiscountBuyerSelection }
enum DiscountBuyerSelection { ALL }
input DiscountCustomerGetsInput { items: DiscountItemsInput value: DiscountCustomerGetsValueInput }
input DiscountCustomerGetsValueInput { percentage: Float }
input DiscountItemsInput { all: Boolean collections: DiscountCollectionsInput products: DiscountProductsInput }
input DiscountCollectionsInput { add: [ID!] }
input DiscountProductsInput { productsToAdd: [ID!] }
input DiscountMinimumRequirementInput { quantity: DiscountMinimumQuantityInput subtotal: DiscountMinimumSubtotalInput }
input DiscountMinimumQuantityInput { greaterThanOrEqualToQuantity: UnsignedInt64 }
input DiscountMinimumSubtotalInput { greaterThanOrEqualToSubtotal: Decimal }

type BulkOperation implements Node {
  id: ID! status: BulkOperationStatus! type: BulkOperationType! errorCode: BulkOperationErrorCode query: String! createdAt: DateTime!
  completedAt: DateTime objectCount: UnsignedInt64! rootObjectCount: UnsignedInt64! fileSize: UnsignedInt64 url: URL partialDataUrl: URL
}
enum BulkOperationStatus { CANCELED CANCELING COMPLETED CREATED EXPIRED FAILED RUNNING }
enum BulkOperationType { MUTATION QUERY }
enum BulkOperationErrorCode { ACCESS_DENIED INTERNAL_SERVER_ERROR TIMEOUT }
enum BulkOperationsSortKeys { COMPLETED_AT CREATED_AT }
type BulkOperationRunQueryPayload { bulkOperation: BulkOperation userErrors: [BulkOperationUserError!]! }
type BulkOperationUserError implements DisplayableError { code: BulkOperationUserErrorCode field: [String!] message: String! }
enum BulkOperationUserErrorCode { INVALID LIMIT_REACHED OPERATION_IN_PROGRESS }
type BulkOperationCancelPayload { bulkOperation: BulkOperation userErrors: [UserError!]! }

type WebhookSubscription implements LegacyInteroperability & Node {
  id: ID! legacyResourceId: UnsignedInt64! topic: WebhookSubscriptionTopic! uri: String! format: WebhookSubscriptionFormat! filter: String name: String
  includeFields: [String!]! metafieldNamespaces: [String!]! apiVersion: ApiVersion! createdAt: DateTime! updatedAt: DateTime!
}
type ApiVersion { displayName: String! handle: String! supported: Boolean! }
enum WebhookSubscriptionFormat { JSON XML }
enum WebhookSubscriptionSortKeys { CREATED_AT ID }
enum WebhookSubscriptionTopic { ${[...topics.keys()].join(' ')} }
input WebhookSubscriptionInput { filter: String format: WebhookSubscriptionFormat includeFields: [String!] metafieldNamespaces: [String!] name: String uri: String }
type WebhookSubscriptionCreatePayload { userErrors: [UserError!]! webhookSubscription: WebhookSubscription }
type WebhookSubscriptionUpdatePayload { userErrors: [UserError!]! webhookSubscription: WebhookSubscription }
type WebhookSubscriptionDeletePayload { deletedWebhookSubscriptionId: ID userErrors: [UserError!]! }
`
