import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '../src/kernel/embedded-postgres.ts'

/** A PostgreSQL for one run of tests: the embedded one, or the one of TEST_DATABASE_URL (the same suite passes on both). */
export async function startTestPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return { url: given, stop: async () => undefined }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-test-'))
  fs.chmodSync(folder, 0o755)
  const embedded = await startEmbeddedPostgres(folder, {
    createsDatabases: true,
    // It holds nothing that is to outlive the run: whether the disk has it is not waited for.
    settings: {
      fsync: 'off',
      full_page_writes: 'off',
      synchronous_commit: 'off',
      autovacuum: 'off',
      // Test files, and the workers some of them start, each with a pool of its own.
      max_connections: '500',
    },
  })
  return {
    url: embedded.url,
    async stop() {
      await embedded.stop()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

// As a program, for the journeys, which import nothing of the server: says where it is, and ends with whoever started it.
if (import.meta.main) {
  const postgres = await startTestPostgres()
  process.once('disconnect', () => void postgres.stop())
  process.send?.(postgres.url)
}
