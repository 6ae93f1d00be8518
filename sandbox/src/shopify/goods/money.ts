import type { StoreScope } from '../platform.ts'
import { type Currency, currencies } from '../rows.ts'

/* Amounts are kept in the smallest unit of the store's currency: yen, or cents. */

/** A store whose name ends with the code of a currency sells in it: `kumo-usd.myshopify.com`. All others sell in yen. */
export function currencyOfShop(shop: string): Currency {
  const [, code] = /-([a-z]{3})\.myshopify\.com$/.exec(shop) ?? []
  return currencies.find((known) => known.toLowerCase() === code) ?? 'JPY'
}

export const digitsOf = ({ store }: StoreScope): number => (store.currency === 'JPY' ? 0 : 2)
/** How many of the smallest unit are one of the currency. */
export const unitOf = (scope: StoreScope): number => 10 ** digitsOf(scope)

/** The same in a statement over `store`. */
export const unitSql = "CASE store.currency WHEN 'JPY' THEN 1.0 ELSE 100.0 END"

/** As webhooks and single prices have it: `3240`, `32.40`. */
export const plainAmount = (scope: StoreScope, amount: number): string =>
  (amount / unitOf(scope)).toFixed(digitsOf(scope))

/** As the Admin API has it: `3240.0`, `32.4`. */
export function moneyOf(scope: StoreScope, amount: number): { amount: string; currencyCode: Currency } {
  const text = String(amount / unitOf(scope))
  return { amount: text.includes('.') ? text : `${text}.0`, currencyCode: scope.store.currency }
}
export const bagOf = (scope: StoreScope, amount: number) => ({
  shopMoney: moneyOf(scope, amount),
  presentmentMoney: moneyOf(scope, amount),
})

/** As Liquid and scripts of a theme have it: hundredths, of yen too. */
export const hundredths = (scope: StoreScope, amount: number): number => (amount * 100) / unitOf(scope)

/** As the pages show it. */
export const moneyText = (scope: StoreScope, amount: number): string =>
  scope.store.currency === 'JPY'
    ? `¥${amount.toLocaleString('ja-JP')}`
    : new Intl.NumberFormat('en', { style: 'currency', currency: scope.store.currency }).format(amount / unitOf(scope))

/** How the platform names the format of amounts. */
export const moneyFormat = (scope: StoreScope): string =>
  scope.store.currency === 'JPY' ? '¥{{amount_no_decimals}}' : moneyText(scope, 0).replace(/0[.]00/, '{{amount}}')
