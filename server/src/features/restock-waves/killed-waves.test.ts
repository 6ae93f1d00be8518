import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestOkaeri, type TestMerchant, type TestOkaeri } from '../../../test/harness.ts'
import { readMail, startMailServer, type TestMailServer } from '../../../test/mail-server.ts'
import { otherWorkers } from '../../../test/other-worker.ts'
import { addAwaitedProduct, addRestockScenario, addWaiting, buy, setStock } from '../../../test/restock.ts'
import { changeRestockSettings } from './settings.ts'

// Real processes, killed with kill -9 at named moments of waves: no one is notified twice, the order is kept, and the waves continue.

const MINUTE = 60_000
const PEOPLE = 30
const workers = otherWorkers()
let server: TestMailServer
let okaeri: TestOkaeri
let merchant: TestMerchant
/** Whom mails reached, in whatever order. */
const reached: string[] = []
beforeAll(async () => {
  server = await startMailServer({
    onData(stream, session, callback) {
      const recipients = session.envelope.rcptTo.map(({ address }) => address)
      void readMail(stream).then(() => {
        reached.push(...recipients)
        callback()
      }, callback)
    },
  })
  okaeri = await startTestOkaeri({ env: { ...workers.env, DATA_DIR: workers.folder }, smtpUrl: server.url })
  merchant = await okaeri.merchant()
})
afterAll(async () => {
  await okaeri.close()
  workers.end()
  await server.close()
})

/** Whom the waves chose, in the order in which their events were written. */
const notified = async (): Promise<string[]> =>
  (
    await okaeri.query<{ id: string }>`select customer_id as id from events
      where merchant_id = ${merchant.id} and kind = 'product_restocked' order by id`
  ).map(({ id }) => id)
const waves = async () =>
  await okaeri.query<{ number: number; stock: number; told: number; is_done: boolean }>`
      select number, stock, told, is_done from restock_waves where merchant_id = ${merchant.id} order by number`

async function dieAt(point: string): Promise<void> {
  const worker = await workers.start({ okaeri, env: { CRASH_AT: point, SMTP_URL: server.url } })
  const [code, signal] = (await once(worker, 'exit')) as [number | null, string | null]
  expect([point, code, signal]).toEqual([point, null, 'SIGKILL'])
}
/** Until the outcome of each message is known: while some are under way, no further people are notified. */
async function learnOutcomes(): Promise<void> {
  for (let left = 40; left > 0; left -= 1) {
    okaeri.advance(15_000)
    await okaeri.settle()
    const rows = await okaeri.query`select from restock_notices
      where merchant_id = ${merchant.id} and outcome = 'under_way' limit 1`
    if (rows.length === 0) return
  }
  throw new Error('messages are under way for ever')
}
async function comesBack(stock: number, afterMinutes: number): Promise<void> {
  okaeri.advance(afterMinutes * MINUTE)
  await setStock(merchant.scope(), stock)
}

test('when processes die in the middle of waves, no one is notified twice or out of order, and the next process continues', async () => {
  const scope = () => merchant.scope()
  await addAwaitedProduct(scope())
  await addRestockScenario(scope())
  await changeRestockSettings(scope(), { people_per_unit: 2, wave_minutes: 30, settle_minutes: 5 })
  const people = await addWaiting(scope(), PEOPLE)
  await setStock(scope(), 4)
  await okaeri.settle()
  await comesBack(4, 5)

  // Before the commit nothing of the wave is there, however often a process dies.
  for (const point of ['wave_locked:1', 'wave_notified:1']) {
    await dieAt(point)
    expect([await notified(), await waves()]).toEqual([[], []])
  }
  await dieAt('wave_committed:1')
  expect(await notified()).toEqual(people.slice(0, 8))
  expect(reached).toEqual([])

  // The messages: one dies with mails handed over and unanswered, the next when an answer was stored.
  await dieAt('leaving:3')
  await dieAt('wave_judged:1')
  expect(await notified()).toEqual(people.slice(0, 8))
  await learnOutcomes()

  // One who waits buys it; the next wave leaves them out, also when its process dies.
  await buy(scope(), people[9] ?? '')
  await comesBack(2, 31)
  await dieAt('wave_notified:1')
  expect(await notified()).toHaveLength(8)
  await dieAt('wave_committed:1')
  const second = people.slice(8, 13).filter((id) => id !== people[9])
  expect((await notified()).slice(8)).toEqual(second.slice(0, (await notified()).length - 8))
  await learnOutcomes()

  // The rest, without deaths.
  for (let times = 0; times < 6; times += 1) {
    await comesBack(3, 31)
    await okaeri.settle()
    await learnOutcomes()
  }
  // They are not notified again while it is in stock, also those whose outcome is unknown.
  expect((await waves()).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5])
  const all = await notified()
  expect(all).toEqual(people.filter((id) => id !== people[9]))
  for (const wave of await waves()) expect(wave.told, `wave ${wave.number}`).toBeLessThanOrEqual(wave.stock * 2)
  // What a dead process had handed over is in doubt, and never sent again.
  expect(new Set(reached).size).toBe(reached.length)
  const rows = await okaeri.query<{
    status: string
    count: number
  }>`select status, count(*)::int as count from deliveries
    where merchant_id = ${merchant.id} group by status`
  const count = Object.fromEntries(rows.map(({ status, count: some }) => [status, some]))
  expect((count['sent'] ?? 0) + (count['uncertain'] ?? 0)).toBe(PEOPLE - 1)
  expect(reached.length).toBeGreaterThanOrEqual(count['sent'] ?? 0)
  expect(reached.length).toBeLessThanOrEqual(PEOPLE - 1)
})
