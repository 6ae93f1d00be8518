import { CompiledQuery } from 'kysely'
import type { MerchantScope } from '../merchant-scope.ts'
import { Copies, type Copy, type CopyRows } from './copying-client.ts'

const FIRST_BYTES = 64 * 1024
/** Buffers kept for the next rows, so that bulk work does not allocate megabytes for each batch. */
const SPARE_BYTES = 16 * 1024 * 1024
const spare: Buffer<ArrayBuffer>[] = []
const spareBytes = (): number => spare.reduce((sum, { length }) => sum + length, 0)
const NO_BYTES = Buffer.alloc(0)
/** Size of a message: the database reads each as a whole. */
const MESSAGE_BYTES = 64 * 1024
/** The header of a message: type and length. */
const HEAD_BYTES = 5
const NOTHING = -1
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const TRAILER = Buffer.from([0xff, 0xff])
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4])
const TEXT_TYPE = 25
/** Up to this length a loop is faster than a call into the runtime. */
const SHORT_TEXT = 24
const DAY_MS = 86_400_000
/** PostgreSQL's epoch is the year 2000. */
const EPOCH_MS = Date.UTC(2000, 0, 1)

/** The first of the statement's columns is `merchant_id`. */
export function copyRows(scope: MerchantScope, statement: string): CopyRows {
  const columns = statement.slice(statement.indexOf('('), statement.indexOf(')')).split(',').length
  const bytes = createBytes()
  const values = valuesInto(bytes)
  values.uuid(scope.merchantId)
  const merchant = Uint8Array.from(bytes.between(0, bytes.length()))
  bytes.release()
  let starts: number[] = []
  return {
    ...values,
    statement,
    count: () => starts.length,
    row() {
      starts.push(bytes.length())
      bytes.room(2 + merchant.length)
      bytes.int16(columns)
      bytes.copy(merchant)
      return starts.length - 1
    },
    messages: (chosen) => {
      const end = bytes.length()
      if (!chosen) return framed([SIGNATURE, bytes.between(0, end), TRAILER])
      const parts: Buffer[] = [SIGNATURE]
      for (let index = 0; index < chosen.length; index += 1) {
        const first = chosen[index] ?? 0
        // Adjacent rows are joined.
        while (chosen[index + 1] === (chosen[index] ?? 0) + 1) index += 1
        parts.push(bytes.between(starts[first] ?? end, starts[(chosen[index] ?? 0) + 1] ?? end))
      }
      return framed([...parts, TRAILER])
    },
    release() {
      bytes.release()
      starts = []
    },
  }
}

type Bytes = ReturnType<typeof createBytes>

/** A buffer that grows by `room`; all else writes into room that is there. */
function createBytes() {
  let bytes = NO_BYTES
  let at = 0
  const int32 = (value: number): void => {
    bytes[at] = value >>> 24
    bytes[at + 1] = value >>> 16
    bytes[at + 2] = value >>> 8
    bytes[at + 3] = value
    at += 4
  }
  return {
    room(sizeBytes: number): void {
      if (at + sizeBytes <= bytes.length) return
      const fitting = spare.findIndex(({ length }) => length >= at + sizeBytes && length >= bytes.length)
      const larger =
        spare.splice(fitting, fitting === -1 ? 0 : 1)[0] ??
        Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, bytes.length * 2, at + sizeBytes))
      bytes.copy(larger, 0, 0, at)
      keep(bytes)
      bytes = larger
    },
    byte(value: number): void {
      bytes[at] = value
      at += 1
    },
    int16(value: number): void {
      bytes[at] = value >>> 8
      bytes[at + 1] = value
      at += 2
    },
    int32,
    /** As UTF-8. */
    characters(value: string): void {
      if (value.length > SHORT_TEXT) {
        at += bytes.write(value, at)
        return
      }
      for (let index = 0; index < value.length; index += 1) {
        const code = value.charCodeAt(index)
        if (code > 0x7f) {
          at += bytes.write(value, at)
          return
        }
        bytes[at + index] = code
      }
      at += value.length
    },
    /** Two digits a byte; dashes are left out. */
    hex(value: string): void {
      for (let index = 0; index < value.length; index += 2) {
        if (value.charCodeAt(index) === DASH) index += 1
        bytes[at] = ((HEX[value.charCodeAt(index)] ?? 0) << 4) | (HEX[value.charCodeAt(index + 1)] ?? 0)
        at += 1
      }
    },
    copy(from: Uint8Array): void {
      for (let index = 0; index < from.length; index += 1) bytes[at + index] = from[index] ?? 0
      at += from.length
    },
    length: (): number => at,
    /** Leaves space for a length; returns where it is. */
    lengthLater(): number {
      at += 4
      return at - 4
    },
    /** Writes the length in front of the bytes written since. */
    lengthAt(start: number): void {
      const end = at
      at = start
      int32(end - start - 4)
      at = end
    },
    between: (start: number, end: number): Buffer => bytes.subarray(start, end),
    release(): void {
      keep(bytes)
      bytes = NO_BYTES
      at = 0
    },
  }
}

