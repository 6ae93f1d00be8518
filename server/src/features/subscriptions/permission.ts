import { type OwnPermission, platformPages, type ShownForm } from '@okaeri/contract/subscriptions/permission'
import type { Localized } from '@okaeri/contract/locale'
import { consentWordingOf } from '@okaeri/contract/storefront-settings/settings'
import { conflict, notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { changeConsent, endPause } from '../consent/index.ts'
import { emailKeyOf } from '../customers/index.ts'
import { getStorefrontSettings } from '../storefront-settings/index.ts'
import { findOwn } from './queries.ts'

/** `customerId` null: a guest, or a customer who is not known here yet. */
export async function getOwnPermission(
  scope: MerchantScope,
  { customerId, isSignedIn }: { customerId: string | null; isSignedIn: boolean },
): Promise<OwnPermission> {
  const [settings, own] = await Promise.all([
    getStorefrontSettings(scope),
    customerId === null ? null : findOwn(scope, customerId),
  ])
  const wording = consentWordingOf(settings)
  const state = own?.state ?? 'unknown'
  return {
    signed_in: isSignedIn,
    accepts_marketing: state === 'granted',
    state,
    wording_ja: wording.ja,
    wording_en: wording.en,
  }
}

/** What the script gets: the same for everyone. */
export async function consentFacts(scope: MerchantScope): Promise<{ wording: Localized; double_opt_in: boolean }> {
  const settings = await getStorefrontSettings(scope)
  return { wording: consentWordingOf(settings), double_opt_in: settings.double_opt_in }
}

/** The signed-in customer's own choice, with what they read where. Consent's job sends it to the store. */
export async function setOwnPermission(
  scope: MerchantScope,
  customerId: string,
  { accepts, ...shown }: ShownForm & { accepts: boolean },
): Promise<OwnPermission> {
  const proof = await proofOf(scope, shown, accepts)
  await scope.transaction(async (scope) => {
    const own = await findOwn(scope, customerId)
    if (!own) throw notFound('there is no such customer')
    const addressKey = emailKeyOf(own.email)
    if (addressKey === null) throw conflict('customer_has_no_email', 'marketing permission needs a mail address')
    // A person who asks for the mails does not want them paused.
    if (accepts) await endPause(scope, addressKey)
    await changeConsent(scope, {
      customerId,
      kind: 'marketing',
      to: accepts ? 'granted' : 'withdrawn',
      source: 'storefront',
      ...proof,
    })
  })
  return getOwnPermission(scope, { customerId, isSignedIn: true })
}

/** Throws `wording_changed` for another wording than the merchant's current one: what a request claims proves nothing. */
export async function proofOf(
  scope: MerchantScope,
  { wording, language, page }: ShownForm,
  accepts: boolean,
): Promise<{ wording: string; page: string | undefined }> {
  if (consentWordingOf(await getStorefrontSettings(scope))[language] !== wording)
    throw conflict('wording_changed', 'another wording is shown now')
  return { wording: `${wording} [${accepts ? '✓' : '–'}] (${language})`, page: pageIn(page) }
}

/** Without query and fragment, which may name a person. */
function pageIn(page: string | undefined): string | undefined {
  if (platformPages.some((one) => one === page)) return page
  if (page === undefined || !URL.canParse(page)) return undefined
  const { protocol, origin, pathname } = new URL(page)
  return protocol === 'https:' || protocol === 'http:' ? `${origin}${pathname}` : undefined
}
