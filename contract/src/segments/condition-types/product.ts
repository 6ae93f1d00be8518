import type { ConditionType } from './condition-type.ts'
import { checkList, checkObject, MAX_DAYS_BACK, one, partsOf, whyNotId, whyNotWhole } from './value-checks.ts'
import { inWindow } from './window.ts'
import { isSeveral } from './wording.ts'
import { named } from './phrases.ts'

/** `ids`: our ids of products, any of them. Null days: at any time. */
export interface ProductsValue {
  ids: string[]
  within_days: number | null
}

const phrases = {
  bought: (list: string) => ({ ja: `${list}を購入した`, en: `${list} was bought` }),
  not: (list: string, several: boolean) => ({
    ja: several ? `${list}のいずれも購入していない` : `${list}を購入していない`,
    en: several ? `none of ${list} was bought` : `${list} was not bought`,
  }),
}

/** Bought any of some products: the short form of `ordered`. */
export const product = {
  operators: { bought: 'products', not_bought: 'products' },
  check: (value) =>
    checkObject(value, {
      ids: (ids) => checkList(ids, whyNotId),
      within_days: (within) => one(within === null ? null : whyNotWhole(within, 1, MAX_DAYS_BACK)),
    }),
  say({ operator, value, reading }) {
    const { ids, within_days } = partsOf<ProductsValue>(value)
    const what =
      operator === 'bought'
        ? phrases.bought(named(reading, 'products', ids))
        : phrases.not(named(reading, 'products', ids, reading.say.inList), isSeveral(ids))
    return inWindow(within_days ? { within_days } : null, what[reading.locale], reading)
  },
  references: (value) => [{ kind: 'products', ids: partsOf<ProductsValue>(value).ids ?? [], key: '.ids' }],
} as const satisfies ConditionType
