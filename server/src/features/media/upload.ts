import fs from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { MAX_PICTURE_BYTES, type UserMedia } from '@okaeri/contract/media/media'
import { KIND_BYTES, type PictureKind, pictureKind } from '@okaeri/contract/media/picture-kind'
import type { Reason } from '@okaeri/contract/errors'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import { AppError, conflict, forbidden, invalid, notFound } from '../../kernel/errors.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { incomingKey, pictureKey } from './files.ts'
import { type MadeCopy, workOnPicture } from './picture-work.ts'
import { mediaFull, presentMedia } from './presentation.ts'
import { findMedia, lockQuota, markDeleted, markReady, markReceived, sumMedia } from './queries.ts'
import { removeDeleted } from './removal.ts'
import { readUploadLink } from './upload-link.ts'

const tooLarge = (maxBytes: number): AppError =>
  new AppError('too_large', 'media_too_large', `more than ${maxBytes} bytes`)

/** The file of an upload that comes through us: to the storage piece by piece, then looked at. */
export async function receiveUpload(context: Context, token: string, request: FastifyRequest): Promise<UserMedia> {
  const grant = readUploadLink(context, token)
  if (!grant) throw notFound('no upload was begun by this address')
  if (grant.endsAt <= context.clock.realNow()) throw forbidden('upload_ended')
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!type.startsWith('image/') || (grant.type !== null && type !== grant.type))
    throw new AppError('unsupported_media_type', 'wrong_content_type')
  if (Number(request.headers['content-length'] ?? 0) > grant.maxBytes) throw tooLarge(grant.maxBytes)
  const scope = merchantScope(context, grant.merchantId)
  const row = await findMedia(scope, grant.id)
  if (!row) throw notFound('the upload was given up')
  if (row.state !== 'pending' || row.received_at) throw conflict('upload_used')
  const key = incomingKey(scope, grant.id)
  const content = Readable.from(counted(sent(request.body as Readable), grant.maxBytes))
  await context.integrations.storage.put(key, { content, type, sizeBytes: 0 })
  if (!(await markReceived(scope, grant.id))) throw conflict('upload_used')
  return finishUpload(scope, grant.id)
}

/** Where the request's body breaks off, the sender is gone and it is no error of ours. A storage that breaks off is one. */
async function* sent(body: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  try {
    yield* body
  } catch {
    throw new AppError('invalid', 'bad_request', 'the file was not sent to its end')
  }
}

/** A browser that is still sending hears no answer: what is too large is read on, and thrown away, up to several times the limit. */
async function* counted(body: AsyncIterable<Buffer>, maxBytes: number): AsyncIterable<Buffer> {
  let sizeBytes = 0
  for await (const chunk of body) {
    sizeBytes += chunk.length
    if (sizeBytes <= maxBytes) yield chunk
    else if (sizeBytes > 4 * MAX_PICTURE_BYTES) break
  }
  if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
}

/** Those that are being looked at by this process: asked twice, it is done once. */
const underWay = new Map<string, Promise<UserMedia>>()

/**
 * Looks at what was sent and makes the copies; then it is ready. What cannot be used is deleted, and the error says why. Throws
 * `upload_missing` when nothing was sent yet.
 */
export function finishUpload(scope: MerchantScope, id: string): Promise<UserMedia> {
  const key = `${scope.merchantId} ${id}`
  const present = underWay.get(key)
  if (present) return present
  const finishing = finish(scope, id).finally(() => underWay.delete(key))
  underWay.set(key, finishing)
  return finishing
}

async function finish(scope: MerchantScope, id: string): Promise<UserMedia> {
  const { storage } = scope.context.integrations
  const incoming = incomingKey(scope, id)
  const refuse = async (error: AppError): Promise<never> => {
    await markDeleted(scope, id)
    await removeDeleted(scope, id)
    throw error
  }
  return workOnPicture(
    scope,
    async (file) => {
      const found = await storage.get(incoming)
      if (!found) throw conflict('upload_missing')
      if (found.sizeBytes > MAX_PICTURE_BYTES) {
        found.content.destroy()
        return refuse(tooLarge(MAX_PICTURE_BYTES))
      }
      await pipeline(found.content, fs.createWriteStream(file, { mode: 0o600 }))
      const reason = refusalOf(pictureKind(await beginningOf(file)))
      if (reason) await refuse(invalid({ file: 'invalid' }, reason))
    },
    async (outcome, fileOf) => {
      if ('refused' in outcome) return refuse(invalid({ file: 'invalid' }, outcome.refused))
      for (const { copy, type, sizeBytes } of outcome.made)
        await storage.put(pictureKey(scope, id, copy), {
          content: fs.createReadStream(fileOf(copy)),
          type,
          sizeBytes,
        })
      const isReady = await becomeReady(scope, id, outcome.made)
      if (!isReady) return refuse(mediaFull())
      await storage.delete([incoming])
      const row = await findMedia(scope, id)
      if (!row) return refuse(notFound('the picture was deleted meanwhile'))
      return presentMedia(scope, row)
    },
  )
}

/** False: there is no room for it. */
function becomeReady(scope: MerchantScope, id: string, copies: readonly MadeCopy[]): Promise<boolean> {
  return scope.transaction(async (scope) => {
    await lockQuota(scope)
    const row = await findMedia(scope, id, { lock: true })
    // Another process was faster, with the same bytes, or it was deleted.
    if (row?.state !== 'pending') return true
    const { bytes } = await sumMedia(scope)
    const more = copies.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    if (bytes + more > scope.context.settings.mediaQuota.bytes) return false
    await markReady(scope, id, copies)
    return true
  })
}

async function beginningOf(file: string): Promise<Uint8Array> {
  const handle = await fs.promises.open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(KIND_BYTES), 0, KIND_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Before anything unpacks it: no program here ever opens a drawing that runs scripts. */
const refusalOf = (kind: PictureKind | null): Reason | null =>
  kind === null ? 'picture_type' : kind === 'svg' ? 'picture_svg' : kind === 'heic' ? 'picture_heic' : null
