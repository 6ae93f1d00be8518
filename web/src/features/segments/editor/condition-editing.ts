import { type ConditionCategory, type Group, MAX_DEPTH } from '@okaeri/contract/segments/condition'
import { createContext, type KeyboardEvent, type RefObject, use, useLayoutEffect, useRef } from 'react'
import { useWords } from '../../../app/i18n.ts'
import type { NamesOf } from './condition-names.ts'
import { depthOf, moved } from './condition-tree.ts'

/** The state shared by the parts of a condition editor. */
export interface Editing {
  root: Group
  categories: readonly ConditionCategory[]
  names: NamesOf
  /** The segment being edited. */
  segmentId: string | null
  /** `typing`: consecutive changes of one kind are undone together. */
  change: (root: Group, typing?: string) => void
  /** By the contract's path: `conditions.children.0.value`. */
  errors: Record<string, string>
  full: boolean
  /** The part that takes the focus after the next rendering: just added (its first input) or moved (its row). */
  focusNext: RefObject<{ id: string; at: 'input' | 'row' } | null>
  /** Announces it to screen readers. */
  say: (news: string) => void
}
export const EditingContext = createContext<Editing | null>(null)
export function useEditing(): Editing {
  const editing = use(EditingContext)
  if (!editing) throw new Error('only inside a ConditionEditor')
  return editing
}

/** The position of a part. */
export interface PartProps {
  path: string
  /** `2-1`: the first part of the second part; empty for the whole condition. */
  place: string
}

/** Moves a part up or down, by the menu or by Alt and an arrow key. */
export function useMoving(id: string, name: string) {
  const t = useWords('segments')
  const { root, change, focusNext, say } = useEditing()
  const to = (way: 'up' | 'down') => {
    const next = moved(root, id, way)
    // A group that would be nested too deep stays where it is.
    if (!next || depthOf(next) > MAX_DEPTH) return
    focusNext.current = { id, at: 'row' }
    change(next)
    say(t(way === 'up' ? 'editor.movedUp' : 'editor.movedDown', { row: name }))
  }
  const keys = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    event.stopPropagation()
    to(event.key === 'ArrowUp' ? 'up' : 'down')
  }
  return { to, keys }
}

/** The ref of the element that takes the focus when its id is requested. */
export function useFocusWhenAsked<E extends HTMLElement = HTMLFieldSetElement>(id: string, at: 'input' | 'row') {
  const { focusNext } = useEditing()
  const element = useRef<E>(null)
  // In a layout effect: passive effects of an earlier rendering may still be waiting, and the old element would take the focus.
  useLayoutEffect(() => {
    if (focusNext.current?.id !== id || focusNext.current.at !== at) return
    focusNext.current = null
    element.current?.focus()
  })
  return element
}
