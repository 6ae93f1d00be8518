import { randomUUID } from 'node:crypto'
import { type PictureCopy, pictureCopies } from '@okaeri/contract/media/media'

/** The merchant and the picture, as the outside names them: a request for a picture comes without a merchant. */
export interface MediaKey {
  merchantId: string
  /** Of 122 random bits. */
  id: string
}

export const newMediaId = (): string => randomUUID()

const hexOf = (uuid: string): string => uuid.replaceAll('-', '')
const uuidOf = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
const UUID_BYTES = 16

export const mediaIdOf = ({ merchantId, id }: MediaKey): string =>
  Buffer.from(hexOf(merchantId) + hexOf(id), 'hex').toString('base64url')

/** What the ids of all pictures of a merchant begin with: whole bytes of its id in base64url, 3 bytes being 4 characters. */
export const mediaPrefixOf = (merchantId: string): string =>
  Buffer.from(hexOf(merchantId), 'hex').subarray(0, 15).toString('base64url')

/** Null: nothing is called so. */
export function readMediaId(text: string): MediaKey | null {
  const bytes = Buffer.from(text, 'base64url')
  // Of base64 several texts may say the same bytes.
  if (bytes.length !== UUID_BYTES * 2 || bytes.toString('base64url') !== text) return null
  return {
    merchantId: uuidOf(bytes.toString('hex', 0, UUID_BYTES)),
    id: uuidOf(bytes.toString('hex', UUID_BYTES)),
  }
}

const ID_LENGTH = 43

export const slugOf = (key: MediaKey, copy: PictureCopy): string =>
  copy === 'full' ? mediaIdOf(key) : `${mediaIdOf(key)}-${copy}`

export function readSlug(slug: string): (MediaKey & { copy: PictureCopy }) | null {
  const key = readMediaId(slug.slice(0, ID_LENGTH))
  const rest = slug.slice(ID_LENGTH)
  const copy = pictureCopies.find((one) => rest === (one === 'full' ? '' : `-${one}`))
  return key && copy ? { ...key, copy } : null
}
