import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startInstallation } from '../../../bench/installation.ts'
import { bringForward } from '../../../test/real-time.ts'
import { anImport } from '../../../test/builders/import.ts'
import { findImport } from './queries.ts'

const ROWS = 9000

test('killed twice in the middle of a batch, an import continues, and no customer is missing or there twice', async () => {
  const installation = await startInstallation({ smtpUrl: 'smtp://127.0.0.1:9', env: { NODE_ENV: 'test' } })
  try {
    const { scope } = installation
    const rows = Array.from(
      { length: ROWS },
      (_, at) => `person${at}@example.jp,花子,${at % 100 === 7 ? 'perhaps' : 'yes'}`,
    )
    const id = await anImport(scope, ['Email,名,メルマガ', ...rows])
    for (const crashAt of ['import_batch:3', 'import_batch:1']) {
      const worker = await installation.startWorker({ CRASH_AT: crashAt })
      if (worker.exitCode === null && worker.signalCode === null)
        await new Promise((resolve) => worker.once('exit', resolve))
      expect(worker.signalCode).toBe('SIGKILL')
    }
    expect(await findImport(scope, id)).toMatchObject({ status: 'running', rows_count: 4000 })
    await bringForward(installation.api)
    await installation.api.settle()
    expect(await findImport(scope, id)).toMatchObject({ status: 'done' })
    const good = rows.filter((row) => row.endsWith('yes')).length
    expect(await findImport(scope, id)).toMatchObject({
      rows_count: ROWS,
      created_count: good,
      unchanged_count: 0,
      error_count: ROWS - good,
    })
    const { rows: found } = await sql`
        select count(*)::int as customers, count(distinct email_key)::int as addresses,
          (select count(*)::int from consent_changes l where l.merchant_id = ${scope.merchantId}) as ledger,
          (select count(*)::int from import_errors e where e.merchant_id = ${scope.merchantId}) as refused
        from customers where merchant_id = ${scope.merchantId}`.execute(scope.db)
    expect(found).toEqual([{ customers: good, addresses: good, ledger: good, refused: ROWS - good }])
  } finally {
    await installation.stop()
  }
})
