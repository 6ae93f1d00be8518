import type { Flow } from '@okaeri/contract/scenarios/flow'
import { useCallback, useMemo, useRef, useState } from 'react'
import { begun, changed, type FlowHistory, isOnlyMoved, redone, undone } from './flow-model.ts'

/** The start is no node of the flow; no id of a node looks like this. */
export const START_ID = '@start'
/** What is selected: ids of nodes, or the start. */
export type Selection = ReadonlySet<string>

const nothing: Selection = new Set()

/** A flow while it is edited: its history, what is selected, and whether it differs from what is saved. */
export function useFlowEditing(initial: Flow) {
  const [history, setHistory] = useState<FlowHistory>(() => begun(initial))
  const [saved, setSaved] = useState(initial)
  const [selected, setSelected] = useState<Selection>(nothing)
  const { flow } = history
  const told = useRef(flow)
  if (!isOnlyMoved(told.current, flow)) told.current = flow

  const latest = useRef(history)
  latest.current = history
  const put = useCallback((next: FlowHistory) => {
    latest.current = next
    setHistory(next)
  }, [])

  /** `typing`: quick changes of one kind are one step back. */
  const change = useCallback(
    (next: Flow, typing?: string) => {
      put(changed(latest.current, next, typing === undefined ? undefined : { kind: typing, at: performance.now() }))
    },
    [put],
  )
  const undo = useCallback(() => put(undone(latest.current)), [put])
  const redo = useCallback(() => put(redone(latest.current)), [put])
  /** What others saved, in place of all this. */
  const restart = useCallback(
    (next: Flow) => {
      put(begun(next))
      setSaved(next)
    },
    [put],
  )
  const select = useCallback((ids: Iterable<string>) => setSelected(new Set(ids)), [])

  const dirty = useMemo(() => flow !== saved && JSON.stringify(flow) !== JSON.stringify(saved), [flow, saved])
  // A step back may take away what is selected.
  const present = useMemo(() => {
    const kept = [...selected].filter((id) => id === START_ID || flow.nodes.some((node) => node.id === id))
    return kept.length === selected.size ? selected : new Set(kept)
  }, [selected, flow])

  return {
    flow,
    /** What it says: the same object while steps are only moved, of which nothing is read out or checked. */
    told: told.current,
    /** As it is now, also between two renderings. */
    now: useCallback(() => latest.current.flow, []),
    change,
    undo,
    redo,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    saved,
    markSaved: setSaved,
    restart,
    dirty,
    selected: present,
    select,
  }
}
export type FlowEditing = ReturnType<typeof useFlowEditing>
