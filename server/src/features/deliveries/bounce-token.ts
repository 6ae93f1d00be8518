import type { Keyring } from '../../kernel/keyring.ts'
import type { LinkToken } from './link-token.ts'

const UUID_BYTES = 16
/** 48 bits: a wrong one is told at once, and trying them all would take thousands of years of connections. */
const MAC_BYTES = 6
const BYTES = UUID_BYTES * 2 + MAC_BYTES
/** What is signed is said to be for this, so that it tells nothing of a link's signature. */
const PURPOSE = Buffer.from('bounce')
/** RFC 4648 base32 in lower case: mail servers change letter case. */
const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567'
const BITS = 5
/** With `b+` before it a local part, which holds 64 characters (RFC 5321). */
export const BOUNCE_TOKEN_LENGTH = Math.ceil((BYTES * 8) / BITS)

/** Names a delivery in the return path and in the Message-ID of its mail, signed. The same at every try. */
export function makeBounceToken(keyring: Keyring, { merchantId, deliveryId }: LinkToken): string {
  const bytes = Buffer.allocUnsafe(PURPOSE.length + BYTES)
  PURPOSE.copy(bytes)
  const [first, second] = [PURPOSE.length, PURPOSE.length + UUID_BYTES]
  const end = second + UUID_BYTES
  bytes.write(merchantId.replaceAll('-', ''), first, 'hex')
  bytes.write(deliveryId.replaceAll('-', ''), second, 'hex')
  bytes.write(keyring.linkMac(bytes.subarray(0, end), MAC_BYTES), end, 'hex')
  return toBase32(bytes.subarray(first))
}

/** Null when it was not made by us. Letter case does not matter. */
export function readBounceToken(keyring: Keyring, token: string): LinkToken | null {
  if (token.length !== BOUNCE_TOKEN_LENGTH) return null
  const bytes = fromBase32(token.toLowerCase())
  if (!bytes) return null
  const ids = bytes.subarray(0, UUID_BYTES * 2)
  if (!keyring.linkMacMatches(Buffer.concat([PURPOSE, ids]), bytes.subarray(UUID_BYTES * 2))) return null
  const hex = ids.toString('hex')
  return { merchantId: uuid(hex.slice(0, UUID_BYTES * 2)), deliveryId: uuid(hex.slice(UUID_BYTES * 2)) }
}

function toBase32(bytes: Buffer): string {
  let [text, value, bits] = ['', 0, 0]
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff
    bits += 8
    for (; bits >= BITS; bits -= BITS) text += DIGITS[(value >> (bits - BITS)) & 31]
  }
  return bits > 0 ? text + DIGITS[(value << (BITS - bits)) & 31] : text
}

function fromBase32(text: string): Buffer | null {
  const bytes = Buffer.alloc(BYTES)
  let [value, bits, at] = [0, 0, 0]
  for (const character of text) {
    const digit = DIGITS.indexOf(character)
    if (digit === -1) return null
    value = ((value << BITS) | digit) & 0xfff
    bits += BITS
    if (bits >= 8) {
      bytes[at] = (value >> (bits - 8)) & 0xff
      bits -= 8
      at += 1
    }
  }
  return at === BYTES ? bytes : null
}

const uuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
