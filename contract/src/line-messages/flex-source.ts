import { FlexContents } from './flex.ts'
import { lineLimits } from './limits.ts'
import type { FieldReason } from '../errors.ts'

export interface FlexProblem {
  reason: FieldReason
  /** Where in the JSON: `['body', 'contents', 0, 'text']`; null where it cannot be read at all. */
  path: readonly (string | number)[] | null
}
export type FlexJson = Readonly<Record<string, unknown>>

/** For one source; more would not help. */
const MAX_PROBLEMS = 20

/**
 * Flex as a merchant typed it, or what is wrong with it by LINE's rules. A place with tags is looked at when it is filled in: here its
 * problems do not count.
 */
export function readFlex(source: string): { contents: FlexJson } | { problems: FlexProblem[] } {
  let contents: unknown
  try {
    contents = JSON.parse(source)
  } catch {
    return { problems: [{ reason: 'not_json', path: null }] }
  }
  if (typeof contents !== 'object' || contents === null || Array.isArray(contents))
    return { problems: [{ reason: 'not_an_object', path: [] }] }
  if (isDeeperThan(contents, lineLimits.flex.depth)) return { problems: [{ reason: 'flex_too_deep', path: [] }] }
  // Before it is looked into: a hundred thousand small mistakes take their time.
  if (JSON.stringify(contents).length > lineLimits.flex.carouselBytes)
    return { problems: [{ reason: 'too_large', path: [] }] }
  const checked = FlexContents.safeParse(contents)
  if (checked.success) return { contents: contents as FlexJson }
  const problems = problemsOf(checked.error.issues, contents).filter((problem) => !isFilledIn(contents, problem))
  return problems.length === 0 ? { contents: contents as FlexJson } : { problems: problems.slice(0, MAX_PROBLEMS) }
}

/** Without recursion: what is nested a hundred thousand deep is read as well. */
function isDeeperThan(value: object, most: number): boolean {
  let level: object[] = [value]
  // Boxes are an object and a list each.
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most * 2) return true
    level = level.flatMap((one) =>
      Object.values(one).filter((each): each is object => typeof each === 'object' && !!each),
    )
  }
  return false
}

interface Issue {
  code: string
  path: readonly PropertyKey[]
  message: string
  keys?: readonly string[]
}
const problemsOf = (issues: readonly Issue[], contents: unknown): FlexProblem[] =>
  issues.flatMap(({ code, path, message, keys = [] }): FlexProblem[] => {
    const place = path as (string | number)[]
    if (code === 'unrecognized_keys') return keys.map((key) => ({ reason: 'unknown_field', path: [...place, key] }))
    return [{ reason: valueAt(contents, place) === undefined ? 'required' : (message as FieldReason), path: place }]
  })

export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let at: unknown = value
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<string | number, unknown>)[key]
  }
  return at
}

const isFilledIn = (contents: unknown, { path }: FlexProblem): boolean => {
  const value = path && valueAt(contents, path)
  return typeof value === 'string' && /\{\{|\{%/.test(value)
}

/** By field, of all that is Flex among the messages: which place in the JSON it is, {@link readFlex} says. */
export function wrongFlexOf(messages: readonly { type: string; json?: string }[]): Record<string, FieldReason> {
  const fields: Record<string, FieldReason> = {}
  for (const [at, { type, json }] of messages.entries()) {
    if (type !== 'flex' || json === undefined) continue
    const read = readFlex(json)
    if ('problems' in read) fields[`messages.${at}.json`] = asFlexReason(read.problems[0]?.reason ?? 'flex_invalid')
  }
  return fields
}
/** What a problem within the JSON is for the field as a whole. */
export const asFlexReason = (reason: FieldReason): FieldReason =>
  ['not_json', 'too_large', 'flex_too_deep'].includes(reason) ? reason : 'flex_invalid'
