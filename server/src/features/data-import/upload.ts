import { once } from 'node:events'
import fs from 'node:fs'
import type { Readable } from 'node:stream'
import { ImportApp, MAX_IMPORT_BYTES } from '@okaeri/contract/imports/import'
import type { ImportDetail } from '@okaeri/contract/imports/import'
import type { Reason } from '@okaeri/contract/errors'
import type { FastifyRequest } from 'fastify'
import { AppError, invalid } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Context } from '../../kernel/context.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { refusalOf, wideEncodingOf } from './file-kind.ts'
import { fileOf, folderOf, removeFile } from './files.ts'
import { createImport, hasRoomFor, tooManyWaiting } from './import.ts'

interface Received {
  fileName: string
  sizeBytes: number
  /** UTF-16 is stored as UTF-8, so that a line break is one byte in every file. */
  wideEncoding: 'utf-16le' | 'utf-16be' | null
  /** The position of the first byte that is not ASCII. */
  firstForeignByte: number | null
}

/** Streams a form's file to the disk, with only a few chunks in memory, and inspects it. */
export async function receiveUpload(scope: MerchantScope, request: FastifyRequest): Promise<ImportDetail> {
  if (!request.isMultipart()) throw new AppError('unsupported_media_type', 'wrong_content_type')
  if (Number(request.headers['content-length'] ?? 0) > MAX_IMPORT_BYTES + FORM_BYTES) throw tooLarge()
  const id = newId()
  await fs.promises.mkdir(folderOf(scope), { recursive: true, mode: 0o700 })
  const leave = enter(scope)
  try {
    // Uploads in progress take disk space too, and a slow connection may take long.
    const hasRoom = await hasRoomFor(scope, countUnderWay(scope))
    let app: string | undefined
    let received: Received | undefined
    const parts = request.parts({ limits: { fileSize: MAX_IMPORT_BYTES, files: 1, fields: 10, fieldSize: 1000 } })
    for await (const part of parts) {
      if (part.type === 'file') {
        if (part.fieldname !== 'file' || !hasRoom) part.file.resume()
        // A part without a name, but with a binary type, is a file too; its filename is then undefined.
        else received = await receive(fileOf(scope, id), part.file, (part.filename as string | undefined) ?? '')
        if (part.file.truncated) throw tooLarge()
      } else if (part.fieldname === 'app') app = String(part.value)
    }
    if (!hasRoom) throw tooManyWaiting()
    const chosen = ImportApp.safeParse(app)
    if (!chosen.success || !received)
      throw invalid({
        ...(chosen.success ? {} : { app: app ? ('not_allowed' as const) : ('required' as const) }),
        ...(received ? {} : { file: 'required' as const }),
      })
    return await createImport(scope, { id, app: chosen.data, ...received })
  } catch (error) {
    await removeFile(scope, id)
    throw isBrokenForm(error) ? new AppError('invalid', 'bad_request', 'the form cannot be read') : error
  } finally {
    leave()
  }
}

/** Uploads in progress in this process, by merchant. */
const underWay = new WeakMap<Context, Map<string, number>>()
const countUnderWay = ({ context, merchantId }: MerchantScope): number => underWay.get(context)?.get(merchantId) ?? 0

function enter(scope: MerchantScope): () => void {
  const { context, merchantId } = scope
  const counts = underWay.get(context) ?? new Map<string, number>()
  underWay.set(context, counts.set(merchantId, countUnderWay(scope) + 1))
  return () => {
    const left = countUnderWay(scope) - 1
    if (left > 0) counts.set(merchantId, left)
    else counts.delete(merchantId)
  }
}

const FORM_BYTES = 1024 * 1024
const tooLarge = (): AppError => new AppError('too_large', 'import_too_large', `more than ${MAX_IMPORT_BYTES} bytes`)
/** The form parser's message for a form that ends too early or has an invalid boundary. Its errors have no code. */
const isBrokenForm = (error: unknown): boolean =>
  error instanceof Error &&
  /unexpected end of multipart data|boundary not found|^the needle cannot/i.test(error.message)
const MAX_NAME = 200
/** Enough for the longest signature, and for finding bytes that no text has in a file without one. */
const RECOGNIZED_BYTES = 4096

/** A refused file is read to its end too: a browser that is still sending does not read an answer. */
async function receive(path: string, file: Readable & { truncated: boolean }, name: string): Promise<Received> {
  const out = fs.createWriteStream(path, { mode: 0o600 })
  let failure: Error | undefined
  out.on('error', (error) => (failure = error))
  let sizeBytes = 0
  /** Collected until the kind of file is known, because a slow connection may bring it byte by byte. Null from then on. */
  let beginning: Buffer | null = Buffer.alloc(0)
  let refusal: Reason | null = null
  let wideEncoding: Received['wideEncoding'] = null
  let decoder: InstanceType<typeof TextDecoder> | null = null
  let firstForeignByte: number | null = null
  const keep = async (bytes: Buffer): Promise<void> => {
    if (firstForeignByte === null) {
      const found = bytes.toString('latin1').search(/[\x80-\xff]/)
      if (found !== -1) firstForeignByte = sizeBytes + found
    }
    sizeBytes += bytes.length
    // Rejects if the disk fails, which `failure` records.
    if (bytes.length > 0 && !out.write(bytes) && failure === undefined) await once(out, 'drain').catch(() => {})
  }
  const take = async (bytes: Buffer): Promise<void> => {
    if (refusal || failure) return
    await keep(decoder ? Buffer.from(decoder.decode(bytes, { stream: true })) : bytes)
  }
  const recognize = async (bytes: Buffer): Promise<void> => {
    beginning = null
    refusal = refusalOf(bytes)
    wideEncoding = wideEncodingOf(bytes)
    decoder = wideEncoding && new TextDecoder(wideEncoding)
    await take(bytes)
  }
  try {
    for await (const chunk of file) {
      if (beginning === null) await take(chunk as Buffer)
      else {
        beginning = Buffer.concat([beginning, chunk as Buffer])
        if (beginning.length >= RECOGNIZED_BYTES) await recognize(beginning)
      }
    }
    if (beginning !== null) await recognize(beginning)
    if (decoder && !refusal) await keep(Buffer.from((decoder as InstanceType<typeof TextDecoder>).decode()))
  } finally {
    await new Promise<void>((resolve) => out.end(() => resolve()))
  }
  if (failure) throw failure as Error
  if (refusal) throw new AppError('invalid', refusal, 'the file is no CSV')
  if (sizeBytes === 0) throw new AppError('invalid', 'import_empty', 'the file is empty')
  const fileName =
    name
      .replace(/\p{Cc}/gu, ' ')
      .toWellFormed()
      .trim()
      .slice(0, MAX_NAME) || 'import.csv'
  return { fileName, sizeBytes, wideEncoding, firstForeignByte }
}
