import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { ImportDelimiter, ImportEncoding } from '@okaeri/contract/imports/import'
import { afterAll, describe, expect, test } from 'vitest'
import { readConsent, readEmail, readId, readInstant, readPoints } from './cells.ts'
import { inspectFile, sampleOf } from './file-inspection.ts'
import { readRows, TooManyBrokenQuotes } from './records.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-records-'))
afterAll(() => fs.rmSync(folder, { recursive: true }))

function fileOf(content: string | Buffer): string {
  const file = path.join(folder, 'file.csv')
  fs.writeFileSync(file, content)
  return file
}

/** The cost and the result of reading a whole file. */
async function readAll(content: string | Buffer, encoding: ImportEncoding = 'utf-8', delimiter: ImportDelimiter = ',') {
  const meter = { bytes: 0 }
  const found = { rows: 0, damaged: 0, lines: 0, mostRows: 0, failed: false }
  try {
    for await (const { rows, at } of readRows(
      { path: fileOf(content), encoding, delimiter, meter },
      { byte: 0, line: 1 },
    )) {
      found.rows += rows.length
      found.damaged += rows.filter(({ damage }) => damage !== null).length
      found.mostRows = Math.max(found.mostRows, rows.length)
      found.lines = at.line
    }
  } catch (error) {
    if (!(error instanceof TooManyBrokenQuotes)) throw error
    found.failed = true
  }
  return { ...found, bytes: meter.bytes }
}

const MB = 1024 * 1024
const hostile: [string, string][] = [
  ['nothing but delimiters', ',\n'.repeat(MB)],
  ['a quote that is never closed', `"a,b\n${'c,d,some text\n'.repeat(400_000)}`],
  ['a quote opened in every line', 'a,"b\n'.repeat(MB)],
  ['a quote opened now and then', `"open,x\n${'c,d,some text\n'.repeat(500)}`.repeat(800)],
  ['quotes alone', '"'.repeat(6 * MB)],
  ['three quotes in every line', '"""\n'.repeat(MB)],
  ['one line', 'x'.repeat(6 * MB)],
  ['one line of delimiters', ','.repeat(6 * MB)],
  ['carriage returns alone', 'a,b\r'.repeat(MB)],
]

describe('reading a file costs in proportion to its size', () => {
  test.for(hostile)('when it contains %s', async ([, content]) => {
    const found = await readAll(content)
    expect(found.bytes).toBeLessThanOrEqual(4 * content.length + 20 * MB)
    // Other work gets its turn between two pieces.
    expect(found.mostRows).toBeLessThanOrEqual(16 * 1024)
  })

  test('and finding out its format reads only its beginning', async () => {
    for (const [what, content] of hostile) {
      const file = fileOf(content)
      const read = await bytesReadBy(() => inspectFile(file, 'customers', {}).catch((error: Error) => error))
      expect([what, read <= 6 * MB]).toEqual([what, true])
    }
  })
})

/** The bytes of all file reads. */
async function bytesReadBy(work: () => Promise<unknown>): Promise<number> {
  const before = readBytes()
  await work()
  return readBytes() - before
}
/** Bytes this process has read so far, from files and sockets; only where /proc exists. */
function readBytes(): number {
  try {
    return Number(/rchar: (\d+)/.exec(fs.readFileSync('/proc/self/io', 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

test('an unclosed quote costs only its own row; later rows are read', async () => {
  const found = await readAll(`a,b\n"open,x\n${'c,d,some text\n'.repeat(300_000)}`)
  expect(found).toMatchObject({ rows: 300_002, damaged: 1, lines: 300_003, failed: false })
})

test('a file full of unclosed quotes fails after the rows before them are read', async () => {
  const found = await readAll(`a,b\n${`"open ${'x'.repeat(100)}\n`.repeat(3)}${'a,"b\n'.repeat(MB)}`)
  expect(found.failed).toBe(true)
  expect(found.rows).toBeGreaterThan(100)
})

test('the first rows of a file with a long line are cut for display', async () => {
  const sample = await sampleOf(fileOf(`a,b\n${'x'.repeat(3 * MB)},1\nc,d\n`), { encoding: 'utf-8', delimiter: ',' })
  expect(sample.map((row) => row.map((cell) => cell.length))).toEqual([[1, 1], [200]])
})

test('a cell too long for its field is not scanned letter by letter', () => {
  for (const cell of [`2026-01-01 00:00${'\t'.repeat(1_000_000)}x\n`, `${'0'.repeat(1_000_000)}x`]) {
    expect(readInstant(cell, 'Asia/Tokyo')).toEqual({ wrong: 'not_a_date' })
    expect(readId(cell)).toEqual({ wrong: 'not_an_id' })
    expect(readEmail(cell)).toEqual({ wrong: 'not_an_email' })
    expect(readPoints(cell)).toEqual({ wrong: 'not_a_number' })
    expect(readConsent(cell)).toEqual({ wrong: 'not_a_consent' })
  }
})
