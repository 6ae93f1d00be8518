import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../src/kernel/embedded-postgres.ts'
import { createJobs } from '../src/kernel/jobs.ts'
import { createLog } from '../src/kernel/log.ts'
import { migrate } from '../src/kernel/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Server on which each test file makes its own database. */
    postgresUrl: string
  }
}

/** One PostgreSQL for the run: the embedded one, or the one of TEST_DATABASE_URL (the same suite passes on both). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // For the many processes that tests start: what the first has compiled, the others need not.
  process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, '../../node_modules/.cache/compiled')
  const given = process.env['TEST_DATABASE_URL']
  const folder = given ? null : fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-test-'))
  if (folder) fs.chmodSync(folder, 0o755)
  const embedded = folder
    ? await startEmbeddedPostgres(folder, {
        createsDatabases: true,
        // It holds nothing that is to outlive the run: whether the disk has it is not waited for.
        settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' },
      })
    : null
  const url = given ?? embedded?.url ?? ''
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query('drop database if exists okaeri_template with (force)')
  await admin.query('create database okaeri_template')
  await admin.end()
  const template = new URL(url)
  template.pathname = '/okaeri_template'
  await migrate(template.href)
  const queue = await createJobs({ url: template.href, jobs: [], log: createLog('silent'), watch: null })
  await queue.stop()
  project.provide('postgresUrl', url)
  return async () => {
    await embedded?.stop()
    if (folder) fs.rmSync(folder, { recursive: true, force: true })
  }
}
