import { variantName } from '@okaeri/contract/catalog/variant-name'
import { getCampaign, listCampaigns } from '@okaeri/contract/campaigns/routes'
import { listCollections, listProducts, listVariants } from '@okaeri/contract/catalog/routes'
import { ApiError } from '@okaeri/contract/client'
import {
  type Condition,
  type ConditionCategory,
  conditionCategories,
  type Leaf,
  leavesOf,
  referencesIn,
} from '@okaeri/contract/segments/condition'
import { getScenario, listScenarios } from '@okaeri/contract/scenarios/routes'
import { getConditionParams } from '@okaeri/contract/segments/condition-routes'
import type { ReferenceKind } from '@okaeri/contract/segments/condition-types/condition-type'
import { describeComparison, describeCondition } from '@okaeri/contract/segments/condition-words'
import { getSegment, listSegments } from '@okaeri/contract/segments/routes'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../../api/call.ts'
import { queryOf } from '../../../api/queries.ts'
import type { Formats } from '../../../app/format.ts'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'

export const nameOf = (of: { name_ja: string; name_en: string }, language: Formats['language']): string =>
  of[`name_${language}`]

/** The name of month 1–12. */
export const monthName = (month: number, language: Formats['language']): string =>
  new Intl.DateTimeFormat(language === 'ja' ? 'ja-JP' : 'en-US', { month: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2024, month - 1, 1)),
  )

/** The merchant's condition categories: only the common fields until their metafields are loaded. */
export function useCategories(): { categories: readonly ConditionCategory[]; known: boolean } {
  const { data } = useQuery(queryOf(getConditionParams, {}))
  return { categories: (data?.categories as readonly ConditionCategory[]) ?? conditionCategories, known: Boolean(data) }
}

export interface NamedItem {
  id: string
  name: string
  /** Below the name, in a list to choose from. */
  note?: string | null
  image?: string | null
}
const SHOWN = 30
/** Ids in one address. */
const AT_ONCE = 100

const page = (q: string) => ({ limit: SHOWN, ...(q && { q }) })
const product = (one: { id: string; title: string; image_url: string | null; vendor: string | null }): NamedItem => ({
  id: one.id,
  name: one.title,
  image: one.image_url,
  note: one.vendor,
})
const collection = (one: { id: string; title: string }): NamedItem => ({ id: one.id, name: one.title })
const variant = (one: { id: string; product_title: string; title: string; sku: string | null }): NamedItem => ({
  id: one.id,
  name: [one.product_title, variantName(one.title)].filter(Boolean).join(' '),
  note: one.sku,
})

/** The first matches for the typed text, by kind. */
export const searchNamed: Record<ReferenceKind, (q: string) => Promise<NamedItem[]>> = {
  products: async (q) => (await call(listProducts, { query: page(q) })).data.map(product),
  variants: async (q) => (await call(listVariants, { query: page(q) })).data.map(variant),
  collections: async (q) => (await call(listCollections, { query: page(q) })).data.map(collection),
  campaigns: async (q) =>
    (await call(listCampaigns, { query: page(q) })).data.filter((one) => one.status !== 'draft' && one.name !== ''),
  scenarios: async (q) => (await call(listScenarios, { query: page(q) })).data,
  segments: async (q) => (await call(listSegments, { query: page(q) })).data,
}

