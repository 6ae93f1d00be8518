import { useEffect, useRef, useState } from 'react'

/** Changes of one kind closer together than this are one step back. */
const ONE_STEP_MS = 1200
const MAX_STEPS = 100

/** Undo and redo for a value that is stored elsewhere. A change from elsewhere begins a new history. */
export function useHistory<T>(value: T, onChange: (value: T) => void) {
  const [steps, setSteps] = useState<{ past: T[]; future: T[] }>({ past: [], future: [] })
  /** The last value of this history; any other came from elsewhere. Compared as text, because forms copy their values. */
  const mine = useRef<string | null>(null)
  const last = useRef<{ kind: string | undefined; at: number }>({ kind: undefined, at: 0 })

  useEffect(() => {
    const text = JSON.stringify(value)
    if (mine.current === text) return
    mine.current = text
    setSteps({ past: [], future: [] })
  }, [value])

  const put = (next: T) => {
    mine.current = JSON.stringify(next)
    onChange(next)
  }
  return {
    /** `kind`: quick changes of the same kind, such as typing in one field, are undone together. */
    change: (next: T, kind?: string) => {
      const at = performance.now()
      const continues = kind !== undefined && last.current.kind === kind && at - last.current.at < ONE_STEP_MS
      last.current = { kind, at }
      setSteps(({ past }) => ({ past: continues ? past : [...past, value].slice(-MAX_STEPS), future: [] }))
      put(next)
    },
    undo: () => {
      const before = steps.past.at(-1)
      if (before === undefined) return
      last.current = { kind: undefined, at: 0 }
      setSteps(({ past, future }) => ({ past: past.slice(0, -1), future: [...future, value] }))
      put(before)
    },
    redo: () => {
      const after = steps.future.at(-1)
      if (after === undefined) return
      last.current = { kind: undefined, at: 0 }
      setSteps(({ past, future }) => ({ past: [...past, value], future: future.slice(0, -1) }))
      put(after)
    },
    canUndo: steps.past.length > 0,
    canRedo: steps.future.length > 0,
  }
}
