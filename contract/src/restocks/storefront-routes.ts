import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { EmailAddress, StoreNumber } from '../fields.ts'
import { Locale } from '../locale.ts'

const area = 'storefront'

const what = {
  product_id: StoreNumber,
  /** Absent: the product as a whole. */
  variant_id: StoreNumber.optional(),
}

export const registerForRestock = endpoint('POST', '/frontend/restock', {
  area,
  summary:
    'A visitor asks for an email when a sold-out product is back. A signed-in customer’s own address counts at once; any other is asked by a link first, where the merchant wants it. The answer never shows whether an address is known',
  access: 'storefront',
  body: z.strictObject({ ...what, email: EmailAddress.optional() }),
  reply: z.object({
    accepted: z.literal(true),
    /** The owner of the address has to press the button behind the link that was mailed to them. */
    confirm: z.boolean(),
  }),
})

export const registerForRestockByLine = endpoint('POST', '/frontend/line/restock/', {
  area,
  summary: 'A signed-in customer with a linked LINE account asks for a LINE message when a sold-out product is back',
  access: 'storefront',
  body: z.strictObject(what),
  reply: z.object({ accepted: z.literal(true) }),
})

const MAX_TOKEN = 2000
export const restockPage = endpoint('GET', '/pages/restock', {
  area,
  summary: 'Where the links of mails about a registration lead: asks, and changes nothing',
  access: 'public',
  query: z.object({
    token: z.string().max(MAX_TOKEN, 'too_long').default(''),
    lang: Locale.optional().catch(undefined),
    /** They came by the button that takes it back. */
    done: z.enum(['cancel']).optional().catch(undefined),
  }),
  replyKind: 'page',
})
export const chooseRestock = endpoint('POST', '/pages/restock', {
  area,
  summary: 'The buttons of that page: confirm a registration, or take it back',
  access: 'public',
  bodyKind: 'form',
  body: z.object({
    token: z.string().max(MAX_TOKEN, 'too_long').default(''),
    choice: z.enum(['confirm', 'cancel'], 'not_allowed'),
    lang: Locale.optional().catch(undefined),
  }),
  replyKind: 'redirect',
  status: 303,
})
