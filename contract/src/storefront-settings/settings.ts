import { z } from 'zod'
import { line } from '../fields.ts'
import type { Localized } from '../locale.ts'

export const MAX_BIRTHDAY_CHANGES = 99
export const MAX_WORDING = 300

/** Said beside the checkbox and the sign-up form where the merchant wrote nothing of their own. */
export const defaultConsentWording: Localized = {
  ja: '新商品やお得な情報をメールで受け取ります。いつでも配信を停止できます。',
  en: 'Send me news and offers by email. I can unsubscribe at any time.',
}

export const StorefrontSettings = z
  .strictObject({
    /** How often a customer may change a birthday that is known. */
    birthday_changes: z.int('not_whole').min(0, 'too_small').max(MAX_BIRTHDAY_CHANGES, 'too_big'),
    /** Empty: {@link defaultConsentWording}. */
    consent_wording_ja: line(0, MAX_WORDING),
    consent_wording_en: line(0, MAX_WORDING),
    /** Who signs up on the storefront confirms by a mailed link. */
    double_opt_in: z.boolean('not_a_boolean'),
    /** Product views of customers who gave the marketing permission are kept. */
    records_behavior: z.boolean('not_a_boolean'),
    /** So is what lies in the carts of their browsers. */
    records_carts: z.boolean('not_a_boolean'),
  })
  .meta({ id: 'StorefrontSettings' })
export type StorefrontSettings = z.output<typeof StorefrontSettings>

/** What a customer of the storefront reads before they agree. */
export const consentWordingOf = (settings: StorefrontSettings): Localized => ({
  ja: settings.consent_wording_ja || defaultConsentWording.ja,
  en: settings.consent_wording_en || defaultConsentWording.en,
})
