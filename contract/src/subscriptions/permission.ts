import { z } from 'zod'
import { ConsentState } from '../customers/customer.ts'
import { MAX_WORDING } from '../storefront-settings/settings.ts'
import { Locale } from '../locale.ts'

/** The marketing permission of the person who asks, and what they are to read before they change it. */
export const OwnPermission = z
  .object({
    /** False for a guest, who is asked for an address instead. */
    signed_in: z.boolean(),
    accepts_marketing: z.boolean(),
    state: ConsentState,
    wording_ja: z.string(),
    wording_en: z.string(),
  })
  .meta({ id: 'OwnPermission' })
export type OwnPermission = z.output<typeof OwnPermission>

/** Pages of the store platform on which our extension stands, by its targets there (widget/checkout-extension/shopify.extension.toml). */
export const platformPages = [
  'purchase.thank-you.block.render',
  'customer-account.order-status.block.render',
  'customer-account.profile.block.render',
] as const

/** What was on the screen. It must be the merchant's current wording in that language: it is kept as proof. */
export const shownFields = {
  wording: z.string('required').min(1, 'required').max(MAX_WORDING, 'too_long'),
  language: Locale,
  /** The page's address; its query is not kept. */
  page: z.string('not_a_text').max(2000, 'too_long').optional(),
}
export const ShownForm = z.strictObject(shownFields)
export type ShownForm = z.output<typeof ShownForm>
