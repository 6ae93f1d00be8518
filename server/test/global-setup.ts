import { execFileSync } from 'node:child_process'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { jobs } from '../src/app/jobs.ts'
import { createJobs } from '../src/kernel/work/jobs.ts'
import type { Job } from '../src/kernel/context.ts'
import { createLog } from '../src/kernel/log.ts'
import { distribute, migrate } from '../src/kernel/database/migrate.ts'
import { closeTemplate, createJoined, startCluster } from './citus.ts'
import { startTestPostgres } from './postgres.ts'

const TEMPLATE = 'okaeri_template'

declare module 'vitest' {
  interface ProvidedContext {
    /** Server on which each test file makes its own database. */
    postgresUrl: string
    /** The nodes of the Citus cluster the run is on, the coordinator first; null on a single PostgreSQL. */
    citusNodes: string[] | null
  }
}

/** One PostgreSQL for the run, with a migrated database that each test file gets a copy of. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // For the many processes that tests start: what the first has compiled, the others need not.
  process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, '../../node_modules/.cache/compiled')
  // Tests ask for it as a shop's page does.
  execFileSync(process.execPath, [path.join(import.meta.dirname, '../../scripts/build-widget.mjs')], {
    stdio: 'inherit',
  })
  // `npm run test:citus` (scripts/test-citus.mjs).
  const citus = process.env['CITUS_BIN']
  if (citus) return setupCitus(project, citus)
  const { url, stop } = await startTestPostgres()
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`drop database if exists ${TEMPLATE} with (force)`)
  await admin.query(`create database ${TEMPLATE}`)
  await admin.end()
  const template = new URL(url)
  template.pathname = `/${TEMPLATE}`
  await migrate(template.href)
  await makeQueue(template.href)
  project.provide('postgresUrl', url)
  project.provide('citusNodes', null)
  return stop
}

async function makeQueue(url: string): Promise<void> {
  const queue = await createJobs({ url, jobs: jobs as readonly Job<never>[], log: createLog('silent'), watch: null })
  await queue.stop()
}

async function setupCitus(project: TestProject, bin: string): Promise<() => Promise<void>> {
  const { urls, stop } = await startCluster(bin)
  try {
    const template = await createJoined({ urls }, TEMPLATE)
    await migrate(template)
    await distribute(template)
    await makeQueue(template)
    await closeTemplate(urls, TEMPLATE)
    project.provide('postgresUrl', urls[0] ?? '')
    project.provide('citusNodes', urls)
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}
