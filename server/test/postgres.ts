import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isRoot, NOBODY } from '../src/kernel/data-folder.ts'
import { HOST_RULES } from '../src/kernel/database/embedded-postgres-sql.ts'
import { isInUse, startEmbeddedPostgres } from '../src/kernel/database/embedded-postgres.ts'

/** In memory: making a database there takes a fifth of the time, and a run of tests makes hundreds. */
const IN_MEMORY = '/dev/shm'
const GIGABYTE = 1024 ** 3
const PREFIX = 'okaeri-test-'
const LEFT_AFTER_MS = 3_600_000

/** A PostgreSQL for one run of tests: the embedded one, or the one of TEST_DATABASE_URL (the same suite passes on both). */
export async function startTestPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return { url: given, stop: async () => undefined }
  const folder = fs.mkdtempSync(path.join((await isMemoryThere()) ? IN_MEMORY : os.tmpdir(), PREFIX))
  fs.chmodSync(folder, 0o755)
  const socket = openSocket(folder)
  const embedded = await startEmbeddedPostgres(folder, {
    createsDatabases: true,
    // It holds nothing that is to outlive the run: whether the disk has it is not waited for.
    settings: {
      fsync: 'off',
      full_page_writes: 'off',
      synchronous_commit: 'off',
      autovacuum: 'off',
      ...socket.settings,
      // Test files, and the workers some of them start, each with a pool of its own.
      max_connections: '500',
    },
  })
  return {
    url: `${embedded.url}?host=${socket.folder}`,
    async stop() {
      await embedded.stop()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * A socket that only this user enters, and so without a password: a query costs a fifth less than by TCP, a connection half. The address
 * keeps the TCP port beside it, for the tests that stand between.
 */
function openSocket(home: string): { folder: string; settings: Record<string, string> } {
  const folder = path.join(home, 'socket')
  const rules = path.join(home, 'host-rules')
  fs.mkdirSync(folder, { mode: 0o700 })
  if (isRoot) fs.chownSync(folder, NOBODY, NOBODY)
  fs.writeFileSync(rules, `${HOST_RULES}local all okaeri trust\n`, { mode: 0o644 })
  return { folder, settings: { unix_socket_directories: folder, hba_file: rules } }
}

/** The same database by TCP: what stands between two, or looks at the line itself, needs a port. */
export function overTcp(url: string): URL {
  const address = new URL(url)
  address.searchParams.delete('host')
  return address
}

/** Whether there is room for the databases of a run, 3 GB of 11 MB each, beside all else, and programs may be started from there. */
async function isMemoryThere(): Promise<boolean> {
  if (!fs.existsSync(IN_MEMORY)) return false
  // A run that was killed leaves its databases, and would keep that much memory.
  for (const name of fs.readdirSync(IN_MEMORY).filter((name) => name.startsWith(PREFIX))) {
    const left = path.join(IN_MEMORY, name)
    const { mtimeMs = Date.now() } = fs.statSync(left, { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs > LEFT_AFTER_MS && !(await isInUse(left)))
      fs.rmSync(left, { recursive: true, force: true })
  }
  const { bavail, bsize } = fs.statfsSync(IN_MEMORY)
  if (bavail * bsize < 8 * GIGABYTE || process.availableMemory() < 12 * GIGABYTE) return false
  const folder = fs.mkdtempSync(path.join(IN_MEMORY, PREFIX))
  const program = path.join(folder, 'program')
  fs.writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
  const { status } = spawnSync(program)
  fs.rmSync(folder, { recursive: true })
  return status === 0
}

// As a program, for the journeys, which import nothing of the server: prints its address, and ends with the process that started it.
if (import.meta.main) {
  const postgres = await startTestPostgres()
  process.once('disconnect', () => void postgres.stop())
  process.send?.(postgres.url)
}
