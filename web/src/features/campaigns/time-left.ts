import { useEffect, useRef, useState } from 'react'

interface Sample {
  at: number
  done: number
}
/** Older progress says little about the speed now. */
const WINDOW_MS = 30_000
const MIN_SPAN_MS = 3000

/** Seconds for the rest at the speed of these samples; null while the speed is not known. */
export function secondsLeft(samples: readonly Sample[], rest: number): number | null {
  const first = samples[0]
  const last = samples.at(-1)
  if (!first || !last || last.at - first.at < MIN_SPAN_MS || last.done <= first.done) return null
  return (rest * (last.at - first.at)) / (last.done - first.done) / 1000
}

/** How long the rest will take, judged by the last half minute; starts again after a reload. */
export function useSecondsLeft(done: number, total: number, active: boolean): number | null {
  const samples = useRef<Sample[]>([])
  const [left, setLeft] = useState<number | null>(null)
  useEffect(() => {
    if (!active) {
      samples.current = []
      setLeft(null)
      return
    }
    const at = Date.now()
    samples.current = [...samples.current.filter((sample) => at - sample.at <= WINDOW_MS), { at, done }]
    setLeft(secondsLeft(samples.current, total - done))
  }, [done, total, active])
  return left
}
