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
  body: z.strictObject({
    ...what,
    email: EmailAddress.optional(),
    /**
     * A solved challenge, for an address that is not the signed-in customer's own. Without it a link to confirm is mailed, whatever the merchant
     * set, and only few requests are taken.
     */
    captcha: z.string('not_a_text').max(4000, 'too_long').optional(),
    /** The page's language: the mail that follows is in it. Absent: the merchant's. */
    language: Locale.optional(),
  }),
  bodyLimitBytes: 16 * 1024,
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
/** The link of a message that answers a registration; also by a merchant's own link domain, which shows no page. */
export const restockLink = endpoint('GET', '/r/{token}', {
  area,
  summary: 'Leads to the page where a person takes a registration back; changes nothing',
  access: 'public',
  params: z.object({ token: z.string().max(500, 'too_long') }),
  query: z.object({ lang: Locale.optional().catch(undefined) }),
  replyKind: 'redirect',
  status: 302,
})
export const restockPage = endpoint('GET', '/pages/restock', {
  area,
  summary: 'Where the links of mails about a registration lead: asks, and changes nothing',
  access: 'public',
  query: z.object({
    token: z.string().max(MAX_TOKEN, 'too_long').default(''),
    lang: Locale.optional().catch(undefined),
    /** They came by a button that takes it back, or everything of the product. */
    done: z.enum(['cancel', 'all']).optional().catch(undefined),
  }),
  replyKind: 'page',
})
export const chooseRestock = endpoint('POST', '/pages/restock', {
  area,
  summary: 'The buttons of that page: confirm a registration, take it back, or take back all of the product',
  access: 'public',
  bodyKind: 'form',
  body: z.object({
    token: z.string().max(MAX_TOKEN, 'too_long').default(''),
    choice: z.enum(['confirm', 'cancel', 'cancel_all'], 'not_allowed'),
    lang: Locale.optional().catch(undefined),
  }),
  replyKind: 'redirect',
  status: 303,
})
