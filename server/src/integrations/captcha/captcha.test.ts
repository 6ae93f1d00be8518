import path from 'node:path'
import { captcha } from '@okaeri/contract/system/routes'
import { type Challenge, createChallenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestOkaeri, type TestOkaeri } from '../../../test/harness.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { type CaptchaUse, checkCaptcha, makeCaptcha } from './captcha.ts'

withOkaeri()

/** Another process of the same installation. */
let beside: TestOkaeri
beforeAll(async () => {
  const { databaseUrl, context } = okaeri
  const SECRETS_FILE = path.join(context.settings.dataDir, 'secrets.json')
  beside = await startTestOkaeri({ env: { DATABASE_URL: databaseUrl, SECRETS_FILE } })
})
afterAll(() => beside.close())
beforeEach(() => okaeri.query`delete from rate_limits`)

const testMail: CaptchaUse = { form: 'test_mail', merchantId: null }
const restock: CaptchaUse = { form: 'restock', merchantId: newId() }
const ORIGIN = '203.0.113.7'
const pack = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
async function solve(challenge: Challenge) {
  return { challenge, solution: await solveChallenge({ challenge, deriveKey }) }
}
const fetchChallenge = async () => (await okaeri.call(captcha, { query: {} })) as unknown as Challenge
const make = async (use: CaptchaUse, origin = ORIGIN) =>
  (await makeCaptcha(okaeri.context, use, origin)) as unknown as Challenge
const refused = { code: 'invalid', reason: 'captcha_failed', fields: { captcha: 'invalid' } }
const used = async (): Promise<number> =>
  (await okaeri.query`select from rate_limits where key like 'captcha:%'`).length

test('a solved challenge is taken once', async () => {
  const payload = await solve(await fetchChallenge())
  await checkCaptcha(okaeri.context, pack(payload), testMail)
  await expect(checkCaptcha(okaeri.context, pack(payload), testMail)).rejects.toMatchObject(refused)
  const signature = payload.challenge.signature?.toUpperCase()
  await expect(
    checkCaptcha(okaeri.context, pack({ ...payload, challenge: { ...payload.challenge, signature } }), testMail),
  ).rejects.toMatchObject(refused)
})

test('one that two processes are shown at the same moment is taken by one of them', async () => {
  const payload = pack(await solve(await make(restock)))
  const tries = await Promise.allSettled(
    [okaeri, beside, okaeri, beside].map(({ context }) => checkCaptcha(context, payload, restock)),
  )
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const one of tries) if (one.status === 'rejected') expect(one.reason).toMatchObject(refused)
})

test('an unsolved, foreign, changed or old one is refused, and nothing is kept of it', async () => {
  const { challenge, solution } = await solve(await fetchChallenge())
  const parameters = { ...challenge.parameters, expiresAt: (challenge.parameters.expiresAt ?? 0) + 9999 }
  const made = {
    algorithm: 'PBKDF2/SHA-256',
    cost: 1000,
    counter: 3,
    deriveKey,
    data: { form: 'test_mail', merchant: '' },
  }
  const foreign = await createChallenge({ ...made, hmacSignatureSecret: 'not ours' })
  const { keyring } = okaeri.context
  const ending = (inMs: number) =>
    createChallenge({
      ...made,
      expiresAt: new Date(okaeri.context.clock.realNow().getTime() + inMs),
      hmacSignatureSecret: keyring.linkMac(Buffer.from('captcha challenge'), 32),
      hmacKeySignatureSecret: keyring.linkMac(Buffer.from('captcha solution'), 32),
    })
  const old = await ending(-1000)
  const beforeTheClockWasSetBack = await ending(3_600_000)
  for (const payload of [
    { challenge, solution: { counter: 1, derivedKey: '00' } },
    { challenge: { ...challenge, parameters }, solution },
    { challenge: { ...challenge, signature: undefined }, solution },
    await solve(foreign),
    await solve(old),
    await solve(beforeTheClockWasSetBack),
    {},
    null,
    [],
  ])
    await expect(checkCaptcha(okaeri.context, pack(payload), testMail)).rejects.toMatchObject(refused)
  for (const text of ['', 'x', '{}', '%%%'])
    await expect(checkCaptcha(okaeri.context, text, testMail)).rejects.toMatchObject(refused)
  expect(await used()).toBe(0)
})

test('is good for the form and the merchant it was made for, and says so only by being taken', async () => {
  const payload = await solve(await make(restock))
  const { data } = payload.challenge.parameters
  const others: CaptchaUse[] = [
    { form: 'sign_up', merchantId: restock.merchantId },
    { form: 'restock', merchantId: newId() },
    testMail,
  ]
  for (const other of others)
    await expect(checkCaptcha(okaeri.context, pack(payload), other)).rejects.toMatchObject(refused)
  const { parameters, ...signed } = payload.challenge
  const moved = {
    ...payload,
    challenge: { ...signed, parameters: { ...parameters, data: { ...data, form: 'sign_up' } } },
  }
  await expect(
    checkCaptcha(okaeri.context, pack(moved), { form: 'sign_up', merchantId: restock.merchantId }),
  ).rejects.toMatchObject(refused)
  expect(await used()).toBe(0)
  await checkCaptcha(okaeri.context, pack(payload), restock)
})

test('an origin that asks for many gets harder ones, its neighbors too, and others the usual', async () => {
  const work = async (use: CaptchaUse, origin: string): Promise<number> =>
    (await solve(await make(use, origin))).solution?.counter ?? 0
  for (let n = 0; n < 20; n += 1) await make(restock, ORIGIN)
  expect(await work(restock, ORIGIN)).toBeGreaterThanOrEqual(800)
  expect(await work(restock, '198.51.100.1')).toBeLessThanOrEqual(600)
  for (let n = 0; n < 90; n += 1) await make(restock, `203.0.113.${n}`)
  expect(await work(restock, '203.0.113.200')).toBeGreaterThanOrEqual(800)
  expect(await work(restock, '2001:db8:1:2::/64')).toBeLessThanOrEqual(600)
})

test('a stranger who asks without end makes it harder for himself, not for the visitors of the shop', async () => {
  for (let n = 0; n < 20; n += 1) await Promise.all(Array.from({ length: 60 }, () => make(restock, ORIGIN)))
  const { solution } = await solve(await make(restock, '198.51.100.1'))
  expect(solution?.counter).toBeLessThanOrEqual(600)
})
