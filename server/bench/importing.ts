import { once } from 'node:events'
import fs from 'node:fs'
import { createImport, startImport } from '../src/features/data-import/import.ts'
import { fileOf, folderOf } from '../src/features/data-import/files.ts'
import { runImport } from '../src/features/data-import/import-run.ts'
import { stopwatch } from '../src/kernel/clock.ts'
import { databaseCpuSeconds } from './copying.ts'
import { newId } from '../src/kernel/ids.ts'
import type { MerchantScope } from '../src/kernel/merchant-scope.ts'

export interface ImportingFigures {
  rows: number
  sizeBytes: number
  /** The first time everyone is new; the second time nothing changes. */
  firstSeconds: number
  againSeconds: number
  rowsPerSecond: number
  againRowsPerSecond: number
  /** What this process computed the first time, and the database: says more than the clock on a machine others use too. */
  cpuSeconds: number
  databaseCpuSeconds: number
  /** Of this process, at most, while importing. */
  residentBytes: number
  refused: number
}

const lastNames = ['佐藤', '鈴木', '高橋', '田中', '伊藤', '渡辺', '山本', '中村', '小林', '加藤', 'Smith', 'Brown']
const firstNames = ['蓮', '湊', '陽葵', '凛', '結菜', '大翔', '葵', '颯真', 'Emma', 'Liam']
const tags = ['', 'VIP', '', '"VIP, 店頭"', '', '', '常連', '', '']
const cell = (from: readonly string[], index: number): string => from[index % from.length] ?? ''

const HEADER =
  'Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Address1,Default Address City,Default Address Province Code,Default Address Country Code,Default Address Zip,Phone,Tags\n'
const ROWS_A_WRITE = 1000

/** A file as the store platform exports its customers, the same for the same number of rows; one row in a thousand is wrong. */
async function writeFile(path: string, rows: number): Promise<number> {
  const out = fs.createWriteStream(path)
  out.write(HEADER)
  for (let from = 0; from < rows; from += ROWS_A_WRITE) {
    let text = ''
    for (let index = from; index < Math.min(rows, from + ROWS_A_WRITE); index += 1) {
      const number = index % 1000 === 999 ? '7.21E+12' : `'${7_000_000_000_000 + index}`
      text += `${number},${cell(firstNames, index * 7)},${cell(lastNames, index * 3)},person${index}@example${index % 50}.jp,${index % 3 === 0 ? 'no' : 'yes'},神宮前${index % 99}-1,渋谷区,JP-13,JP,'150-0001,'+8190${10_000_000 + index},${cell(tags, index)}\n`
    }
    if (!out.write(text)) await once(out, 'drain')
  }
  await new Promise<void>((resolve) => out.end(() => resolve()))
  return fs.statSync(path).size
}

/** Imports that many new customers, and then the same file once more. */
export async function measureImporting(
  scope: MerchantScope,
  rows: number,
  databaseFolder: string,
): Promise<ImportingFigures> {
  let residentBytes = 0
  const watching = setInterval(() => {
    residentBytes = Math.max(residentBytes, process.memoryUsage.rss())
  }, 100)
  const importOnce = async () => {
    const id = newId()
    fs.mkdirSync(folderOf(scope), { recursive: true })
    const sizeBytes = await writeFile(fileOf(scope, id), rows)
    await createImport(scope, {
      id,
      app: 'customers',
      fileName: 'customers_export.csv',
      sizeBytes,
      wideEncoding: null,
      firstForeignByte: HEADER.length,
    })
    await startImport(scope, id)
    const elapsed = stopwatch()
    const cpuBefore = process.cpuUsage()
    const databaseBefore = databaseCpuSeconds(databaseFolder)
    const done = await runImport(scope, id, { sliceMs: Number.POSITIVE_INFINITY })
    const seconds = elapsed() / 1000
    const { user, system } = process.cpuUsage(cpuBefore)
    const cpu = { ours: (user + system) / 1e6, database: databaseCpuSeconds(databaseFolder) - databaseBefore }
    if (done?.status !== 'done' || done.rows_count !== rows)
      throw new Error(`the import is ${done?.status}: ${done?.failure}`)
    return { seconds, cpu, sizeBytes, done }
  }
  try {
    const first = await importOnce()
    const again = await importOnce()
    if (again.done.created_count + again.done.changed_count > 0) throw new Error('the same file changed something')
    return {
      rows,
      sizeBytes: first.sizeBytes,
      firstSeconds: first.seconds,
      againSeconds: again.seconds,
      rowsPerSecond: Math.round(rows / first.seconds),
      againRowsPerSecond: Math.round(rows / again.seconds),
      cpuSeconds: first.cpu.ours,
      databaseCpuSeconds: first.cpu.database,
      residentBytes,
      refused: first.done.error_count,
    }
  } finally {
    clearInterval(watching)
  }
}
