import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { claimRun } from '../../features/data-sync/queries.ts'
import { insertPause, selectPause } from '../../features/deliveries/pause-queries.ts'
import { beginCopying } from '../../../test/fixtures.ts'
import { merchant, okaeri, withMerchants } from '../../../test/with-okaeri.ts'
import { newId } from '../ids.ts'
import { isFree, leaseEnd } from './leases.ts'

withMerchants()
afterEach(() => void vi.restoreAllMocks())

const HOUR_MS = 3_600_000
/** Changes the machine's clock from here on. */
function setClock(byMs: number): void {
  const { clock } = okaeri.context
  const [now, realNow] = [clock.now.bind(clock), clock.realNow.bind(clock)]
  vi.spyOn(clock, 'now').mockImplementation(() => new Date(now().getTime() + byMs))
  vi.spyOn(clock, 'realNow').mockImplementation(() => new Date(realNow().getTime() + byMs))
}

test('a lease is over after its end, or if it ends later than possible, because the database’s clock was set back', async () => {
  const rows = await okaeri.query<{ free: boolean }>`
    select ${isFree} as free from (values
      (1, null::timestamptz), (2, statement_timestamp() - interval '1 ms'), (3, ${leaseEnd(2000)}), (4, ${leaseEnd(600_000)}),
      (5, statement_timestamp() + interval '30 minutes')) as t (n, lease_expires_at) order by n`
  expect(rows.map(({ free }) => free)).toEqual([true, true, false, false, true])
})

test.each([HOUR_MS, -HOUR_MS])(
  'a machine whose clock is %d ms off neither takes a living worker’s copy of the store nor leaves a dead one’s',
  async (byMs) => {
    const scope = merchant.scope()
    await beginCopying(scope)
    const { rows } = await sql<{ id: string }>`select id from sync_runs where merchant_id = ${merchant.id}`.execute(
      scope.db,
    )
    const lease = { rowId: rows[0]?.id ?? '', id: newId() }
    setClock(byMs)
    expect(await claimRun(merchant.scope(), lease)).toBe(false)
    await sql`update sync_runs set lease_expires_at = statement_timestamp() - interval '1 ms' where merchant_id = ${merchant.id}`.execute(
      scope.db,
    )
    expect(await claimRun(merchant.scope(), lease)).toBe(true)
    expect(await claimRun(merchant.scope(), { ...lease, id: newId() })).toBe(false)
  },
)

test('a pause of a mail server from before the clock was set back delays nothing', async () => {
  const global = { channel: 'email', route: 'global', byQuota: false } as const
  const pauseUntil = (ms: number) =>
    insertPause(merchant.scope(), {
      ...global,
      until: new Date(merchant.scope().now.getTime() + ms),
      detail: 'no answer',
    })
  await pauseUntil(10_000)
  expect(await selectPause(merchant.scope(), global)).toMatchObject({ detail: 'no answer' })
  setClock(-HOUR_MS)
  expect(await selectPause(merchant.scope(), global)).toBeNull()
  await pauseUntil(10_000)
  expect(await selectPause(merchant.scope(), global)).toMatchObject({ detail: 'no answer' })
})
