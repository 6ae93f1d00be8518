import type { SandboxClock } from './clock.ts'

/** A timer takes no more. */
const longestTimerMs = 2 ** 31 - 1

export interface DueSender {
  wake: () => void
  /** Sends all there is, what failed before without its pause; returns whether there was any. */
  settle: () => Promise<boolean>
  close: () => Promise<void>
}

/** Picks what is due in the database, keeps a few sends in flight, of each `key` one, and sleeps till the next is due. */
export function startDueSender<Due>(
  clock: SandboxClock,
  {
    atOnce,
    listDue,
    keyOf,
    findNextMs,
    makeAllDue,
    send,
  }: {
    atOnce: number
    listDue: (nowMs: number) => readonly Due[]
    keyOf: (due: Due) => number
    findNextMs: (nowMs: number) => number | null
    makeAllDue: () => void
    /** Stopping the sandbox is no failed try: what was cut off by `closing` stays due and is sent after the next start. */
    send: (due: Due, closing: AbortSignal) => Promise<void>
  },
): DueSender {
  const inFlight = new Map<number, Promise<void>>()
  const closing = new AbortController()
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    clearTimeout(timer)
    if (closing.signal.aborted) return
    const nowMs = clock.now().getTime()
    for (const due of listDue(nowMs)) {
      const key = keyOf(due)
      if (inFlight.size >= atOnce) return
      if (inFlight.has(key)) continue
      const done = send(due, closing.signal).finally(() => {
        inFlight.delete(key)
        look()
      })
      inFlight.set(key, done)
    }
    const next = findNextMs(nowMs)
    if (next !== null) timer = setTimeout(look, Math.min(longestTimerMs, Math.max(1, next - nowMs)))
  }

  clock.onMove(look)
  let isWoken = false
  // Woken after the transaction that wrote what is due, not inside it; once, however much that is.
  const wake = () => {
    if (isWoken) return
    isWoken = true
    setImmediate(() => {
      isWoken = false
      look()
    })
  }
  wake()
  return {
    wake,
    async settle() {
      for (let sent = false; ; sent = true) {
        makeAllDue()
        look()
        if (inFlight.size === 0) return sent
        await Promise.all(inFlight.values())
      }
    },
    async close() {
      closing.abort()
      clearTimeout(timer)
      await Promise.all(inFlight.values())
    },
  }
}
