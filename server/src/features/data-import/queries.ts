import type {
  ImportApp,
  ImportColumn,
  ImportDelimiter,
  ImportEncoding,
  ImportFailure,
  ImportOptions,
  ImportRowError,
  ImportStatus,
  LineEnding,
  RowReason,
} from '@okaeri/contract/imports/import'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

export interface ImportRow {
  id: string
  app: ImportApp
  status: ImportStatus
  file_name: string
  size_bytes: number
  encoding: ImportEncoding
  delimiter: ImportDelimiter
  line_ending: LineEnding
  has_header: boolean
  columns: ImportColumn[]
  options: ImportOptions
  position_bytes: number
  next_line: number
  rows_count: number
  created_count: number
  changed_count: number
  unchanged_count: number
  error_count: number
  failure: ImportFailure | null
  member_id: string | null
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
}

export async function insertImport(
  scope: MerchantScope,
  row: Pick<
    ImportRow,
    | 'id'
    | 'app'
    | 'file_name'
    | 'size_bytes'
    | 'encoding'
    | 'delimiter'
    | 'line_ending'
    | 'has_header'
    | 'columns'
    | 'options'
  >,
): Promise<void> {
  await sql`
    insert into imports (merchant_id, id, app, file_name, size_bytes, encoding, delimiter, line_ending, has_header, columns, options,
      member_id, created_at, updated_at)
    values (${scope.merchantId}, ${row.id}, ${row.app}, ${row.file_name}, ${row.size_bytes}, ${row.encoding}, ${row.delimiter},
      ${row.line_ending}, ${row.has_header}, ${JSON.stringify(row.columns)}, ${JSON.stringify(row.options)}, ${scope.memberId},
      ${scope.now}, ${scope.now})
  `.execute(scope.db)
}

export async function selectImports(
  scope: MerchantScope,
  { status, limit, offset }: { status?: ImportStatus | undefined; limit: number; offset: number },
): Promise<{ rows: ImportRow[]; total: number }> {
  const wanted = sql`merchant_id = ${scope.merchantId} ${status ? sql`and status = ${status}` : sql``}`
  const [{ rows }, counted] = await Promise.all([
    sql<ImportRow>`select * from imports where ${wanted} order by created_at desc, id desc limit ${limit} offset ${offset}`.execute(
      scope.db,
    ),
    sql<{ count: number }>`select count(*) as count from imports where ${wanted}`.execute(scope.db),
  ])
  return { rows, total: counted.rows[0]?.count ?? 0 }
}

export async function findImport(scope: MerchantScope, id: string): Promise<ImportRow | null> {
  const { rows } = await sql<ImportRow>`
    select * from imports where merchant_id = ${scope.merchantId} and id = ${id}
  `.execute(scope.db)
  return rows[0] ?? null
}

/** Locked until the transaction ends. */
export async function lockImport(scope: MerchantScope, id: string): Promise<ImportRow | null> {
  const { rows } = await sql<ImportRow>`
    select * from imports where merchant_id = ${scope.merchantId} and id = ${id} for update
  `.execute(scope.db)
  return rows[0] ?? null
}

export async function writeMapping(
  scope: MerchantScope,
  id: string,
  { encoding, delimiter, line_ending, has_header, columns, options }: ImportRow,
): Promise<void> {
  await sql`
    update imports set encoding = ${encoding}, delimiter = ${delimiter}, line_ending = ${line_ending}, has_header = ${has_header},
      columns = ${JSON.stringify(columns)}, options = ${JSON.stringify(options)}, updated_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = ${id}
  `.execute(scope.db)
}

export async function markRunning(scope: MerchantScope, id: string): Promise<void> {
  await sql`
    update imports set status = 'running', started_at = ${scope.now}, updated_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = ${id}
  `.execute(scope.db)
}

export async function markOver(
  scope: MerchantScope,
  id: string,
  { status, failure }: { status: 'done' | 'failed' | 'cancelled'; failure: ImportFailure | null },
): Promise<void> {
  await sql`delete from import_points where merchant_id = ${scope.merchantId} and import_id = ${id}`.execute(scope.db)
  await sql`
    update imports set status = ${status}, failure = ${failure}, finished_at = ${scope.now}, updated_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = ${id}
  `.execute(scope.db)
}

export interface Progress {
  position: number
  nextLine: number
  rows: number
  created: number
  changed: number
  unchanged: number
  errors: number
}

