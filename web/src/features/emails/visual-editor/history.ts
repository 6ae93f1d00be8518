import { useRef, useState } from 'react'

/** Changes of one thing within this time are undone together. */
const TOGETHER_MS = 1_000
const MAX_STEPS = 200

/** Undo and redo for a value that is kept elsewhere. */
export function useHistory<T>(value: T, set: (value: T) => void) {
  const [past, setPast] = useState<readonly T[]>([])
  const [future, setFuture] = useState<readonly T[]>([])
  const last = useRef({ what: '', at: 0 })
  return {
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    /** `what`: of what kind the change is, so that letters typed into one field are one step. */
    change(next: T, what: string) {
      const at = Date.now()
      const isSame = what !== '' && last.current.what === what && at - last.current.at < TOGETHER_MS
      last.current = { what, at }
      if (!isSame) setPast([...past, value].slice(-MAX_STEPS))
      setFuture([])
      set(next)
    },
    undo() {
      const before = past.at(-1)
      if (before === undefined) return
      last.current = { what: '', at: 0 }
      setPast(past.slice(0, -1))
      setFuture([value, ...future])
      set(before)
    },
    redo() {
      const [next, ...rest] = future
      if (next === undefined) return
      last.current = { what: '', at: 0 }
      setPast([...past, value])
      setFuture(rest)
      set(next)
    },
    forget() {
      setPast([])
      setFuture([])
    },
  }
}
