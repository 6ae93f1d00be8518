import { setTimeout as sleep } from 'node:timers/promises'

// How fast one server is handed mails that says "more in a second than you may". Each process learns it; together they come to what the server
// takes, as senders on one line do: a third less at each such answer, a quarter more after some quiet seconds.

export interface SendingRate {
  perSecond: number
  /** When the next mail may go. */
  nextAt: number
  changedAt: number
}

/** Answers to what was under way at once are one answer. */
const ONE_ANSWER_MS = 1_000
const FASTER_AFTER_MS = 5_000
const SLOWER = 2 / 3
const FASTER = 1.25
/** Faster than this nothing is held back. */
const UNLIMITED_PER_SECOND = 2_000

/** After an answer that it was too much. `lately`: mails that it took in the last second. */
export function slowerRate(known: SendingRate | null, lately: number, now: number): SendingRate {
  if (known && now - known.changedAt < ONE_ANSWER_MS && now >= known.changedAt) return known
  const perSecond = Math.max(1, Math.floor((known?.perSecond ?? Math.max(lately, 1)) * SLOWER))
  // What was sent within this second counts until it is over.
  return { perSecond, nextAt: now + ONE_ANSWER_MS, changedAt: now }
}

/** A mail wants to go: when it may, and what is known then. Null: at once, and nothing is held back any more. */
export function turnOf(known: SendingRate, now: number): { at: number; rate: SendingRate } | null {
  const isQuiet = now - known.changedAt >= FASTER_AFTER_MS
  const perSecond = isQuiet ? Math.ceil(known.perSecond * FASTER) : known.perSecond
  if (perSecond > UNLIMITED_PER_SECOND) return null
  const at = Math.max(now, known.nextAt)
  return { at, rate: { perSecond, nextAt: at + 1_000 / perSecond, changedAt: isQuiet ? now : known.changedAt } }
}

/** For one mailer in this process. */
export interface RateKeeper {
  /** Resolves when the next mail may go; at once where nothing is held back. */
  turn(): Promise<void>
  accepted(): void
  slowed(): void
}
export function createRateKeeper(): RateKeeper {
  let rate: SendingRate | null = null
  /** Mails taken within this second, and in the one before. */
  let [second, count, before] = [0, 0, 0]
  const roll = (now: number): void => {
    const current = Math.floor(now / 1_000)
    if (current === second) return
    before = current === second + 1 ? count : 0
    second = current
    count = 0
  }
  return {
    async turn() {
      if (!rate) return
      const now = performance.now()
      const next = turnOf(rate, now)
      rate = next?.rate ?? null
      // The process may end meanwhile; the claim is given back then.
      if (next && next.at > now) await sleep(next.at - now, undefined, { ref: false })
    },
    accepted() {
      roll(performance.now())
      count += 1
    },
    slowed() {
      const now = performance.now()
      roll(now)
      rate = slowerRate(rate, Math.max(count, before), now)
    },
  }
}
