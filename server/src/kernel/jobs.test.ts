import pg from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../test/harness.ts'
import { createJobs, job } from './jobs.ts'
import { createLog } from './log.ts'
import { migrate } from './migrate.ts'

test('a queue that cannot be made leaves nobody listening: its start is tried again with another', async () => {
  const url = await createTestDatabase()
  await migrate(url)
  const jobs = [
    job(
      'no name of a queue',
      () => '',
      () => Promise.resolve(),
    ),
  ]
  await expect(createJobs({ url, jobs, log: createLog('silent'), watch: null })).rejects.toThrow(/^Name can/)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    "select query from pg_stat_activity where application_name = 'okaeri-jobs' and datname = current_database()",
  )
  await client.end()
  expect(rows).toEqual([])
})
