import fs from 'node:fs'
import type { ImportDelimiter, ImportEncoding, RowReason } from '@okaeri/contract/imports/import'
import { CsvError, parse } from 'csv-parse'
import { decodeShiftJis, showBytes, showShiftJis, startsWithBom } from './encoding.ts'

/** How the bytes of a file become rows. */
export interface Reading {
  path: string
  encoding: ImportEncoding
  delimiter: ImportDelimiter
  /** Longer rows are given up; by default {@link LONGEST_ROW_BYTES}. */
  longestRowBytes?: number
  /** Counts the bytes read, including those read again. */
  meter?: { bytes: number }
  /** Reading ends after this much. */
  stopAfterBytes?: number
}
/** Where in the file: byte, and line counted from 1. */
export interface Place {
  byte: number
  line: number
}
export interface FileRow {
  line: number
  cells: string[]
  /** Why it is unreadable. */
  damage: RowReason | null
  /** Where the next row begins. */
  next: Place
}

/** A few milliseconds' work, so that other events are handled in between. */
const CHUNK_BYTES = 16 * 1024
/** A longer row is given up, and reading starts again at its second line: most likely a quote was never closed. */
const LONGEST_ROW_BYTES = 2 * 1024 * 1024
/** A longer cell is not valid; the row is refused. */
const LONGEST_CELL = 64 * 1024
/** This much of a given-up row is shown. */
const SHOWN_BYTES = 2000
/**
 * After a given-up row, reading continues at its second line. In total at most this much, plus three times the bytes read so far, is read
 * again, so that the work stays in proportion to the file.
 */
const REPAIR_BYTES = 16 * 1024 * 1024

/** A file with so many open quotes that its rows cannot be separated. */
export class TooManyBrokenQuotes extends Error {
  override readonly name = 'TooManyBrokenQuotes'
}

/** The rows of a chunk without the blank ones, and where the next chunk begins. */
export interface FileRows {
  rows: FileRow[]
  at: Place
}

/** The rows of a file from a position on, a chunk at a time. Memory is bounded for every file. */
export async function* readRows(given: Reading, from: Place): AsyncGenerator<FileRows> {
  const meter = given.meter ?? { bytes: 0 }
  const reading = { longestRowBytes: LONGEST_ROW_BYTES, stopAfterBytes: Infinity, ...given, meter }
  const readBefore = meter.bytes
  let at = from.byte === 0 ? { ...from, byte: await beginningOf(reading.path) } : from
  for (;;) {
    let broken = false
    for await (const part of parsePart(reading, at)) {
      at = part.at
      broken = part.broken
      yield part
      if (meter.bytes > reading.stopAfterBytes) return
    }
    if (!broken) return
    const { row, isLast } = await giveUpLine(reading, at)
    at = row.next
    yield { rows: [row], at }
    if (isLast) return
    if (meter.bytes - readBefore > 3 * (at.byte - from.byte) + REPAIR_BYTES) throw new TooManyBrokenQuotes()
  }
}

async function beginningOf(path: string): Promise<number> {
  const handle = await fs.promises.open(path)
  try {
    const { buffer } = await handle.read(Buffer.alloc(3), 0, 3, 0)
    return startsWithBom(buffer) ? 3 : 0
  } finally {
    await handle.close()
  }
}

