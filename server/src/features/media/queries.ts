import type { MediaState, PictureCopy, PictureType } from '@okaeri/contract/media/media'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { MadeCopy } from './picture-work.ts'

export interface CopyRow {
  copy: PictureCopy
  type: PictureType
  width: number
  height: number
  size_bytes: number
}
export interface MediaRow {
  id: string
  folder: string
  name: string
  alt_text: string
  state: MediaState | 'deleted'
  received_at: Date | null
  created_at: Date
  copies: CopyRow[]
}

const columns = (
  scope: MerchantScope,
): RawBuilder<unknown> => sql`m.id, m.folder, m.name, m.alt_text, m.state, m.received_at,
  m.created_at, coalesce((
    select jsonb_agg(jsonb_build_object('copy', c.copy, 'type', c.type, 'width', c.width, 'height', c.height, 'size_bytes', c.size_bytes))
    from media_copies c where c.merchant_id = ${scope.merchantId} and c.media_id = m.id), '[]'::jsonb) as copies`

/** Not those that are deleted. */
export async function findMedia(
  scope: MerchantScope,
  id: string,
  { lock }: { lock: boolean } = { lock: false },
): Promise<MediaRow | null> {
  const { rows } = await sql<MediaRow>`select ${columns(scope)} from media m
    where m.merchant_id = ${scope.merchantId} and m.id = ${id} and m.state <> 'deleted'
    ${lock ? sql`for update of m` : sql``}`.execute(scope.db)
  return rows[0] ?? null
}

/** The files a reader may see. */
export async function listShownCopies(scope: MerchantScope, id: string): Promise<CopyRow[]> {
  const { rows } = await sql<CopyRow>`
    select c.copy, c.type, c.width, c.height, c.size_bytes::int as size_bytes from media m
    join media_copies c on c.merchant_id = ${scope.merchantId} and c.media_id = m.id
    where m.merchant_id = ${scope.merchantId} and m.id = ${id} and m.state = 'ready'`.execute(scope.db)
  return rows
}

/** The bytes of these copies of pictures that are shown. */
export async function listSizes(
  scope: MerchantScope,
  copies: readonly { id: string; copy: PictureCopy }[],
): Promise<{ id: string; copy: PictureCopy; size_bytes: number }[]> {
  const { rows } = await sql<{ id: string; copy: PictureCopy; size_bytes: number }>`
    select m.id, c.copy, c.size_bytes::int as size_bytes from jsonb_to_recordset(${JSON.stringify(copies)}::jsonb) as r(id uuid, copy text)
    join media m on m.merchant_id = ${scope.merchantId} and m.id = r.id and m.state = 'ready'
    join media_copies c on c.merchant_id = ${scope.merchantId} and c.media_id = m.id and c.copy = r.copy`.execute(
    scope.db,
  )
  return rows
}

/** LINE's reference, image message and templates. */
const LINE_MAX_BYTES = 10 * 1024 * 1024

interface MediaQuery {
  q?: string | undefined
  folder?: string | undefined
  for?: 'line' | undefined
  sort: 'created_at' | 'name' | 'size_bytes'
  direction: 'asc' | 'desc'
  limit: number
  offset: number
}

const sizeOfFull = (scope: MerchantScope): RawBuilder<unknown> => sql`(select c.size_bytes from media_copies c
  where c.merchant_id = ${scope.merchantId} and c.media_id = m.id and c.copy = 'full')`

export async function selectMedia(
  scope: MerchantScope,
  { q, folder, for: place, sort, direction, limit, offset }: MediaQuery,
): Promise<{ rows: MediaRow[]; total: number }> {
  const pattern = q?.trim() ? `%${q.trim().replace(/[\\%_]/g, '\\$&')}%` : null
  const where = sql`m.merchant_id = ${scope.merchantId} and m.state in ('ready', 'missing')
    and (${pattern}::text is null or m.name ilike ${pattern} or m.alt_text ilike ${pattern})
    and (${folder ?? null}::text is null or m.folder = ${folder ?? null})
    and (${place ?? null}::text is null or exists (select from media_copies c
      where c.merchant_id = ${scope.merchantId} and c.media_id = m.id and c.copy = 'full'
        and c.type in ('image/jpeg', 'image/png') and c.size_bytes <= ${LINE_MAX_BYTES}))`
  const by = { created_at: sql`m.created_at`, name: sql`m.name`, size_bytes: sizeOfFull(scope) }[sort]
  const [page, count] = await Promise.all([
    sql<MediaRow>`select ${columns(scope)} from media m where ${where}
      order by ${by} ${direction === 'asc' ? sql`asc` : sql`desc`}, m.created_at desc, m.id
      limit ${limit} offset ${offset}`.execute(scope.db),
    sql<{ total: number }>`select count(*)::int as total from media m where ${where}`.execute(scope.db),
  ])
  return { rows: page.rows, total: count.rows[0]?.total ?? 0 }
}

/** Named ones, with how many pictures are in each. */
export async function selectFolders(scope: MerchantScope): Promise<{ name: string; count: number }[]> {
  const { rows } = await sql<{ name: string; count: number }>`
    select folder as name, count(*)::int as count from media
    where merchant_id = ${scope.merchantId} and state in ('ready', 'missing') and folder <> ''
    group by folder order by folder`.execute(scope.db)
  return rows
}

