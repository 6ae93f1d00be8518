import { createPublicKey, type KeyObject, verify } from 'node:crypto'

/** The key of SendGrid's signed event webhook, as its page shows it; null where it is none. */
export function readSendgridKey(base64: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ec' ? key : null
  } catch {
    return null
  }
}

/** Whether SendGrid signed these bytes: ECDSA over the time and them. */
export function isSignedBySendgrid(
  key: KeyObject,
  { signature, timestamp, body }: { signature: string; timestamp: string; body: Buffer },
): boolean {
  try {
    return verify('sha256', Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, 'base64'))
  } catch {
    // No signature of this kind at all.
    return false
  }
}
