import type { Storage } from '../src/integrations/storage/storage.ts'

/** Each with its size. */
export async function filesIn(storage: Storage, prefix: string): Promise<string[]> {
  const found: string[] = []
  for await (const { key, sizeBytes } of storage.list(prefix)) found.push(`${key} ${sizeBytes}`)
  return found.sort()
}

/** A store that speaks S3, for the tests that need one; null where none is named (docs/configuration.md). */
export function s3OfTests() {
  const given = process.env['TEST_S3_URL']
  if (!given) return null
  const { protocol, host, username, password, pathname } = new URL(given)
  return {
    endpoint: `${protocol}//${host}`,
    region: 'us-east-1',
    bucket: pathname.slice(1),
    accessKeyId: username,
    secretAccessKey: password,
    usesPath: true,
  }
}
