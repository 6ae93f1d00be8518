import { randomInt } from 'node:crypto'

/** Codes are read aloud and typed from paper, so no characters that look alike (B 8, S 5, Z 2, I L 1, O Q 0, U V). */
const LETTERS = 'ACDEFGHJKMNPRTUWXY34679'
/** 23^10: with a million codes in use, one guess in forty million hits one. */
const LENGTH = 10

/** A new code: the prefix, then letters that cannot be guessed. */
export const newCode = (prefix: string): string =>
  prefix + Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
