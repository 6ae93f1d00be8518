import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { StoreNumber } from '../fields.ts'
import { Locale } from '../locale.ts'
import { PageQuery, pageOf } from '../paging.ts'

const area = 'favorites'

/** One person's favorite of one product or variant, over all the times it was set and taken away again. Spec §3. */
export const Favorite = z
  .object({
    id: z.uuid(),
    status: z.enum(['active', 'removed']),
    store_product_id: z.string(),
    /** Null where the store no longer tells of the product. */
    product_name: z.string().nullable(),
    store_variant_id: z.string().nullable(),
    variant: z.string().nullable(),
    sku: z.string().nullable(),
    customer_id: z.uuid().nullable(),
    /** Set while the guest is not known as a customer. */
    guest_id: z.uuid().nullable(),
    customer_name: z.string().nullable(),
    customer_email: z.string().nullable(),
    created_at: z.iso.datetime(),
    favorite_count: z.int(),
    first_favorited_at: z.iso.datetime(),
    latest_favorited_at: z.iso.datetime(),
    removed_at: z.iso.datetime().nullable(),
    /** Whether the person also waits for the product to come back. */
    restock_registered: z.boolean(),
  })
  .meta({ id: 'Favorite' })
export type Favorite = z.output<typeof Favorite>

export const FavoritesOfProduct = z
  .object({
    store_product_id: z.string(),
    product_name: z.string().nullable(),
    image_url: z.string().nullable(),
    /** Whether customers can see it in the store: false for drafts, and for products the store deleted. */
    on_sale: z.boolean(),
    /** People and variants for whom it is one now. */
    active_count: z.int(),
    removed_count: z.int(),
    /** From setting it to taking it away, or to now; in days with one decimal. */
    average_retention_days: z.number(),
    first_favorited_at: z.iso.datetime(),
    latest_favorited_at: z.iso.datetime(),
  })
  .meta({ id: 'FavoritesOfProduct' })
export type FavoritesOfProduct = z.output<typeof FavoritesOfProduct>

const Search = z.string().max(200, 'too_long').optional()
const Direction = z.enum(['asc', 'desc']).default('desc')

/** The columns people sort the favorites of a product by. */
export const favoriteSorts = [
  'latest_favorited_at',
  'first_favorited_at',
  'favorite_count',
  'removed_at',
  'customer_name',
] as const
export const FavoriteStatus = z.enum(['active', 'removed'])
const ofFavorites = {
  product_id: StoreNumber.optional(),
  customer_id: z.uuid('not_an_id').optional(),
  status: FavoriteStatus.optional(),
  /** Found in the names, addresses and tags of customers. */
  q: Search,
  sort: z.enum(favoriteSorts).default('latest_favorited_at'),
  direction: Direction,
}
export const listFavorites = endpoint('GET', '/data/favorites', {
  area,
  summary: 'Favorites: who set which product, since when, and when they took it away',
  access: 'member',
  query: PageQuery.extend(ofFavorites),
  reply: pageOf(Favorite),
})
export const downloadFavorites = endpoint('GET', '/data/favorites/download', {
  area,
  summary: 'CSV of the favorites that a search leaves',
  access: 'member',
  query: z.object({ ...ofFavorites, lang: Locale.optional() }),
  replyKind: 'file',
  mediaTypes: ['text/csv'],
})

export const productSorts = [
  'active_count',
  'removed_count',
  'average_retention_days',
  'first_favorited_at',
  'latest_favorited_at',
  'product_name',
] as const
const ofProducts = {
  /** Found in the titles of products, and in the titles and SKUs of their variants. */
  q: Search,
  sort: z.enum(productSorts).default('active_count'),
  direction: Direction,
}
export const listFavoritesAggregated = endpoint('GET', '/data/favorites-aggregated', {
  area,
  summary: 'Favorites by product, the most wanted first',
  access: 'member',
  query: PageQuery.extend({ ...ofProducts, product_id: StoreNumber.optional() }),
  reply: pageOf(FavoritesOfProduct),
})
export const downloadFavoritesAggregated = endpoint('GET', '/data/favorites-aggregated/download', {
  area,
  summary: 'CSV of favorites by product',
  access: 'member',
  query: z.object({ ...ofProducts, lang: Locale.optional() }),
  replyKind: 'file',
  mediaTypes: ['text/csv'],
})
