import { withVariant } from '@okaeri/contract/catalog/variant-name'
import { mailboxOf, normalizeEmail } from '@okaeri/contract/fields'
import type { Locale } from '@okaeri/contract/locale'
import type { FastifyReply } from 'fastify'
import { checkCaptcha } from '../../integrations/captcha/captcha.ts'
import { AppError, conflict, invalid, notFound, unauthorized } from '../../kernel/errors.ts'
import { job } from '../../kernel/work/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { countAttempt, countWithin, type RateLimit } from '../../kernel/rate-limits.ts'
import { askForStock } from '../catalog/index.ts'
import { prepareLineReceipt } from '../channels/index.ts'
import { changeConsent, suppressionsOf } from '../consent/index.ts'
import { createCustomerHere, findErased } from '../customers/index.ts'
import { recordReceipt } from '../deliveries/index.ts'
import { presentFriendOf } from '../line-friends/index.ts'
import { getMerchant, harmless } from '../merchants/index.ts'
import { countForm, type Visitor } from '../visitors/index.ts'
import { type AwaitedItem, addRestockRequests, findRegistration } from '../restocks/index.ts'
import { hasRefusedNotices, selectAddressOf, selectCustomerAt, selectOffered } from './registration-queries.ts'
import { type AskedRegistration, pageAddress, sealRegistration } from './registration-link.ts'
import { selectStockOf } from './return-queries.ts'
import { readRestockSettings } from './settings.ts'
import { lineReceipt, pageWords, registrationMail } from './storefront-words.ts'
import { FRESH_MS, isOld } from './wave.ts'

const HOUR = 3600
/** Each may become a mail: a stranger cannot fill a mailbox, not even through many shops. */
const byAddress: RateLimit = { name: 'restock address', max: 5, windowSeconds: HOUR }
const byAddressAndDay: RateLimit = { name: 'restock address day', max: 12, windowSeconds: 24 * HOUR }
const byVisitor: RateLimit = { name: 'restock visitor', max: 60, windowSeconds: 600 }
/** By LINE, where each costs the merchant one of the month's messages. Above it a person is still registered, without a receipt. */
export const LINE_RECEIPTS_A_DAY = 12
const byShop: RateLimit = { name: 'restock shop', max: 5000, windowSeconds: HOUR }

/**
 * By mail. Returns whether the owner of the address has to confirm, by the merchant's settings, by who asks and by whether a challenge was solved,
 * never by who is known.
 */
export async function register(
  reply: FastifyReply,
  { scope, holder }: Visitor,
  {
    awaited,
    email,
    captcha,
    language,
    origin,
  }: {
    awaited: AwaitedItem
    email: string | undefined
    captcha: string | undefined
    language: Locale | undefined
    origin: string
  },
): Promise<{ confirm: boolean }> {
  const own = 'customerId' in holder ? await selectAddressOf(scope, holder.customerId) : null
  const addressKey = email === undefined ? own : normalizeEmail(email)
  if (addressKey === null) throw invalid({ email: 'required' })
  const isOwn = 'customerId' in holder && addressKey === own
  const isProved = captcha !== undefined
  await countForm(scope.context, reply, {
    own: [[byVisitor, 'customerId' in holder ? holder.customerId : holder.guestId]],
    origin,
    merchantId: scope.merchantId,
    isProved: isOwn || isProved,
    check: async () => {
      await refuseUnlessAwaitable(scope, awaited)
      // Last, since it is used up by it: what is wrong otherwise is said first.
      if (isProved && !isOwn)
        await checkCaptcha(scope.context, captcha, { form: 'restock', merchantId: scope.merchantId })
    },
    ofAddress: [
      [byAddress, mailboxOf(addressKey)],
      [byAddressAndDay, mailboxOf(addressKey)],
    ],
    ofShop: [[byShop, scope.merchantId]],
  })
  const { confirms_address: confirms, sends_receipt: sendsReceipt } = await readRestockSettings(scope)
  const asked = { addressKey, awaited, at: scope.now }
  if (isOwn) {
    await addRegistration(scope, asked, holder.customerId)
    if (sendsReceipt) await mailLater(scope, asked, { what: 'receipt', language })
    return { confirm: false }
  }
  const confirm = confirms || !isProved
  // What follows takes the same time for all: it is done by a job.
  await scope.transaction((scope) => mailLater(scope, asked, { what: confirm ? 'confirm' : 'register', language }))
  return { confirm }
}

/** By LINE, for a customer with a linked account. */
export async function registerByLine(
  reply: FastifyReply,
  { scope, holder }: Visitor,
  awaited: AwaitedItem,
): Promise<void> {
  if (!('customerId' in holder)) throw unauthorized('customer_not_signed_in')
  const { customerId } = holder
  await countAttempt(scope.context, reply, [[byVisitor, customerId]])
  await refuseUnlessAwaitable(scope, awaited)
  const friend = await presentFriendOf(scope, customerId)
  if (!friend?.is_friend) throw conflict('line_not_linked', 'no LINE account is linked, or it is no friend')
  const receipts = await countWithin(scope.context, 'line receipts', customerId, { seconds: 24 * HOUR, counts: true })
  const receipt = receipts > LINE_RECEIPTS_A_DAY ? null : await prepareReceipt(scope, awaited)
  await scope.transaction(async (scope) => {
    const added = await addRestockRequests(scope, [
      { ...awaited, customerId, channel: 'line', source: 'storefront', createdAt: scope.now },
    ])
    if (added > 0 && receipt)
      await recordReceipt(scope, receipt.content, { customerId, variables: { event: receipt.event } })
  })
}

