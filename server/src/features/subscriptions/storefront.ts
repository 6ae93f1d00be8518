import type { ShownForm } from '@okaeri/contract/subscriptions/permission'
import { normalizeEmail } from '@okaeri/contract/fields'
import type { Locale } from '@okaeri/contract/locale'
import type { FastifyReply } from 'fastify'
import { type CaptchaUse, checkCaptcha } from '../../integrations/captcha/captcha.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { job } from '../../kernel/work/jobs.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { findPause, suppressionsOf } from '../consent/index.ts'
import { findErased, findOptedOut } from '../customers/index.ts'
import { getMerchant, harmless } from '../merchants/index.ts'
import { getStorefrontSettings } from '../storefront-settings/index.ts'
import { findMerchantByShop } from '../stores/index.ts'
import { sealAddress } from './addressee.ts'
import { countStorefrontRequest, type StorefrontRequest } from './flood.ts'
import { proofOf } from './permission.ts'
import { hasSaidNo, isSubscribed, readPermission } from './queries.ts'
import { subscribe } from './subscription.ts'
import { confirmationMail } from './words.ts'

/**
 * A link to confirm goes to the address. Anyone can type an address, also on a page the store platform signs for: only the mailbox's owner
 * subscribes, and until then nothing is written.
 */
export const mailSubscribeLink = job<{ email: string; language?: Locale | undefined }>(
  'subscriptions.subscribe',
  ({ email }) => email,
  async (scope, { email, language }) => {
    const addressKey = normalizeEmail(email)
    if (await isSubscribed(scope, addressKey)) return
    if ((await suppressionsOf(scope, [addressKey])).size > 0) return
    await mailLink(scope, email, { what: 'subscribe', language })
  },
)

/**
 * Where the merchant asks for no confirmation, and a challenge was solved: who signs up is subscribed at once. Not an address whose owner ever
 * said no, paused the mails, or was forgotten: that one confirms by the mailed link (decision 176).
 */
export const signUp = job<{ email: string; wording: string; page?: string | undefined; language?: Locale | undefined }>(
  'subscriptions.sign_up',
  ({ email }) => email,
  async (scope, { email, wording, page, language }) => {
    const addressKey = normalizeEmail(email)
    if (await isSubscribed(scope, addressKey)) return
    if ((await suppressionsOf(scope, [addressKey])).size > 0) return
    const [saidNo, paused, gone, erased] = await Promise.all([
      hasSaidNo(scope, addressKey),
      findPause(scope, addressKey),
      findOptedOut(scope, [addressKey]),
      findErased(scope, { addresses: [addressKey] }),
    ])
    const { double_opt_in: confirms } = await getStorefrontSettings(scope)
    if (confirms || saidNo || paused || gone.size > 0 || erased.byAddress.size > 0)
      return mailLink(scope, email, { what: 'subscribe', language })
    const addressee = { scope, addressKey, customerId: null, deliveryId: null, isTest: false }
    await subscribe(addressee, { source: 'storefront', wording, page: page ?? '' })
  },
)

/** A link to confirm goes to the address, if a customer there gets mails. */
export const mailUnsubscribeLink = job<{ email: string }>(
  'subscriptions.mail_unsubscribe_link',
  ({ email }) => email,
  async (scope, { email }) => {
    const addressKey = normalizeEmail(email)
    const { reachable } = await readPermission(scope, { addressKey, customerId: null })
    if (reachable) await mailLink(scope, email, { what: 'unsubscribe', language: undefined })
  },
)

/** Many of these: the server may refuse what we send at all. */
const REFUSED = 'the mail server refused an address typed on the storefront'

/** In the language of the page they were on, as far as it is known. */
async function mailLink(
  scope: MerchantScope,
  email: string,
  { what, language: shownIn }: { what: 'subscribe' | 'unsubscribe'; language: Locale | undefined },
): Promise<void> {
  const { language, sender_name, site_name, account_confirmed } = await getMerchant(scope)
  if (!account_confirmed) return
  const token = sealAddress(scope, normalizeEmail(email))
  const query = new URLSearchParams({ token, ...(shownIn && { lang: shownIn }) })
  const link = `${scope.context.settings.publicUrl}/emails/${what}?${query}`
  const isTaken = await scope.context.integrations.systemMail.offer({
    to: email,
    ...confirmationMail(what, {
      language: shownIn ?? language,
      merchantName: harmless(sender_name || site_name),
      link,
    }),
  })
  if (!isTaken) scope.context.log.warn({ merchantId: scope.merchantId }, REFUSED)
}

/**
 * Enqueues what a sign-up leads to; the answer and its time are the same for every address. Throws `wording_changed` where the wording is to be
 * kept as proof and is not the merchant's, `captcha_failed` for a challenge that is not solved, 429 for too many.
 */
export async function signUpLater(
  scope: MerchantScope,
  reply: FastifyReply,
  { language, shown, ...request }: StorefrontRequest & { language: Locale | undefined; shown: ShownForm | null },
): Promise<void> {
  const { email, captcha } = request
  const { jobs } = scope.context
  const proof = await countStorefrontRequest(scope, reply, request, async () => {
    const proof = shown && (await proofOf(scope, shown, true))
    await checkIfGiven(scope, captcha)
    return proof
  })
  if (captcha === undefined || proof === null) await jobs.later(scope, mailSubscribeLink, { email, language })
  else await jobs.later(scope, signUp, { email, ...proof, language })
}

/** Enqueues the mail with the link that unsubscribes. */
export async function unsubscribeLater(
  scope: MerchantScope,
  reply: FastifyReply,
  request: StorefrontRequest,
): Promise<void> {
  await countStorefrontRequest(scope, reply, request, () => checkIfGiven(scope, request.captcha))
  await scope.context.jobs.later(scope, mailUnsubscribeLink, { email: request.email })
}

/** The captcha last: it is used up by it. */
const checkIfGiven = async (scope: MerchantScope, captcha: string | undefined): Promise<void> => {
  if (captcha !== undefined) await checkCaptcha(scope.context, captcha, signUpOf(scope))
}

export const signUpOf = ({ merchantId }: MerchantScope): CaptchaUse => ({ form: 'sign_up', merchantId })

/** Throws not_found for an unknown shop. */
export async function scopeOfShop(context: Context, shop: string): Promise<MerchantScope> {
  const [domain = ''] = shop
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .split('/')
  const merchantId = await findMerchantByShop(context, domain)
  if (!merchantId) throw notFound('there is no such shop here')
  return merchantScope(context, merchantId)
}
