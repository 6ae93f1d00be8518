import { z } from 'zod'
import { ofProduct } from '../event-fields.ts'
import { minutesOf } from '../phrases.ts'
import { triggerKind } from './trigger-kind.ts'

/** A cart is not left after less (its owner may be typing), nor worth a mail after more. */
export const MIN_CART_MINUTES = 10
export const MAX_CART_MINUTES = 30 * 24 * 60
const minutes = z.int('not_a_number').min(MIN_CART_MINUTES, 'too_small').max(MAX_CART_MINUTES, 'too_big')

export const cartAbandoned = triggerKind(
  'cart_abandoned',
  { after_minutes: minutes },
  { ja: 'カート離脱', en: 'cart abandoned' },
  {
    words: {
      name_ja: 'カート離脱',
      name_en: 'Cart abandoned',
      description_ja: 'カートに商品を入れたまま、購入がないとき',
      description_en: 'When a cart is left without an order',
    },
    initial: { after_minutes: 60 },
    // The store tells of a cart without its prices.
    fills: ['items', 'lines', ...ofProduct],
    sentence({ after_minutes }, { language }) {
      const after = minutesOf(after_minutes, language)
      return language === 'ja'
        ? `カートに商品を入れたまま${after}購入がないと始まります。`
        : `Starts when a cart is filled and not ordered for ${after}.`
    },
  },
)

export const checkoutAbandoned = triggerKind(
  'checkout_abandoned',
  { after_minutes: minutes },
  { ja: 'チェックアウト離脱', en: 'checkout abandoned' },
  {
    words: {
      name_ja: 'チェックアウト離脱',
      name_en: 'Checkout abandoned',
      description_ja: 'チェックアウトを始めたまま、購入がないとき',
      description_en: 'When a checkout is started but not completed',
    },
    initial: { after_minutes: 60 },
    fills: ['total', 'items', 'lines', 'recovery_url', ...ofProduct],
    sentence({ after_minutes }, { language }) {
      const after = minutesOf(after_minutes, language)
      return language === 'ja'
        ? `チェックアウトを始めたまま${after}購入がないと始まります。`
        : `Starts when a checkout is begun and not finished for ${after}.`
    },
  },
)
