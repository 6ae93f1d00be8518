import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { createJobs } from '../src/kernel/jobs.ts'
import { createLog } from '../src/kernel/log.ts'
import { migrate } from '../src/kernel/migrate.ts'
import { startTestPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Server on which each test file makes its own database. */
    postgresUrl: string
  }
}

/** One PostgreSQL for the run, with a migrated database that each test file gets a copy of. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // For the many processes that tests start: what the first has compiled, the others need not.
  process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, '../../node_modules/.cache/compiled')
  const { url, stop } = await startTestPostgres()
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
  return stop
}
