import type { Locale, Localized } from '../../locale.ts'
import type { ValueErrors } from './value-checks.ts'
import type { Wording } from './wording.ts'

/** The properties of a field that its type needs. */
export interface FieldTraits {
  name: string
  name_ja: string
  name_en: string
  /** For `choice`; for `scenarios`: the end reasons. */
  choices?: readonly { value: string; name_ja: string; name_en: string }[]
  /** Shown after a number (円, 回). */
  unit_ja?: string
  unit_en?: string
  /** For `number`: the smallest value of a condition (0 by default), and the largest. */
  min?: number
  max?: number
  /** For `number`: major units of the merchant's currency (円). */
  money?: boolean
  /** For `number`, `boolean` and `choice`: the value may be missing, so `is_set` and `is_not_set` exist. */
  optional?: boolean
  /** For `boolean`: a permission or a link that was given, or a state, instead of yes and no. */
  says?: 'given' | 'state'
  /** For `date`: calendar days instead of instants, without a zone. */
  whole_days?: boolean
  /** For `things`: it also has an amount. */
  has_amount?: boolean
}

/** The kinds of ids in conditions. */
export type ReferenceKind = 'products' | 'variants' | 'collections' | 'campaigns' | 'scenarios' | 'segments'
/** The ids in a value, and their key after the value's path. */
export interface References {
  kind: ReferenceKind
  ids: readonly unknown[]
  key: string
}

/** Language, names and currency of a sentence. */
export interface Reading {
  say: Wording
  locale: Locale
  /** The title to show; if null or undefined, the id itself is shown. */
  nameOf?: (kind: ReferenceKind, id: string) => string | null | undefined
  /** ISO 4217. */
  currency: string
}
/** A comparison to be put into words. The value may be incomplete or invalid. */
export interface Comparison {
  field: FieldTraits
  /** The field's name within a sentence. */
  called: string
  operator: string
  value: unknown
  reading: Reading
}

/** The contract's part of one field type. */
export interface ConditionType {
  /** The operators in the order they are offered, each with the *shape* of its value (`none`: no value). */
  operators: Readonly<Record<string, string>>
  /** There is always a value, so `is_set` and `is_not_set` exist only for `optional` fields. */
  alwaysThere?: boolean
  /** Checks a value from outside. Not called for operators without a value. */
  check: (value: unknown, field: FieldTraits, operator: string) => ValueErrors
  /** The comparison as part of a sentence; undefined if that is impossible. */
  say: (comparison: Comparison) => string | undefined
  /** Replaces the usual words for `is_set` and `is_not_set`. */
  sayPresence?: (called: string, yes: boolean) => Localized
  /** The ids a value contains. */
  references?: (value: unknown) => References[]
  /** The amounts in a value that are in the merchant's currency, in major units. */
  amounts?: (value: unknown, field: FieldTraits) => readonly unknown[]
}
