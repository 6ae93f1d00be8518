import fs from 'node:fs'
import {
  type Import,
  type ImportApp,
  type ImportColumn,
  type ImportDelimiter,
  type ImportDetail,
  type ImportEncoding,
  type ImportField,
  type ImportOptions,
  type ImportStatus,
  MAX_WAITING_IMPORTS,
  type MappingProblem,
  problemsOf,
} from '@okaeri/contract/imports/import'
import type { Page } from '@okaeri/contract/paging'
import { ifAbsent } from '../../kernel/absent.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { fileOf, removeFile } from './files.ts'
import { continueImportLater, mailImportEndLater } from './jobs.ts'
import { type Layout, inspectFile, sampleOf } from './file-inspection.ts'
import {
  countReasons,
  deleteImportRow,
  findImport,
  type ImportRow,
  insertImport,
  lockImport,
  lockUploads,
  markOver,
  markRunning,
  selectErrors,
  selectImports,
  selectStoreMetafields,
  selectWaitingImports,
  writeMapping,
} from './queries.ts'
import { publishChanges } from './import-run.ts'

const SHOWN_ERRORS = 20

/** Inspects an uploaded file, which then waits for a member to confirm the columns. */
export async function createImport(
  scope: MerchantScope,
  given: {
    id: string
    app: ImportApp
    fileName: string
    sizeBytes: number
    wideEncoding: 'utf-16le' | 'utf-16be' | null
    firstForeignByte: number | null
  },
): Promise<ImportDetail> {
  const { id, app, fileName, sizeBytes, wideEncoding, firstForeignByte } = given
  const layout = await inspectFile(fileOf(scope, id), app, {
    ...(wideEncoding ? { encoding: wideEncoding } : {}),
    ...(firstForeignByte === null ? {} : { firstForeignByte }),
  })
  const columns = await withoutStoreMetafields(scope, layout.columns)
  await scope.transaction(async (scope) => {
    // One after the other, or uploads that end at the same moment would all pass the limit.
    await lockUploads(scope)
    if (!(await hasRoomFor(scope, 1))) throw tooManyWaiting()
    await insertImport(scope, {
      id,
      app,
      file_name: fileName,
      size_bytes: sizeBytes,
      ...layout,
      columns,
      // Points are a balance as of the file, so an older balance is useless.
      options: { create_unknown: app === 'customers', known_values: app === 'points' ? 'replace' : 'keep' },
    })
  })
  return getImport(scope, id)
}

/** Whether this many more files may wait to be started. */
export const hasRoomFor = async (scope: MerchantScope, files: number): Promise<boolean> =>
  (await selectWaitingImports(scope)).length + files <= MAX_WAITING_IMPORTS
export const tooManyWaiting = () =>
  conflict('import_too_many_waiting', `at most ${MAX_WAITING_IMPORTS} files wait to be begun`)

/** Metafields of the store come from the store. */
async function withoutStoreMetafields(scope: MerchantScope, columns: readonly ImportColumn[]): Promise<ImportColumn[]> {
  const kept = await selectStoreMetafields(scope, keysOf(columns))
  return columns.map((column) =>
    column.metafield !== null && kept.includes(column.metafield) ? { ...column, field: null, metafield: null } : column,
  )
}
const keysOf = (columns: readonly ImportColumn[]): string[] =>
  columns.flatMap(({ field, metafield }) => (field === 'metafield' && metafield !== null ? [metafield] : []))

export async function listImports(
  scope: MerchantScope,
  query: { status?: ImportStatus | undefined; limit: number; offset: number },
): Promise<Page<Import>> {
  const { rows, total } = await selectImports(scope, query)
  return { data: rows.map((row) => present(scope, row)), limit: query.limit, offset: query.offset, total }
}

export async function getImport(scope: MerchantScope, id: string): Promise<ImportDetail> {
  const row = await findImport(scope, id)
  if (!row) throw notFound('there is no such import')
  const isWaiting = row.status === 'mapping'
  const [sample, problems, error_reasons, errors] = await Promise.all([
    isWaiting ? sampleOf(fileOf(scope, id), row).catch(withoutFile) : [],
    isWaiting ? listProblems(scope, row) : [],
    countReasons(scope, id),
    selectErrors(scope, id, { after: 0, limit: SHOWN_ERRORS }),
  ])
  const { encoding, delimiter, line_ending, has_header, columns, options } = row
  return {
    ...present(scope, row),
    encoding,
    delimiter,
    line_ending,
    has_header,
    columns,
    options,
    sample: has_header ? sample.slice(1) : sample,
    problems,
    error_reasons,
    errors,
  }
}

/** If the file was deleted or is on another machine's disk, the start of the import reports it. */
const withoutFile = ifAbsent<string[][]>([])

