import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { retriedTransaction } from './deadlocks.ts'
import type { MerchantScope } from '../merchant-scope.ts'

withOkaeri()

const lock = (scope: MerchantScope, number: number) => sql`select pg_advisory_xact_lock(${number})`.execute(scope.db)

/** Two transactions that each hold a lock the other needs next. */
async function crossed(run: (scope: MerchantScope, work: (scope: MerchantScope) => Promise<void>) => Promise<void>) {
  const merchant = await okaeri.merchant()
  const bothHold = Promise.withResolvers<void>()
  let holding = 0
  let tries = 0
  const one = (first: number, second: number) =>
    run(merchant.scope(), async (scope) => {
      tries += 1
      await lock(scope, first)
      holding += 1
      if (holding === 2) bothHold.resolve()
      await bothHold.promise
      await lock(scope, second)
    })
  const ends = await Promise.allSettled([one(1, 2), one(2, 1)])
  return { ends: ends.map(({ status }) => status).toSorted(), tries }
}

test('after a deadlock the cancelled transaction is repeated', async () => {
  expect(await crossed(retriedTransaction)).toEqual({ ends: ['fulfilled', 'fulfilled'], tries: 3 })
})

test('inside another transaction it is not repeated, because that one is aborted as a whole', async () => {
  const nested = (scope: MerchantScope, work: (scope: MerchantScope) => Promise<void>) =>
    scope.transaction((scope) => retriedTransaction(scope, work))
  expect(await crossed(nested)).toEqual({ ends: ['fulfilled', 'rejected'], tries: 2 })
})
