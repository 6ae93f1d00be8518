import type { Reading } from './condition-type.ts'
import { checkObject, isObject, MAX_DAYS_BACK, one, whyNotDate, whyNotWhole, type ValueErrors } from './value-checks.ts'
import { dayOf } from './wording.ts'
import { plain } from './phrases.ts'

/** When something happened. Null: at any time. Days in the merchant's zone, both ends included. */
export type Window = { within_days: number } | { from: string; to: string } | null

export function checkWindow(value: unknown): ValueErrors {
  if (value === null) return []
  if (isObject(value) && 'within_days' in value)
    return checkObject(value, { within_days: (item) => one(whyNotWhole(item, 1, MAX_DAYS_BACK)) })
  const wrong = checkObject(value, { from: (item) => one(whyNotDate(item)), to: (item) => one(whyNotDate(item)) })
  if (wrong.length > 0 || !isObject(value)) return wrong
  return String(value['from']) > String(value['to']) ? one('too_small', '.to') : []
}

/** The phrase for what happened, with its window. */
export function inWindow(window: Window | undefined, what: string, reading: Reading): string {
  if (!window) return what
  const { locale, say } = reading
  if ('within_days' in window) {
    const days = plain(window.within_days, reading)
    return { ja: `直近${days}日以内に${what}`, en: `${what} within the last ${days} days` }[locale]
  }
  const [from, to] = [dayOf(window.from, say), dayOf(window.to, say)]
  return { ja: `${from}から${to}までに${what}`, en: `${what} from ${from} to ${to}` }[locale]
}
