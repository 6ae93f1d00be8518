import { ApiError } from '@okaeri/contract/client'
import type { ErrorBody, Reason } from '@okaeri/contract/errors'
import { MAX_PICTURE_BYTES, type UserMedia } from '@okaeri/contract/media/media'
import { KIND_BYTES, pictureKind } from '@okaeri/contract/media/picture-kind'
import { changeMedia, deleteMedia, presignMedia } from '@okaeri/contract/media/routes'
import { useSyncExternalStore } from 'react'
import { call } from '../../api/call.ts'
import { refresh } from '../../api/queries.ts'

// Uploads belong to no page: they go on while the person looks at another one.

export interface Upload {
  id: number
  /** Whose: another member may sign in on the same page. */
  memberId: string
  file: File
  name: string
  folder: string
  state: 'waiting' | 'sending' | 'looking' | 'done' | 'failed' | 'cancelled'
  /** From 0 to 1. */
  sent: number
  error: unknown
  media: UserMedia | null
}

/** More at once only share the same line. */
const AT_ONCE = 3

let uploads: readonly Upload[] = []
let lastId = 0
const stops = new Map<number, AbortController>()
const listeners = new Set<() => void>()

const publish = (changed: readonly Upload[]): void => {
  uploads = changed
  for (const listen of listeners) listen()
}
const change = (id: number, part: Partial<Upload>): void =>
  publish(uploads.map((one) => (one.id === id ? { ...one, ...part } : one)))

export function useUploads(memberId: string): readonly Upload[] {
  const all = useSyncExternalStore(
    (listen) => {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
    () => uploads,
  )
  return all.filter((one) => one.memberId === memberId)
}

export function addUploads(
  files: readonly File[],
  options: { memberId: string; folder: string; nameOfPasted: string },
): void {
  const added = files.map((file): Upload => {
    // What is pasted has no name of its own in any browser but `image.png`.
    const name = /^image\.\w+$/.test(file.name) ? options.nameOfPasted : file.name
    return {
      id: ++lastId,
      memberId: options.memberId,
      file,
      name: name.slice(0, 200) || options.nameOfPasted,
      folder: options.folder,
      state: 'waiting',
      sent: 0,
      error: null,
      media: null,
    }
  })
  publish([...uploads, ...added])
  beginNext()
}

export function retryUpload(id: number): void {
  change(id, { state: 'waiting', sent: 0, error: null })
  beginNext()
}

export function cancelUpload(id: number): void {
  change(id, { state: 'cancelled' })
  stops.get(id)?.abort()
  beginNext()
}

const isOver = ({ state }: Upload): boolean => state === 'done' || state === 'failed' || state === 'cancelled'
export const dismissFinished = (): void => publish(uploads.filter((one) => !isOver(one)))

function beginNext(): void {
  const free = AT_ONCE - stops.size
  for (const upload of uploads.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free)))
    void begin(upload)
}

async function begin({ id, file, name, folder }: Upload): Promise<void> {
  const stop = new AbortController()
  stops.set(id, stop)
  change(id, { state: 'sending' })
  let begun: UserMedia | null = null
  try {
    const type = await typeOf(file)
    const { presigned_url, user_media } = await call(presignMedia, {
      body: { name, folder, type, size_bytes: file.size },
      signal: stop.signal,
    })
    begun = user_media
    await send(presigned_url, file, {
      type,
      signal: stop.signal,
      onSent: (sent) => change(id, { sent }),
      onWhole: () => change(id, { state: 'looking', sent: 1 }),
    })
    const finished = await call(changeMedia, { body: { user_media: { id: user_media.id } }, signal: stop.signal })
    change(id, { state: 'done', media: finished.user_media })
    void refresh('media')
  } catch (error) {
    if (!stop.signal.aborted) change(id, { state: 'failed', error })
    // Another try starts from the beginning: the first upload must not stay beside it.
    await giveUp(begun)
  } finally {
    stops.delete(id)
    beginNext()
  }
}

/** An upload that was never confirmed is deleted after a day. */
const giveUp = async (begun: UserMedia | null): Promise<void> => {
  if (begun) await call(deleteMedia, { params: { id: begun.id } }).catch(() => undefined)
}

const refused = (reason: Reason): ApiError => new ApiError(400, 'invalid', reason, reason)

/** What the server would refuse is said before it is sent. */
async function typeOf(file: File) {
  if (file.size > MAX_PICTURE_BYTES) throw refused('media_too_large')
  // It may be on a disk that is gone, or a folder.
  const beginning = await file
    .slice(0, KIND_BYTES)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0))
  const kind = pictureKind(new Uint8Array(beginning))
  if (kind === null) throw refused('picture_type')
  if (kind === 'svg') throw refused('picture_svg')
  if (kind === 'heic') throw refused('picture_heic')
  return kind
}

/** `fetch` tells nothing of how far an upload is. */
function send(
  address: string,
  file: File,
  options: { type: string; signal: AbortSignal; onSent: (sent: number) => void; onWhole: () => void },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', address)
    request.setRequestHeader('content-type', options.type)
    request.upload.onprogress = ({ loaded, total }) => options.onSent(total > 0 ? loaded / total : 0)
    // From here on the server looks at it.
    request.upload.onload = options.onWhole
    request.onload = () => (request.status < 300 ? resolve() : reject(refusalOf(request)))
    request.onerror = () => reject(new ApiError(0, 'network', 'network', 'the file was not sent'))
    request.onabort = () => reject(new DOMException('cancelled', 'AbortError'))
    options.signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}

function refusalOf({ status, responseText }: XMLHttpRequest): ApiError {
  try {
    const { error } = JSON.parse(responseText) as ErrorBody
    return new ApiError(status, error.code, error.reason, error.message)
  } catch {
    // Another store speaks XML, and says nothing that a person could use.
    return new ApiError(status, 'unavailable', 'unavailable', `the storage answered ${status}`)
  }
}
