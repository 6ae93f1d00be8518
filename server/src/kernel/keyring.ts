import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** Generated at the first start and stored in the data folder (mode 600), or in a file that all processes share. */
export interface Secrets {
  /** AES-256 keys, base64; the last encrypts, all decrypt. Add one to rotate, then `operator rotate-secrets`. */
  encryption_keys: { id: string; key: string }[]
  /** Ed25519 private keys as JWK; the last signs access tokens, all are published. */
  signing_keys: Record<string, unknown>[]
  /** HMAC key of tracking and unsubscribe links, base64. Changing it breaks the links of mails already sent. */
  link_key: string
  /** The key for the operator's routes. */
  operator_key: string
}

/** Encrypts and signs with the installation's secrets. */
export interface Keyring {
  /** AES-256-GCM; the text names its key: `v1.<key id>.<iv>.<tag>.<data>`, base64url. */
  encrypt(plain: string): string
  /** Throws if the text was changed or its key is missing. */
  decrypt(sealed: string): string
  /** Whether it was encrypted with an older key. */
  isStale(sealed: string): boolean
  /** The first `bytes` bytes of an HMAC-SHA256 under the link key, in hex. */
  linkMac(data: Buffer, bytes: number): string
  /** Whether `mac` is the beginning of that HMAC; the comparison takes constant time. */
  linkMacMatches(data: Buffer, mac: Buffer): boolean
  /** Encrypts a text for a link, under the link key. Always the same result, so that a repeated message is the same. */
  sealForLink(purpose: string, plain: string): string
  /** Null if it was changed, or sealed for another purpose. */
  openFromLink(purpose: string, sealed: string): string | null
  /** Encrypts a token that lives for minutes, under the link key; each time another result. */
  sealToken(purpose: string, plain: string): string
  /** Null if it was changed, or sealed for another purpose. Costs two thirds of {@link openFromLink}: visitors' requests carry one each. */
  openToken(purpose: string, sealed: string): string | null
  operatorKeyMatches(given: string): boolean
  /** Identifies a set of secrets without revealing it. */
  fingerprint(): string
  signingKeys(): Record<string, unknown>[]
}

const IV_BYTES = 12
/** The MAC of a sealed text, which is also the initialization vector (as in SIV, RFC 5297). */
const SEAL_BYTES = 16
/** Node would accept a shorter tag, which is easier to guess. */
const TAG_BYTES = 16
const TAG = { authTagLength: TAG_BYTES }
/** Random, and longer than usual: with 12 bytes 2^32 tokens would be the limit of a key (NIST SP 800-38D §8.3), and the link key is never replaced. */
const TOKEN_IV_BYTES = 16

/** Throws if there is no key to encrypt with. */
export function createKeyring(secrets: Secrets): Keyring {
  // Key objects: with the bytes of a key each text and each link would cost 10 µs more.
  const keys = new Map(secrets.encryption_keys.map(({ id, key }) => [id, createSecretKey(key, 'base64')]))
  const current = secrets.encryption_keys.at(-1)
  if (!current) throw new Error('the secrets hold no encryption key')
  const linkKey = createSecretKey(secrets.link_key, 'base64')
  const sealKey = createSecretKey(createHmac('sha256', linkKey).update('sealed texts in links').digest())
  const sealOf = (purpose: string, plain: string): Buffer =>
    createHmac('sha256', linkKey).update(`sealed\0${purpose}\0${plain}`).digest().subarray(0, SEAL_BYTES)
  const tokenKeys = new Map<string, KeyObject>()
  /** One for each purpose: a token for another does not open. */
  const tokenKeyOf = (purpose: string): KeyObject => {
    const known = tokenKeys.get(purpose)
    if (known) return known
    const key = createSecretKey(createHmac('sha256', linkKey).update(`tokens\0${purpose}`).digest())
    tokenKeys.set(purpose, key)
    return key
  }
  return {
    encrypt(plain) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keys.get(current.id) as KeyObject, iv)
      const data = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return ['v1', current.id, ...[iv, cipher.getAuthTag(), data].map((part) => part.toString('base64url'))].join('.')
    },
    decrypt(sealed) {
      const [version, keyId, iv, tag, data] = sealed.split('.')
      const key = keys.get(keyId ?? '')
      if (version !== 'v1' || !key || !iv || !tag || data === undefined)
        throw new Error('not encrypted with a key we have')
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), TAG)
      decipher.setAuthTag(Buffer.from(tag, 'base64url'))
      return Buffer.concat([decipher.update(Buffer.from(data, 'base64url')), decipher.final()]).toString('utf8')
    },
    isStale: (sealed) => sealed.split('.')[1] !== current.id,
    linkMac: (data, bytes) =>
      createHmac('sha256', linkKey)
        .update(data)
        .digest('hex')
        .slice(0, bytes * 2),
    linkMacMatches(data, mac) {
      const right = createHmac('sha256', linkKey).update(data).digest().subarray(0, mac.length)
      return mac.length > 0 && mac.length === right.length && timingSafeEqual(mac, right)
    },
    sealForLink(purpose, plain) {
      const seal = sealOf(purpose, plain)
      const cipher = createCipheriv('aes-256-ctr', sealKey, seal)
      return Buffer.concat([seal, cipher.update(plain, 'utf8'), cipher.final()]).toString('base64url')
    },
    openFromLink(purpose, sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      // Several base64 texts may decode to the same bytes.
      if (bytes.length <= SEAL_BYTES || bytes.toString('base64url') !== sealed) return null
      const seal = bytes.subarray(0, SEAL_BYTES)
      const decipher = createDecipheriv('aes-256-ctr', sealKey, seal)
      // This cipher has nothing left at its end.
      const plain = decipher.update(bytes.subarray(SEAL_BYTES)).toString('utf8')
      return timingSafeEqual(sealOf(purpose, plain), seal) ? plain : null
    },
    sealToken(purpose, plain) {
      const iv = randomBytes(TOKEN_IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', tokenKeyOf(purpose), iv)
      const data = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), data]).toString('base64url')
    },
    openToken(purpose, sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      const head = TOKEN_IV_BYTES + TAG_BYTES
      // Several base64 texts may decode to the same bytes.
      if (bytes.length <= head || bytes.toString('base64url') !== sealed) return null
      const decipher = createDecipheriv('aes-256-gcm', tokenKeyOf(purpose), bytes.subarray(0, TOKEN_IV_BYTES), TAG)
      decipher.setAuthTag(bytes.subarray(TOKEN_IV_BYTES, head))
      const plain = decipher.update(bytes.subarray(head))
      try {
        // This mode has nothing left at its end; it throws where the tag is not that of the text.
        decipher.final()
      } catch {
        return null
      }
      return plain.toString('utf8')
    },
    operatorKeyMatches: (given) => timingSafeEqual(hashToken(given), hashToken(secrets.operator_key)),
    fingerprint: () => createHash('sha256').update(`okaeri:${secrets.link_key}`).digest('hex').slice(0, 16),
    signingKeys: () => secrets.signing_keys,
  }
}

/** Only a hash of a token is stored: a stolen database signs no one in. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
/** Random bytes (256 bits by default), base64url. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString('base64url')
