import { getCustomer } from '@okaeri/contract/customers/routes'
import { listExecutions } from '@okaeri/contract/scenarios/execution'
import { changeStorefrontSettings } from '@okaeri/contract/storefront-settings/routes'
import { defaultConsentWording } from '@okaeri/contract/storefront-settings/settings'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addScenario, asleep, flowOf } from '../../../test/scenarios.ts'
import { aSignedInCustomer, onPage, signedByProxy } from '../../../test/signed-proxy.ts'
import { EMPTY, merchant, okaeri, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { changeConsent, findPause, pauseMarketing, suppress } from '../consent/index.ts'
import { findStoreCustomers } from '../customers/index.ts'

withSandboxStore({ seed: EMPTY })

const MARKETING = '/frontend/accepts-marketing/'
const SIGN_UP = '/frontend/email/sign_up'
const set = (storefront_settings: Record<string, unknown>) =>
  merchant.call(changeStorefrontSettings, { body: { storefront_settings } })
beforeAll(() => okaeri.settle())
beforeEach(() => set({ consent_wording_ja: '', consent_wording_en: '', double_opt_in: true }))

const said = { wording: defaultConsentWording.ja, language: 'ja', page: 'https://tea.example.jp/account?email=a#b' }
const idOf = async (storeCustomerId: number) =>
  (await findStoreCustomers(merchant.scope(), [storeCustomerId])).get(storeCustomerId) ?? ''
const recordOf = async (customerId: string) =>
  await okaeri.query<{ to_state: string; source: string; wording: string; page: string }>`
      select to_state, source, wording, page from consent_changes
      where merchant_id = ${merchant.id} and customer_id = ${customerId} and source <> 'sync' and source <> 'store' order by id`

/** What the store reported last. */
const inStore = async (storeCustomerId: number) => {
  const { webhooks } = await play<{
    webhooks: { body: { customer_id: number; email_marketing_consent: { state: string } } }[]
  }>('webhooks.json?limit=1000&topic=customers_email_marketing_consent/update')
  return webhooks.flatMap(({ body }) =>
    body.customer_id === storeCustomerId ? [body.email_marketing_consent.state] : [],
  )
}

describe('a signed-in customer', () => {
  test('gives the permission and takes it back: here, on record and in the store', async () => {
    const one = await aSignedInCustomer()
    const page = await onPage(one.storeCustomerId)
    expect(await page('GET', MARKETING)).toEqual({
      status: 200,
      body: {
        marketing: {
          signed_in: true,
          accepts_marketing: false,
          state: 'unknown',
          wording_ja: defaultConsentWording.ja,
          wording_en: defaultConsentWording.en,
        },
      },
    })
    expect(await page('POST', MARKETING, { accepts_marketing: true, ...said })).toMatchObject({
      status: 200,
      body: { marketing: { accepts_marketing: true, state: 'granted' } },
    })
    const id = await idOf(one.storeCustomerId)
    expect(await recordOf(id)).toEqual([
      {
        to_state: 'granted',
        source: 'storefront',
        wording: `${defaultConsentWording.ja} [✓] (ja)`,
        page: 'https://tea.example.jp/account',
      },
    ])
    await okaeri.settle()
    expect(await inStore(one.storeCustomerId)).toEqual(['subscribed'])
    okaeri.advance(5000)
    sandbox.clock.advance(5000)
    await page('POST', MARKETING, { accepts_marketing: false, ...said })
    await okaeri.settle()
    expect(new Set(await inStore(one.storeCustomerId))).toEqual(new Set(['subscribed', 'unsubscribed']))
    expect((await merchant.call(getCustomer, { params: { id } })).customer.marketing_state).toBe('withdrawn')
    expect(await one.ask('GET', '/shopify/proxy/marketing')).toMatchObject({
      status: 200,
      body: { marketing: { state: 'withdrawn', accepts_marketing: false } },
    })
  })

  test('takes it back while the clock is ahead: set back, the store hears of it all the same', async () => {
    const one = await aSignedInCustomer()
    const page = await onPage(one.storeCustomerId)
    await page('POST', MARKETING, { accepts_marketing: true, ...said })
    await okaeri.settle()
    const id = await idOf(one.storeCustomerId)
    okaeri.advance(86_400_000)
    const change = { customerId: id, kind: 'marketing', to: 'withdrawn', source: 'storefront' } as const
    expect(await changeConsent(merchant.scope(), change)).toBe(true)
    okaeri.advance(-86_400_000)
    await okaeri.settle()
    expect(new Set(await inStore(one.storeCustomerId))).toEqual(new Set(['subscribed', 'unsubscribed']))
  })

  test('begins the welcome scenario with it', async () => {
    const scenarioId = await addScenario(
      merchant.scope(),
      flowOf([asleep], { trigger: { kind: 'consent_given' } as never }),
    )
    const one = await aSignedInCustomer()
    await (await onPage(one.storeCustomerId))('POST', MARKETING, { accepts_marketing: true, ...said })
    await okaeri.settle()
    const { data } = await merchant.call(listExecutions, { query: { action_id: scenarioId } })
    expect(data.map(({ customer }) => customer?.id)).toEqual([await idOf(one.storeCustomerId)])
  })

  test('no one agrees to another wording than the merchant’s current one', async () => {
    const one = await aSignedInCustomer()
    const page = await onPage(one.storeCustomerId)
    await set({ consent_wording_ja: '週に一度、お茶の便りを受け取る' })
    expect(await page('POST', MARKETING, { accepts_marketing: true, ...said })).toMatchObject({
      status: 409,
      body: { error: { reason: 'wording_changed' } },
    })
    expect(await recordOf(await idOf(one.storeCustomerId))).toEqual([])
    const shown = { ...said, wording: '週に一度、お茶の便りを受け取る', page: 'javascript:alert(1)' }
    expect((await page('POST', MARKETING, { accepts_marketing: true, ...shown })).status).toBe(200)
    expect(await recordOf(await idOf(one.storeCustomerId))).toMatchObject([
      { wording: '週に一度、お茶の便りを受け取る [✓] (ja)', page: null },
    ])
  })

  test('cannot be asked for another customer by the body', async () => {
    const [mine, theirs] = [await aSignedInCustomer(), await aSignedInCustomer()]
    const page = await onPage(mine.storeCustomerId)
    for (const more of [{ customer_id: theirs.storeCustomerId }, { accepts_marketing: 'yes' }, { language: 'fr' }])
      expect((await page('POST', MARKETING, { accepts_marketing: true, ...said, ...more })).status).toBe(400)
  })
})

describe('a guest', () => {
  test('reads the wording, and has nothing chosen in advance', async () => {
    const page = await onPage(null)
    expect(await page('GET', MARKETING)).toMatchObject({
      status: 200,
      body: { marketing: { signed_in: false, state: 'unknown' } },
    })
    expect(await page('POST', MARKETING, { accepts_marketing: true, ...said })).toMatchObject({
      status: 401,
      body: { error: { reason: 'customer_not_signed_in' } },
    })
    expect((await fetch(signedByProxy('/shopify/proxy/marketing'))).status).toBe(401)
    expect((await fetch(`${okaeri.url}/shopify/proxy/marketing`)).status).toBe(401)
    expect((await fetch(`${okaeri.url}${MARKETING}`)).status).toBe(401)
  })
})

describe('the sign-up form', () => {
  let made = 0
  const anAddress = () => `reader-${(made += 1)}@example.jp`
  const solved = async (page: Awaited<ReturnType<typeof onPage>>, form = 'sign_up'): Promise<string> => {
    const challenge: Challenge = (await page('POST', '/frontend/captcha', { form })).body
    const solution = await solveChallenge({ challenge, deriveKey })
    return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
  }
  const stateOf = async (email: string) =>
    (
      await okaeri.query<{ state: string }>`
        select marketing_state as state from customers where merchant_id = ${merchant.id} and email_key = ${email}`
    )[0]?.state
  const mailsTo = (email: string) => sandbox.mailbox.list({ to: email }).length

  test('mails a link to confirm, and subscribes no one before', async () => {
    const [page, email] = [await onPage(null), anAddress()]
    expect(await page('POST', SIGN_UP, { email, ...said, captcha: await solved(page) })).toEqual({
      status: 200,
      body: { accepted: true },
    })
    await okaeri.settle()
    expect([await stateOf(email), mailsTo(email)]).toEqual([undefined, 1])
  })

  test('asks in the language of the page that was filled in', async () => {
    const [page, email] = [await onPage(null), anAddress()]
    const shown = { ...said, wording: defaultConsentWording.en, language: 'en' }
    expect(await page('POST', SIGN_UP, { email, ...shown, captcha: await solved(page) })).toMatchObject({ status: 200 })
    await okaeri.settle()
    const [{ id } = { id: 0 }] = sandbox.mailbox.list({ to: email })
    const { subject, text } = await sandbox.mailbox.read(id)
    expect(subject).toContain('please confirm your subscription')
    const link = new URL(/https?:\S+/.exec(text ?? '')?.[0] ?? 'none:')
    expect(await (await fetch(`${okaeri.url}${link.pathname}${link.search}`)).text()).toContain('<html lang="en">')
  })

  test('where the merchant asks for no confirmation subscribes at once, with the wording as proof', async () => {
    await set({ double_opt_in: false })
    const [page, email] = [await onPage(null), anAddress()]
    await page('POST', SIGN_UP, { email, ...said, captcha: await solved(page) })
    await okaeri.settle()
    expect([await stateOf(email), mailsTo(email)]).toEqual(['granted', 0])
    const rows = await okaeri.query<{ id: string }>`select id from customers where email_key = ${email}`
    expect(await recordOf(rows[0]?.id ?? '')).toEqual([
      {
        to_state: 'granted',
        source: 'storefront',
        wording: `${defaultConsentWording.ja} [✓] (ja)`,
        page: 'https://tea.example.jp/account',
      },
    ])
  })

  test('without a solved challenge a link is mailed all the same; a wrong or used one is refused', async () => {
    await set({ double_opt_in: false })
    const [page, email] = [await onPage(null), anAddress()]
    await page('POST', SIGN_UP, { email, ...said })
    await okaeri.settle()
    expect([await stateOf(email), mailsTo(email)]).toEqual([undefined, 1])
    const captcha = await solved(page)
    await page('POST', SIGN_UP, { email: anAddress(), ...said, captcha })
    for (const wrong of [captcha, 'x', await solved(page, 'restock')])
      expect((await page('POST', SIGN_UP, { email: anAddress(), ...said, captcha: wrong })).status).toBe(400)
  })

  test('what only looks like a solved challenge keeps no one else from signing up: neither the owner of the address nor others at the shop', async () => {
    const [page, email] = [await onPage(null), anAddress()]
    const honest = async (email: string) =>
      (await page('POST', SIGN_UP, { email, ...said, captcha: await solved(page) })).status
    expect(await honest(anAddress())).toBe(200)
    await okaeri.query`update rate_limits set points = 999 where key like 'storefront shop:%'`
    for (let at = 0; at < 4; at += 1)
      expect((await page('POST', SIGN_UP, { email, ...said, captcha: 'x' })).status).toBe(400)
    expect([await honest(email), await honest(anAddress())]).toEqual([200, 429])
    await okaeri.query`delete from rate_limits`
  })

  test('an address whose owner said no confirms by mail; a suppressed one hears nothing; the answers are the same', async () => {
    await set({ double_opt_in: false })
    const one = await aSignedInCustomer(anAddress())
    const page = await onPage(one.storeCustomerId)
    await page('POST', MARKETING, { accepts_marketing: false, ...said })
    await changeConsent(merchant.scope(), {
      customerId: await idOf(one.storeCustomerId),
      kind: 'marketing',
      to: 'withdrawn',
      source: 'unsubscribe_link',
    })
    const blocked = anAddress()
    await suppress(merchant.scope(), { address: blocked, reason: 'hard_bounce' })
    const answers = []
    for (const email of [one.email, blocked, anAddress()])
      answers.push(await page('POST', SIGN_UP, { email, ...said, captcha: await solved(page) }))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    await okaeri.settle()
    expect([await stateOf(one.email), mailsTo(one.email)]).toEqual(['withdrawn', 1])
    expect([await stateOf(blocked), mailsTo(blocked)]).toEqual([undefined, 0])
  })

  test('ends no pause that was not confirmed', async () => {
    await set({ double_opt_in: false })
    const one = await aSignedInCustomer(anAddress())
    const page = await onPage(one.storeCustomerId)
    await pauseMarketing(merchant.scope(), one.email)
    await page('POST', SIGN_UP, { email: one.email, ...said, captcha: await solved(page) })
    await okaeri.settle()
    expect([await stateOf(one.email), mailsTo(one.email)]).toEqual(['unknown', 1])
    expect(await findPause(merchant.scope(), one.email)).not.toBeNull()
  })

  test('tries an address that does not exist only once', async () => {
    const page = await onPage(null)
    const email = 'reject-typed@example.jp'
    expect(await page('POST', SIGN_UP, { email, ...said })).toMatchObject({ status: 200 })
    // It throws what a job throws.
    await okaeri.settle()
    const rows =
      await okaeri.query`select from pgboss.job where name = 'subscriptions.subscribe' and state <> 'completed'`
    expect([rows, mailsTo(email)]).toEqual([[], 0])
  })

  test('fills no stranger’s mailbox', async () => {
    const [page, email] = [await onPage(null), anAddress()]
    const statuses = []
    for (let at = 0; at < 5; at += 1) statuses.push((await page('POST', SIGN_UP, { email, ...said })).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    await okaeri.settle()
    expect(mailsTo(email)).toBeLessThanOrEqual(3)
  })
})
