import { z } from 'zod'
import { ofProduct } from '../event-fields.ts'
import { minutesOf } from '../flow/phrases.ts'
import { triggerKind } from './trigger-kind.ts'

/** Earlier the customer may still be shopping; later the cart is too old for an email. */
export const MIN_CART_MINUTES = 10
export const MAX_CART_MINUTES = 30 * 24 * 60
const minutes = z.int('not_a_number').min(MIN_CART_MINUTES, 'too_small').max(MAX_CART_MINUTES, 'too_big')

export const cartAbandoned = triggerKind(
  'cart_abandoned',
  { after_minutes: minutes },
  { ja: 'カート離脱', en: 'cart abandoned' },
  {
    icon: 'cart_off',
    words: {
      name: { ja: 'カート離脱', en: 'Cart abandoned' },
      description: { ja: 'カートに商品を入れたまま、購入がないとき', en: 'When a cart is left without an order' },
    },
    initial: { after_minutes: 60 },
    // The store sends carts without prices; those of today are known by the store's products.
    fills: ['items', 'lines', 'subtotal', ...ofProduct],
    sentence({ after_minutes }, { language }) {
      const after = minutesOf(after_minutes, language)
      return {
        ja: `カートに商品を入れたまま${after}購入がないと始まります。`,
        en: `Starts when a cart is left without an order for ${after}.`,
      }
    },
  },
)

export const checkoutAbandoned = triggerKind(
  'checkout_abandoned',
  { after_minutes: minutes },
  { ja: 'チェックアウト離脱', en: 'checkout abandoned' },
  {
    icon: 'card_off',
    words: {
      name: { ja: 'チェックアウト離脱', en: 'Checkout abandoned' },
      description: {
        ja: 'チェックアウトを始めたまま、購入がないとき',
        en: 'When a checkout is started but not completed',
      },
    },
    initial: { after_minutes: 60 },
    fills: ['total', 'items', 'lines', 'subtotal', 'other_costs', 'recovery_url', ...ofProduct],
    sentence({ after_minutes }, { language }) {
      const after = minutesOf(after_minutes, language)
      return {
        ja: `チェックアウトを始めたまま${after}購入がないと始まります。`,
        en: `Starts when a checkout is started but not completed for ${after}.`,
      }
    },
  },
)
