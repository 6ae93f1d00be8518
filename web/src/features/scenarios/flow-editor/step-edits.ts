import { type Flow, MAX_NODES, nextOf, portsOf } from '@okaeri/contract/scenarios/flow/flow'
import { type NodeKindName, nodeKindNames, nodeRules } from '@okaeri/contract/scenarios/node-kinds/index'
import { useCallback } from 'react'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { toast } from '../../../ui/toast.ts'
import { type FlowEditing, START_ID } from './editing.ts'
import { copied, type Fragment, pasted, type VisibleArea } from './model/clipboard.ts'
import { added, inserted, isFull, newNode, removed } from './model/flow-edits.ts'
import { findNode, type Position, type OutgoingPort, portAfter } from './model/flow-graph.ts'
import { nearestFreePosition } from './model/positions.ts'
import { tidied } from './model/tidy-layout.ts'

/** What was copied, also for another scenario's flow. */
let clipboard: Fragment | null = null

interface EditContext {
  readOnly: boolean
  /** Moves the focus to this node's card. `stay`: without moving the view. */
  focusNode: (id: string, stay?: 'stay') => void
  /** The visible part of the drawing. */
  seen: () => VisibleArea | undefined
  /** For screen readers. */
  say: (news: string) => void
}

/** Actions on steps. Each is one undo step, selects what it made, and announces it. */
export function useStepEdits(editing: FlowEditing, { readOnly, focusNode, seen, say }: EditContext) {
  const t = useWords('flow')
  const language = useLanguage()
  const { flow, selected, change, now, select } = editing

  const put = useCallback(
    (next: Flow, id: string, kind: NodeKindName, stay?: 'stay') => {
      if (isFull(now())) return toast.error(t('full', { max: MAX_NODES }))
      change(next)
      select([id])
      focusNode(id, stay)
      say(t('inserted', { title: nodeRules(kind).words.name[language] }))
    },
    [now, change, select, focusNode, say, t, language],
  )
  const insertOn = useCallback(
    (kind: NodeKindName, way: OutgoingPort, stay?: 'stay') => {
      const node = newNode(kind)
      put(inserted(now(), way, node), node.id, kind, stay)
    },
    [put, now],
  )
  /** After the selection; next to it if nothing can follow. */
  const insertAfterSelected = (kind: NodeKindName) => {
    const [only] = selected
    const at = selected.size === 1 && only !== undefined && only !== START_ID ? only : null
    const way = portAfter(flow, at ?? lastOf(flow))
    if (way) return insertOn(kind, way)
    const from = findNode(flow, at)?.position ?? { x: 0, y: 0 }
    const node = newNode(kind, nearestFreePosition(flow, from))
    put(added(now(), node), node.id, kind)
  }
  const drop = (name: string, way: OutgoingPort | null, at: Position) => {
    const kind = nodeKindNames.find((each) => each === name)
    if (!kind || readOnly) return
    if (way) return insertOn(kind, way, 'stay')
    const node = newNode(kind, { x: Math.round(at.x), y: Math.round(at.y) })
    put(added(now(), node), node.id, kind, 'stay')
  }
  const remove = useCallback(
    (ids: readonly string[]) => {
      const [first] = ids
      const before = now().nodes.find(({ id }) => id === first)
      const next = removed(now(), new Set(ids))
      // The node before it takes the focus: it is the nearest one left.
      const neighbor = now().nodes.find(
        (node) => !ids.includes(node.id) && Object.values(node.next).some((to) => to === before?.id),
      )
      change(next)
      const id = neighbor?.id ?? START_ID
      select([id])
      focusNode(id)
      say(t('deletedSteps', { count: ids.length, n: ids.length }))
    },
    [now, change, select, focusNode, say, t],
  )
  const pasteFragment = useCallback(
    (fragment: Fragment | null) => {
      if (!fragment) return
      const result = pasted(now(), fragment, seen())
      if (!result) return toast.error(t('full', { max: MAX_NODES }))
      change(result.flow)
      select(result.ids)
      const [first] = result.ids
      if (first !== undefined) focusNode(first, 'stay')
      say(t('pasted', { count: result.ids.length, n: result.ids.length }))
    },
    [now, change, select, focusNode, seen, say, t],
  )
  const duplicate = useCallback(
    (ids: readonly string[]) => pasteFragment(copied(now(), new Set(ids))),
    [pasteFragment, now],
  )
  const steps = [...selected].filter((id) => id !== START_ID)
  const copy = () => {
    if (steps.length === 0) return
    clipboard = copied(flow, new Set(steps))
    say(t('copied', { count: steps.length, n: steps.length }))
  }
  const step = (way: 'undo' | 'redo') => {
    if (!editing[way === 'undo' ? 'canUndo' : 'canRedo']) return
    editing[way]()
    say(t(way === 'undo' ? 'undone' : 'redone'))
  }

  return {
    /** The selected nodes of the flow. */
    steps,
    insertOn,
    insertAfterSelected,
    drop,
    remove,
    duplicate,
    copy,
    cut: () => {
      copy()
      if (steps.length > 0) remove(steps)
    },
    paste: () => pasteFragment(clipboard),
    undo: () => step('undo'),
    redo: () => step('redo'),
    /** Arranges the picture. */
    tidy: () => {
      change(tidied(now()))
      say(t('tidied'))
    },
  }
}
export type StepEdits = ReturnType<typeof useStepEdits>

/** The end of the first path: without a selection, new steps are added there. */
function lastOf(flow: Flow): string | null {
  const seen = new Set<string>()
  let at: string | null = null
  for (let next = flow.start; next !== null && !seen.has(next); ) {
    const node = findNode(flow, next)
    const [port] = node ? portsOf(node) : []
    if (!node || port === undefined) break
    seen.add(node.id)
    at = node.id
    next = nextOf(node, port)
  }
  return at
}
