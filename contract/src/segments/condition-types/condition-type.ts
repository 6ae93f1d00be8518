import type { Locale, Localized } from '../../locale.ts'
import type { Wrong } from './value-checks.ts'
import type { Wording } from './wording.ts'

/** What a type needs to know of the field that is asked about. */
export interface FieldTraits {
  name: string
  name_ja: string
  name_en: string
  /** For `choice`; for `scenarios`: why they ended. */
  choices?: readonly { value: string; name_ja: string; name_en: string }[]
  /** Shown behind a number (円, 回). */
  unit_ja?: string
  unit_en?: string
  /** For `number`: the smallest value a condition takes, 0 where nothing is said, and the largest. */
  min?: number
  max?: number
  /** For `number`: major units of the merchant's currency (円). */
  money?: boolean
  /** For `number`, `boolean` and `choice`: there may be none, so `is_set` and `is_not_set` can be asked. */
  optional?: boolean
  /** For `date`: holds days of a calendar, not instants, so no zone is looked at. */
  whole_days?: boolean
  /** For `things`: it has an amount that can be asked for too. */
  has_amount?: boolean
}

/** What ids in conditions stand for. */
export type NamedKind = 'products' | 'variants' | 'collections' | 'campaigns' | 'scenarios' | 'segments'
/** Ids that stand in a value, and the key behind the value's path where they stand. */
export interface NamedIds {
  kind: NamedKind
  ids: readonly unknown[]
  key: string
}

/** How a sentence is said. */
export interface Reading {
  say: Wording
  locale: Locale
  /** The title to show; null or undefined where it is not known, then the id itself is shown. */
  nameOf?: (kind: NamedKind, id: string) => string | null | undefined
  /** ISO 4217. */
  currency: string
}
/** One comparison that is read out. The value may be unfinished or not fit. */
export interface Comparison {
  field: FieldTraits
  /** The field's name, as it stands in a sentence. */
  called: string
  operator: string
  value: unknown
  reading: Reading
}

/** All that the contract knows about the conditions of one field type. */
export interface ConditionType {
  /** In the order in which they are offered: the operators, and what the value of each is (its *shape*; `none`: there is none). */
  operators: Readonly<Record<string, string>>
  /** There is always a value, so `is_set` and `is_not_set` can be asked only of fields that are `optional`. */
  alwaysThere?: boolean
  /** What is wrong with a value from outside. Not called for operators without a value. */
  check: (value: unknown, field: FieldTraits, operator: string) => Wrong
  /** The comparison as a part of a sentence; undefined where it cannot be said. */
  say: (comparison: Comparison) => string | undefined
  /** In place of the usual words for `is_set` and `is_not_set`. */
  sayPresence?: (called: string, yes: boolean) => Localized
  /** What a value names. */
  named?: (value: unknown) => NamedIds[]
}
