import type { Locale } from '@okaeri/contract/locale'
import { invalid } from '../../../kernel/errors.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { getMerchant, type MerchantRow } from '../../merchants/index.ts'
import { exampleMailMetafields, type MetafieldPath, readMailMetafields } from '../../metafields/index.ts'
import { findStore } from '../../stores/index.ts'
import { readMailProducts, readMemberships, segmentsNamed } from './block-data.ts'
import { createProductCards, type ProductCards, readOwnProducts, readProductLists } from './chosen-products.ts'
import { eventData, exampleVariables, type RecipientVariables } from './event-data.ts'
import { customerData, exampleCustomer, type KnownCustomer, type MessageData } from './message-data.ts'
import { findKnownCustomer } from '../queries.ts'
import { variablesOf } from '../rendering.ts'

/** As long as a real one; it unsubscribes no one. */
const EXAMPLE_UNSUBSCRIBE = `/u/${'x'.repeat(56)}`
const EXAMPLE_PREFERENCES = `/p/${'x'.repeat(56)}`
const EXAMPLE_CANCEL = `/r/${'x'.repeat(56)}`

/** Where the store can be visited; empty when none was ever connected. */
export async function storeUrlOf(scope: MerchantScope): Promise<string> {
  const store = await findStore(scope)
  return store ? (store.storefront_url ?? `https://${store.shop_domain}`) : ''
}

/** Throws a 400 naming the field when there is no such customer. */
export async function getKnownCustomer(scope: MerchantScope, id: string): Promise<KnownCustomer> {
  const customer = await findKnownCustomer(scope, id)
  if (!customer) throw invalid({ customer_id: 'not_found' })
  return customer
}

/** The ways by which templates reach for a customer's metafields; empty for the mails that use none, at no cost. */
export async function metafieldPathsOf(
  scope: MerchantScope,
  templates: readonly string[],
  kind: 'asked' | 'work' = 'asked',
): Promise<MetafieldPath[]> {
  const read = await variablesOf(scope, templates, { word: /metafields/, kind })
  return read.flatMap(([group, part, ...path]) => {
    if (group !== 'customer') return []
    // The customer as a whole, given another name: what is read of it cannot be seen.
    if (part === undefined) return [[]]
    return part === 'metafields' ? [path.slice(0, 2)] : []
  })
}

/** What these templates can say to one customer, with an example of a scenario's event. Customer null: someone invented. */
export async function exampleData(
  scope: MerchantScope,
  {
    templates,
    customer,
    sender,
    language,
    coupon,
  }: {
    templates: readonly string[]
    customer: KnownCustomer | null
    sender: MessageData['sender']
    /** The language of the mail; left out: the merchant's. */
    language?: Locale | null
    /** Shown in place of the example. */
    coupon?: RecipientVariables['coupon']
  },
): Promise<MessageData> {
  const merchant = await getMerchant(scope)
  const locale = language ?? merchant.language
  const storeUrl = await storeUrlOf(scope)
  const paths = await metafieldPathsOf(scope, templates)
  const someone = await withMetafields(scope, customer, { paths, locale })
  const { publicUrl } = scope.context.settings
  return {
    ...dataFor(someone, { merchant, locale, sender, storeUrl, publicUrl, now: scope.now, coupon }),
    ...(await readMailProducts(scope, templates, { locale, storeUrl })),
    ...(await exampleLists(scope, templates, {
      customerId: customer?.id ?? null,
      cards: createProductCards({ locale, storeUrl }),
    })),
    ...(await exampleMemberships(scope, templates, customer?.id ?? null)),
  }
}

async function exampleMemberships(
  scope: MerchantScope,
  templates: readonly string[],
  customerId: string | null,
): Promise<Pick<MessageData, 'memberships'>> {
  const segmentIds = segmentsNamed(templates)
  if (segmentIds.length === 0) return {}
  return { memberships: (await readMemberships(scope, segmentIds, [customerId])).get(customerId) ?? {} }
}

async function exampleLists(
  scope: MerchantScope,
  templates: readonly string[],
  { customerId, cards }: { customerId: string | null; cards: ProductCards },
): Promise<Pick<MessageData, 'product_lists' | 'own_products'>> {
  const own = (await readOwnProducts(scope, { templates, customerIds: [customerId], cards })).get(customerId)
  return { ...(await readProductLists(scope, templates, cards)), ...(own && { own_products: own }) }
}

/** What the mail writes of the customer's metafields, or of someone invented. */
async function withMetafields(
  scope: MerchantScope,
  customer: KnownCustomer | null,
  wanted: { paths: readonly MetafieldPath[]; locale: Locale },
): Promise<KnownCustomer | null> {
  if (wanted.paths.length === 0) return customer
  if (!customer?.id) {
    const metafields = await exampleMailMetafields(scope, wanted.locale)
    return { ...(customer ?? exampleCustomer[wanted.locale]), metafields }
  }
  return { ...customer, metafields: (await readMailMetafields(scope, [customer.id], wanted)).get(customer.id) }
}

const dataFor = (
  customer: KnownCustomer | null,
  from: {
    merchant: MerchantRow
    locale: Locale
    sender: MessageData['sender']
    storeUrl: string
    publicUrl: string
    now: Date
    coupon: RecipientVariables['coupon']
  },
): MessageData => ({
  ...eventData(
    { ...exampleVariables(from.locale, from.storeUrl, from.now), ...(from.coupon && { coupon: from.coupon }) },
    { locale: from.locale, timezone: from.merchant.timezone, cancelUrl: `${from.publicUrl}${EXAMPLE_CANCEL}` },
  ),
  customer: customerData(customer ?? exampleCustomer[from.locale], from.locale),
  store: {
    name: from.merchant.site_name,
    url: from.storeUrl,
    postal_address: from.merchant.postal_address,
    contact_email: from.merchant.staff_email ?? '',
    contact_phone: from.merchant.staff_phone ?? '',
  },
  sender: { name: from.sender.name, email: from.sender.email },
  unsubscribe_url: `${from.publicUrl}${EXAMPLE_UNSUBSCRIBE}`,
  preferences_url: `${from.publicUrl}${EXAMPLE_PREFERENCES}`,
})
