import { type ImportFailure, POINTS_EXPIRY_METAFIELD, POINTS_METAFIELD } from '@okaeri/contract/imports/import'
import { wordsIn } from '@okaeri/contract/locale'
import { DateTime } from 'luxon'
import { isAbsent } from '../../kernel/absent.ts'
import { stopwatch } from '../../kernel/clock.ts'
import { crashPoint } from '../../kernel/crash-point.ts'
import { AppError } from '../../kernel/errors.ts'
import { heavyWork } from '../../kernel/work/heavy-work.ts'
import { collectGarbage, limitYoungGeneration } from '../../kernel/memory.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { ImportRaced } from '../customers/index.ts'
import { findMember, getMerchant } from '../merchants/index.ts'
import { ensureMetafieldSetting, setCustomerMetafields } from '../metafields/index.ts'
import { fileOf, removeFile } from './files.ts'
import {
  addProgress,
  findImport,
  type ImportRow,
  insertErrors,
  lockImport,
  markOver,
  type RefusedRow,
  takePoints,
} from './queries.ts'
import { type FileRow, type Place, readRows, TooManyBrokenQuotes } from './records.ts'
import { type RowRules, readRow } from './rows.ts'
import { type GoodRows, goodRows, upsertBatch } from './upsert-batch.ts'

/** Rows in one transaction. */
const BATCH_ROWS = 2000
/** A limit in bytes too, blank rows included: long rows do not fill the memory, and progress is saved during blank ones. */
const BATCH_BYTES = 4 * 1024 * 1024
/** A file up to this size marks the customers it changed as dirty; a larger one publishes `customers.changed_widely` once. */
const NAMED_UP_TO_BYTES = 2 * 1024 * 1024
/** If another writer changed the same customers, the batch is read and merged again. */
const MAX_RACES = 5
/** Characters kept of each cell of a refused row. */
const KEPT_CELL = 2000
const KEPT_CELLS = 250

interface Batch {
  from: number
  next: Place
  count: number
  good: GoodRows
  refused: RefusedRow[]
  isLast: boolean
}

/**
 * Reads and writes batch after batch until the end of the file or of the time slice; returns the import as it is then, null if there is none.
 * While one batch is written the next is read. Killed at any moment, it continues after the last committed batch.
 */
export async function runImport(
  scope: MerchantScope,
  id: string,
  { sliceMs }: { sliceMs: number },
): Promise<ImportRow | null> {
  const row = await findImport(scope, id)
  if (!row || row.status !== 'running') return row && { ...row, status: row.status }
  const elapsed = stopwatch()
  limitYoungGeneration()
  try {
    const rules = await rulesOf(scope, row)
    const settings = await prepareMetafields(scope, row)
    const guess = { mostAreNew: false }
    const batches = batchesOf(scope, row, { path: fileOf(scope, id), rules, guess })
    let reading = batches.next()
    for (;;) {
      const read = await reading
      if (read.done) break
      const batch = read.value
      collectGarbage()
      const handedOver = Promise.withResolvers<void>()
      const write = () => writeBatch(scope, row, batch, { settings, handedOver: handedOver.resolve })
      const writing = batch.count < BATCH_ROWS ? write() : heavyWork(write)
      // An idle database does not wait for our reading.
      await Promise.race([handedOver.promise, writing])
      reading = batches.next()
      // Its failure is handled at the next turn, if there is one.
      reading.catch(() => {})
      const created = await writing
      if (created === null) break
      batch.good.encoded.release()
      guess.mostAreNew = created > batch.count / 2
      if (batch.isLast) {
        await batches.return(undefined)
        break
      }
      if (elapsed() > sliceMs) {
        await reading.catch(() => {})
        await batches.return(undefined)
        return findImport(scope, id)
      }
    }
    await finish(scope, id, settings)
  } catch (error) {
    const failure = failureOf(error)
    if (!failure) throw error
    await end(scope, id, { status: 'failed', failure })
  }
  return findImport(scope, id)
}

/** A final failure; null if a retry may help. */
function failureOf(error: unknown): ImportFailure | null {
  if (error instanceof TooManyBrokenQuotes) return 'too_many_broken_quotes'
  if (isAbsent(error)) return 'file_gone'
  // The metafield was deleted, or became the store's, while the import ran.
  if (error instanceof AppError && (error.code === 'not_found' || error.fields?.['setting_id'])) return 'metafield_gone'
  return null
}