/** Until the end, or until a row that cannot be separated from the next (`broken`, which begins at `at`). */
async function* parsePart(
  { path, encoding, delimiter, longestRowBytes, meter }: Required<Reading>,
  from: Place,
): AsyncGenerator<FileRows & { broken: boolean }> {
  let rows: FileRow[] = []
  let at = from
  const isShiftJis = encoding === 'shift_jis'
  const parser = parse({
    delimiter,
    // Shift_JIS is parsed as one character per byte and decoded row by row. Its second bytes are never a quote, delimiter or line break.
    encoding: isShiftJis ? 'latin1' : 'utf8',
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: longestRowBytes,
    on_record: (cells: string[], { bytes }) => {
      if (cells.some((cell) => hasSwallowed(cell, delimiter)))
        throw new CsvError('CSV_INVALID_CLOSING_QUOTE', 'a quote ends in another row')
      const next = { byte: from.byte + bytes, line: at.line + 1 + breaksIn(cells) }
      if (cells.some((cell) => cell !== '')) rows.push(rowOf(cells, isShiftJis, at.line, next))
      at = next
      // Rows are collected here instead of being pushed into the stream.
      return null
    },
  })
  // The callback of the write reports the error as well.
  parser.on('error', () => {})
  const write = (chunk: Buffer | null): Promise<Error | null> =>
    new Promise((resolve) => {
      const done = (error?: Error | null): void => resolve(error ?? null)
      if (chunk) parser.write(chunk, done)
      else {
        parser.once('end', () => resolve(null)).once('error', resolve)
        parser.end()
        parser.resume()
      }
    })
  const take = (): FileRow[] => {
    const taken = rows
    rows = []
    return taken
  }
  const stream = fs.createReadStream(path, { start: from.byte, highWaterMark: CHUNK_BYTES })
  for await (const chunk of stream) {
    meter.bytes += (chunk as Buffer).length
    const error = await write(chunk as Buffer)
    if (error && !(error instanceof CsvError)) throw error
    yield { rows: take(), at, broken: error !== null }
    if (error) return
  }
  const error = await write(null)
  if (error && !(error instanceof CsvError)) throw error
  yield { rows: take(), at, broken: error !== null }
}

/**
 * Whether an unclosed quote made a later row part of its cell: with relaxed quotes, the first quote of that row ends the cell, and the opening
 * quote is then part of the text.
 */
function hasSwallowed(cell: string, delimiter: ImportDelimiter): boolean {
  if (!cell.startsWith('"')) return false
  const lineEnd = cell.search(/[\r\n]/)
  if (lineEnd === -1 || cell.lastIndexOf('"', lineEnd) > 0) return false
  return [delimiter, '\n', '\r'].some((before) => cell.includes(`${before}"`, lineEnd))
}

function breaksIn(cells: readonly string[]): number {
  let breaks = 0
  for (const cell of cells)
    if (cell.includes('\n') || cell.includes('\r')) breaks += cell.match(/\r\n|\n|\r/g)?.length ?? 0
  return breaks
}

function rowOf(cells: string[], isShiftJis: boolean, line: number, next: Place): FileRow {
  if (cells.some((cell) => cell.length > LONGEST_CELL))
    return { line, next, damage: 'cell_too_long', cells: isShiftJis ? showShiftJis(cells) : cells }
  const decoded = isShiftJis ? decodeShiftJis(cells) : cells.some((cell) => cell.includes('\uFFFD')) ? null : cells
  if (!decoded) return { line, next, damage: 'wrong_encoding', cells: isShiftJis ? showShiftJis(cells) : cells }
  return { line, next, damage: null, cells: decoded }
}

/** The row at a position as one cell, up to the end of its first line. */
async function giveUpLine(
  { path, encoding, longestRowBytes, meter, stopAfterBytes }: Required<Reading>,
  at: Place,
): Promise<{ row: FileRow; isLast: boolean }> {
  let kept = Buffer.alloc(0)
  let read = 0
  let end = -1
  let width = 1
  let afterReturn = false
  for await (const chunk of fs.createReadStream(path, { start: at.byte, highWaterMark: CHUNK_BYTES })) {
    const bytes = chunk as Buffer
    meter.bytes += bytes.length
    if (afterReturn) {
      width = bytes[0] === 0x0a ? 2 : 1
      break
    }
    if (kept.length < SHOWN_BYTES) kept = Buffer.concat([kept, bytes.subarray(0, SHOWN_BYTES)])
    const found = bytes.toString('latin1').search(/[\n\r]/)
    if (found === -1) {
      read += bytes.length
      if (meter.bytes > stopAfterBytes) break
      continue
    }
    end = read + found
    if (bytes[found] === 0x0d && found + 1 === bytes.length) {
      afterReturn = true
      continue
    }
    if (bytes[found] === 0x0d && bytes[found + 1] === 0x0a) width = 2
    break
  }
  const length = end === -1 ? read : end
  const next = { byte: at.byte + length + (end === -1 ? 0 : width), line: at.line + 1 }
  const text = showBytes(kept.subarray(0, Math.min(length, SHOWN_BYTES)), encoding)
  const damage = length > longestRowBytes ? 'row_too_long' : 'quote_not_closed'
  return { row: { line: at.line, cells: [text], damage, next }, isLast: end === -1 }
}
