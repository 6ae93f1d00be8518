import {
  MAX_PICTURE_BYTES,
  type MediaQuota,
  type MediaUses,
  type PictureType,
  type PublicMedia,
  type UserMedia,
} from '@okaeri/contract/media/media'
import type { Page } from '@okaeri/contract/paging'
import type { Context } from '../../kernel/context.ts'
import { AppError, conflict, notFound } from '../../kernel/errors.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { incomingKey } from './files.ts'
import { newMediaId, readMediaId } from './media-id.ts'
import { mediaFull, presentMedia } from './presentation.ts'
import {
  findMedia,
  insertMedia,
  insertSweep,
  lockQuota,
  type MediaRow,
  markDeleted,
  selectFolders,
  selectMedia,
  sumMedia,
  updateMedia,
} from './queries.ts'
import { removeDeleted } from './removal.ts'
import { finishUpload } from './upload.ts'
import { uploadLink } from './upload-link.ts'

declare module '../../kernel/context.ts' {
  interface Ports {
    /** What contains this text; without what is deleted. */
    mediaUses(scope: MerchantScope, text: string): Promise<MediaUses>
  }
}

/** Long enough for a large photo over a slow line to begin; the line may take longer to end. */
const UPLOAD_SECONDS = 15 * 60
const FIRST_LOOK_MS = 2 * 60_000
const DAY_MS = 86_400_000
/** More than a page ever has under way. What is under way takes room of the storage that is not counted yet. */
const MAX_PENDING = 100

/** Of this merchant's pictures; another's is not found. */
function rowIdOf(scope: MerchantScope, mediaId: string): string {
  const key = readMediaId(mediaId)
  if (key?.merchantId !== scope.merchantId) throw notFound('there is no such picture')
  return key.id
}

async function getRow(scope: MerchantScope, id: string, options?: { lock: boolean }): Promise<MediaRow> {
  const row = await findMedia(scope, id, options)
  if (!row) throw notFound('there is no such picture')
  return row
}

async function presentQuota(scope: MerchantScope): Promise<MediaQuota> {
  const { count, bytes } = await sumMedia(scope)
  const { mediaQuota } = scope.context.settings
  return { count, max_count: mediaQuota.count, size_bytes: bytes, max_bytes: mediaQuota.bytes }
}

export async function listMedia(
  scope: MerchantScope,
  query: Parameters<typeof selectMedia>[1],
): Promise<Page<UserMedia> & { folders: { name: string; count: number }[]; quota: MediaQuota }> {
  const [{ rows, total }, folders, quota] = await Promise.all([
    selectMedia(scope, query),
    selectFolders(scope),
    presentQuota(scope),
  ])
  const { limit, offset } = query
  return { data: rows.map((row) => presentMedia(scope, row)), limit, offset, total, folders, quota }
}

interface Upload {
  name: string
  folder: string
  type?: PictureType | undefined
  size_bytes?: number | undefined
}

export async function beginUpload(
  scope: MerchantScope,
  { name, folder, type, size_bytes }: Upload,
): Promise<{ presigned_url: string; public_url: string; user_media: UserMedia }> {
  const { context, merchantId } = scope
  const id = newMediaId()
  await scope.transaction(async (scope) => {
    await lockQuota(scope)
    const { count, pending, bytes } = await sumMedia(scope)
    const { mediaQuota } = context.settings
    if (count + pending >= mediaQuota.count || bytes + (size_bytes ?? 0) > mediaQuota.bytes) throw mediaFull()
    if (pending >= MAX_PENDING)
      throw new AppError('rate_limited', 'rate_limited', 'too many uploads were begun and not finished')
    await insertMedia(scope, { id, name, folder, lookAt: new Date(scope.now.getTime() + FIRST_LOOK_MS) })
    await insertSweep(scope, new Date(scope.now.getTime() + DAY_MS))
  })
  const direct = await context.integrations.storage.presign(incomingKey(scope, id), {
    type: type ?? null,
    sizeBytes: size_bytes ?? null,
    endsInSeconds: UPLOAD_SECONDS,
  })
  const endsAt = new Date(context.clock.realNow().getTime() + UPLOAD_SECONDS * 1000)
  const maxBytes = size_bytes ?? MAX_PICTURE_BYTES
  const user_media = presentMedia(scope, await getRow(scope, id))
  return {
    presigned_url: direct ?? uploadLink(context, { merchantId, id, type: type ?? null, maxBytes, endsAt }),
    public_url: user_media.url,
    user_media,
  }
}

type Change = { id: string } & { [K in 'name' | 'folder' | 'alt_text']?: string | undefined }

export async function changeMedia(scope: MerchantScope, { id: mediaId, ...change }: Change): Promise<UserMedia> {
  const id = rowIdOf(scope, mediaId)
  const row = await getRow(scope, id)
  if (row.state === 'pending') await finishUpload(scope, id)
  return scope.transaction(async (scope) => {
    const row = await getRow(scope, id, { lock: true })
    const { name = row.name, folder = row.folder, alt_text = row.alt_text } = change
    await updateMedia(scope, { id, name, folder, alt_text })
    return presentMedia(scope, { ...row, name, folder, alt_text })
  })
}

/** Public: anyone who knows the id gets what the picture itself shows. */
export async function getPublicMedia(context: Context, mediaId: string): Promise<PublicMedia> {
  const key = readMediaId(mediaId)
  const scope = key && merchantScope(context, key.merchantId)
  const row = scope && (await findMedia(scope, key.id))
  if (row?.state !== 'ready') throw notFound('there is no such picture')
  const { id, type, width, height, size_bytes, url } = presentMedia(scope as MerchantScope, row)
  return { id, type, width, height, size_bytes, url }
}

export async function getUses(scope: MerchantScope, mediaId: string): Promise<MediaUses> {
  await getRow(scope, rowIdOf(scope, mediaId))
  return scope.context.ports.mediaUses(scope, mediaId)
}

export async function deleteMedia(
  scope: MerchantScope,
  mediaId: string,
  { evenInUse }: { evenInUse: boolean },
): Promise<void> {
  const id = rowIdOf(scope, mediaId)
  const { state } = await getRow(scope, id)
  if (!evenInUse && state !== 'pending') {
    const { uses, messages } = await getUses(scope, mediaId)
    if (uses.length > 0 || messages > 0) throw conflict('media_in_use')
  }
  await markDeleted(scope, id)
  await removeDeleted(scope, id)
}
