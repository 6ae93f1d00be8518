import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { EmailAddress } from '../fields.ts'
import { Locale } from '../locale.ts'
import { OwnPermission, platformPages, shownFields } from './permission.ts'

const area = 'subscription'
/** What a sealed address of 254 characters comes to, with room for the name of the key. */
const MAX_TOKEN = 700
const TokenQuery = z.object({ token: z.string().max(MAX_TOKEN, 'too_long').default('') })
/** A page answers a person at every address: unreadable parts count as absent. `lang` overrides the language. */
const PageQuery = z.object({
  token: z.string().max(MAX_TOKEN).default('').catch(''),
  lang: Locale.optional().catch(undefined),
})

/** Pages are for people: they are answered as HTML, a bad token too (with status 404). */
export const unsubscribeConfirmPage = endpoint('GET', '/pages/unsubscribe/confirm', {
  area,
  summary: 'Names the address (masked) and asks; changes nothing',
  access: 'public',
  replyKind: 'page',
  query: PageQuery,
})
export const unsubscribeOkPage = endpoint('GET', '/pages/unsubscribe/ok', {
  area,
  summary:
    'Says that the emails are stopped, if they are, and offers to take it back; without a token, where the link is',
  access: 'public',
  replyKind: 'page',
  query: PageQuery,
})
export const unsubscribeCancelPage = endpoint('GET', '/pages/unsubscribe/cancel', {
  area,
  summary: 'Says that nothing was changed',
  access: 'public',
  replyKind: 'page',
  query: PageQuery,
})
export const unsubscribePage = endpoint('GET', '/emails/unsubscribe', {
  area,
  summary: 'The link in a mail: leads to the page that asks; changes nothing',
  access: 'public',
  replyKind: 'redirect',
  status: 302,
  query: PageQuery,
})
export const subscribePage = endpoint('GET', '/emails/subscribe', {
  area,
  summary: 'The link that offers to subscribe again: a page that asks; changes nothing',
  access: 'public',
  replyKind: 'page',
  query: PageQuery,
})

/** The buttons of the pages: plain forms, so that no script is needed. */
export const chooseSubscription = endpoint('POST', '/pages/unsubscribe/confirm', {
  area,
  summary: 'A button of the pages: stop, keep or take up the mails again; leads to the page that says so',
  access: 'public',
  bodyKind: 'form',
  replyKind: 'redirect',
  status: 303,
  body: z.object({
    token: z.string().max(MAX_TOKEN, 'too_long'),
    choice: z.enum(['stop', 'keep', 'subscribe'], 'not_allowed'),
    lang: Locale.optional().catch(undefined),
  }),
})

/** The link at the foot of each mail; also by a merchant's own link domain, which shows no page. */
export const preferencesLink = endpoint('GET', '/p/{token}', {
  area,
  summary: 'Leads to the page where a person chooses which mails they get; changes nothing',
  access: 'public',
  params: z.object({ token: z.string().max(500, 'too_long') }),
  query: PageQuery,
  replyKind: 'redirect',
  status: 302,
})
export const preferencesPage = endpoint('GET', '/pages/preferences', {
  area,
  summary: 'Which mails a person gets, a pause and their language; changes nothing',
  access: 'public',
  replyKind: 'page',
  query: PageQuery.extend({ saved: z.literal('1').optional().catch(undefined) }),
})
/** A checkbox of a form: absent where it is not checked. */
const Checked = z
  .literal('on')
  .optional()
  .catch(undefined)
  .transform((value) => value === 'on')
export const savePreferences = endpoint('POST', '/pages/preferences', {
  area,
  summary: 'The button of the page. Only what differs from what was shown changes; leads back to the page',
  access: 'public',
  bodyKind: 'form',
  replyKind: 'redirect',
  status: 303,
  body: z.object({
    token: z.string().max(MAX_TOKEN, 'too_long'),
    news: Checked,
    news_shown: Checked,
    notices: Checked,
    notices_shown: Checked,
    pause: Checked,
    pause_shown: Checked,
    language: Locale.optional().catch(undefined),
    language_shown: Locale.optional().catch(undefined),
    lang: Locale.optional().catch(undefined),
  }),
})

/** The address in List-Unsubscribe (RFC 8058): a POST with `List-Unsubscribe=One-Click` ends it, without cookies or redirects. */
export const oneClickUnsubscribe = endpoint('POST', '/u/{token}', {
  area,
  summary: 'RFC 8058 one-click unsubscribe',
  access: 'public',
  bodyKind: 'raw',
  params: z.object({ token: z.string().max(500, 'too_long') }),
  replyKind: 'page',
})
export const oneClickPage = endpoint('GET', '/u/{token}', {
  area,
  summary: 'The same address opened in a browser: leads to the page that asks; changes nothing',
  access: 'public',
  params: z.object({ token: z.string().max(500, 'too_long') }),
  query: PageQuery,
  replyKind: 'redirect',
  status: 302,
})

const byToken = z.strictObject({ token: z.string().min(1, 'required').max(MAX_TOKEN, 'too_long') })
const Changed = z.object({ subscribed: z.boolean() })
export const subscribeByToken = endpoint('POST', '/mailmagazine/subscribe', {
  area,
  summary: 'The button of the subscribe page',
  access: 'public',
  body: byToken,
  reply: Changed,
})
export const unsubscribeByToken = endpoint('POST', '/mailmagazine/unsubscribe', {
  area,
  summary: 'The button of the unsubscribe page',
  access: 'public',
  body: byToken,
  reply: Changed,
})