const nullWhenGone = (error: unknown): null => {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}
const byIds = async <T>(ids: readonly string[], fetchSome: (ids: string) => Promise<{ data: T[] }>): Promise<T[]> => {
  const groups = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, at) =>
    ids.slice(at * AT_ONCE, (at + 1) * AT_ONCE).join(','),
  )
  return (await Promise.all(groups.map(fetchSome))).flatMap(({ data }) => data)
}
const oneByOne = async (ids: readonly string[], fetchOne: (id: string) => Promise<string>): Promise<NamedItem[]> => {
  const names = await Promise.all(ids.map((id) => fetchOne(id).catch(nullWhenGone)))
  return ids.flatMap((id, at) => {
    const name = names[at]
    return name ? [{ id, name }] : []
  })
}
/** The names of chosen ids; deleted ones are missing. */
const findNamed: Record<ReferenceKind, (ids: readonly string[]) => Promise<NamedItem[]>> = {
  products: async (ids) =>
    (await byIds(ids, (some) => call(listProducts, { query: { ids: some, limit: AT_ONCE } }))).map(product),
  variants: async (ids) =>
    (await byIds(ids, (some) => call(listVariants, { query: { ids: some, limit: AT_ONCE } }))).map(variant),
  collections: async (ids) =>
    (await byIds(ids, (some) => call(listCollections, { query: { ids: some, limit: AT_ONCE } }))).map(collection),
  campaigns: (ids) => oneByOne(ids, async (id) => (await call(getCampaign, { params: { id } })).campaign.name),
  scenarios: (ids) => oneByOne(ids, async (id) => (await call(getScenario, { params: { id } })).action.name),
  segments: (ids) => oneByOne(ids, async (id) => (await call(getSegment, { params: { id } })).customer_segment.name),
}
/** The area whose changes reload the names. */
const areas: Record<ReferenceKind, string> = {
  products: listProducts.area,
  variants: listVariants.area,
  collections: listCollections.area,
  campaigns: listCampaigns.area,
  scenarios: listScenarios.area,
  segments: listSegments.area,
}
export const areaOf = (kind: ReferenceKind): string => areas[kind]

function useNamesOf(kind: ReferenceKind, ids: readonly string[]) {
  const { data } = useQuery({
    queryKey: [areas[kind], 'names', kind, ids],
    queryFn: () => findNamed[kind](ids),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: false,
  })
  return data
}

/** The ids a condition names, by kind. */
export function idsIn(condition: Condition): Record<ReferenceKind, string[]> {
  const found: Record<ReferenceKind, Set<string>> = {
    products: new Set(),
    variants: new Set(),
    collections: new Set(),
    campaigns: new Set(),
    scenarios: new Set(),
    segments: new Set(),
  }
  for (const leaf of leavesOf(condition))
    for (const { kind, ids } of referencesIn(leaf)) for (const id of ids) found[kind].add(String(id))
  return {
    products: [...found.products],
    variants: [...found.variants],
    collections: [...found.collections],
    campaigns: [...found.campaigns],
    scenarios: [...found.scenarios],
    segments: [...found.segments],
  }
}

export type NamesOf = (kind: ReferenceKind, id: string) => NamedItem | undefined

/** The names of the ids in a condition. */
export function useNames(condition: Condition): NamesOf {
  const ids = useMemo(() => idsIn(condition), [condition])
  const products = useNamesOf('products', ids.products)
  const variants = useNamesOf('variants', ids.variants)
  const collections = useNamesOf('collections', ids.collections)
  const campaigns = useNamesOf('campaigns', ids.campaigns)
  const scenarios = useNamesOf('scenarios', ids.scenarios)
  const segments = useNamesOf('segments', ids.segments)
  return useMemo(() => {
    const kinds = { products, variants, collections, campaigns, scenarios, segments }
    const maps = new Map(
      Object.entries(kinds).map(([kind, named]) => [kind, new Map(named?.map((one) => [one.id, one] as const))]),
    )
    return (kind, id) => maps.get(kind)?.get(id)
  }, [products, variants, collections, campaigns, scenarios, segments])
}

/** Conditions in words, in the current language. */
export function useConditionWords(names: NamesOf, categories: readonly ConditionCategory[]) {
  const t = useWords('segments')
  const language = useLanguage()
  const { currency } = useMerchant()
  return useMemo(() => {
    const known = {
      nameOf: (kind: ReferenceKind, id: string) => names(kind, id)?.name ?? t('editor.gone'),
      categories,
      currency,
    }
    return {
      /** One comparison: "Number of orders is at least 2". */
      leaf: (leaf: Leaf) => describeComparison(leaf, language, known),
      /** The whole rule as one sentence. */
      sentence: (condition: Condition) => describeCondition(condition, language, known),
    }
  }, [t, language, currency, names, categories])
}