/** Copies count too: they take room. `pending`: uploads that were begun. */
export async function sumMedia(scope: MerchantScope): Promise<{ count: number; pending: number; bytes: number }> {
  const { rows } = await sql<{ count: number; pending: number; bytes: number }>`
    select (select count(*)::int from media where merchant_id = ${scope.merchantId} and state in ('ready', 'missing')) as count,
      (select count(*)::int from media where merchant_id = ${scope.merchantId} and state = 'pending') as pending,
      (select coalesce(sum(size_bytes), 0)::float8 from media_copies where merchant_id = ${scope.merchantId}) as bytes
  `.execute(scope.db)
  return rows[0] ?? { count: 0, pending: 0, bytes: 0 }
}

/** Two uploads wait for each other, so that the numbers hold. */
export async function lockQuota(scope: MerchantScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`media ${scope.merchantId}`}, 0))`.execute(scope.db)
}

export async function insertMedia(
  scope: MerchantScope,
  media: Pick<MediaRow, 'id' | 'name' | 'folder'> & { lookAt: Date },
): Promise<void> {
  const { id, name, folder, lookAt } = media
  await sql`insert into media (merchant_id, id, folder, name, look_at, created_at)
    values (${scope.merchantId}, ${id}, ${folder}, ${name}, ${lookAt}, ${scope.now})`.execute(scope.db)
}

/** From the first picture on its files are looked after. */
export async function insertSweep(scope: MerchantScope, at: Date): Promise<void> {
  await sql`insert into media_sweeps (merchant_id, sweep_at) values (${scope.merchantId}, ${at})
    on conflict (merchant_id) do nothing`.execute(scope.db)
}

/** False: a file arrived before, or nothing is expected. */
export async function markReceived(scope: MerchantScope, id: string): Promise<boolean> {
  const { rows } = await sql`update media set received_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = ${id} and state = 'pending' and received_at is null
    returning 1`.execute(scope.db)
  return rows.length > 0
}

export async function markReady(scope: MerchantScope, id: string, copies: readonly MadeCopy[]): Promise<void> {
  await sql`update media set state = 'ready', look_at = null
    where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
  await sql`insert into media_copies (merchant_id, media_id, copy, type, width, height, size_bytes)
    select ${scope.merchantId}, ${id}, c.copy, c.type, c.width, c.height, c.size_bytes
    from jsonb_to_recordset(${JSON.stringify(copies.map(({ sizeBytes, ...one }) => ({ ...one, size_bytes: sizeBytes })))}::jsonb)
      as c(copy text, type text, width int, height int, size_bytes bigint)`.execute(scope.db)
}

export async function updateMedia(
  scope: MerchantScope,
  { id, name, folder, alt_text }: Pick<MediaRow, 'id' | 'name' | 'folder' | 'alt_text'>,
): Promise<void> {
  await sql`update media set name = ${name}, folder = ${folder}, alt_text = ${alt_text}
    where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

/** From now on it is not served; its files are deleted at once or by a worker. Returns whether it was there. */
export async function markDeleted(scope: MerchantScope, id: string): Promise<boolean> {
  const { rows } = await sql`update media set state = 'deleted', look_at = ${scope.now}
    where merchant_id = ${scope.merchantId} and id = ${id} and state <> 'deleted' returning 1`.execute(scope.db)
  return rows.length > 0
}

/** After its files. */
export async function deleteMediaRow(scope: MerchantScope, id: string): Promise<void> {
  await sql`delete from media_copies where merchant_id = ${scope.merchantId} and media_id = ${id}`.execute(scope.db)
  await sql`delete from media where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

export interface LookRow {
  id: string
  state: MediaRow['state']
  created_at: Date
}
export async function selectLooks(scope: MerchantScope, limit: number): Promise<LookRow[]> {
  const { rows } = await sql<LookRow>`select id, state, created_at from media
    where merchant_id = ${scope.merchantId} and look_at <= ${scope.now} order by look_at, id limit ${limit}`.execute(
    scope.db,
  )
  return rows
}

export async function updateLook(scope: MerchantScope, id: string, at: Date): Promise<void> {
  await sql`update media set look_at = ${at} where merchant_id = ${scope.merchantId} and id = ${id}`.execute(scope.db)
}

export async function updateSweep(scope: MerchantScope, at: Date): Promise<void> {
  await sql`update media_sweeps set sweep_at = ${at} where merchant_id = ${scope.merchantId}`.execute(scope.db)
}

/** What the files are compared with: each picture with the copies it should have. */
export async function selectForSweep(
  scope: MerchantScope,
): Promise<{ id: string; state: MediaRow['state']; copies: PictureCopy[] }[]> {
  const { rows } = await sql<{ id: string; state: MediaRow['state']; copies: PictureCopy[] }>`
    select m.id, m.state, coalesce(array_agg(c.copy) filter (where c.copy is not null), '{}') as copies from media m
    left join media_copies c on c.merchant_id = ${scope.merchantId} and c.media_id = m.id
    where m.merchant_id = ${scope.merchantId} group by m.id, m.state`.execute(scope.db)
  return rows
}

/** Between ready and missing, as the files say. */
export async function markFilesThere(
  scope: MerchantScope,
  ids: readonly string[],
  state: 'ready' | 'missing',
): Promise<void> {
  await sql`update media set state = ${state} where merchant_id = ${scope.merchantId} and id = any(${[...ids]}::uuid[])
    and state in ('ready', 'missing')`.execute(scope.db)
}
