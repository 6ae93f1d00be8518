import { generateKeyPairSync, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { cannotWrite } from './data-folder.ts'
import { StartupError } from './errors.ts'
import type { Secrets } from './keyring.ts'

/** A complete new set. */
export function generateSecrets(): Secrets {
  const { privateKey } = generateKeyPairSync('ed25519')
  return {
    encryption_keys: [{ id: 'k1', key: randomBytes(32).toString('base64') }],
    signing_keys: [
      { ...privateKey.export({ format: 'jwk' }), kid: randomBytes(6).toString('hex'), alg: 'EdDSA', use: 'sig' },
    ],
    link_key: randomBytes(32).toString('base64'),
    operator_key: randomBytes(24).toString('base64url'),
  }
}

/** Reads the secrets, or creates them at the first start (mode 600). Two processes starting at once get the same ones. */
export function readOrMakeSecrets(file: string): Secrets {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true })
    if (!fs.existsSync(file)) {
      const fresh = `${file}.${process.pid}`
      try {
        // On the disk before anything is encrypted with it.
        fs.writeFileSync(fresh, JSON.stringify(generateSecrets(), null, 2), { mode: 0o600, flush: true })
        // Fails if another process was first: then its secrets are used.
        fs.linkSync(fresh, file)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      } finally {
        fs.rmSync(fresh, { force: true })
      }
    }
    fs.chmodSync(file, 0o600)
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Secrets
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EROFS') throw cannotWrite(error, path.dirname(file))
    throw new StartupError(
      error instanceof SyntaxError
        ? `The secrets file ${file} is not valid JSON; restore it from your backup.`
        : `Cannot read or write the secrets file ${file} (${code ?? message}).`,
    )
  }
}

/** Adds a new encryption key that is used from now on; older values stay readable. */
export function addEncryptionKey(file: string): string {
  const secrets = readOrMakeSecrets(file)
  const id = `k${secrets.encryption_keys.length + 1}`
  secrets.encryption_keys.push({ id, key: randomBytes(32).toString('base64') })
  const fresh = `${file}.${process.pid}`
  fs.writeFileSync(fresh, JSON.stringify(secrets, null, 2), { mode: 0o600, flush: true })
  fs.renameSync(fresh, file)
  return id
}
