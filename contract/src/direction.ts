/** Arabic, Hebrew etc., and direction marks. */
const OTHER_DIRECTION =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u200f\u061c\u202a-\u202e\u2066-\u2069]|[\u{10800}-\u{10fff}]|[\u{1e800}-\u{1efff}]/u
const TURNS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g

/** Text a person typed, to stand in a sentence: if it is right-to-left, or has direction marks, the sentence keeps its direction. */
export const isolated = (text: string): string =>
  OTHER_DIRECTION.test(text) ? `\u2068${text.replace(TURNS, '')}\u2069` : text
