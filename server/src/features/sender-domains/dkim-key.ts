import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

/** RFC 8301 asks for at least 1024, and 2048 of signers. 4096 does not fit a UDP answer and is refused by some receivers. */
const BITS = 2048
const SELECTOR_BYTES = 6

/** A new pair; a tenth of a second of computing, off the event loop. The selector is no other merchant's, nor an earlier one's. */
export async function makeDkimKey(): Promise<{ selector: string; publicKey: string; privateKey: string }> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: BITS })
  return {
    selector: `okaeri${randomBytes(SELECTOR_BYTES).toString('hex')}`,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
