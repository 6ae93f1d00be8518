import type { ConditionType } from './condition-type.ts'
import { checkList, checkObject, MAX_AMOUNT, one, partsOf, whyNotId, whyNotNumber } from './value-checks.ts'
import { checkWindow, inWindow, type Window } from './window.ts'
import { type In, moneyOf, named } from './wording.ts'

/** `products`: with any of these (ids); null: whatever it holds. `min_amount` in major units, only where the field has an amount. */
export interface ThingsValue {
  products: string[] | null
  min_amount: number | null
  window: Window
}

type Phrases = Record<string, { has: (about: string) => string; not: (about: string) => string }>
const phrases: In<Phrases> = {
  ja: {
    checkout_unfinished: {
      has: (about) => `${about}チェックアウトを始めて完了していない`,
      not: (about) => `${about}未完了のチェックアウトがない`,
    },
    checkout_completed: {
      has: (about) => `${about}チェックアウトを完了した`,
      not: (about) => `${about}完了したチェックアウトがない`,
    },
    cart_unfinished: {
      has: (about) => `${about}カートに商品を入れたまま購入していない`,
      not: (about) => `${about}購入前のカートがない`,
    },
    cart_completed: {
      has: (about) => `${about}カートから購入した`,
      not: (about) => `${about}購入に至ったカートがない`,
    },
    favorite: {
      has: (about) => `${about}お気に入りに登録している`,
      not: (about) => `${about}お気に入りの登録がない`,
    },
    restock_waiting: {
      has: (about) => `${about}再入荷通知を申し込んで待っている`,
      not: (about) => `${about}待っている再入荷通知の申込みがない`,
    },
    restock_notified: {
      has: (about) => `${about}再入荷の通知を受け取った`,
      not: (about) => `${about}受け取った再入荷の通知がない`,
    },
  },
  en: {
    checkout_unfinished: {
      has: (about) => `a checkout was begun and not finished${about}`,
      not: (about) => `there is no unfinished checkout${about}`,
    },
    checkout_completed: {
      has: (about) => `a checkout was completed${about}`,
      not: (about) => `there is no completed checkout${about}`,
    },
    cart_unfinished: {
      has: (about) => `a cart was filled and not ordered${about}`,
      not: (about) => `there is no unfinished cart${about}`,
    },
    cart_completed: {
      has: (about) => `a cart became an order${about}`,
      not: (about) => `there is no cart that became an order${about}`,
    },
    favorite: { has: (about) => `there is a favorite${about}`, not: (about) => `there is no favorite${about}` },
    restock_waiting: {
      has: (about) => `a restock notice is awaited${about}`,
      not: (about) => `no restock notice is awaited${about}`,
    },
    restock_notified: {
      has: (about) => `a restock notice was sent${about}`,
      not: (about) => `no restock notice was sent${about}`,
    },
  },
}
const about: In<{ products: (list: string) => string; amount: (amount: string) => string }> = {
  ja: { products: (list) => `商品${list}について`, amount: (amount) => `${amount}以上の` },
  en: { products: (list) => ` with product ${list}`, amount: (amount) => ` over at least ${amount}` },
}

/** There is one, or none: a checkout, a cart, a favourite, a restock request. */
export const things = {
  operators: { has: 'things', has_not: 'things' },
  check: (value, field) =>
    checkObject(value, {
      products: (ids) => (ids === null ? [] : checkList(ids, whyNotId)),
      min_amount: (item) => {
        if (item === null) return []
        return one(field.has_amount ? whyNotNumber(item, { max: MAX_AMOUNT }) : 'not_allowed')
      },
      window: checkWindow,
    }),
  say({ field, operator, value, reading }) {
    const { products, min_amount, window } = partsOf<ThingsValue>(value)
    const say = about[reading.locale]
    const said = [
      products ? say.products(named(reading, 'products', products)) : '',
      typeof min_amount === 'number' ? say.amount(moneyOf(min_amount, reading)) : '',
    ].join('')
    const what = phrases[reading.locale][field.name]?.[operator === 'has' ? 'has' : 'not'](said)
    return inWindow(window, what ?? reading.say.missing, reading)
  },
  named: (value) => [{ kind: 'products', ids: partsOf<ThingsValue>(value).products ?? [], key: '.products' }],
} as const satisfies ConditionType
