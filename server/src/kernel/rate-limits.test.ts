import path from 'node:path'
import type { FastifyReply } from 'fastify'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startTestOkaeri, type TestOkaeri } from '../../test/harness.ts'
import { okaeri, withOkaeri } from '../../test/with-okaeri.ts'
import { countAttempt, countWithin, forgetOldAttempts, isFirstTime, originOf, type RateLimit } from './rate-limits.ts'

withOkaeri()

let beside: TestOkaeri
beforeAll(async () => {
  const { databaseUrl, context } = okaeri
  const SECRETS_FILE = path.join(context.settings.dataDir, 'secrets.json')
  beside = await startTestOkaeri({ env: { DATABASE_URL: databaseUrl, SECRETS_FILE } })
})
afterAll(() => beside.close())
afterEach(() => vi.useRealTimers())

const hard: RateLimit = { name: 'test_hard', max: 3, windowSeconds: 600 }
const soft: RateLimit = { name: 'test_soft', max: 3, windowSeconds: 3600, slowDown: { first: 10, most: 60 } }

/** Seconds to wait; 0 if it was allowed. */
async function tryIt(attempts: Parameters<typeof countAttempt>[2], at = okaeri): Promise<number> {
  const headers: Record<string, number> = {}
  const reply = { header: (name: string, value: number) => void (headers[name] = value) } as unknown as FastifyReply
  try {
    await countAttempt(at.context, reply, attempts)
    return 0
  } catch (error) {
    expect(error).toMatchObject({ code: 'rate_limited' })
    return headers['retry-after'] ?? Number.NaN
  }
}
const letTurnsPass = () => okaeri.query`update rate_limits set expire = 0 where key like '%:turn:%'`

test('applies over all processes, also to many attempts at the same moment', async () => {
  const many = await Promise.all(Array.from({ length: 20 }, (_, i) => tryIt([[hard, 'many']], i % 2 ? okaeri : beside)))
  expect(many.filter((wait) => wait === 0)).toHaveLength(3)
  expect(Math.max(...many)).toBeGreaterThan(590)
  expect(await tryIt([[hard, 'others']])).toBe(0)
})

test('a slowed-down caller waits twice as long each time, up to the maximum, however often they try meanwhile', async () => {
  for (let i = 0; i < 4; i++) expect(await tryIt([[soft, 'slow']])).toBe(0)
  for (const seconds of [10, 20, 40, 60, 60]) {
    for (let i = 0; i < 3; i++) expect(await tryIt([[soft, 'slow']], beside)).toBeLessThanOrEqual(seconds)
    expect(await tryIt([[soft, 'slow']])).toBeGreaterThan(seconds - 5)
    await letTurnsPass()
    const turns = await Promise.all([okaeri, beside, okaeri].map((at) => tryIt([[soft, 'slow']], at)))
    expect(turns.filter((wait) => wait === 0)).toHaveLength(1)
  }
})

test('an attempt refused by a narrow limit does not count against a wide one', async () => {
  const wide: RateLimit = { name: 'test_wide', max: 4, windowSeconds: 600 }
  for (let i = 0; i < 10; i++)
    await tryIt([
      [hard, 'narrow'],
      [wide, 'all'],
    ])
  expect(await tryIt([[wide, 'all']])).toBe(0)
  expect(await tryIt([[wide, 'all']])).toBeGreaterThan(0)
})

test('a successful attempt is not counted, or clears all before it', async () => {
  const reply = {} as FastifyReply
  for (let i = 0; i < 5; i++) await (await countAttempt(okaeri.context, reply, [[hard, 'back']])).takeBack()
  for (let i = 0; i < 4; i++) await tryIt([[soft, 'good']])
  await letTurnsPass()
  await (
    await countAttempt(okaeri.context, reply, [
      [soft, 'good'],
      [hard, 'good'],
    ])
  ).forgive(soft)
  for (let i = 0; i < 3; i++)
    expect(
      await tryIt(
        [
          [soft, 'good'],
          [hard, 'good'],
        ],
        beside,
      ),
    ).toBe(0)
})

test('what was counted while the clock was far ahead keeps no one out once it is set back', async () => {
  const real = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: real + 400 * 86_400_000 })
  for (let i = 0; i < 4; i++) await tryIt([[hard, 'ahead']])
  for (let i = 0; i < 6; i++) await tryIt([[soft, 'ahead']])
  for (let i = 0; i < 9; i++) await countWithin(okaeri.context, 'ahead', 'x', { seconds: 600, counts: true })
  vi.useRealTimers()
  for (const at of [okaeri, beside, okaeri]) expect(await tryIt([[hard, 'ahead']], at)).toBe(0)
  expect(await tryIt([[hard, 'ahead']])).toBeGreaterThan(0)
  for (let i = 0; i < 4; i++) expect(await tryIt([[soft, 'ahead']])).toBe(0)
  expect(await tryIt([[soft, 'ahead']])).toBeLessThanOrEqual(10)
  expect(await countWithin(okaeri.context, 'ahead', 'x', { seconds: 600, counts: false })).toBe(0)
  expect(await countWithin(beside.context, 'ahead', 'x', { seconds: 600, counts: true })).toBe(1)
})

test('a clock some seconds ahead, of another machine, counts as ours', async () => {
  const real = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: real + 30_000 })
  for (let i = 0; i < 3; i++) expect(await tryIt([[hard, 'apart']], beside)).toBe(0)
  vi.useRealTimers()
  expect(await tryIt([[hard, 'apart']])).toBeGreaterThan(0)
})

test('something is the first time only once, in any process', async () => {
  const asked = [okaeri, beside, okaeri].map(({ context }) => isFirstTime(context, 'once', 'x', 60))
  expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1)
})

test('counted values cannot be read from the database, and are deleted after the window', async () => {
  await tryIt([[hard, 'somebody@example.test']])
  const rows = await okaeri.query`select * from rate_limits`
  expect(rows.length).toBeGreaterThan(0)
  expect(JSON.stringify(rows)).not.toContain('somebody')
  await okaeri.query`update rate_limits set expire = 1 where key not like 'once%'`
  await forgetOldAttempts.run(okaeri.context, new AbortController().signal)
  const left = await okaeri.query<{ key: string }>`select key from rate_limits`
  expect(left.map(({ key }) => key.split(':')[0])).toEqual(['once'])
})

test('without an answer of the database no attempt is allowed', async () => {
  const alone = await startTestOkaeri()
  const { context } = alone
  await alone.close()
  await expect(countAttempt(context, {} as FastifyReply, [[hard, 'x']])).rejects.not.toMatchObject({
    code: 'rate_limited',
  })
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:0DB8:0001::', '2001:db8:1:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is counted as %s', (ip, origin) => {
  expect(originOf({ ip })).toBe(origin)
})
