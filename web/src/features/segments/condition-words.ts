import { listProducts } from '@okaeri/contract/catalog/routes'
import { currencyDigits } from '@okaeri/contract/money'
import {
  type Condition,
  type ConditionField,
  findField,
  isOperatorOf,
  type Leaf,
  type operatorsOf,
} from '@okaeri/contract/segments/condition'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queryOf } from '../../api/queries.ts'
import { type Formats, useFormat } from '../../app/format.ts'
import { useWords, type Words } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'

type T = Words<'segments'>
interface Saying {
  t: T
  format: Formats
  currency: string
  productName: (id: string) => string | undefined
}
type OperatorOf<Type extends ConditionField['type']> = (typeof operatorsOf)[Type][number]

export const nameOf = (of: { name_ja: string; name_en: string }, language: Formats['language']): string =>
  language === 'ja' ? of.name_ja : of.name_en

/** 1–12 as the language calls it. */
export const monthName = (month: number, language: Formats['language']): string =>
  new Intl.DateTimeFormat(language === 'ja' ? 'ja-JP' : 'en-US', { month: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2024, month - 1, 1)),
  )

/** The products conditions name, by id, for their titles and pictures. */
export function useProducts(ids: readonly string[]) {
  const { data } = useQuery({
    ...queryOf(listProducts, { query: { ids: ids.join(','), limit: 100 } }),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: false,
  })
  return useMemo(() => new Map((data?.data ?? []).map((product) => [product.id, product])), [data])
}

/** Conditions read out in the language shown. */
export function useConditionWords(productName: Saying['productName']) {
  const t = useWords('segments')
  const format = useFormat()
  const { currency } = useMerchant()
  return useMemo(() => {
    const saying: Saying = { t, format, currency, productName }
    return {
      /** One comparison: "Number of orders is at least 2". */
      leaf: (leaf: Leaf) => capital(leafText(leaf, saying)),
      /** The whole rule as one sentence. */
      sentence: (condition: Condition) => t('say.customers', { rule: ruleText(condition, saying, true) }),
    }
  }, [t, format, currency, productName])
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function ruleText(condition: Condition, saying: Saying, outermost = false): string {
  const { t } = saying
  if (condition.type === 'condition') return leafText(condition, saying)
  if (condition.children.length === 0) return t('say.missing')
  const parts = condition.children.map((child) => ruleText(child, saying))
  const rule = parts.join(t(condition.operator === 'and' ? 'say.and' : 'say.or'))
  return outermost || parts.length === 1 ? rule : t('say.group', { rule })
}

function leafText(leaf: Leaf, saying: Saying): string {
  const { t, format, currency } = saying
  const found = findField(leaf)
  if (!found || !isOperatorOf(found.type, leaf.operator)) return t('say.missing')
  const { operator, value } = leaf
  const name = nameOf(found, format.language)
  const field = format.language === 'en' ? name.charAt(0).toLowerCase() + name.slice(1) : name
  if (operator === 'is_set' || operator === 'is_not_set') return t(`say.${operator}`, { field })

  const missing = t('say.missing')
  const list = Array.isArray(value) ? value : []
  const [first, second] = Array.isArray(value) ? value : [value, null]
  const number = (given: unknown) => (typeof given === 'number' ? numberText(given, found, format, currency) : missing)
  const days = (given: unknown) => (typeof given === 'number' ? format.number(given) : missing)
  const date = (given: unknown) => (typeof given === 'string' && given !== '' ? dayText(given, format) : missing)
  const anyOf = (names: readonly string[]) =>
    names.length === 0 ? missing : names.map((one) => t('say.quoted', { value: one })).join(t('say.orList'))

  switch (found.type) {
    case 'text':
      return t(`say.${operator as Exclude<OperatorOf<'text'>, 'is_set' | 'is_not_set'>}`, {
        field,
        value: typeof value === 'string' && value !== '' ? value : missing,
      })
    case 'number':
      return t(`say.num_${operator as OperatorOf<'number'>}`, { field, value: number(first), to: number(second) })
    case 'boolean':
      if (leaf.name === 'suppressed') return t(value === true ? 'say.suppressedYes' : 'say.suppressedNo')
      return t(value === true ? 'say.yes' : 'say.no', { field })
    case 'date':
      if (operator === 'between') return t('say.date_between', { field, value: date(first), to: date(second) })
      if (operator === 'within_last_days' || operator === 'more_than_days_ago')
        return t(`say.${operator}`, { field, value: days(value) })
      return t(`say.${operator as 'before' | 'after' | 'on'}`, { field, value: date(value) })
    case 'tags': {
      if (operator === 'has') return t('say.has', { value: anyOf(list.map(String)) })
      return t(list.length > 1 ? 'say.has_notAny' : 'say.has_not', { value: anyOf(list.map(String)) })
    }
    case 'choice': {
      const names = list.map((one) => {
        const choice = found.choices?.find((each) => each.value === one)
        return choice ? nameOf(choice, format.language) : String(one)
      })
      if (operator === 'is_one_of') return t('say.is_one_of', { field, value: anyOf(names) })
      return t(names.length > 1 ? 'say.is_none_ofAny' : 'say.is_none_of', { field, value: anyOf(names) })
    }
    case 'product': {
      const chosen = value !== null && typeof value === 'object' && !Array.isArray(value) ? value : null
      const names = (chosen?.ids ?? []).map((id) => saying.productName(id) ?? missing)
      const verb = operator === 'bought' ? 'say.bought' : names.length > 1 ? 'say.not_boughtAny' : 'say.not_bought'
      const what = t(verb, { value: anyOf(names) })
      return chosen?.within_days ? t('say.within', { days: format.number(chosen.within_days), what }) : what
    }
    case 'birthday':
      return operator === 'month_is'
        ? t('say.month_is', { value: typeof value === 'number' ? monthName(value, format.language) : missing })
        : t('say.within_next_days', { value: days(value) })
  }
}

function numberText(value: number, field: ConditionField, format: Formats, currency: string): string {
  // Amounts are in major units in conditions (contract: orders_amount).
  if (field.name === 'orders_amount')
    return format.money({ amount: Math.round(value * 10 ** currencyDigits(currency)), currency })
  return format.language === 'ja' ? `${format.number(value)}${field.unit_ja ?? ''}` : format.number(value)
}

/** A day is no instant: read and written in UTC it stays the day it is. */
const dayText = (day: string, format: Formats): string =>
  new Intl.DateTimeFormat(format.language === 'ja' ? 'ja-JP' : 'en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )
