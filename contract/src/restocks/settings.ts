import { z } from 'zod'

/** One registration brings at most this many messages. */
export const MAX_NOTIFICATIONS = 3

/** What a text of the storefront may say; empty: the usual words. */
const Text = z.string().trim().max(200, 'too_long')
const Texts = z.strictObject({ ja: Text, en: Text })

/** The texts of the storefront, spec §2: button and popup, by mail and by LINE. */
export const restockTextNames = [
  'button',
  'popup_title',
  'popup_text',
  'line_button',
  'line_popup_title',
  'line_popup_text',
] as const

const shape = {
  /** People notified for each piece in stock, in each wave. */
  people_per_unit: z.int('not_a_number').min(1, 'too_small').max(100, 'too_large'),
  /** From one wave to the next. */
  wave_minutes: z.int('not_a_number').min(5, 'too_small').max(10_080, 'too_large'),
  /** The stock has to stay for so long before anyone is notified. */
  settle_minutes: z.int('not_a_number').min(1, 'too_small').max(1440, 'too_large'),
  /** Those who were notified and did not buy are notified again at the next return, {@link MAX_NOTIFICATIONS} times in all. */
  asks_again: z.boolean(),
  email_button: z.boolean(),
  line_button: z.boolean(),
  /** An address counts once its owner has agreed by the link in a mail. */
  confirms_address: z.boolean(),
  /** Those who registered get a message that says so: a mail, or a LINE message. */
  sends_receipt: z.boolean(),
  sends_line_receipt: z.boolean(),
  texts: z.strictObject({
    button: Texts,
    popup_title: Texts,
    popup_text: Texts,
    line_button: Texts,
    line_popup_title: Texts,
    line_popup_text: Texts,
  }),
}
export const RestockSettings = z.strictObject(shape).meta({ id: 'RestockSettings' })
export type RestockSettings = z.output<typeof RestockSettings>
export const RestockSettingsChange = RestockSettings.partial()
export type RestockSettingsChange = z.output<typeof RestockSettingsChange>

const empty = { ja: '', en: '' }
export const usualRestockSettings: RestockSettings = {
  people_per_unit: 5,
  wave_minutes: 60,
  settle_minutes: 5,
  asks_again: false,
  email_button: true,
  line_button: true,
  confirms_address: true,
  sends_receipt: true,
  sends_line_receipt: true,
  texts: {
    button: empty,
    popup_title: empty,
    popup_text: empty,
    line_button: empty,
    line_popup_title: empty,
    line_popup_text: empty,
  },
}
