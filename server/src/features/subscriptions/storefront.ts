import { normalizeEmail } from '@okaeri/contract/fields'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { type Job, job } from '../../kernel/jobs.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { changeConsentByAddress } from '../consent/index.ts'
import { createCustomer } from '../customers/index.ts'
import { getMerchant } from '../merchants/index.ts'
import { findMerchantByShop } from '../stores/index.ts'
import { sealAddress } from './addressee.ts'
import { findStanding, readPermission } from './queries.ts'
import { confirmationMail } from './words.ts'

export interface StorefrontRequest {
  email: string
  wording: string
  page: string
}

/** Takes up a newsletter. Someone who opted out is asked by mail first: anyone can type an address. */
export const workOffSubscription = job<StorefrontRequest>(
  'subscriptions.subscribe',
  ({ email }) => email,
  async (scope, { email, wording, page }) => {
    const addressKey = normalizeEmail(email)
    const standing = await findStanding(scope, addressKey)
    if (standing === 'opted_out') return mailLink(scope, email, 'subscribe')
    if (standing === 'unknown' && !(await addCustomer(scope, email))) return
    await changeConsentByAddress(scope, {
      address: addressKey,
      to: 'granted',
      kind: 'marketing',
      source: 'storefront',
      wording,
      page,
    })
  },
)

/** A link to confirm goes to the address, if anybody there gets mails. */
export const mailUnsubscribeLink = job<{ email: string }>(
  'subscriptions.mail_unsubscribe_link',
  ({ email }) => email,
  async (scope, { email }) => {
    const addressKey = normalizeEmail(email)
    const { reachable } = await readPermission(scope, { addressKey, customerId: null })
    if (reachable) await mailLink(scope, email, 'unsubscribe')
  },
)

/** Whether there is a customer now. */
async function addCustomer(scope: MerchantScope, email: string): Promise<boolean> {
  try {
    await createCustomer(scope, { email })
    return true
  } catch (error) {
    // What the store refuses for good (an address it does not take) it refuses at every further try.
    if (!(error instanceof AppError)) throw error
    if (error.reason === 'customer_exists') return true
    scope.context.log.warn({ merchantId: scope.merchantId, reason: error.reason }, 'the store took no new subscriber')
    return false
  }
}

async function mailLink(scope: MerchantScope, email: string, what: 'subscribe' | 'unsubscribe'): Promise<void> {
  const { language, sender_name, site_name } = await getMerchant(scope)
  const token = sealAddress(scope, normalizeEmail(email))
  const link = `${scope.context.settings.publicUrl}/emails/${what}?token=${encodeURIComponent(token)}`
  await scope.context.integrations.systemMail.send({
    to: email,
    ...confirmationMail(what, { language, merchantName: sender_name || site_name, link }),
  })
}

/** Enqueues the work; what happens then shows to nobody but the mailbox's owner. Throws not_found for an unknown shop. */
export async function laterForShop<Data extends object>(
  context: Context,
  shop: string,
  work: Job<Data>,
  data: Data,
): Promise<void> {
  const domain = shop
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/.*$/, '')
  const merchantId = await findMerchantByShop(context, domain)
  if (!merchantId) throw notFound('there is no such shop here')
  await context.jobs.later(merchantScope(context, merchantId), work, data)
}
