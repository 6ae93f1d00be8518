import { execFileSync } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { overTcp } from '../../../test/postgres.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { connect } from '../database/database.ts'
import { LOW_PRIORITY, lowerConnectionPriority } from './priority.ts'

withOkaeri()

/** These set priorities in another way, or forbid it. */
const otherSystem = process.platform !== 'linux'

test.skipIf(otherSystem)('every thread of a process gets the lower priority, also those that already ran', () => {
  const program = `
    import fs from 'node:fs'
    import os from 'node:os'
    import { Worker } from 'node:worker_threads'
    import { lowerPriority } from ${JSON.stringify(path.join(import.meta.dirname, 'priority.ts'))}
    const other = new Worker('require("node:worker_threads").parentPort.on("message", () => {})', { eval: true })
    await new Promise((resolve) => other.once('online', resolve))
    lowerPriority()
    const threads = fs.readdirSync('/proc/self/task').map(Number)
    console.log(JSON.stringify(threads.map((thread) => os.getPriority(thread))))
    process.exit()`
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  const priorities = JSON.parse(printed) as number[]
  expect(priorities.length).toBeGreaterThan(1)
  expect(new Set(priorities)).toEqual(new Set([Math.max(LOW_PRIORITY, os.getPriority())]))
})

test.skipIf(otherSystem)(
  'the database’s process for a connection goes behind, and those of other connections stay where they were',
  async () => {
    const before = os.getPriority()
    const behind = connect(overTcp(okaeri.databaseUrl).href, {
      name: 'test',
      max: 1,
      onConnect: lowerConnectionPriority,
    })
    const usual = connect(okaeri.databaseUrl, { name: 'test', max: 1 })
    const pidOf = async ({ pool }: typeof usual): Promise<number> =>
      (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0
    try {
      expect(os.getPriority(await pidOf(behind))).toBe(Math.max(LOW_PRIORITY, before))
      expect(os.getPriority(await pidOf(usual))).toBe(before)
    } finally {
      await behind.close()
      await usual.close()
    }
  },
)
