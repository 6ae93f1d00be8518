import type { LeafValue, Operator } from '@okaeri/contract/segments/condition'
import type { ConditionField } from '@okaeri/contract/segments/condition-fields'
import type { ComponentType } from 'react'
import type { editorWords, grammar } from '../editor/editor-words.ts'
import type { ValueProps } from '../editor/value-parts.tsx'

/** The editor's part of one field type. */
export interface EditedType {
  /** The inputs of the value within the row's sentence. Not shown for operators without a value. */
  Value: ComponentType<ValueProps>
  /** The initial value of an input: empty, or the most common choice. Null by default. */
  empty?: (operator: Operator) => LeafValue
  /** The value is a sentence with time, objects and number, and the operator is inside it. */
  isSentence?: boolean
  /** A value for one field of the type may not fit another field. */
  ofOneField?: boolean
  /** The particle after the field, if it is not the operator's. */
  particle?: (field: ConditionField) => keyof (typeof grammar)['particle'] | undefined
  /** Operators with other names than usual. */
  operatorWords?: Partial<Record<Operator, keyof (typeof editorWords)['operator']>>
}