async function rulesOf(scope: MerchantScope, { app, columns }: ImportRow): Promise<RowRules> {
  const { timezone } = await getMerchant(scope)
  const today = DateTime.fromJSDate(scope.now, { zone: timezone }).toFormat('yyyy-MM-dd')
  return { app, columns, timezone, today }
}

/** The first names of the metafields, in the language of the member who began the import; they may be renamed later. */
const pointsNames = {
  balance: { ja: 'ポイント', en: 'Points' },
  expiry: { ja: 'ポイント有効期限', en: 'Points expire on' },
}

/** The metafields an import writes, by `namespace.key`; missing ones are created. */
async function prepareMetafields(
  scope: MerchantScope,
  { app, columns, member_id }: ImportRow,
): Promise<Map<string, string>> {
  const settings = new Map<string, string>()
  const ensure = async (key: string, name: string, value_type: 'single_line_text_field' | 'number_integer' | 'date') =>
    settings.set(key, (await ensureMetafieldSetting(scope, { key, name, namespace_type: 'custom', value_type })).id)
  if (app === 'points') {
    // Who began it may have been removed meanwhile.
    const member = member_id === null ? null : await findMember(scope, member_id)
    const { language } = member ?? (await getMerchant(scope))
    const names = wordsIn(pointsNames, language)
    await ensure(POINTS_METAFIELD, names.balance, 'number_integer')
    if (columns.some(({ field }) => field === 'points_expire_on'))
      await ensure(POINTS_EXPIRY_METAFIELD, names.expiry, 'date')
  }
  for (const { field, metafield, header } of columns)
    if (field === 'metafield' && metafield !== null)
      await ensure(metafield, nameFrom(header) || metafield, 'single_line_text_field')
  return settings
}
const nameFrom = (header: string): string =>
  header
    .replace(/\(?customer\.metafields?\..*$/i, '')
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 100)
    .toWellFormed()

/** Parsed batches; nothing here uses the database. */
async function* batchesOf(
  scope: MerchantScope,
  row: ImportRow,
  { path, rules, guess }: { path: string; rules: RowRules; guess: { readonly mostAreNew: boolean } },
): AsyncGenerator<Batch> {
  const reading = { path, encoding: row.encoding, delimiter: row.delimiter }
  let at: Place = { byte: row.position_bytes, line: row.next_line }
  const empty = (): Batch => ({
    from: at.byte,
    next: at,
    count: 0,
    good: goodRows(scope, row, guess),
    refused: [],
    isLast: false,
  })
  let batch = empty()
  let header = row.has_header && at.byte === 0
  let broken: TooManyBrokenQuotes | null = null
  try {
    for await (const read of readRows(reading, at)) {
      for (const one of read.rows) {
        at = one.next
        if (header) header = false
        else understand(one, rules, batch)
        if (batch.count < BATCH_ROWS && at.byte - batch.from < BATCH_BYTES) continue
        yield { ...batch, next: at }
        batch = empty()
      }
      ;({ at } = read)
      if (at.byte - batch.from < BATCH_BYTES) continue
      yield { ...batch, next: at }
      batch = empty()
    }
  } catch (error) {
    if (!(error instanceof TooManyBrokenQuotes)) throw error
    broken = error
  }
  // Rows read before the file turned out to be unreadable are imported and counted.
  if (broken) {
    yield { ...batch, next: at }
    throw broken
  }
  yield { ...batch, next: { byte: Math.max(row.size_bytes, at.byte), line: at.line }, isLast: true }
}

function understand({ line, cells, damage }: FileRow, rules: RowRules, batch: Batch): void {
  batch.count += 1
  if (damage) {
    batch.refused.push(refusal(line, cells, { reason: damage, header: null }))
    return
  }
  const read = readRow(cells, rules)
  if ('reason' in read) batch.refused.push(refusal(line, cells, read, read.row.person))
  else batch.good.add({ line, cells, ...read.row })
}