async function listProblems(scope: MerchantScope, { app, columns }: ImportRow): Promise<MappingProblem[]> {
  const problems = problemsOf(app, columns)
  return (await selectStoreMetafields(scope, keysOf(columns))).length > 0
    ? [...problems, 'metafield_of_store']
    : problems
}

const PERCENT = 100
function present({ now }: MerchantScope, row: ImportRow): Import {
  const part = row.size_bytes === 0 ? 1 : Math.min(1, row.position_bytes / row.size_bytes)
  const elapsedMs = row.started_at ? now.getTime() - row.started_at.getTime() : 0
  return {
    id: row.id,
    app: row.app,
    status: row.status,
    file_name: row.file_name,
    size_bytes: row.size_bytes,
    read_percent: Math.round(part * PERCENT * 10) / 10,
    rows_count: row.rows_count,
    created_count: row.created_count,
    changed_count: row.changed_count,
    unchanged_count: row.unchanged_count,
    error_count: row.error_count,
    failure: row.failure,
    seconds_left:
      row.status === 'running' && part > 0 && elapsedMs > 0
        ? Math.max(0, Math.round((elapsedMs * (1 - part)) / part / 1000))
        : null,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}

export interface MappingChange {
  encoding?: ImportEncoding | undefined
  delimiter?: ImportDelimiter | undefined
  has_header?: boolean | undefined
  columns?: { field: ImportField | null; metafield: string | null }[] | undefined
  options?: ImportOptions | undefined
}

export function changeImport(scope: MerchantScope, id: string, change: MappingChange): Promise<ImportDetail> {
  return scope.transaction(async (scope) => {
    const row = await lockWaiting(scope, id)
    const layout = await relook(scope, row, change)
    const { columns, options } = change
    if (columns && columns.length !== layout.columns.length) throw invalid({ columns: 'invalid' })
    if (options?.create_unknown && row.app !== 'customers') throw invalid({ 'options.create_unknown': 'not_allowed' })
    await writeMapping(scope, id, {
      ...row,
      ...layout,
      columns: layout.columns.map(({ header, ...guessed }, position) => ({
        header,
        ...(columns?.[position] ?? guessed),
      })),
      options: options ?? row.options,
    })
    return getImport(scope, id)
  })
}

/** UTF-16, recognized by the file's byte order mark, cannot be overruled. */
async function relook(scope: MerchantScope, row: ImportRow, change: MappingChange): Promise<Layout> {
  const isWide = row.encoding.startsWith('utf-16')
  const { encoding = row.encoding, delimiter = row.delimiter, has_header = row.has_header } = change
  if (encoding !== row.encoding && (isWide || encoding.startsWith('utf-16'))) throw invalid({ encoding: 'not_allowed' })
  if (encoding === row.encoding && delimiter === row.delimiter && has_header === row.has_header) return row
  const path = fileOf(scope, row.id)
  if (!fs.existsSync(path)) throw conflict('not_found', 'the uploaded file is gone')
  const looked = await inspectFile(path, row.app, { encoding, delimiter, has_header })
  return { ...looked, columns: await withoutStoreMetafields(scope, looked.columns) }
}

async function lockWaiting(scope: MerchantScope, id: string): Promise<ImportRow> {
  const row = await lockImport(scope, id)
  if (!row) throw notFound('there is no such import')
  if (row.status !== 'mapping') throw conflict('import_not_waiting', 'the import was begun already')
  return row
}

export function startImport(scope: MerchantScope, id: string): Promise<ImportDetail> {
  return scope.transaction(async (scope) => {
    const row = await lockWaiting(scope, id)
    if ((await listProblems(scope, row)).length > 0)
      throw conflict('import_mapping_incomplete', 'the columns are not what the import needs')
    await markRunning(scope, id)
    await continueImportLater(scope, id)
    return getImport(scope, id)
  })
}

/** The current batch is committed or rolled back as a whole; earlier ones stay. */
export async function cancelImport(scope: MerchantScope, id: string): Promise<ImportDetail> {
  await scope.transaction(async (scope) => {
    const row = await lockImport(scope, id)
    if (!row) throw notFound('there is no such import')
    if (row.status !== 'running') throw conflict('import_not_running', 'the import is not running')
    await markOver(scope, id, { status: 'cancelled', failure: null })
    await publishChanges(scope, row)
    await mailImportEndLater(scope, row)
  })
  await removeFile(scope, id)
  return getImport(scope, id)
}

export async function deleteImport(scope: MerchantScope, id: string): Promise<void> {
  await scope.transaction(async (scope) => {
    const row = await lockImport(scope, id)
    if (!row) throw notFound('there is no such import')
    if (row.status === 'running') throw conflict('import_running', 'a running import is cancelled first')
    await deleteImportRow(scope, id)
  })
  await removeFile(scope, id)
}
