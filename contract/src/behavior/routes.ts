import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** What a page tells of at once. */
export const MAX_VIEWS = 20

export const recordViews = endpoint('POST', '/frontend/views', {
  area: 'storefront',
  summary:
    'Products a visitor looked at. Kept only of signed-in customers with the marketing permission, where the merchant turned it on; the answer is the same for all',
  access: 'storefront',
  status: 204,
  replyKind: 'empty',
  body: z.strictObject({
    /** The store’s numbers. */
    product_ids: z
      .array(z.int('not_whole').min(1, 'too_small').max(Number.MAX_SAFE_INTEGER, 'too_big'), 'not_a_list')
      .min(1, 'required')
      .max(MAX_VIEWS, 'too_many'),
  }),
  bodyLimitBytes: 4096,
})
