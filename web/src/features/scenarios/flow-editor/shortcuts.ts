import { useEffect, useRef } from 'react'
import type { FlowEditing } from './editing.ts'
import type { StepEdits } from './step-edits.ts'

const isMac = /Mac|iP(hone|ad)/.test(navigator.userAgent)
/** A key with this machine's modifier. */
export const keyName = (key: string): string => (isMac ? `⌘${key}` : `Ctrl+${key}`)

interface Shortcuts {
  editing: FlowEditing
  edits: StepEdits
  readOnly: boolean
  save: () => void
}

/** Keys with Ctrl or ⌘, wherever the focus is on the page. */
export function useShortcuts({ editing, edits, readOnly, save }: Shortcuts): void {
  const shortcuts = useRef<(event: KeyboardEvent) => void>(() => undefined)
  shortcuts.current = (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return
    const key = event.key.toLowerCase()
    if (key === 's') {
      event.preventDefault()
      save()
      return
    }
    // Inputs and dialogs have their own undo and copy.
    const target = event.target instanceof Element ? event.target : null
    if (readOnly || target?.closest('input, textarea, [contenteditable="true"], [role="dialog"]')) return
    if (event.defaultPrevented) return
    const marks = window.getSelection()?.isCollapsed === false
    const act: Record<string, () => void> = {
      z: () => (event.shiftKey ? edits.redo() : edits.undo()),
      y: edits.redo,
      c: edits.copy,
      x: edits.cut,
      v: edits.paste,
      d: () => edits.duplicate(edits.steps),
      a: () => editing.select(editing.flow.nodes.map(({ id }) => id)),
    }
    const wanted = act[key]
    // Selected text is meant to be copied.
    if (!wanted || (marks && (key === 'c' || key === 'x'))) return
    event.preventDefault()
    wanted()
  }
  useEffect(() => {
    const listen = (event: KeyboardEvent) => shortcuts.current(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
