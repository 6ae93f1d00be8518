import { getSync, startSync } from '@okaeri/contract/customers/routes'
import { getSettings } from '@okaeri/contract/merchants/routes'
import type { SyncProgress } from '@okaeri/contract/customers/customer'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { connectSandbox, merchant, okaeri, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { takeDueRun } from './queries.ts'
import { advanceSync } from './run.ts'

const SEED = { customers: 40, products: 8, orders: 40 }
const HOUR_MS = 3_600_000

const switches = (given: Record<string, unknown>) =>
  play<{ break_calls: { times: number }; break_files: { times: number } }>('switches.json', given)
const syncOf = async () => (await merchant.call(getSync, {})).sync
const storeOf = async () => (await merchant.call(getSettings, {})).store

withSandboxStore({ seed: SEED, switches: { throttling: false }, connected: false })
afterEach(() =>
  switches({ state: 'open', break_calls: { as: 'html', times: 0 }, break_files: { as: 'html', times: 0 } }),
)

/** A worker's turn for the copy, without other due work. */
async function look(): Promise<void> {
  const scope = merchant.scope()
  const now = okaeri.clock.now()
  const runId = await takeDueRun(scope, { now, postponedUntil: now })
  if (runId) await advanceSync(scope, runId)
}

/** Moves the clock to the next try of a waiting copy, and runs it. */
async function retry(sync: SyncProgress): Promise<void> {
  const next = sync.trouble?.next_try_at
  if (next) okaeri.advance(Math.max(0, Date.parse(next) - okaeri.clock.now().getTime()))
  else okaeri.advance(60_000)
  await look()
}
/** One try after another; the store works in between. */
async function retryUntil(isThere: (sync: SyncProgress) => boolean): Promise<SyncProgress> {
  for (let looks = 0; looks < 200; looks += 1) {
    const sync = await syncOf()
    if (isThere(sync)) return sync
    await sandbox.settle()
    await retry(sync)
  }
  throw new Error(`it did not come to that: ${JSON.stringify(await syncOf())}`)
}
const untilTrouble = (reason: string): Promise<SyncProgress> => retryUntil(({ trouble }) => trouble?.reason === reason)
/** Returns the troubles on the way. */
async function untilOver(): Promise<{ status: string; troubles: Set<string> }> {
  const troubles = new Set<string>()
  const { status } = await retryUntil(({ status, trouble }) => {
    if (trouble) troubles.add(trouble.reason)
    return status !== 'running'
  })
  return { status, troubles }
}
async function expectAllCopied(): Promise<void> {
  const counts = await play<Record<string, number>>('counts.json')
  const { rows } = await sql<Record<string, number>>`
    select (select count(*)::int from customers where merchant_id = ${merchant.id}) as customers,
      (select count(*)::int from orders where merchant_id = ${merchant.id}) as orders,
      (select count(*)::int from products where merchant_id = ${merchant.id}) as products`.execute(okaeri.context.db)
  expect(rows[0]).toEqual({ customers: counts['customers'], orders: counts['orders'], products: counts['products'] })
  expect(
    (await syncOf()).steps.map(({ loaded_count, exported_count }) => loaded_count === exported_count),
  ).not.toContain(false)
}

test('a platform that is down for half a day is asked rarely, the page says so, and the copy continues when it is back', async () => {
  await connectSandbox()
  await switches({ break_calls: { as: 'bad_gateway', times: 1_000_000 } })
  const first = await untilTrouble('unreachable')
  expect(first.status).toBe('running')
  expect(first.seconds_left).toBeNull()
  const since = okaeri.clock.now().getTime()
  while (okaeri.clock.now().getTime() - since < 12 * HOUR_MS) await retry(await syncOf())
  const later = await syncOf()
  expect(later).toMatchObject({ status: 'running', trouble: { reason: 'unreachable', since: first.trouble?.since } })
  const asked = 1_000_000 - (await switches({})).break_calls.times
  expect(asked).toBeGreaterThan(24)
  expect(asked, 'asked twice an hour, after some tries close together').toBeLessThan(45)
  await switches({ break_calls: { as: 'bad_gateway', times: 0 } })
  expect(await untilOver()).toMatchObject({ status: 'done' })
  expect((await syncOf()).trouble).toBeNull()
  await expectAllCopied()
})

describe('a copy continues after', () => {
  test.each(['bad_gateway', 'cut', 'security'])('calls that fail with %s', async (as) => {
    await merchant.call(startSync, {})
    await switches({ break_calls: { as, times: 9 } })
    const { status, troubles } = await untilOver()
    expect(status).toBe('done')
    expect([...troubles]).toEqual([as === 'security' ? 'throttled' : 'unreachable'])
    await expectAllCopied()
  })

  test.each(['html', 'cut_line', 'reset', 'expired'])(
    'files that come back as %s, and takes nothing less than the whole for the whole',
    async (as) => {
      await sql`delete from orders where merchant_id = ${merchant.id}`.execute(okaeri.context.db)
      await merchant.call(startSync, {})
      await switches({ break_files: { as, times: 7 } })
      const { status, troubles } = await untilOver()
      expect(status).toBe('done')
      expect([...troubles]).toEqual(['file_broken'])
      await expectAllCopied()
    },
  )

  test.each(['FAILED', 'CANCELED', 'EXPIRED'])('an export that ends as %s', async (end_next_bulk) => {
    await merchant.call(startSync, {})
    await switches({ end_next_bulk })
    expect((await untilOver()).status).toBe('done')
    await expectAllCopied()
  })
})

test('an expired export is not taken for an empty store', async () => {
  await sql`delete from orders where merchant_id = ${merchant.id}`.execute(okaeri.context.db)
  await merchant.call(startSync, {})
  await switches({ break_files: { as: 'cut', times: 1_000_000 } })
  await untilTrouble('file_broken')
  sandbox.clock.advance(8 * 24 * HOUR_MS)
  await switches({ break_files: { as: 'cut', times: 0 } })
  expect((await untilOver()).status).toBe('done')
  await expectAllCopied()
})

test('an export that never ends is cancelled after a day and requested again', async () => {
  await merchant.call(startSync, {})
  await switches({ end_next_bulk: 'never' })
  await retry(await syncOf())
  expect((await syncOf()).steps[0]?.status).toBe('exporting')
  for (let hour = 0; hour < 23; hour += 1) {
    okaeri.advance(HOUR_MS)
    await look()
  }
  expect((await syncOf()).steps[0]?.status).toBe('exporting')
  okaeri.advance(2 * HOUR_MS)
  await look()
  expect((await untilOver()).status).toBe('done')
  await expectAllCopied()
})

test('an export that comes no further is said to stand, and a person has it requested again', async () => {
  await merchant.call(startSync, {})
  await switches({ end_next_bulk: 'never' })
  await retry(await syncOf())
  expect((await syncOf()).slow_export).toBeNull()
  await expect(merchant.call(startSync, {})).rejects.toMatchObject({ reason: 'sync_running' })
  const since = okaeri.clock.now()
  for (let looks = 0; looks < 3; looks += 1) {
    okaeri.advance(5 * 60_000)
    await look()
  }
  const { steps, slow_export: slow } = await syncOf()
  expect(slow).toMatchObject({ kind: steps[0]?.kind, given_up: false })
  expect(Date.parse(slow?.stands_since ?? '')).toBeLessThanOrEqual(since.getTime())
  // Pressed twice.
  await merchant.call(startSync, {})
  expect((await merchant.call(startSync, {})).sync.slow_export).toMatchObject({ given_up: true })
  await look()
  expect(await untilOver()).toEqual({ status: 'done', troubles: new Set(['export_failed']) })
  expect((await syncOf()).slow_export).toBeNull()
  await expectAllCopied()
})

test.each(['frozen', 'gone'] as const)(
  'a store that is %s holds up its copy and says so on every page; nothing is pressed when it is open again',
  async (state) => {
    await merchant.call(startSync, {})
    await switches({ state })
    const { trouble } = await untilTrouble(state)
    const waitMs = Date.parse(trouble?.next_try_at ?? '') - okaeri.clock.now().getTime()
    expect(waitMs).toBeGreaterThan(4 * 60_000)
    expect(await storeOf()).toMatchObject({ status: 'connected', trouble: { reason: state } })
    for (let tries = 0; tries < 6; tries += 1) await retry(await syncOf())
    expect(await syncOf()).toMatchObject({ status: 'running', trouble: { reason: state } })
    await switches({ state: 'open' })
    expect((await untilOver()).status).toBe('done')
    expect(await storeOf()).toMatchObject({ status: 'connected', trouble: null })
  },
)

test('"copy again" retries a waiting copy now; one in progress is not started twice', async () => {
  await merchant.call(startSync, {})
  await expect(merchant.call(startSync, {})).rejects.toMatchObject({ reason: 'sync_running' })
  await switches({ break_calls: { as: 'bad_gateway', times: 1_000_000 } })
  await untilTrouble('unreachable')
  for (let tries = 0; tries < 6; tries += 1) await retry(await syncOf())
  await switches({ break_calls: { as: 'bad_gateway', times: 0 } })
  expect((await syncOf()).trouble?.next_try_at).not.toBeNull()
  expect((await merchant.call(startSync, {})).sync.trouble).toMatchObject({ next_try_at: null })
  await look()
  expect((await syncOf()).trouble).toBeNull()
  expect((await untilOver()).status).toBe('done')
})

test('a clock set back does not delay the next try of a waiting copy', async () => {
  await merchant.call(startSync, {})
  await switches({ break_calls: { as: 'bad_gateway', times: 1_000_000 } })
  await untilTrouble('unreachable')
  for (let tries = 0; tries < 4; tries += 1) await retry(await syncOf())
  await switches({ break_calls: { as: 'bad_gateway', times: 0 } })
  okaeri.advance(-3 * HOUR_MS)
  await look()
  expect((await syncOf()).trouble).toBeNull()
  okaeri.advance(3 * HOUR_MS)
  expect((await untilOver()).status).toBe('done')
})

test('a missing permission ends the copy with that reason; once granted, the store is copied', async () => {
  await merchant.call(startSync, {})
  await switches({ protected_data: 'without_names' })
  expect((await untilOver()).status).toBe('failed')
  expect((await syncOf()).error).toBe('access_denied')
  await switches({ protected_data: 'approved' })
  await merchant.call(startSync, {})
  expect((await untilOver()).status).toBe('done')
})
