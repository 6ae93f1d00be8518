import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { useCallback, useMemo, useRef, useState } from 'react'
import { isOnlyMoved } from './model/flow-edits.ts'
import { begun, changed, type FlowHistory, redone, undone } from './model/undo-history.ts'

/** The start is not a node of the flow; no node id looks like this. */
export const START_ID = '@start'
/** The selected node ids, or the start. */
export type Selection = ReadonlySet<string>

const nothing: Selection = new Set()

/** A flow while it is edited: its history, the selection, and whether it differs from the saved one. */
export function useFlowEditing(initial: Flow) {
  const [history, setHistory] = useState<FlowHistory>(() => begun(initial))
  const [saved, setSaved] = useState(initial)
  const [selected, setSelected] = useState<Selection>(nothing)
  const { flow } = history
  const described = useRef(flow)
  if (!isOnlyMoved(described.current, flow)) described.current = flow

  const latest = useRef(history)
  latest.current = history
  const put = useCallback((next: FlowHistory) => {
    latest.current = next
    setHistory(next)
  }, [])

  /** `typing`: quick changes of one kind are one undo step. */
  const change = useCallback(
    (next: Flow, typing?: string) => {
      put(changed(latest.current, next, typing === undefined ? undefined : { kind: typing, at: performance.now() }))
    },
    [put],
  )
  const undo = useCallback(() => put(undone(latest.current)), [put])
  const redo = useCallback(() => put(redone(latest.current)), [put])
  /** Replaces everything with what another member saved. */
  const restart = useCallback(
    (next: Flow) => {
      put(begun(next))
      setSaved(next)
    },
    [put],
  )
  const select = useCallback((ids: Iterable<string>) => setSelected(new Set(ids)), [])

  const dirty = useMemo(() => flow !== saved && JSON.stringify(flow) !== JSON.stringify(saved), [flow, saved])
  // An undo may remove what is selected.
  const present = useMemo(() => {
    const kept = [...selected].filter((id) => id === START_ID || flow.nodes.some((node) => node.id === id))
    return kept.length === selected.size ? selected : new Set(kept)
  }, [selected, flow])

  return {
    flow,
    /** The flow in words and for checks: the same object while steps are only moved. */
    described: described.current,
    /** The current flow, also between two renderings. */
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
