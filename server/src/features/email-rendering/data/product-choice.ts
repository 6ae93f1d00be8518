import {
  MAX_CHOSEN,
  MAX_EXCLUDED,
  otherwises,
  type ProductChoice,
  productRules,
  type StoreRule,
  storeRules,
} from '@okaeri/contract/emails/product-rule'
import { liquidSpans } from '../checks/liquid-spans.ts'

const CHOOSING = /^\{%-?\s*products_by\s([^%]*?)-?%\}$/
const RULE = /^\s*(["'])(\w{1,40})\1/
const OPTION = /\s*,\s*(\w{1,40}):\s*(?:"([^"]*)"|'([^']*)'|(\d{1,3}))/y
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Different ones in one mail. What is beyond is found before sending, and shows what stands after `else`. */
export const MAX_CHOICES = 10

/** Products chosen by a rule, as a tag says it. */
export interface ParsedChoice extends ProductChoice {
  /** The same for tags that choose the same. */
  key: string
  /** Each recipient has their own. */
  isPersonal: boolean
}

/** Null where it cannot be read. */
export function choiceOf(args: string): ParsedChoice | null {
  const [begin, , rule] = RULE.exec(args) ?? []
  const known = productRules.find((one) => one === rule)
  if (begin === undefined || !known) return null
  const choice = { rule: known, count: 3, otherwise: 'nothing', leavesOutBought: false, excludedIds: [] } as {
    -readonly [K in keyof ProductChoice]: ProductChoice[K]
  }
  let at = begin.length
  while (at < args.length) {
    OPTION.lastIndex = at
    const option = OPTION.exec(args)
    if (!option) break
    const [all, name, double, single, number] = option
    const text = double ?? single
    at += all.length
    if (name === 'count' && number !== undefined) choice.count = Number(number)
    else if (name === 'otherwise') {
      const otherwise = otherwises.find((one) => one === text)
      if (!otherwise) return null
      choice.otherwise = otherwise
    } else if (name === 'bought' && text === 'left_out') choice.leavesOutBought = true
    else if (name === 'without' && text !== undefined)
      choice.excludedIds = text
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean)
    else return null
  }
  if (args.slice(at).trim() !== '') return null
  const { count, excludedIds, otherwise, leavesOutBought } = choice
  if (count < 1 || count > MAX_CHOSEN || excludedIds.length > MAX_EXCLUDED) return null
  if (!excludedIds.every((id) => ID.test(id))) return null
  return {
    ...choice,
    key: [rule, count, otherwise, leavesOutBought, ...excludedIds].join(' '),
    isPersonal: leavesOutBought || !isStoreRule(known),
  }
}

export const isStoreRule = (rule: string): rule is StoreRule => storeRules.some((one) => one === rule)

export interface ChosenBlock {
  tag: string
  start: number
  /** Null: it cannot be read. The template is broken by it, and says so. */
  chosen: ParsedChoice | null
}

export function choicesIn(source: string): ChosenBlock[] {
  if (!source.includes('products_by')) return []
  return liquidSpans(source).flatMap(({ start, end }) => {
    const tag = source.slice(start, end)
    const [, args] = CHOOSING.exec(tag) ?? []
    return args === undefined ? [] : [{ tag, start, chosen: choiceOf(args) }]
  })
}

/** What is chosen in these templates, each once. */
export function choicesOf(templates: readonly string[]): ParsedChoice[] {
  const byKey = new Map(
    templates.flatMap(choicesIn).flatMap(({ chosen }) => (chosen ? [[chosen.key, chosen] as const] : [])),
  )
  return [...byKey.values()].slice(0, MAX_CHOICES)
}
