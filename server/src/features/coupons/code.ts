import { randomInt } from 'node:crypto'
import type { Keyring } from '../../kernel/keyring.ts'

/** Codes are read aloud and typed from paper, so no characters that look alike (B 8, S 5, Z 2, I L 1, O Q 0, U V). */
const LETTERS = 'ACDEFGHJKMNPRTUWXY34679'
/** 23^10: with a million codes in use, one guess in forty million hits one. */
const LENGTH = 10

/** A new code: the prefix, then letters that cannot be guessed. */
export const newCode = (prefix: string): string =>
  prefix + Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** The customer and the terms a code stands for. */
export interface CodeOwner {
  merchantId: string
  campaignId: string
  customerId: string
  /** Names terms and last day: with others it is another code. */
  discountKey: string
  /** Counts up where the code is taken already. */
  attempt: number
}
const MAC_BYTES = 16

/**
 * The code of one recipient of a campaign. It follows from whose it is and our key, so a database put back to an older state makes the same one
 * again, and the store knows it already.
 */
export function codeFor(keyring: Pick<Keyring, 'linkMac'>, prefix: string, owner: CodeOwner): string {
  const { merchantId, campaignId, customerId, discountKey, attempt } = owner
  const said = ['campaign coupon', merchantId, campaignId, customerId, discountKey, String(attempt)].join('\0')
  let rest = BigInt(`0x${keyring.linkMac(Buffer.from(said), MAC_BYTES)}`)
  const base = BigInt(LETTERS.length)
  let letters = ''
  for (let at = 0; at < LENGTH; at += 1) {
    letters += LETTERS[Number(rest % base)]
    rest /= base
  }
  return prefix + letters
}

/** Stands in tests and previews. No code has a hyphen. */
export const sampleCode = (prefix: string): string => `${prefix}-SAMPLE`
