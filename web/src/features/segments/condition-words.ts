import { listProducts } from '@okaeri/contract/catalog/routes'
import type { Condition, Leaf } from '@okaeri/contract/segments/condition'
import { type ConditionNames, describeComparison, describeCondition } from '@okaeri/contract/segments/condition-words'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queryOf } from '../../api/queries.ts'
import type { Formats } from '../../app/format.ts'
import { useLanguage } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'

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
export function useConditionWords(productName: (id: string) => string | undefined) {
  const language = useLanguage()
  const { currency } = useMerchant()
  return useMemo(() => {
    const names: ConditionNames = { currency, nameOf: (kind, id) => (kind === 'products' ? productName(id) : null) }
    return {
      /** One comparison: "Number of orders is at least 2". */
      leaf: (leaf: Leaf) => describeComparison(leaf, language, names),
      /** The whole rule as one sentence. */
      sentence: (condition: Condition) => describeCondition(condition, language, names),
    }
  }, [language, currency, productName])
}