/** Each value: its length, then its bytes in PostgreSQL's binary form. */
function valuesInto(bytes: Bytes) {
  const nothing = (): void => {
    bytes.room(4)
    bytes.int32(NOTHING)
  }
  const text = (value: string | null): void => {
    if (value === null) return nothing()
    bytes.room(4 + value.length * 3)
    const start = bytes.lengthLater()
    bytes.characters(value)
    bytes.lengthAt(start)
  }
  const int8 = (value: number): void => {
    bytes.room(12)
    bytes.int32(8)
    bytes.int32(Math.floor(value / 2 ** 32))
    bytes.int32(value >>> 0)
  }
  return {
    null: nothing,
    text,
    uuid(value: string | null): void {
      if (value === null) return nothing()
      bytes.room(20)
      bytes.int32(16)
      bytes.hex(value)
    },
    boolean(value: boolean): void {
      bytes.room(5)
      bytes.int32(1)
      bytes.byte(value ? 1 : 0)
    },
    int4(value: number): void {
      bytes.room(8)
      bytes.int32(4)
      bytes.int32(value)
    },
    int8: (value: number | null): void => (value === null ? nothing() : int8(value)),
    date(value: string | null): void {
      if (value === null) return nothing()
      bytes.room(8)
      bytes.int32(4)
      bytes.int32(Math.round((Date.parse(`${value}T00:00:00Z`) - EPOCH_MS) / DAY_MS))
    },
    timestamptz: (value: Date | null): void => (value === null ? nothing() : int8((value.getTime() - EPOCH_MS) * 1000)),
    jsonb(value: unknown): void {
      if (value === null) return nothing()
      const json = JSON.stringify(value)
      bytes.room(5 + json.length * 3)
      const start = bytes.lengthLater()
      bytes.byte(1)
      bytes.characters(json)
      bytes.lengthAt(start)
    },
    textArray(value: readonly string[]): void {
      bytes.room(24)
      const start = bytes.lengthLater()
      bytes.int32(value.length === 0 ? 0 : 1)
      bytes.int32(0)
      bytes.int32(TEXT_TYPE)
      if (value.length > 0) {
        bytes.int32(value.length)
        bytes.int32(1)
        for (const one of value) text(one)
      }
      bytes.lengthAt(start)
    },
    tsvector(mark: string, words: readonly string[]): void {
      bytes.room(8)
      const start = bytes.lengthLater()
      bytes.int32(words.length)
      for (const word of words) {
        bytes.room(3 + (mark.length + word.length) * 3)
        bytes.characters(mark)
        bytes.characters(word)
        // Its end, and no positions.
        bytes.byte(0)
        bytes.int16(0)
      }
      bytes.lengthAt(start)
    },
  }
}

/** The parts as messages of the protocol. */
function framed(parts: readonly Buffer[]): Buffer[] {
  const messages: Buffer[] = []
  for (const part of parts)
    for (let from = 0; from < part.length; from += MESSAGE_BYTES) {
      const piece = part.subarray(from, from + MESSAGE_BYTES)
      const head = Buffer.allocUnsafe(HEAD_BYTES)
      head[0] = 0x64
      head.writeInt32BE(piece.length + 4, 1)
      messages.push(head, piece)
    }
  messages.push(COPY_DONE)
  return messages
}

function keep(bytes: Buffer<ArrayBuffer>): void {
  if (bytes.length > 0 && spareBytes() + bytes.length <= SPARE_BYTES) spare.push(bytes)
}

const DASH = 0x2d
const HEX = new Uint8Array(128)
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  HEX[digit.charCodeAt(0)] = value
  HEX[digit.toUpperCase().charCodeAt(0)] = value
}

/**
 * Writes rows into one or several tables, in their order, with one round trip. Without a transaction it is one of its own: they are all committed, or
 * none. An existing key fails (23505): a caller that may have one looks first, and tries again. Resolves when the rows are written; `handedOver` is called as soon as they are sent.
 */
export async function copyIn(
  scope: MerchantScope,
  copies: readonly Copy[],
  handedOver: () => void = () => {},
): Promise<void> {
  const wanted = copies.filter(({ rows, chosen }) => (chosen?.length ?? rows.count()) > 0)
  if (wanted.length === 0) return
  const text = wanted.map(({ rows }) => rows.statement).join(';')
  const written = scope.db.executeQuery(CompiledQuery.raw(text, [new Copies(wanted)]))
  handedOver()
  await written
}