/** What is counted and looked up is one shop, however its address is written. */
const hostOf = (shop: string): string =>
  shop
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/s, '')

/**
 * From the merchant's storefront, for an address that anyone may have typed: the answer never shows whether the address is known. `wording`
 * and `page` count only where the merchant asks for no confirmation by mail; else the proof is what our own page said to who confirmed.
 */
const FromStorefront = z.strictObject({
  shop: z.string('required').min(1, 'required').max(255, 'too_long').transform(hostOf),
  email: EmailAddress,
  wording: z.string().max(1000, 'too_long').optional(),
  page: z.string().max(2000, 'too_long').optional(),
  /** A solved challenge of `/captcha?shop=`. Without it a link to confirm is mailed, whatever the merchant set, and only few requests are taken. */
  captcha: z.string('not_a_text').max(4000, 'too_long').optional(),
})
const SigningUp = FromStorefront.extend({
  language: Locale.optional(),
})
const Accepted = z.object({ accepted: z.literal(true) })
export const subscribeFromStorefront = endpoint('POST', '/mailmagazine/subscribe/storefront', {
  area,
  summary:
    'Ask on the storefront for the newsletter: a link to confirm is mailed, nothing changes before, unless the merchant asks for no confirmation',
  access: 'public',
  body: SigningUp,
  reply: Accepted,
})
export const unsubscribeFromStorefront = endpoint('POST', '/mailmagazine/unsubscribe/storefront', {
  area,
  summary: 'Ask on the storefront to get no more newsletters: a link to confirm is mailed',
  access: 'public',
  body: FromStorefront,
  reply: Accepted,
})

export const subscribeFrontend = endpoint('POST', '/frontend/email/subscribe', {
  area: 'storefront',
  summary: 'Subscribe by a signed token in the query',
  access: 'public',
  query: TokenQuery,
  reply: Changed,
})
export const unsubscribeFrontend = endpoint('POST', '/frontend/email/unsubscribe', {
  area: 'storefront',
  summary: 'Unsubscribe by a signed token in the query',
  access: 'public',
  query: TokenQuery,
  reply: Changed,
})

/** The store platform's app proxy signs the query, which alone says whose permission it is. */
export const getMarketing = endpoint('GET', '/shopify/proxy/marketing', {
  area: 'store',
  summary: 'Through the app proxy: the marketing permission of the signed-in customer, and the wording to show',
  access: 'public',
  reply: z.object({ marketing: OwnPermission }),
})
export const getAcceptsMarketing = endpoint('GET', '/frontend/accepts-marketing/', {
  area: 'storefront',
  summary: 'The visitor’s marketing permission, and the wording to show beside the choice',
  access: 'storefront',
  reply: z.object({ marketing: OwnPermission }),
})
export const setAcceptsMarketing = endpoint('POST', '/frontend/accepts-marketing/', {
  area: 'storefront',
  summary: 'The signed-in customer gives or takes back the marketing permission; wording and page are kept as proof',
  access: 'storefront',
  body: z.strictObject({ accepts_marketing: z.boolean('not_a_boolean'), ...shownFields }),
  bodyLimitBytes: 16 * 1024,
  reply: z.object({ marketing: OwnPermission }),
})
export const getPermissionByExtension = endpoint('GET', '/frontend/extension/accepts-marketing', {
  area: 'storefront',
  summary:
    'On a page of the store platform: the marketing permission of the signed-in customer, and the wording to show beside the choice',
  access: 'extension',
  reply: z.object({ marketing: OwnPermission }),
})
export const setPermissionByExtension = endpoint('POST', '/frontend/extension/accepts-marketing', {
  area: 'storefront',
  summary:
    'On a page of the store platform: the signed-in customer gives or takes back the marketing permission; wording and page are kept as proof',
  access: 'extension',
  body: z.strictObject({
    accepts_marketing: z.boolean('not_a_boolean'),
    ...shownFields,
    /** The page, by the name of its target at the platform: the extension gets no address. */
    page: z.enum(platformPages, 'not_allowed'),
  }),
  bodyLimitBytes: 16 * 1024,
  reply: z.object({ marketing: OwnPermission }),
})
export const getSignUpCaptcha = endpoint('POST', '/frontend/captcha', {
  area: 'storefront',
  summary: 'A proof-of-work challenge for forms of the storefront that take an address',
  access: 'storefront',
  body: z.strictObject({ form: z.enum(['sign_up', 'restock'], 'not_allowed') }),
  reply: z.record(z.string(), z.unknown()),
})
export const signUpOnPage = endpoint('POST', '/frontend/email/sign_up', {
  area: 'storefront',
  summary:
    'A visitor asks for the newsletter: a link to confirm is mailed, nothing changes before, unless the merchant asks for no confirmation',
  access: 'storefront',
  body: z.strictObject({
    email: EmailAddress,
    ...shownFields,
    /** A solved challenge. Without it a link to confirm is mailed, whatever the merchant set, and only few requests are taken. */
    captcha: z.string('not_a_text').max(4000, 'too_long').optional(),
  }),
  bodyLimitBytes: 16 * 1024,
  reply: Accepted,
})