/** Stores an import's position and adds the counts. */
export async function addProgress(scope: MerchantScope, id: string, progress: Progress): Promise<void> {
  await sql`
    update imports set position_bytes = ${progress.position}, next_line = ${progress.nextLine},
      rows_count = rows_count + ${progress.rows}, created_count = created_count + ${progress.created},
      changed_count = changed_count + ${progress.changed}, unchanged_count = unchanged_count + ${progress.unchanged},
      error_count = error_count + ${progress.errors}, updated_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = ${id}
  `.execute(scope.db)
}

export interface RefusedRow {
  line: number
  reason: RowReason
  header: string | null
  cells: readonly string[]
  emailKey: string | null
  storeId: number | null
}
export async function insertErrors(scope: MerchantScope, importId: string, rows: readonly RefusedRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into import_errors (merchant_id, import_id, line, reason, header, cells, email_key, store_customer_id)
    select ${scope.merchantId}, ${importId}, r.line, r.reason, r.header, r.cells, r."emailKey", r."storeId"
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(line int, reason text, header text, cells jsonb, "emailKey" text,
      "storeId" bigint)
  `.execute(scope.db)
}

export async function selectErrors(
  scope: MerchantScope,
  importId: string,
  { after, limit }: { after: number; limit: number },
): Promise<ImportRowError[]> {
  const { rows } = await sql<ImportRowError>`
    select line, reason, header, cells from import_errors
    where merchant_id = ${scope.merchantId} and import_id = ${importId} and line > ${after} order by line limit ${limit}
  `.execute(scope.db)
  return rows
}

export async function countReasons(
  scope: MerchantScope,
  importId: string,
): Promise<{ reason: RowReason; count: number }[]> {
  const { rows } = await sql<{ reason: RowReason; count: number }>`
    select reason, count(*) as count from import_errors
    where merchant_id = ${scope.merchantId} and import_id = ${importId} group by reason order by count(*) desc, reason
  `.execute(scope.db)
  return rows
}

export interface PointsRow {
  customerId: string
  points: number
  expiresOn: string | null
}
/** Adds up the rows of each customer, within a batch and over batches. */
export async function addPoints(scope: MerchantScope, importId: string, rows: readonly PointsRow[]): Promise<void> {
  await sql`
    insert into import_points as p (merchant_id, import_id, customer_id, points, expires_on)
    select ${scope.merchantId}, ${importId}, r."customerId", sum(r.points), min(r."expiresOn")
    from json_to_recordset(${JSON.stringify(rows)}::json) as r("customerId" uuid, points bigint, "expiresOn" date)
    group by r."customerId" order by r."customerId"
    on conflict (merchant_id, import_id, customer_id) do update set points = p.points + excluded.points,
      expires_on = least(p.expires_on, excluded.expires_on)
  `.execute(scope.db)
}

/** Removes some, which the caller writes in the same transaction. */
export async function takePoints(scope: MerchantScope, importId: string, limit: number): Promise<PointsRow[]> {
  const { rows } = await sql<PointsRow>`
    delete from import_points p using (
      select customer_id from import_points where merchant_id = ${scope.merchantId} and import_id = ${importId}
      order by customer_id limit ${limit}
    ) taken
    where p.merchant_id = ${scope.merchantId} and p.import_id = ${importId} and p.customer_id = taken.customer_id
    returning p.customer_id as "customerId", p.points, p.expires_on as "expiresOn"
  `.execute(scope.db)
  return rows
}

export async function deleteImportRow(scope: MerchantScope, id: string): Promise<void> {
  await sql`delete from import_errors where merchant_id = ${scope.merchantId} and import_id = ${id}`.execute(scope.db)
  await sql`delete from import_points where merchant_id = ${scope.merchantId} and import_id = ${id}`.execute(scope.db)
  await sql`delete from imports where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

/** Those created before that time that are not running. */
export async function selectOldImports(scope: MerchantScope, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from imports
    where merchant_id = ${scope.merchantId} and created_at < ${before} and status <> 'running' order by created_at limit ${limit}
  `.execute(scope.db)
  return rows.map(({ id }) => id)
}

/** Those of these metafields (`namespace.key`) that are the store's. */
export async function selectStoreMetafields(scope: MerchantScope, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select namespace || '.' || key as key from metafield_settings
    where merchant_id = ${scope.merchantId} and namespace || '.' || key = any(${keys}::text[]) and namespace_type = 'platform'
      and deleted_at is null
  `.execute(scope.db)
  return rows.map(({ key }) => key)
}

/** The merchant's uploads run one after another until the end of the transaction. */
export async function lockUploads(scope: MerchantScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`uploads ${scope.merchantId}`}, 0))`.execute(scope.db)
}

export async function selectWaitingImports(scope: MerchantScope): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from imports where merchant_id = ${scope.merchantId} and status = 'mapping' order by id
  `.execute(scope.db)
  return rows.map(({ id }) => id)
}
