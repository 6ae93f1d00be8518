import type { Context } from '../../kernel/context.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import type { TrackedArea } from './click-queries.ts'

const MAC_BYTES = 10
const UUID_BYTES = 16
const NAMED_BYTES = UUID_BYTES * 2 + 2
/** Signed for this alone: it opens nothing else, and the token of a mail's links opens nothing here. */
const purpose = Buffer.from('rich menu link ')

/** The address in a menu for one of its areas; the same for all who see the menu. */
export function trackedLink(
  { keyring, settings }: Pick<Context, 'keyring' | 'settings'>,
  { merchantId, menuId, tab, area }: TrackedArea,
): string {
  const bytes = Buffer.allocUnsafe(NAMED_BYTES)
  bytes.write(merchantId.replaceAll('-', ''), 0, 'hex')
  bytes.write(menuId.replaceAll('-', ''), UUID_BYTES, 'hex')
  bytes.writeUInt8(tab, UUID_BYTES * 2)
  bytes.writeUInt8(area, UUID_BYTES * 2 + 1)
  const mac = Buffer.from(keyring.linkMac(Buffer.concat([purpose, bytes]), MAC_BYTES), 'hex')
  return `${settings.publicUrl}/m/${Buffer.concat([bytes, mac]).toString('base64url')}`
}

/** Null when the address was not made by us. */
export function readTrackedLink(keyring: Keyring, token: string): TrackedArea | null {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== NAMED_BYTES + MAC_BYTES) return null
  const named = bytes.subarray(0, NAMED_BYTES)
  if (!keyring.linkMacMatches(Buffer.concat([purpose, named]), bytes.subarray(NAMED_BYTES))) return null
  const hex = named.toString('hex')
  return {
    merchantId: uuid(hex.slice(0, UUID_BYTES * 2)),
    menuId: uuid(hex.slice(UUID_BYTES * 2, UUID_BYTES * 4)),
    tab: named.readUInt8(UUID_BYTES * 2),
    area: named.readUInt8(UUID_BYTES * 2 + 1),
  }
}

const uuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
