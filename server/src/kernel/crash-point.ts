/**
 * Named points at which a test makes the process die as by `kill -9`, to prove that nothing is lost or done twice. Set by CRASH_AT (`name:n`
 * dies at the nth pass), which works only with NODE_ENV=test in a local sandbox.
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
  // Executions: after the claim; everything written but not committed.
  | 'woken'
  | 'advanced'
  // Some executions were moved to another version, but not committed.
  | 'moved'
  // Waves of restock notices: their people are locked; all is written but not committed; it is; what came of notices is not committed.
  | 'wave_locked'
  | 'wave_notified'
  | 'wave_committed'
  | 'wave_judged'
  // For imports, not for sending: not in the list below.
  | 'import_batch'
  // For the codes of a campaign: the store has answered; what it answered is written but not committed; the codes are.
  | 'codes_answered'
  | 'codes_stored'
  | 'codes_wanted'
  // A batch of a store's copy was stored.
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

/** Dies here if this is the armed point at its armed pass. */
export function crashPoint(point: CrashPoint): void {
  if (armed?.point !== point) return
  armed.passings -= 1
  if (armed.passings === 0) armed.strike()
}

/** As {@link crashPoint}, but after the data just written was sent. */
export function crashPointSoon(point: CrashPoint): void {
  if (armed?.point === point) setImmediate(() => crashPoint(point))
}
