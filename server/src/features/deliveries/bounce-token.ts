import { timingSafeEqual } from 'node:crypto'
import type { Keyring } from '../../kernel/keyring.ts'
import { LINK_MAC_BYTES, type LinkToken } from './link-token.ts'

const UUID_BYTES = 16
/** 48 bits: a wrong one is recognized at once, and trying them all would take thousands of years of connections. */
const MAC_BYTES = 6
const BYTES = UUID_BYTES * 2 + MAC_BYTES
/** Links carry the first bytes of the HMAC and return paths these, so that neither reveals the other. */
const MAC_FROM = 20
/** RFC 4648 base32 in lower case: mail servers change letter case. */
const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567'
const BITS = 5
/** With `b+` before it a local part, which holds 64 characters (RFC 5321). */
export const BOUNCE_TOKEN_LENGTH = Math.ceil((BYTES * 8) / BITS)

/**
 * What names a delivery in its mail, each signed and the same at every try: `token` in the links (link-token.ts), `bounceToken` in the return
 * path and the Message-ID. Of one HMAC, which costs more than all the rest.
 */
export function makeTokens(
  keyring: Keyring,
  { merchantId, deliveryId }: LinkToken,
): { token: string; bounceToken: string } {
  const bytes = Buffer.allocUnsafe(UUID_BYTES * 2 + LINK_MAC_BYTES)
  const ids = idsOf(bytes, { merchantId, deliveryId })
  const mac = keyring.linkMac(ids, MAC_FROM + MAC_BYTES)
  bytes.write(mac.slice(0, LINK_MAC_BYTES * 2), ids.length, 'hex')
  const token = bytes.toString('base64url')
  bytes.write(mac.slice(MAC_FROM * 2), ids.length, 'hex')
  return { token, bounceToken: toBase32(bytes.subarray(0, BYTES)) }
}

function idsOf(bytes: Buffer, { merchantId, deliveryId }: LinkToken): Buffer {
  bytes.write(merchantId.replaceAll('-', ''), 0, 'hex')
  bytes.write(deliveryId.replaceAll('-', ''), UUID_BYTES, 'hex')
  return bytes.subarray(0, UUID_BYTES * 2)
}

/** Null when it was not made by us. Letter case does not matter. */
export function readBounceToken(keyring: Keyring, token: string): LinkToken | null {
  if (token.length !== BOUNCE_TOKEN_LENGTH) return null
  const bytes = fromBase32(token.toLowerCase())
  if (!bytes) return null
  const ids = bytes.subarray(0, UUID_BYTES * 2)
  const right = Buffer.from(keyring.linkMac(ids, MAC_FROM + MAC_BYTES).slice(MAC_FROM * 2), 'hex')
  if (!timingSafeEqual(right, bytes.subarray(UUID_BYTES * 2))) return null
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
