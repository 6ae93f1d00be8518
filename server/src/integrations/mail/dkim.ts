import { type KeyObject, sign as signData } from 'node:crypto'
import { promisify } from 'node:util'

/** A key that signs, and where in DNS its public half is. RSA. */
export interface DkimKey {
  domain: string
  selector: string
  key: KeyObject
}

/** Signs mails whose header fields are those given when it was made (RFC 6376, relaxed/relaxed). */
export interface DkimSigner {
  /** The longest that a field made by it is: so much room is left before a mail. */
  readonly room: number
  /**
   * Begins to sign: one RSA operation, a quarter of a millisecond of computing, in a thread of libuv's. `headers`: the signed fields, each as
   * {@link relaxedHeader} makes it, in the order of the names. `bodyHash`: SHA-256 of the body as {@link relaxedBody} makes it, base64.
   * Returns the whole field with its line end.
   */
  sign(headers: readonly string[], bodyHash: string, at: Date): Promise<Buffer>
}

const signAside = promisify<string, Buffer, KeyObject, Buffer>(signData)

const B64_LINE = 72
const NAMES_PER_LINE = 8
/** Digits of a time until the year 9999. */
const TIME_DIGITS = 12
const HASH_CHARACTERS = 44

/** `names` may name a field once more than it is there: then no other of the name can be added on the way (RFC 6376 §8.15). */
export function createDkimSigner({ domain, selector, key }: DkimKey, names: readonly string[]): DkimSigner {
  const before = `v=1; a=rsa-sha256; c=relaxed/relaxed; d=${domain};\r\n s=${selector}; t=`
  const lines: string[] = []
  for (let at = 0; at < names.length; at += NAMES_PER_LINE) lines.push(names.slice(at, at + NAMES_PER_LINE).join(':'))
  const between = `;\r\n h=${lines.join(':\r\n ')};\r\n bh=`
  const field = (time: string, bodyHash: string): string =>
    `DKIM-Signature: ${before}${time}${between}${bodyHash};\r\n b=`
  const signatureCharacters = Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 24) * 4
  const signatureRoom = signatureCharacters + Math.ceil(signatureCharacters / B64_LINE) * 3 + 2
  return {
    room: field('0'.repeat(TIME_DIGITS), '0'.repeat(HASH_CHARACTERS)).length + signatureRoom,
    async sign(headers, bodyHash, at) {
      const unsigned = field(String(Math.floor(at.getTime() / 1000)), bodyHash)
      const data = Buffer.from(`${headers.join('\r\n')}\r\n${relaxedHeader(unsigned)}`, 'latin1')
      const signature = (await signAside('sha256', data, key)).toString('base64')
      return Buffer.from(`${unsigned}${folded(signature)}\r\n`, 'latin1')
    },
  }
}

function folded(base64: string): string {
  let out = base64.slice(0, B64_LINE)
  for (let at = B64_LINE; at < base64.length; at += B64_LINE) out += `\r\n ${base64.slice(at, at + B64_LINE)}`
  return out
}

/** RFC 6376 §3.4.2, without the line end. */
export function relaxedHeader(field: string): string {
  const colon = field.indexOf(':')
  const value = field
    .slice(colon + 1)
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim()
  return `${field.slice(0, colon).trimEnd().toLowerCase()}:${value}`
}

const SPACE = 0x20
const TAB = 0x09
/** RFC 6376 §3.4.4, of whole lines that are not the last of a body. The very same buffer where nothing differs. */
export function relaxedBody(lines: Buffer): Buffer {
  if (!lines.includes(SPACE) && !lines.includes(TAB)) return lines
  const text = lines.toString('latin1')
  const relaxed = text.replace(/[ \t]+(?=\r\n)/g, '').replace(/[ \t]+/g, ' ')
  return relaxed === text ? lines : Buffer.from(relaxed, 'latin1')
}
