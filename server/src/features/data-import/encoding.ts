import type { ImportEncoding } from '@okaeri/contract/imports/import'

export const BOM = Buffer.from([0xef, 0xbb, 0xbf])
export const startsWithBom = (bytes: Buffer): boolean => bytes.subarray(0, 3).equals(BOM)

const isGood = (bytes: Buffer, encoding: 'utf-8' | 'shift_jis'): boolean => {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/**
 * The encoding that decodes most lines of a text that is not pure ASCII. Text is hardly ever valid UTF-8 by accident, but often valid
 * Shift_JIS (CP932, as WHATWG defines it). Line breaks and quotes are the same bytes in both.
 */
export function guessEncoding(bytes: Buffer): ImportEncoding {
  if (startsWithBom(bytes)) return 'utf-8-bom'
  const lines = linesOf(bytes).filter((line) => line.some((byte) => byte >= 0x80))
  if (lines.length === 0) return 'utf-8'
  const utf8 = lines.filter((line) => isGood(line, 'utf-8')).length
  if (utf8 * 2 >= lines.length) return 'utf-8'
  const shiftJis = lines.filter((line) => isGood(line, 'shift_jis')).length
  return shiftJis > utf8 ? 'shift_jis' : 'utf-8'
}

const MAX_LINES = 2000
function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let from = 0; from < bytes.length && lines.length < MAX_LINES; ) {
    const end = bytes.subarray(from).findIndex((byte) => byte === 0x0a || byte === 0x0d)
    // The last line may be cut in the middle of a character. It is used only if there is no other.
    if (end === -1) return lines.length === 0 ? [withoutCutCharacter(bytes.subarray(from))] : lines
    if (end > 0) lines.push(bytes.subarray(from, from + end))
    from += end + 1
  }
  return lines
}

/** Removes an incomplete UTF-8 character at the end. */
function withoutCutCharacter(bytes: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back)
    if (byte < 0x80) break
  }
  return bytes
}

const shiftJis = new TextDecoder('shift_jis', { fatal: true })
const lenient = { 'utf-8': new TextDecoder('utf-8'), shift_jis: new TextDecoder('shift_jis') }
/** Occurs in no text file, and is no second byte of Shift_JIS. */
const BETWEEN = '\x1e'

/** Decodes cells that have one character per byte. Null if the bytes are invalid. */
export function decodeShiftJis(cells: readonly string[]): string[] | null {
  if (!cells.some((cell) => /[\x80-\xff]/.test(cell))) return [...cells]
  try {
    const decoded = shiftJis.decode(Buffer.from(cells.join(BETWEEN), 'latin1')).split(BETWEEN)
    return decoded.length === cells.length ? decoded : null
  } catch {
    return null
  }
}

/** The same with invalid bytes replaced, for display. */
export const showShiftJis = (cells: readonly string[]): string[] =>
  cells.map((cell) => lenient.shift_jis.decode(Buffer.from(cell, 'latin1')))

export const showBytes = (bytes: Buffer, encoding: ImportEncoding): string =>
  lenient[encoding === 'shift_jis' ? 'shift_jis' : 'utf-8'].decode(bytes)
