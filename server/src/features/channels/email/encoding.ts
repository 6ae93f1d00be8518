/**
 * Transfer encodings, made so that the parts of a mail that are the same for everyone are encoded once. A mail is a list of
 * pieces: fixed bytes, and places that differ by recipient. See `composing.ts`.
 */

import { relaxedBody } from '../../../integrations/mail/dkim.ts'

const LINE = 76
const SOFT_BREAK = '=\r\n'
const CRLF = Buffer.from('\r\n')
const HEX = Array.from({ length: 256 }, (_, byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)

/** Line ends as mail requires: CRLF. */
export const toCrlf = (text: string): string => text.replace(/\r\n|\r|\n/g, '\r\n')

/**
 * RFC 2045 quoted-printable of text with CRLF line ends. Lines stay within 76 characters. A dot at the start of a line is
 * encoded, so that nothing needs stuffing.
 */
export function quotedPrintable(text: string): string {
  const bytes = Buffer.from(text, 'utf8')
  let out = ''
  let column = 0
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] as number
    if (byte === 13 && bytes[i + 1] === 10) {
      out += '\r\n'
      column = 0
      i += 1
      continue
    }
    const lineEnds = (bytes[i + 1] === 13 && bytes[i + 2] === 10) || i + 1 === bytes.length
    const space = byte === 32 || byte === 9
    const literal = (byte >= 33 && byte <= 126 && byte !== 61 && !(byte === 46 && column === 0)) || (space && !lineEnds)
    const piece = literal ? String.fromCharCode(byte) : (HEX[byte] as string)
    if (column + piece.length > LINE - 1) {
      out += SOFT_BREAK
      column = 0
      // The first character of the new line may be a dot.
      if (piece === '.') {
        out += '=2E'
        column = 3
        continue
      }
    }
    out += piece
    column += piece.length
  }
  return out
}

const BYTES_PER_LINE = 57
/** RFC 2045 base64 in lines of 76, each ended by CRLF. */
export function base64Lines(bytes: Buffer): Buffer {
  const text = bytes.toString('base64')
  const lines: string[] = []
  for (let start = 0; start < text.length; start += LINE) lines.push(text.slice(start, start + LINE))
  return lines.length === 0 ? Buffer.alloc(0) : Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1')
}

/** Bytes that are the same for everyone, a place filled in per recipient, or some of many texts that were made ready once. */
export type Piece<Data> = Buffer | ((data: Data) => string) | Choice<Data>
/** Each of them is known by its object, and encoded once. */
export interface Choice<Data> {
  chosen(data: Data): readonly object[]
  piecesOf(one: object): readonly Piece<Data>[]
}

/** Appends the whole encoded part for one recipient to what is written. */
export type PartWriter<Data> = (data: Data, out: BodyLines) => void

/** What a mail's body is joined of: whole lines each. `signed`: the same as DKIM sees it, where it is signed. */
export interface BodyLines {
  wire: Buffer[]
  signed: Buffer[] | null
}
export function write({ wire, signed }: BodyLines, lines: Buffer, relaxed: Buffer = lines): void {
  wire.push(lines)
  signed?.push(relaxed)
}

/** Which encoding makes the fixed bytes shorter: quoted-printable for mostly ASCII, base64 for Japanese text. */
export function chooseEncoding(fixed: readonly Buffer[]): 'quoted-printable' | 'base64' {
  let plain = 0
  let escaped = 0
  for (const bytes of fixed)
    for (const byte of bytes) {
      if (byte > 126 || byte === 61) escaped += 1
      else plain += 1
    }
  return plain + escaped * 3 <= ((plain + escaped) * 4) / 3 ? 'quoted-printable' : 'base64'
}

/**
 * Fixed pieces end with a soft line break, so that what follows starts its own line. A value is encoded again only when it changes: most
 * values are the same in every mail (the shop's name), or in every place of a mail (the links' token).
 */
export function quotedPrintableWriter<Data>(pieces: readonly Piece<Data>[]): PartWriter<Data> {
  const places = new Map<(data: Data) => string, { text: string; lines: Buffer; relaxed: Buffer }>()
  const ready = (piece: Piece<Data>): PartWriter<Data> => {
    if (Buffer.isBuffer(piece)) {
      const lines = Buffer.from(`${quotedPrintable(piece.toString('utf8'))}${SOFT_BREAK}`, 'latin1')
      const relaxed = relaxedBody(lines)
      return (_, out) => write(out, lines, relaxed)
    }
    if (typeof piece !== 'function') {
      const writersOf = onceEach((one) => piece.piecesOf(one).map(ready))
      return (data, out) => {
        for (const one of piece.chosen(data)) for (const writePiece of writersOf(one)) writePiece(data, out)
      }
    }
    const place = places.get(piece) ?? { text: '', lines: EMPTY, relaxed: EMPTY }
    places.set(piece, place)
    return (data, out) => {
      const text = piece(data)
      if (text !== place.text) {
        place.lines = encodedValue(text)
        place.relaxed = relaxedBody(place.lines)
        place.text = text
      }
      write(out, place.lines, place.relaxed)
    }
  }
  const writers = pieces.map(ready)
  return (data, out) => {
    for (const writePiece of writers) writePiece(data, out)
    write(out, CRLF)
  }
}
/** Kept for as long as the object it was made of. */
function onceEach<T>(make: (one: object) => T): (one: object) => T {
  const known = new WeakMap<object, { made: T }>()
  return (one) => {
    let entry = known.get(one)
    if (!entry) known.set(one, (entry = { made: make(one) }))
    return entry.made
  }
}
const EMPTY = Buffer.alloc(0)
/** Needs no encoding and fits a line: tokens and addresses of links. */
const SAFE_LINE = /^[A-Za-z0-9_/:-][\w/:.-]{0,73}$/
function encodedValue(text: string): Buffer {
  if (text === '') return EMPTY
  const encoded = SAFE_LINE.test(text) ? text : quotedPrintable(toCrlf(text))
  return Buffer.from(`${encoded}${SOFT_BREAK}`, 'latin1')
}

