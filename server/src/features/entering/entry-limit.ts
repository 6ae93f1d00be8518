import { ENTRIES_PER_HOUR } from '@okaeri/contract/scenarios/scenario'
import type { EntryLimitState } from '../flows/index.ts'
import type { Candidate } from './entering-rules.ts'

const HOUR_MS = 3_600_000

/** After this many entries within an hour a member is asked, and no one else enters until they answer. */
export class EntryLimit {
  readonly state: EntryLimitState
  isChanged = false
  constructor({ id, entries_hour, entries_in_hour, braked_at }: EntryLimitState, now: Date) {
    const sinceMs = entries_hour === null ? Number.POSITIVE_INFINITY : now.getTime() - entries_hour.getTime()
    const isOver = sinceMs < 0 || sinceMs >= HOUR_MS
    this.state = {
      id,
      entries_hour: isOver ? now : entries_hour,
      entries_in_hour: isOver ? 0 : entries_in_hour,
      braked_at,
    }
    this.#now = now
  }
  readonly #now: Date
  /** A copy, for changes that may be rolled back. */
  copy(): EntryLimit {
    const { state, isChanged } = this
    const copy = new EntryLimit({ ...state }, this.#now)
    Object.assign(copy.state, state)
    copy.isChanged = isChanged
    return copy
  }
  letsIn({ event, isReleased }: Candidate): boolean {
    // A member saw how many these are and let them in, or they ask when they begin.
    if (isReleased || event.kind === 'manual' || event.missed) return true
    if (this.state.braked_at !== null) return false
    this.isChanged = true
    if (this.state.entries_in_hour >= ENTRIES_PER_HOUR) {
      this.state.braked_at = this.#now
      return false
    }
    this.state.entries_in_hour += 1
    return true
  }
}
