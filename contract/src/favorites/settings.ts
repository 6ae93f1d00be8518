import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { MAX_LOW_STOCK } from '../scenarios/trigger-kinds/products.ts'

const area = 'favorites'

/** Spec §2: favorite. What heart and page say is in the settings of the widget. */
export const FavoriteSettings = z
  .strictObject({
    /** The heart says how many people like it. */
    show_count: z.boolean('not_a_boolean'),
    /** In forms of new scenarios: the same customer gets no further message within so many days. */
    quiet_days: z.int('not_a_number').min(1, 'too_small').max(365, 'too_big'),
    /** In forms of new scenarios: the number left in stock at which customers get a message. */
    low_stock: z.int('not_a_number').min(1, 'too_small').max(MAX_LOW_STOCK, 'too_big'),
  })
  .meta({ id: 'FavoriteSettings' })
export type FavoriteSettings = z.output<typeof FavoriteSettings>

export const usualFavoriteSettings: FavoriteSettings = {
  show_count: false,
  quiet_days: 7,
  low_stock: 3,
}

export const getFavoriteSettings = endpoint('GET', '/user/me/favorite_settings', {
  area,
  summary: 'Settings of favorites: the heart, the page with them, and what new scenarios begin with',
  access: 'member',
  reply: z.object({ favorite_settings: FavoriteSettings }),
})
export const changeFavoriteSettings = endpoint('PUT', '/user/me/favorite_settings', {
  area,
  summary: 'Change settings of favorites; fields that are not named stay',
  access: 'marketer',
  body: z.strictObject({ favorite_settings: FavoriteSettings.partial() }),
  reply: z.object({ favorite_settings: FavoriteSettings }),
})
