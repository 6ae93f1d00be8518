/**
 * Named points at which a test makes the process die as by `kill -9`, to prove that nothing is lost or done twice wherever it dies.
 * Set by CRASH_AT (`name:n` dies at the nth passing), which only NODE_ENV=test in a local sandbox honours.
 */
export type CrashPoint =
  | 'claimed'
  | 'cleared'
  | 'before_leaving'
  | 'leaving'
  | 'body_sent'
  | 'answered'
  | 'stored'
  | 'ending'
  | 'members_page'
  // Of executions: claimed; everything written and not committed.
  | 'woken'
  | 'advanced'
  // Some were moved to another version of their scenario, which is not committed.
  | 'moved'
  // Of imports, not of sending: not in the list below.
  | 'import_batch'
  // A batch of a copy of a store was stored.
  | `copied_${string}`
export const crashPoints: readonly CrashPoint[] = [
  'claimed',
  'cleared',
  'before_leaving',
  'leaving',
  'body_sent',
  'answered',
  'stored',
  'ending',
  'members_page',
]

const die = (): void => void process.kill(process.pid, 'SIGKILL')
let armed: { point: string; passings: number; strike: () => void } | null = null

/** `leaving:25`. A test in its own process gives a `strike` of its own. */
export function armCrashPoint(text: string, strike: () => void = die): void {
  const [point, passings] = text.split(':')
  armed = { point: point ?? '', passings: Number(passings ?? 1), strike }
}

/** Dies here if this is the armed point, passed for the armed time; otherwise nothing. */
export function crashPoint(point: CrashPoint): void {
  if (armed?.point !== point) return
  armed.passings -= 1
  if (armed.passings === 0) armed.strike()
}

/** As {@link crashPoint}, when what has just been written is on its way. */
export function crashPointSoon(point: CrashPoint): void {
  if (armed?.point === point) setImmediate(() => crashPoint(point))
}
