import type { Localized } from '../../locale.ts'
import type { ConditionType } from './condition-type.ts'
import { checkList, checkObject, MAX_AMOUNT, one, partsOf, whyNotId, whyNotNumber } from './value-checks.ts'
import { checkWindow, inWindow, type Window } from './window.ts'
import { moneyOf, named } from './phrases.ts'

/** `products`: with any of these (ids); null: with any product. `min_amount` in major units, only if the field has an amount. */
export interface ThingsValue {
  products: string[] | null
  min_amount: number | null
  window: Window
}

const phrases: Record<string, { has: (about: string) => Localized; not: (about: string) => Localized }> = {
  checkout_unfinished: {
    has: (about) => ({
      ja: `${about}チェックアウトを始めて完了していない`,
      en: `a checkout was begun and not finished${about}`,
    }),
    not: (about) => ({ ja: `${about}未完了のチェックアウトがない`, en: `there is no unfinished checkout${about}` }),
  },
  checkout_completed: {
    has: (about) => ({ ja: `${about}チェックアウトを完了した`, en: `a checkout was completed${about}` }),
    not: (about) => ({ ja: `${about}完了したチェックアウトがない`, en: `there is no completed checkout${about}` }),
  },
  cart_unfinished: {
    has: (about) => ({
      ja: `${about}カートに商品を入れたまま購入していない`,
      en: `a cart was filled and not ordered${about}`,
    }),
    not: (about) => ({ ja: `${about}購入前のカートがない`, en: `there is no unfinished cart${about}` }),
  },
  cart_completed: {
    has: (about) => ({ ja: `${about}カートから購入した`, en: `a cart became an order${about}` }),
    not: (about) => ({ ja: `${about}購入に至ったカートがない`, en: `there is no cart that became an order${about}` }),
  },
  viewed: {
    has: (about) => ({ ja: `${about}ストアで商品を閲覧した`, en: `a product was viewed${about}` }),
    not: (about) => ({ ja: `${about}ストアで商品を閲覧していない`, en: `no product was viewed${about}` }),
  },
  in_cart: {
    has: (about) => ({ ja: `${about}今カートに商品が入っている`, en: `there is a cart now${about}` }),
    not: (about) => ({ ja: `${about}今カートに商品が入っていない`, en: `there is no cart now${about}` }),
  },
  cart_seen: {
    has: (about) => ({ ja: `${about}カートに商品を入れた`, en: `there was a cart${about}` }),
    not: (about) => ({ ja: `${about}カートに商品を入れていない`, en: `there was no cart${about}` }),
  },
  favorite: {
    has: (about) => ({ ja: `${about}お気に入りに登録している`, en: `there is a favorite${about}` }),
    not: (about) => ({ ja: `${about}お気に入りの登録がない`, en: `there is no favorite${about}` }),
  },
  restock_waiting: {
    has: (about) => ({ ja: `${about}再入荷通知を申し込んで待っている`, en: `a restock notice is awaited${about}` }),
    not: (about) => ({ ja: `${about}待っている再入荷通知の申込みがない`, en: `no restock notice is awaited${about}` }),
  },
  restock_notified: {
    has: (about) => ({ ja: `${about}再入荷の通知を受け取った`, en: `a restock notice was sent${about}` }),
    not: (about) => ({ ja: `${about}受け取った再入荷の通知がない`, en: `no restock notice was sent${about}` }),
  },
}
const about = {
  products: (list: string) => ({ ja: `商品${list}について`, en: ` with product ${list}` }),
  amount: (amount: string) => ({ ja: `${amount}以上の`, en: ` over at least ${amount}` }),
}

/** Exists or not: a checkout, a cart, a favorite, a restock request. */
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
    const { locale, say } = reading
    const said = [
      products ? about.products(named(reading, 'products', products))[locale] : '',
      typeof min_amount === 'number' ? about.amount(moneyOf(min_amount, reading))[locale] : '',
    ].join('')
    const what = phrases[field.name]?.[operator === 'has' ? 'has' : 'not'](said)[locale]
    return inWindow(window, what ?? say.missing, reading)
  },
  references: (value) => [{ kind: 'products', ids: partsOf<ThingsValue>(value).products ?? [], key: '.products' }],
  amounts: (value) => [partsOf<ThingsValue>(value).min_amount],
} as const satisfies ConditionType
