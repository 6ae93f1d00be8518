import type { Keyring } from '../../kernel/keyring.ts'

export const LINK_MAC_BYTES = 10
const UUID_BYTES = 16
const TOKEN_BYTES = UUID_BYTES * 2 + LINK_MAC_BYTES
/** Base64url of {@link TOKEN_BYTES}. */
export const TOKEN_LENGTH = Math.ceil((TOKEN_BYTES * 4) / 3)

/** What the links of one recipient's mail carry: which merchant, which delivery. */
export interface LinkToken {
  merchantId: string
  deliveryId: string
}

/**
 * The token in `/o/{token}.gif`, `/c/{token}-{n}` and `/u/{token}`: signed once per recipient. The link's number stands outside
 * the signature: it only chooses among the links stored with the message.
 */
export function makeLinkToken(keyring: Keyring, { merchantId, deliveryId }: LinkToken): string {
  const bytes = Buffer.allocUnsafe(TOKEN_BYTES)
  bytes.write(merchantId.replaceAll('-', ''), 0, 'hex')
  bytes.write(deliveryId.replaceAll('-', ''), UUID_BYTES, 'hex')
  bytes.write(keyring.linkMac(bytes.subarray(0, UUID_BYTES * 2), LINK_MAC_BYTES), UUID_BYTES * 2, 'hex')
  return bytes.toString('base64url')
}

/** Null when the token was not made by us. */
export function readLinkToken(keyring: Keyring, token: string): LinkToken | null {
  if (token.length !== TOKEN_LENGTH || !/^[\w-]+$/.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== TOKEN_BYTES) return null
  const ids = bytes.subarray(0, UUID_BYTES * 2)
  if (!keyring.linkMacMatches(ids, bytes.subarray(UUID_BYTES * 2))) return null
  const hex = ids.toString('hex')
  return { merchantId: uuid(hex.slice(0, UUID_BYTES * 2)), deliveryId: uuid(hex.slice(UUID_BYTES * 2)) }
}

const uuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
