import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { PageQuery, pageOf } from '../paging.ts'

export const Product = z
  .object({
    id: z.uuid(),
    store_product_id: z.string(),
    title: z.string(),
    handle: z.string().nullable(),
    status: z.string(),
    image_url: z.string().nullable(),
    total_inventory: z.int().nullable(),
  })
  .meta({ id: 'Product' })
export type Product = z.output<typeof Product>

export const listProducts = endpoint('GET', '/data/shopify/products', {
  area: 'data',
  summary: 'The store’s products, searched by title, to choose from; `ids` fetches the chosen ones',
  access: 'member',
  query: PageQuery.extend({
    q: z.string().max(200, 'too_long').optional(),
    /** Ids joined by commas. */
    ids: z.string().max(8000, 'too_long').optional(),
  }),
  reply: pageOf(Product),
})
