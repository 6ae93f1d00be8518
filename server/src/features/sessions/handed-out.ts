import { hashToken, randomToken } from '../../kernel/keyring.ts'

/**
 * The text of a secret handed out: whose it is, which row it is looked up by, and the secret part. The first two open nothing; they
 * let the row be found by its key.
 */
export interface HandedOut {
  merchantId: string
  rowId: string
  hash: Buffer
}

export function makeHandedOut(merchantId: string, rowId: string): { text: string; hash: Buffer } {
  const text = `${merchantId}.${rowId}.${randomToken()}`
  return { text, hash: hashToken(text) }
}

const SHAPE =
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]{43}$/

/** Null when the text is not of the shape we make. */
export function readHandedOut(text: string): HandedOut | null {
  const [, merchantId, rowId] = SHAPE.exec(text) ?? []
  return merchantId && rowId ? { merchantId, rowId, hash: hashToken(text) } : null
}
