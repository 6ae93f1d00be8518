import type { LeafValue, Operator } from '@okaeri/contract/segments/condition'
import type { ComponentType } from 'react'
import type { editorWords, grammar } from '../editor-words.ts'
import type { ValueProps } from '../value-parts.tsx'

/** All that the editor knows about the conditions of one field type. */
export interface EditedType {
  /** The inputs of the value within the sentence of the row. Not shown where an operator has no value. */
  Value: ComponentType<ValueProps>
  /** An input that still waits for its value: nothing is chosen yet, or what most people mean. Null where nothing is said. */
  empty?: (operator: Operator) => LeafValue
  /** The value says when, of what and how many: the comparison stands somewhere within it. */
  isSentence?: boolean
  /** What is said of one field of the type may not fit another. */
  ofOneField?: boolean
  /** The little word behind the field, where it is not the operator's. */
  particle?: (fieldName: string) => keyof (typeof grammar)['particle'] | undefined
  /** Operators that are called otherwise than usual. */
  operatorWords?: Partial<Record<Operator, keyof (typeof editorWords)['operator']>>
}
