import fs from 'node:fs'
import {
  type ImportApp,
  type ImportColumn,
  type ImportDelimiter,
  type ImportEncoding,
  importDelimiters,
  type LineEnding,
  MAX_IMPORT_COLUMNS,
} from '@okaeri/contract/imports/import'
import { AppError } from '../../kernel/errors.ts'
import { guessColumns, guessFromCells, looksLikeHeader } from './columns.ts'
import { guessEncoding } from './encoding.ts'
import { type FileRow, readRows } from './records.ts'

/** The beginning of a file that is read to find out its format. */
const LOOKED_AT_BYTES = 512 * 1024
const LOOKED_AT_LINES = 10_000
const SAMPLE_ROWS = 6
/** Longer than the header and the first rows of any application's file. */
const LONGEST_SAMPLE_ROW_BYTES = 128 * 1024
const SHOWN_CELL = 200

export interface Layout {
  encoding: ImportEncoding
  delimiter: ImportDelimiter
  line_ending: LineEnding
  has_header: boolean
  columns: ImportColumn[]
}

export async function readBytes(path: string, start: number, length: number): Promise<Buffer> {
  const handle = await fs.promises.open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** The first rows as text; long cells are cut. */
export async function sampleOf(path: string, reading: Pick<Layout, 'encoding' | 'delimiter'>): Promise<string[][]> {
  return (await firstRows(path, reading)).map(({ cells }) =>
    cells
      .slice(0, MAX_IMPORT_COLUMNS)
      .map((cell) => cell.slice(0, SHOWN_CELL).replaceAll('\0', '\uFFFD').toWellFormed()),
  )
}

/** The first rows that are not blank, within the inspected beginning. */
async function firstRows(
  path: string,
  { encoding, delimiter }: Pick<Layout, 'encoding' | 'delimiter'>,
): Promise<FileRow[]> {
  const found: FileRow[] = []
  const limits = { longestRowBytes: LONGEST_SAMPLE_ROW_BYTES, stopAfterBytes: LOOKED_AT_BYTES }
  const reading = { path, encoding, delimiter, ...limits }
  for await (const { rows, at } of readRows(reading, { byte: 0, line: 1 })) {
    found.push(...rows.slice(0, SAMPLE_ROWS - found.length))
    if (found.length === SAMPLE_ROWS || at.line > LOOKED_AT_LINES) break
  }
  return found
}

/** The format of a file, from its beginning; `given` parts are not guessed. */
export async function inspectFile(
  path: string,
  app: ImportApp,
  given: { encoding?: ImportEncoding; delimiter?: ImportDelimiter; has_header?: boolean; firstForeignByte?: number },
): Promise<Layout> {
  const beginning = await readBytes(path, 0, LOOKED_AT_BYTES)
  // If the beginning is ASCII, the encoding shows only later in the file.
  const foreign = given.firstForeignByte ?? 0
  const encoding =
    given.encoding ?? guessEncoding(foreign < beginning.length ? beginning : await fromLineBreak(path, foreign - 1024))
  const delimiter = given.delimiter ?? (await guessDelimiter(path, encoding))
  await refuseUnreadable(path, { encoding, delimiter })
  const sample = await sampleOf(path, { encoding, delimiter })
  const [first] = sample
  if (!first) throw new AppError('invalid', 'import_empty', `the first ${LOOKED_AT_LINES} lines hold nothing`)
  const has_header = given.has_header ?? looksLikeHeader(app, first)
  return {
    encoding,
    delimiter,
    line_ending: lineEndingOf(beginning),
    has_header,
    columns: has_header
      ? guessColumns(
          app,
          first.map((header) => header.trim()),
          sample.slice(1),
        )
      : guessFromCells(app, sample),
  }
}

async function fromLineBreak(path: string, start: number): Promise<Buffer> {
  const bytes = await readBytes(path, start, LOOKED_AT_BYTES)
  const end = bytes.indexOf(0x0a)
  // The first line is too long to skip: a cut character is better than nothing.
  return end === -1 || end > 1024 ? bytes : bytes.subarray(end + 1)
}

/** Throws `import_too_many_columns`, `import_row_too_long`. */
async function refuseUnreadable(path: string, reading: Pick<Layout, 'encoding' | 'delimiter'>): Promise<void> {
  const [first] = await firstRows(path, reading)
  if (first && first.cells.length > MAX_IMPORT_COLUMNS)
    throw new AppError(
      'invalid',
      'import_too_many_columns',
      `line ${first.line} has more than ${MAX_IMPORT_COLUMNS} columns`,
    )
  if (first?.damage === 'row_too_long')
    throw new AppError('invalid', 'import_row_too_long', `line ${first.line} is longer than any row`)
}

/** The one that divides the first rows most evenly into most columns. */
async function guessDelimiter(path: string, encoding: ImportEncoding): Promise<ImportDelimiter> {
  let best: { delimiter: ImportDelimiter; score: number } = { delimiter: ',', score: 1 }
  for (const delimiter of importDelimiters) {
    const widths = (await sampleOf(path, { encoding, delimiter })).map((row) => row.length)
    const [first = 0] = widths
    const even = widths.filter((width) => width === first).length / Math.max(1, widths.length)
    if (first > 1 && first * even > best.score) best = { delimiter, score: first * even }
  }
  return best.delimiter
}

function lineEndingOf(beginning: Buffer): LineEnding {
  const lf = beginning.indexOf(0x0a)
  const cr = beginning.indexOf(0x0d)
  if (cr === -1) return 'lf'
  if (lf === -1) return 'cr'
  return lf === cr + 1 || lf < cr ? (beginning[lf - 1] === 0x0d ? 'crlf' : 'lf') : 'cr'
}
