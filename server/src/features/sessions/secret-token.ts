import { hashToken, type Keyring, randomToken } from '../../kernel/keyring.ts'

/**
 * The text of a secret handed out: whose it is, which row it is looked up by, and the secret part. The first two open nothing; they
 * let the row be found by its key.
 */
export interface SecretToken {
  merchantId: string
  rowId: string
  hash: Buffer
}

export function makeSecretToken(merchantId: string, rowId: string): { text: string; hash: Buffer } {
  const text = `${merchantId}.${rowId}.${randomToken()}`
  return { text, hash: hashToken(text) }
}

/**
 * The secret that a secret is exchanged for: always the same one, so that asking twice gives one answer, and only the installation's key
 * can compute it.
 */
export function nextSecretToken(keyring: Keyring, text: string): { text: string; hash: Buffer } {
  const [merchantId, rowId] = text.split('.')
  const secret = Buffer.from(keyring.linkMac(Buffer.from(`next ${text}`), SECRET_BYTES), 'hex').toString('base64url')
  const next = `${merchantId}.${rowId}.${secret}`
  return { text: next, hash: hashToken(next) }
}
/** As many as are random in the first. */
const SECRET_BYTES = 32

const SHAPE =
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]{43}$/

/** Null when the text is not of the shape we make. */
export function readSecretToken(text: string): SecretToken | null {
  const [, merchantId, rowId] = SHAPE.exec(text) ?? []
  return merchantId && rowId ? { merchantId, rowId, hash: hashToken(text) } : null
}