/** Null where the merchant wants none, or has not confirmed the account: until then nothing is sent. */
async function prepareReceipt(scope: MerchantScope, awaited: AwaitedItem) {
  const { language, account_confirmed } = await getMerchant(scope)
  const product = await selectOffered(scope, awaited)
  if (!account_confirmed || product === null || !(await readRestockSettings(scope)).sends_line_receipt) return null
  const event = {
    store_product_id: awaited.storeProductId,
    ...(awaited.storeVariantId === 0 ? {} : { store_variant_id: awaited.storeVariantId }),
    product: {
      title: product.title,
      url: '',
      image_url: '',
      ...(product.variant !== null && { variant: product.variant }),
    },
    may_cancel: true as const,
  }
  return { content: await prepareLineReceipt(scope, lineReceipt[language]), event }
}

async function refuseUnlessAwaitable(scope: MerchantScope, awaited: AwaitedItem): Promise<void> {
  if ((await selectOffered(scope, awaited)) === null) throw notFound('the store has no such product')
  const stock = await selectStockOf(scope, awaited)
  if (isOld(stock, scope.now))
    await askForStock(scope, stock.variantIds, { since: new Date(scope.now.getTime() - FRESH_MS) })
  else if ((stock.quantity ?? 0) > 0) throw conflict('in_stock', 'it can be bought')
}

/** At the place in line at which it was asked for; taken back meanwhile and asked for again, at the end. */
async function addRegistration(scope: MerchantScope, asked: AskedRegistration, customerId: string): Promise<void> {
  const registration = { ...asked.awaited, customerId, source: 'storefront' as const }
  const added = await addRestockRequests(scope, [{ ...registration, createdAt: asked.at }])
  if (added > 0 || (await findRegistration(scope, customerId, asked.awaited)) !== null) return
  await addRestockRequests(scope, [{ ...registration, createdAt: scope.now }])
}

/** The owner of the mailbox pressed the button. One who is no customer becomes one, here alone. */
export async function confirmRegistration(
  scope: MerchantScope,
  asked: AskedRegistration,
  wording: { wording: string; page: string } | null,
): Promise<void> {
  const known = await selectCustomerAt(scope, asked.addressKey)
  const customerId = known ?? (await letBeThere(scope, asked.addressKey))
  if (wording)
    await changeConsent(scope, { customerId, kind: 'notification', to: 'granted', source: 'storefront', ...wording })
  await addRegistration(scope, asked, customerId)
}

async function letBeThere(scope: MerchantScope, email: string): Promise<string> {
  try {
    return (await createCustomerHere(scope, { email })).id
  } catch (error) {
    // Confirmed twice at once, or the store reported the customer meanwhile.
    if (!(error instanceof AppError) || error.reason !== 'customer_exists') throw error
    const id = await selectCustomerAt(scope, email)
    if (id === null) throw error
    return id
  }
}

/** Between the options of a variant, as the store platform writes them. */
const OPTIONS = ' / '

type Mailed = 'confirm' | 'receipt' | 'register'
const mailLater = (
  scope: MerchantScope,
  { addressKey, awaited, at }: AskedRegistration,
  mailed: Pick<MailJob, 'what' | 'language'>,
) => scope.context.jobs.later(scope, mailAboutRegistration, { addressKey, ...awaited, at: at.getTime(), ...mailed })

export interface MailJob extends AwaitedItem {
  addressKey: string
  at: number
  what: Mailed
  /** Absent: the merchant's. */
  language?: Locale | undefined
}
/** The question to the owner of an address, or the note that they are registered. */
export const mailAboutRegistration = job<MailJob>(
  'restock.mail',
  ({ addressKey, storeProductId, storeVariantId }) => `${addressKey} ${storeProductId} ${storeVariantId}`,
  async (scope, { addressKey, storeProductId, storeVariantId, at, what, language: asksIn }) => {
    const asked = { addressKey, awaited: { storeProductId, storeVariantId }, at: new Date(at) }
    if ((await suppressionsOf(scope, [addressKey])).size > 0) return
    // Only the owner of an address may undo a refusal or an erasure (decision 176).
    const asks = what === 'confirm' || (what === 'register' && (await mustBeAsked(scope, addressKey)))
    if (what === 'register' && !asks) {
      await confirmRegistration(scope, asked, null)
      if (!(await readRestockSettings(scope)).sends_receipt) return
    }
    const { language, sender_name, site_name, account_confirmed } = await getMerchant(scope)
    const product = await selectOffered(scope, asked.awaited)
    if (!account_confirmed || product === null) return
    const token = sealRegistration(scope, asked)
    const isTaken = await scope.context.integrations.systemMail.offer({
      to: addressKey,
      ...registrationMail(asks ? 'confirm' : 'receipt', {
        language: asksIn ?? language,
        merchantName: harmless(sender_name || site_name),
        product: withVariant(
          harmless(product.title),
          product.variant && product.variant.split(OPTIONS).map(harmless).join(OPTIONS),
        ),
        link: `${scope.context.settings.publicUrl}${pageAddress({ token, lang: asksIn })}`,
      }),
    })
    if (!isTaken)
      scope.context.log.warn(
        { merchantId: scope.merchantId },
        'the mail server refused an address typed on the storefront',
      )
  },
)

async function mustBeAsked(scope: MerchantScope, addressKey: string): Promise<boolean> {
  const { byAddress } = await findErased(scope, { addresses: [addressKey] })
  return byAddress.size > 0 || (await hasRefusedNotices(scope, addressKey))
}

export const wordingOf = (language: 'ja' | 'en'): string => pageWords.confirm.button[language]
