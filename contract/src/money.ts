import { z } from 'zod'

/** Integer minor units (yen for JPY, cents for USD) and an ISO 4217 code. */
export const Money = z.object({ amount: z.int(), currency: z.string().length(3) }).meta({ id: 'Money' })
export type Money = z.output<typeof Money>

/** Three letters each, so that there are not many; to make a format takes as long as all else about an amount. */
const digitsOf = new Map<string, number>()

/** Decimal places of a currency (JPY 0, USD 2, KWD 3), from the platform's own tables. */
export function currencyDigits(currency: string): number {
  const known = digitsOf.get(currency)
  if (known !== undefined) return known
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  digitsOf.set(currency, digits)
  return digits
}

/** Japanese locales write the full-width sign, which looks like another one beside English. */
export const withOneYenSign = (text: string): string => text.replaceAll('￥', '¥')

/** The other way round: `1234` yen is `"1234"`, `1234` cents are `"12.34"`. */
export const decimalOf = (amount: number, currency: string): string => {
  const digits = currencyDigits(currency)
  return (amount / 10 ** digits).toFixed(digits)
}

/**
 * Minor units of a decimal text such as `"1000.0"` or `"12.34"` (the store platform sends yen with decimals).
 * Throws a RangeError when the text is not a number.
 */
export function minorUnits(decimal: string, currency: string): number {
  const value = Number(decimal)
  if (decimal.trim() === '' || !Number.isFinite(value)) throw new RangeError(`not an amount: ${decimal}`)
  return Math.round(value * 10 ** currencyDigits(currency))
}

/**
 * A page says with each call what its amounts are in. Where they are saved, it is refused if the account counts in another currency by now
 * (`currency_changed_meanwhile`). Who does not send it is not asked.
 */
export const CURRENCY_HEADER = 'okaeri-currency'