/** Returns how many were created; null if the import is no longer this run's: cancelled, finished, or continued by another worker. */
async function writeBatch(
  scope: MerchantScope,
  { id }: ImportRow,
  batch: Batch,
  { settings, handedOver }: { settings: ReadonlyMap<string, string>; handedOver: () => void },
): Promise<number | null> {
  const { good, refused } = batch
  for (let races = 0; ; races += 1) {
    try {
      return await scope.transaction(async (scope) => {
        const row = await lockImport(scope, id)
        if (row?.status !== 'running' || row.position_bytes !== batch.from) return null
        const isNamed = row.size_bytes <= NAMED_UP_TO_BYTES
        const taken = await upsertBatch(scope, row, good, { settings, silent: !isNamed })
        const strangers = taken.refused.map(({ row: { line, cells, person }, reason }) =>
          refusal(line, cells, { reason, header: null }, person),
        )
        await insertErrors(scope, id, [...refused, ...strangers])
        await addProgress(scope, id, {
          position: batch.next.byte,
          nextLine: batch.next.line,
          rows: batch.count,
          created: taken.created,
          changed: taken.changed,
          unchanged: taken.unchanged,
          errors: refused.length + strangers.length,
        })
        await taken.insert(handedOver)
        if (isNamed && taken.customerIds.length > 0)
          await scope.context.publish(scope, 'customers.changed', { customerIds: taken.customerIds, learned: true })
        crashPoint('import_batch')
        return taken.created
      })
    } catch (error) {
      if (!(error instanceof ImportRaced) || races >= MAX_RACES) throw error
    }
  }
}

const refusal = (
  line: number,
  cells: readonly string[],
  { reason, header }: Pick<RefusedRow, 'reason' | 'header'>,
  person: { emailKey: string | null; storeId: number | null } = { emailKey: null, storeId: null },
): RefusedRow => ({
  line,
  reason,
  header: header || null,
  cells: cells.slice(0, KEPT_CELLS).map((cell) => cell.slice(0, KEPT_CELL).replaceAll('\0', '\uFFFD').toWellFormed()),
  emailKey: person.emailKey,
  storeId: person.storeId,
})

/** After the last row. Points are written only now that all rows are added up. */
async function finish(scope: MerchantScope, id: string, settings: ReadonlyMap<string, string>): Promise<void> {
  for (;;) {
    const more = await scope.transaction(async (scope) => {
      const row = await lockImport(scope, id)
      if (row?.status !== 'running' || row.position_bytes < row.size_bytes) return false
      const points = await takePoints(scope, id, BATCH_ROWS)
      if (points.length === 0) return false
      const options = { silent: row.size_bytes > NAMED_UP_TO_BYTES, learned: true }
      const balance = settings.get(POINTS_METAFIELD)
      const expiry = settings.get(POINTS_EXPIRY_METAFIELD)
      if (!balance) return false
      const values = points.map(({ customerId, points }) => ({ customerId, value: String(points) }))
      const changed = await setCustomerMetafields(scope, balance, values, options)
      if (expiry)
        await setCustomerMetafields(
          scope,
          expiry,
          points.flatMap(({ customerId, expiresOn }) => (expiresOn === null ? [] : [{ customerId, value: expiresOn }])),
          options,
        )
      await addProgress(scope, id, {
        position: row.position_bytes,
        nextLine: row.next_line,
        rows: 0,
        created: 0,
        changed,
        unchanged: points.length - changed,
        errors: 0,
      })
      return true
    })
    if (!more) break
  }
  await end(scope, id, { status: 'done', failure: null })
}

async function end(
  scope: MerchantScope,
  id: string,
  outcome: { status: 'done' | 'failed'; failure: ImportFailure | null },
): Promise<void> {
  const isOver = await scope.transaction(async (scope) => {
    const row = await lockImport(scope, id)
    if (row?.status !== 'running') return false
    if (outcome.status === 'done' && row.position_bytes < row.size_bytes) return false
    await markOver(scope, id, outcome)
    await publishChanges(scope, row)
    return true
  })
  if (isOver) await removeFile(scope, id)
}

/** After a large import, features with data by customer calculate it again. */
export async function publishChanges(scope: MerchantScope, row: ImportRow): Promise<void> {
  if (row.size_bytes > NAMED_UP_TO_BYTES && row.position_bytes > 0)
    await scope.context.publish(scope, 'customers.changed_widely', { learned: true })
}
