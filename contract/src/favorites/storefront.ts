import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { StoreNumber } from '../fields.ts'
import { Money } from '../money.ts'

const area = 'storefront'

/** More a person does not look through; and what one browser can store is bounded. */
export const MAX_FAVORITES = 1000

const StoreId = z.int('not_an_id').min(1, 'not_an_id').meta({ format: 'int64' })
const Mark = z.object({
  product_id: z.int(),
  /** Null: the product as a whole. */
  variant_id: z.int().nullable(),
})

export const listOwnFavorites = endpoint('GET', '/frontend/favorite', {
  area,
  summary: 'The visitor’s favorites, the latest first',
  access: 'storefront',
  reply: z.object({ favorites: z.array(Mark) }),
})
export const addOwnFavorite = endpoint('POST', '/frontend/favorite', {
  area,
  summary: 'Make a product, or one variant of it, a favorite; it is stored when this answers. Twice is as once',
  access: 'storefront',
  body: z.strictObject({ product_id: StoreId, variant_id: StoreId.nullable().default(null) }),
  bodyLimitBytes: 4096,
  reply: z.object({ favorite: Mark.extend({ is_favorite: z.boolean() }) }),
})
export const removeOwnFavorite = endpoint('DELETE', '/frontend/favorite', {
  area,
  summary: 'It is no favorite any longer; what was none stays none',
  access: 'storefront',
  query: z.looseObject({ product_id: StoreNumber, variant_id: StoreNumber.optional() }),
  reply: z.object({ favorite: Mark.extend({ is_favorite: z.boolean() }) }),
})

export const getFavoritesPage = endpoint('GET', '/shopify/proxy/favorites', {
  area: 'store',
  summary: 'The page with a visitor’s favorites, inside the theme; through the app proxy (signed query)',
  access: 'public',
  replyKind: 'page',
})

/** Asked for at once. */
export const MAX_FACTS = 50
const StoreNumbers = z
  .string('not_an_id')
  .regex(/^[1-9]\d{0,15}(,[1-9]\d{0,15})*$/, 'not_an_id')
  .transform((text) => [...new Set(text.split(','))].map(Number))
  .refine((ids) => ids.every(Number.isSafeInteger), 'not_an_id')
  .refine((ids) => ids.length <= MAX_FACTS, 'too_long')

export const FavoriteFacts = z
  .object({
    product_id: z.int(),
    title: z.string(),
    /** Within the shop; null: it has no page there any longer. */
    path: z.string().nullable(),
    image_url: z.string().nullable(),
    /** The price of the cheapest variant. */
    price: Money.nullable(),
    is_available: z.boolean(),
    /** The store no longer sells it. */
    is_gone: z.boolean(),
    /** How many people like it; null where the merchant does not show it. */
    count: z.int().nullable(),
    variants: z.array(
      z.object({ variant_id: z.int(), title: z.string(), price: Money.nullable(), is_available: z.boolean() }),
    ),
  })
  .meta({ id: 'FavoriteFacts' })
export type FavoriteFacts = z.output<typeof FavoriteFacts>

export const getFavoriteFacts = endpoint('GET', '/shopify/proxy/favorites/products', {
  area: 'store',
  summary:
    'What the page of favorites shows of these products; through the app proxy (signed query). Unknown ones are missing',
  access: 'public',
  query: z.looseObject({ ids: StoreNumbers }),
  reply: z.object({ products: z.array(FavoriteFacts) }),
})
