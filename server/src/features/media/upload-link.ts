import { pictureTypes, type PictureType } from '@okaeri/contract/media/media'
import type { Context } from '../../kernel/context.ts'
import type { MediaKey } from './media-id.ts'

/** What may be sent to an address: everything is in its signature. */
export interface UploadGrant extends MediaKey {
  /** Null: any. */
  type: PictureType | null
  maxBytes: number
  endsAt: Date
}

/** Method and path are signed with it, so that the token opens nothing else. */
const purpose = Buffer.from('PUT /user_media/upload ')
const UUID_BYTES = 16
/** Two ids, the end in milliseconds, the size, the type. */
const NAMED_BYTES = UUID_BYTES * 2 + 6 + 4 + 1
const MAC_BYTES = 16

export function uploadLink(
  { keyring, settings }: Pick<Context, 'keyring' | 'settings'>,
  { merchantId, id, type, maxBytes, endsAt }: UploadGrant,
): string {
  const named = Buffer.alloc(NAMED_BYTES)
  named.write(merchantId.replaceAll('-', ''), 0, 'hex')
  named.write(id.replaceAll('-', ''), UUID_BYTES, 'hex')
  named.writeUIntBE(endsAt.getTime(), UUID_BYTES * 2, 6)
  named.writeUInt32BE(maxBytes, UUID_BYTES * 2 + 6)
  named.writeUInt8(type === null ? 0 : pictureTypes.indexOf(type) + 1, NAMED_BYTES - 1)
  const mac = Buffer.from(keyring.linkMac(Buffer.concat([purpose, named]), MAC_BYTES), 'hex')
  return `${settings.publicUrl}/user_media/upload/${Buffer.concat([named, mac]).toString('base64url')}`
}

/** Null when we did not sign it. Whether it has ended is for the caller to see. */
export function readUploadLink({ keyring }: Pick<Context, 'keyring'>, token: string): UploadGrant | null {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== NAMED_BYTES + MAC_BYTES) return null
  const named = bytes.subarray(0, NAMED_BYTES)
  if (!keyring.linkMacMatches(Buffer.concat([purpose, named]), bytes.subarray(NAMED_BYTES))) return null
  const uuidAt = (at: number): string =>
    named.toString('hex', at, at + UUID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return {
    merchantId: uuidAt(0),
    id: uuidAt(UUID_BYTES),
    endsAt: new Date(named.readUIntBE(UUID_BYTES * 2, 6)),
    maxBytes: named.readUInt32BE(UUID_BYTES * 2 + 6),
    type: pictureTypes[named.readUInt8(NAMED_BYTES - 1) - 1] ?? null,
  }
}
