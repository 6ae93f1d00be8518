import { hash, verify } from '@node-rs/argon2'
import { AppError } from '../../kernel/errors.ts'

// OWASP Password Storage Cheat Sheet: argon2id (the library's default), 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** A flood of sign-ins takes at most this much of the machine … */
const AT_ONCE = 2
/** … and this many wait; more are turned away. */
const MAX_WAITING = 64

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MAX_WAITING) throw new AppError('unavailable', 'unavailable', 'too many sign-ins at once')
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running += 1
  try {
    return await work()
  } finally {
    // The turn is passed on without being given back, so no other caller gets in between.
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/** The same letters typed on another keyboard are the same password (RFC 8265). */
const folded = (password: string): string => password.normalize('NFC')

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(folded(password), COST))

let dummy: Promise<string> | null = null
/** Whether it is the password. Without a stored one the same work is done, so that the time it takes reveals nothing. */
export async function passwordMatches(stored: string | null, given: string): Promise<boolean> {
  if (!stored) dummy ??= hashPassword('nobody has this password')
  const against = stored ?? (await (dummy as Promise<string>))
  const matches = await inTurn(() => verify(against, folded(given)))
  return matches && stored !== null
}
