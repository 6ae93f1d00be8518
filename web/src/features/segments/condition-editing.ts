import { type ConditionCategory, type Group, MAX_DEPTH } from '@okaeri/contract/segments/condition'
import { createContext, type KeyboardEvent, type RefObject, use, useLayoutEffect, useRef } from 'react'
import { useWords } from '../../app/i18n.ts'
import type { NamesOf } from './condition-names.ts'
import { depthOf, moved } from './condition-tree.ts'

/** What the parts of one condition editor share. */
export interface Editing {
  root: Group
  categories: readonly ConditionCategory[]
  names: NamesOf
  /** The segment being edited. */
  segmentId: string | null
  /** `typing`: changes of one kind that follow each other are undone together. */
  change: (root: Group, typing?: string) => void
  /** By the path of the contract: `conditions.children.0.value`. */
  errors: Record<string, string>
  full: boolean
  /** Takes the focus once it is there: what was just added (its first input) or moved (its row). */
  focusNext: RefObject<{ id: string; at: 'input' | 'row' } | null>
  /** For people who do not see it: read by a screen reader. */
  say: (news: string) => void
}
export const EditingContext = createContext<Editing | null>(null)
export function useEditing(): Editing {
  const editing = use(EditingContext)
  if (!editing) throw new Error('only inside a ConditionEditor')
  return editing
}

/** Where a part stands. */
export interface PartProps {
  path: string
  /** `2-1`: the first part of the second part; empty for the whole. */
  place: string
}

/** A step up or down, by the menu or by Alt and an arrow. */
export function useMoving(id: string, name: string) {
  const t = useWords('segments')
  const { root, change, focusNext, say } = useEditing()
  const to = (way: 'up' | 'down') => {
    const next = moved(root, id, way)
    // A group that would come to stand too deep stays where it is.
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

/** The ref of what takes the focus when it was asked for by its id. */
export function useFocusWhenAsked<E extends HTMLElement = HTMLFieldSetElement>(id: string, at: 'input' | 'row') {
  const { focusNext } = useEditing()
  const element = useRef<E>(null)
  // Within the commit: effects of a drawing before may still be waiting when it is asked for, and the place it leaves would take it.
  useLayoutEffect(() => {
    if (focusNext.current?.id !== id || focusNext.current.at !== at) return
    focusNext.current = null
    element.current?.focus()
  })
  return element
}
