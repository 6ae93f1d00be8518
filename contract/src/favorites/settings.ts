import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { hasControlCharacters } from '../fields.ts'
import { MAX_LOW_STOCK } from '../scenarios/trigger-kinds/products.ts'

const area = 'favorites'

/** What the storefront says; empty: the usual words. */
const Text = z
  .string('not_a_text')
  .trim()
  .max(200, 'too_long')
  .refine((text) => text.isWellFormed() && !hasControlCharacters(text), 'control_characters')
const Texts = z.strictObject({ ja: Text, en: Text })

/** Of the heart, and of the page with one's favorites. */
export const favoriteTextNames = ['add', 'remove', 'list_title', 'list_empty'] as const
export type FavoriteTextName = (typeof favoriteTextNames)[number]

/** Spec §2: favorite and favorite list screen. */
export const FavoriteSettings = z
  .strictObject({
    /** The heart says how many people like it. */
    show_count: z.boolean('not_a_boolean'),
    /** In forms of new scenarios: the same customer gets no further message within so many days. */
    quiet_days: z.int('not_a_number').min(1, 'too_small').max(365, 'too_big'),
    /** In forms of new scenarios: the number left in stock at which customers get a message. */
    low_stock: z.int('not_a_number').min(1, 'too_small').max(MAX_LOW_STOCK, 'too_big'),
    texts: z.strictObject({ add: Texts, remove: Texts, list_title: Texts, list_empty: Texts }),
  })
  .meta({ id: 'FavoriteSettings' })
export type FavoriteSettings = z.output<typeof FavoriteSettings>

const unsaid = { ja: '', en: '' }
export const usualFavoriteSettings: FavoriteSettings = {
  show_count: false,
  quiet_days: 7,
  low_stock: 3,
  texts: { add: unsaid, remove: unsaid, list_title: unsaid, list_empty: unsaid },
}

export const getFavoriteSettings = endpoint('GET', '/user/me/favorite_settings', {
  area,
  summary: 'Settings of favourites: the heart, the page with them, and what new scenarios begin with',
  access: 'member',
  reply: z.object({ favorite_settings: FavoriteSettings }),
})
export const changeFavoriteSettings = endpoint('PUT', '/user/me/favorite_settings', {
  area,
  summary: 'Change settings of favourites; fields that are not named stay',
  access: 'marketer',
  body: z.strictObject({ favorite_settings: FavoriteSettings.partial() }),
  reply: z.object({ favorite_settings: FavoriteSettings }),
})
