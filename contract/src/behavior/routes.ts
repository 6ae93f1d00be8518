import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** What a page tells of at once. */
export const MAX_VIEWS = 20
/** A page sends only the first lines of a larger cart. */
export const MAX_CART_LINES = 50
const Pieces = z.int('not_whole').min(1, 'too_small').max(1_000_000, 'too_big')
/** A tab may be open for long, and its clock be set back meanwhile. Older views than these are not kept. */
const MAX_SECONDS = 400 * 86_400
const Seconds = z.int('not_whole').min(-MAX_SECONDS, 'too_small').max(MAX_SECONDS, 'too_big')
export const KEPT_SECONDS_AGO = 86_400

/** The store’s number. */
const ProductNumber = z.int('not_whole').min(1, 'too_small').max(Number.MAX_SAFE_INTEGER, 'too_big')

export const recordBehavior = endpoint('POST', '/frontend/views', {
  area: 'storefront',
  summary:
    'What a visitor looked at, and what lies in their cart. Kept only of signed-in customers with the marketing permission, where the merchant turned it on; the answer is the same for all',
  access: 'storefront',
  status: 204,
  replyKind: 'empty',
  body: z.strictObject({
    /** Product and how many seconds ago. */
    views: z.array(z.tuple([ProductNumber, Seconds], 'invalid'), 'not_a_list').max(MAX_VIEWS, 'too_many'),
    /** All that lies in it, product and pieces; empty: it was emptied. Null: nothing is said of it. */
    cart: z
      .array(z.tuple([ProductNumber, Pieces], 'invalid'), 'not_a_list')
      .max(MAX_CART_LINES, 'too_many')
      .nullable(),
  }),
  bodyLimitBytes: 8192,
})