/**
 * base64 works in threes, so what follows a place of unknown length can start at any of three offsets: each fixed piece is encoded
 * for all three beforehand. Lines may end anywhere (decoders ignore line breaks).
 */
export function base64Writer<Data>(pieces: readonly Piece<Data>[]): PartWriter<Data> {
  /** Each writes what it can, given the bytes that are left of what was before, and returns the bytes that are left then. */
  type Ready = (data: Data, out: BodyLines, carried: Buffer) => Buffer
  const ready = (piece: Piece<Data>): Ready => {
    if (Buffer.isBuffer(piece)) {
      const offsets = threeOffsets(piece)
      return (_, out, carried) => writeOffset(offsets[(3 - (carried.length % 3)) % 3] as Offset, out, carried)
    }
    if (typeof piece === 'function')
      return (data, out, carried) => {
        const text = piece(data)
        return text === '' ? carried : flushWholeLines(Buffer.concat([carried, Buffer.from(toCrlf(text), 'utf8')]), out)
      }
    const writersOf = onceEach((one) => piece.piecesOf(one).map(ready))
    return (data, out, carried) => {
      let left = carried
      for (const one of piece.chosen(data)) for (const writePiece of writersOf(one)) left = writePiece(data, out, left)
      return left
    }
  }
  const writers = pieces.map(ready)
  return (data, out) => {
    let carried: Buffer = EMPTY
    for (const writePiece of writers) carried = writePiece(data, out, carried)
    if (carried.length > 0) write(out, base64Lines(carried))
  }
}

function writeOffset({ head, middle, tail }: Offset, out: BodyLines, carried: Buffer): Buffer {
  const joined = head.length > 0 ? Buffer.concat([carried, head]) : carried
  if (middle.length === 0) return Buffer.concat([joined, tail])
  if (joined.length > 0) write(out, base64Lines(joined))
  write(out, middle)
  return tail
}

interface Offset {
  head: Buffer
  middle: Buffer
  tail: Buffer
}
function threeOffsets(bytes: Buffer): [Offset, Offset, Offset] {
  const at = (needed: number): Offset => {
    const head = bytes.subarray(0, needed)
    const whole = Math.floor((bytes.length - head.length) / 3) * 3
    return {
      head,
      middle: base64Lines(bytes.subarray(head.length, head.length + whole)),
      tail: bytes.subarray(head.length + whole),
    }
  }
  return [at(0), at(1), at(2)]
}
function flushWholeLines(bytes: Buffer, out: BodyLines): Buffer {
  const whole = Math.floor(bytes.length / BYTES_PER_LINE) * BYTES_PER_LINE
  if (whole > 0) write(out, base64Lines(bytes.subarray(0, whole)))
  return bytes.subarray(whole)
}

const ASCII_HEADER = /^[\x20-\x7e]*$/
/** An encoded word holds at most 75 characters (RFC 2047 §2); "=?UTF-8?B?" and "?=" take 12 of them, so 45 bytes. */
const WORD_BYTES = 45

/**
 * A header's text as RFC 2047 encoded words where it is not plain ASCII; no character is split. Folded so that no line passes
 * 78 characters. The text must be one line.
 */
export function headerText(text: string, nameLength: number): string {
  const plain = ASCII_HEADER.test(text) && text.length + nameLength + 2 <= 78 && !text.includes('=?')
  return plain ? text : encodedWords(text, nameLength)
}

function encodedWords(text: string, nameLength: number): string {
  const words: string[] = []
  let word = ''
  let size = 0
  // The first word shares its line with the header's name.
  let room = Math.min(WORD_BYTES, Math.max(6, Math.floor(((78 - nameLength - 2 - 12) * 3) / 4)))
  for (const character of text) {
    const bytes = Buffer.byteLength(character)
    if (size + bytes > room) {
      words.push(word)
      word = ''
      size = 0
      room = WORD_BYTES
    }
    word += character
    size += bytes
  }
  if (word) words.push(word)
  return words.map((one) => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`).join('\r\n ')
}

/** A display name with its address, as From and Reply-To hold it. */
export function headerMailbox(name: string, address: string): string {
  if (name === '') return `<${address}>`
  // What looks like an encoded word is decoded by mail programs, in quotes too.
  if (name.length < 60 && !name.includes('=?')) {
    if (/^[A-Za-z0-9 ]+$/.test(name)) return `${name} <${address}>`
    if (ASCII_HEADER.test(name)) return `"${name.replace(/["\\]/g, '\\$&')}" <${address}>`
  }
  return `${encodedWords(name, 6)}\r\n <${address}>`
}
