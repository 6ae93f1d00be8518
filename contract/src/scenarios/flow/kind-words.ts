import type { Localized } from '../../locale.ts'

/** A name, and one line that says what it does. */
export interface KindWords {
  name: Localized
  description: Localized
}
