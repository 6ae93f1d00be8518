import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { StoreNumber } from '../fields.ts'
import { Money } from '../money.ts'
import { PageQuery, pageOf } from '../paging.ts'

const area = 'data'

export const ProductVariant = z
  .object({
    id: z.uuid(),
    store_variant_id: z.string(),
    store_product_id: z.string(),
    product_title: z.string(),
    /** 小, M, …; the platform calls the only one "Default Title". */
    title: z.string(),
    sku: z.string().nullable(),
    price: Money.nullable(),
    /** Null: the store does not count it. */
    inventory_quantity: z.int().nullable(),
  })
  .meta({ id: 'ProductVariant' })
export type ProductVariant = z.output<typeof ProductVariant>

export const Product = z
  .object({
    id: z.uuid(),
    store_product_id: z.string(),
    title: z.string(),
    handle: z.string().nullable(),
    status: z.string(),
    image_url: z.string().nullable(),
    total_inventory: z.int().nullable(),
    vendor: z.string().nullable(),
    product_type: z.string().nullable(),
    tags: z.array(z.string()),
    /** At most the first 100. */
    variants: z.array(ProductVariant.omit({ product_title: true })),
  })
  .meta({ id: 'Product' })
export type Product = z.output<typeof Product>

export const Collection = z
  .object({
    id: z.uuid(),
    store_collection_id: z.string(),
    title: z.string(),
    handle: z.string().nullable(),
    products_count: z.int(),
  })
  .meta({ id: 'Collection' })
export type Collection = z.output<typeof Collection>

const ChoiceQuery = PageQuery.extend({
  /** Words of the title, however they are typed. */
  q: z.string().max(200, 'too_long').optional(),
  /** Ids joined by commas: the chosen ones, deleted ones too. */
  ids: z.string().max(8000, 'too_long').optional(),
})

export const listProducts = endpoint('GET', '/data/shopify/products', {
  area,
  summary:
    'The store’s products, searched by title, to choose from; `ids` fetches the chosen ones, `store_product_id` the one with that number in the store',
  access: 'member',
  query: ChoiceQuery.extend({ store_product_id: StoreNumber.optional() }),
  reply: pageOf(Product),
})

export const listCollections = endpoint('GET', '/data/shopify/collections', {
  area,
  summary: 'The store’s collections, searched by title, to choose from; `ids` fetches the chosen ones',
  access: 'member',
  query: ChoiceQuery,
  reply: pageOf(Collection),
})

/** Not in the specification's list: a condition may name a variant. */
export const listVariants = endpoint('GET', '/data/shopify/variants', {
  area,
  summary: 'Variants of the store’s products, searched by product title, title or SKU; `ids` fetches the chosen ones',
  access: 'member',
  query: ChoiceQuery,
  reply: pageOf(ProductVariant),
})

/** What merchants write by hand in the store and choose by in conditions. */
export const StoreValueField = z.enum([
  'vendor',
  'product_type',
  'product_tag',
  'order_tag',
  'discount_code',
  'customer_tag',
])
export type StoreValueField = z.output<typeof StoreValueField>

/** Not in the specification's list: so that a condition's value is chosen, not guessed. */
export const listStoreValues = endpoint('GET', '/data/shopify/values/{field}', {
  area,
  summary: 'Vendors, product types, tags and discount codes that occur in the store, in order of the alphabet',
  access: 'member',
  params: z.object({ field: StoreValueField }),
  query: PageQuery.extend({ q: z.string().max(200, 'too_long').optional() }),
  reply: pageOf(z.object({ value: z.string() })),
})
