import pg from 'pg'
import { describe, expect, test } from 'vitest'
import type { TestMerchant } from '../../../test/harness.ts'
import { BROWSER, type SentMail, sentMail } from '../../../test/sent-mail.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { createHitQueue, MAX_HITS_A_DAY } from './hit-queue.ts'
import { resultsOfCampaigns } from '../stats/index.ts'
import { creditOrder, lowerOrder, withdrawOrder } from './index.ts'

withOkaeri()

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const get = (path: string, userAgent = BROWSER, method = 'GET'): Promise<Response> =>
  fetch(`${okaeri.url}${path}`, { method, redirect: 'manual', headers: { 'user-agent': userAgent } })
const open = (mail: SentMail, userAgent?: string): Promise<Response> => get(`/o/${mail.token}.gif`, userAgent)
const click = (mail: SentMail, link = 0, userAgent?: string): Promise<Response> =>
  get(`/c/${mail.token}-${link}`, userAgent)
async function hits(
  mail: SentMail,
): Promise<{ kind: string; verdict: string | null; evidence: string | null; network: string }[]> {
  const rows = await okaeri.query<{ kind: string; verdict: string | null; evidence: string | null; network: string }>`
    select kind, verdict, evidence, network from tracking_hits where delivery_id = ${mail.deliveryId} order by id`
  return rows
}
/** Long enough after for hits to be judged. */
const judged = async (): Promise<void> => {
  okaeri.advance(5000)
  await okaeri.settle()
}
const results = async (merchant: TestMerchant, mail: SentMail) =>
  (await resultsOfCampaigns(merchant.scope(), [mail.campaignId ?? ''])).get(mail.campaignId ?? '')

describe('a pixel', () => {
  test('is answered with a picture after the open is stored, and the open counts once', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    okaeri.advance(MINUTE)
    for (let i = 0; i < 3; i += 1) {
      const answer = await open(mail)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/gif'])
      expect(answer.headers.get('cache-control')).toContain('no-store')
      expect((await hits(mail)).length).toBe(i + 1)
    }
    await judged()
    expect((await hits(mail))[0]).toEqual({
      kind: 'open',
      verdict: 'human',
      evidence: 'person',
      network: '127.0.0.0/24',
    })
    expect(await results(merchant, mail)).toMatchObject({ opened: 1, clicked: 0, machine_opened: 0 })
  })

  test('that is requested endlessly is answered, and a limited number of hits per day is stored', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    const queue = createHitQueue(okaeri.context)
    const { deliveryId } = mail
    const ask = (times: number) =>
      Promise.all(
        Array.from({ length: times }, () =>
          queue.store({
            merchantId: merchant.id,
            deliveryId,
            kind: 'open',
            linkPosition: null,
            at: okaeri.clock.now(),
            userAgent: BROWSER,
            network: '127.0.0.0/24',
          }),
        ),
      )
    expect(new Set(await ask(MAX_HITS_A_DAY + 20))).toEqual(new Set([true]))
    expect((await hits(mail)).length).toBe(MAX_HITS_A_DAY)
    okaeri.advance(DAY)
    await ask(3)
    expect((await hits(mail)).length).toBe(MAX_HITS_A_DAY + 3)
  })

  test('is stored with the customer: segments can ask who opened and clicked, and when last', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    okaeri.advance(MINUTE)
    await open(mail)
    await open(mail, '')
    await judged()
    const ofCustomer = async () => {
      const rows = await okaeri.query<Record<string, unknown>>`
        select c.opened_count, c.clicked_count, c.last_opened_at = d.opened_at as opened_then,
          c.last_clicked_at = d.clicked_at as clicked_then
        from deliveries d join customers c on c.merchant_id = d.merchant_id and c.id = d.customer_id
        where d.merchant_id = ${merchant.id} and d.id = ${mail.deliveryId}`
      return rows[0]
    }
    expect(await ofCustomer()).toEqual({ opened_count: 1, clicked_count: 0, opened_then: true, clicked_then: null })
    await click(mail)
    await judged()
    expect(await ofCustomer()).toEqual({ opened_count: 1, clicked_count: 1, opened_then: true, clicked_then: true })
  })

  test('with a forged token is a picture that counts nothing', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    const forged = `${mail.token.slice(0, 5)}${mail.token[5] === 'A' ? 'B' : 'A'}${mail.token.slice(6)}`
    for (const path of [`/o/${forged}.gif`, '/o/x.gif', `/o/${mail.token}`]) expect((await get(path)).status).toBe(200)
    expect(await hits(mail)).toEqual([])
  })

  test('requested with HEAD counts nothing', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    expect((await get(`/o/${mail.token}.gif`, BROWSER, 'HEAD')).status).toBe(200)
    expect((await get(`/c/${mail.token}-0`, BROWSER, 'HEAD')).status).toBe(302)
    await get(`/c/${mail.token}-0`, BROWSER, 'OPTIONS')
    expect(await hits(mail)).toEqual([])
  })

  test('fetched by Apple’s prefetch shows beside the opens, not among them, until a person opens', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    okaeri.advance(MINUTE)
    await open(mail, 'Mozilla/5.0')
    await judged()
    expect(await results(merchant, mail)).toMatchObject({ opened: 0, machine_opened: 1 })
    await open(mail)
    await judged()
    expect(await results(merchant, mail)).toMatchObject({ opened: 1, machine_opened: 1 })
  })
})

describe('a link', () => {
  test('leads to the address stored with the message, and a click is an open too', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant, {
      links: ['https://shop.test/?a=1&b=2', 'https://shop.test/お茶?q=緑 茶'],
    })
    okaeri.advance(MINUTE)
    const answer = await click(mail)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://shop.test/?a=1&b=2'])
    await judged()
    expect((await click(mail, 1)).headers.get('location')).toBe(encodeURI('https://shop.test/お茶?q=緑 茶'))
    await judged()
    expect(await results(merchant, mail)).toMatchObject({ opened: 1, clicked: 1 })
  })

  test('leads nowhere else: a forged token, a number too high and an address that is not on the web show a page', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant, { links: ['javascript:alert(1)', 'https://shop.test/'] })
    for (const path of [
      `/c/${mail.token}-0`,
      `/c/${mail.token}-2`,
      `/c/${mail.token}`,
      `/c/${mail.token}-1-1`,
      `/c/${'A'.repeat(mail.token.length)}-1`,
      '/c/https:%2F%2Fevil.test',
    ]) {
      const answer = await get(path)
      const page = await answer.text()
      expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 404, null])
      expect(page).toContain('このリンクは使えません')
      expect(page).toContain('This link does not work')
    }
    expect(await hits(mail)).toEqual([])
  })

  test('followed by a scanner together with all others is a machine’s click', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    okaeri.advance(MINUTE)
    await Promise.all([click(mail, 0), click(mail, 1)])
    await judged()
    expect((await hits(mail)).map(({ evidence }) => evidence)).toEqual([
      'several_links_at_once',
      'several_links_at_once',
    ])
    expect(await results(merchant, mail)).toMatchObject({ opened: 0, clicked: 0, machine_clicked: 1 })
  })

  test('is not judged before its neighbors can be there', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    okaeri.advance(MINUTE)
    await click(mail)
    await okaeri.settle()
    expect((await hits(mail))[0]?.verdict).toBeNull()
    await judged()
    expect((await hits(mail))[0]?.verdict).toBe('human')
  })

  test('in a test shows its clicks but counts in no figure', async () => {
    const merchant = await okaeri.merchant({ test_mode: true })
    const mail = await sentMail(okaeri, merchant, { testMode: true })
    okaeri.advance(MINUTE)
    await click(mail)
    await judged()
    expect((await hits(mail))[0]?.verdict).toBe('human')
    expect(await results(merchant, mail)).toMatchObject({ opened: 0, clicked: 0 })
  })

  test('opened by hundreds at once is stored for each of them before they are answered', async () => {
    const merchant = await okaeri.merchant()
    const first = await sentMail(okaeri, merchant)
    const mails = [first]
    for (let i = 0; i < 30; i += 1)
      mails.push(await sentMail(okaeri, merchant, { beside: { ...first, customerId: undefined } }))
    okaeri.advance(MINUTE)
    const answers = await Promise.all(mails.flatMap((mail) => [open(mail), click(mail), open(mail), click(mail)]))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 302]))
    const rows = await okaeri.query<{
      count: number
    }>`select count(*)::int as count from tracking_hits where merchant_id = ${merchant.id}`
    expect(rows[0]?.count).toBe(answers.length)
    await judged()
    expect(await results(merchant, first)).toMatchObject({ opened: 31, clicked: 31 })
  })
})

describe('while the database stores nothing', () => {
  test('a person still reaches the shop after two seconds, a pixel is refused, and nothing waiting is lost', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    okaeri.advance(MINUTE)
    await click(mail) // its links are known from here on
    const blocker = new pg.Client({ connectionString: okaeri.databaseUrl })
    await blocker.connect()
    await blocker.query('begin; lock table tracking_hits in exclusive mode')
    const [clicked, opened] = await Promise.all([click(mail, 1), open(mail)])
    expect([clicked.status, clicked.headers.get('location')]).toEqual([302, 'https://shop.test/products/cup'])
    expect([opened.status, opened.headers.get('retry-after')]).toEqual([503, '5'])
    await blocker.query('commit')
    await blocker.end()
    await open(mail)
    expect(await hits(mail)).toHaveLength(4)
  })
})

describe('an order', () => {
  const order = (mail: SentMail | null, more: Partial<Parameters<typeof creditOrder>[1]> = {}) => ({
    orderId: newId(),
    customerId: mail?.customerId ?? null,
    emailKey: null,
    processedAt: okaeri.clock.now(),
    amount: 3000,
    currency: 'JPY',
    ...more,
  })

  test('is credited once to the last mail clicked, though the click was not judged yet', async () => {
    const merchant = await okaeri.merchant()
    const earlier = await sentMail(okaeri, merchant)
    const later = await sentMail(okaeri, merchant, { beside: { customerId: earlier.customerId } })
    const unclicked = await sentMail(okaeri, merchant, { beside: { customerId: earlier.customerId } })
    okaeri.advance(MINUTE)
    await click(earlier)
    okaeri.advance(MINUTE)
    await click(later)
    await open(unclicked)
    const placed = order(later)
    await creditOrder(merchant.scope(), placed)
    await creditOrder(merchant.scope(), placed)
    expect(await results(merchant, later)).toMatchObject({ orders: 1, revenue: 3000, clicked: 1 })
    expect(await results(merchant, earlier)).toMatchObject({ orders: 0, revenue: 0 })
    expect(await results(merchant, unclicked)).toMatchObject({ orders: 0, revenue: 0 })
    await judged()
    expect(await results(merchant, later)).toMatchObject({ clicked: 1, opened: 1 })
  })

  test('is credited for five days after the click and not longer; a setting changes that', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    okaeri.advance(MINUTE)
    await click(mail)
    const clickedAt = okaeri.clock.now()
    okaeri.advance(10 * DAY)
    const at = (days: number) => order(mail, { processedAt: new Date(clickedAt.getTime() + days * DAY) })
    await creditOrder(merchant.scope(), at(4.99))
    await creditOrder(merchant.scope(), at(5.01))
    await creditOrder(merchant.scope(), at(-0.01))
    expect(await results(merchant, mail)).toMatchObject({ orders: 1 })
    await okaeri.query`update merchants set attribution_days = 7 where id = ${merchant.id}`
    await creditOrder(merchant.scope(), at(6))
    expect(await results(merchant, mail)).toMatchObject({ orders: 2 })
  })

  test('is not credited to an open, unless the merchant counts opens', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    okaeri.advance(MINUTE)
    await open(mail)
    await creditOrder(merchant.scope(), order(mail))
    expect(await results(merchant, mail)).toMatchObject({ orders: 0 })
    await okaeri.query`update merchants set attribution_counts_opens = true where id = ${merchant.id}`
    await creditOrder(merchant.scope(), order(mail))
    expect(await results(merchant, mail)).toMatchObject({ orders: 1 })
  })

  test('is not credited to a machine’s click nor to a test', async () => {
    const merchant = await okaeri.merchant()
    const scanned = await sentMail(okaeri, merchant)
    const test = await sentMail(okaeri, merchant, { testMode: true, beside: { customerId: scanned.customerId } })
    okaeri.advance(MINUTE)
    await click(scanned, 0, 'python-requests/2.31')
    await click(test)
    await judged()
    await creditOrder(merchant.scope(), order(scanned))
    expect(await results(merchant, scanned)).toMatchObject({ orders: 0 })
    expect(await results(merchant, test)).toMatchObject({ orders: 0 })
  })

  test('of a guest, or of a twin with the same address, is credited to the mail that reached the address', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant, { address: 'Hanako@example.jp' })
    const twin = await sentMail(okaeri, merchant, { address: 'hanako@example.jp' })
    okaeri.advance(MINUTE)
    await click(mail)
    await creditOrder(merchant.scope(), order(null, { emailKey: 'hanako@example.jp' }))
    await creditOrder(merchant.scope(), order(twin))
    await creditOrder(merchant.scope(), order(null))
    expect(await results(merchant, mail)).toMatchObject({ orders: 2, revenue: 6000 })
  })

  test('that is cancelled or refunded is taken out of the quarter of an hour it was counted in', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    okaeri.advance(MINUTE)
    await click(mail)
    const [cancelled, partly, wholly] = [order(mail), order(mail), order(mail)]
    for (const placed of [cancelled, partly, wholly]) await creditOrder(merchant.scope(), placed)
    okaeri.advance(2 * DAY)
    for (let twice = 0; twice < 2; twice += 1) {
      await withdrawOrder(merchant.scope(), cancelled)
      await lowerOrder(merchant.scope(), { orderId: partly.orderId, amount: 1000 })
      await lowerOrder(merchant.scope(), { orderId: wholly.orderId, amount: 0 })
    }
    await withdrawOrder(merchant.scope(), { orderId: newId() })
    expect(await results(merchant, mail)).toMatchObject({ orders: 1, revenue: 1000 })
    const rows =
      await okaeri.query`select 1 from message_stats where merchant_id = ${merchant.id} and (orders < 0 or revenue < 0)`
    expect(rows).toEqual([])
  })

  test('is credited and taken out again by the store’s webhooks', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    okaeri.advance(MINUTE)
    await click(mail)
    const scope = merchant.scope()
    const { orderId, customerId, emailKey, processedAt, amount, currency } = order(mail)
    const fact = { orderId, customerId, amount, currency }
    await okaeri.context.publish(scope, 'orders.placed', {
      orders: [{ ...fact, emailKey, processedAt, landingSite: null }],
    })
    expect(await results(merchant, mail)).toMatchObject({ orders: 1, revenue: 3000 })
    await okaeri.context.publish(scope, 'order.refunded', { ...fact, amount: 500 })
    expect(await results(merchant, mail)).toMatchObject({ orders: 1, revenue: 500 })
    await okaeri.context.publish(scope, 'order.cancelled', { ...fact, amount: 500 })
    expect(await results(merchant, mail)).toMatchObject({ orders: 0, revenue: 0 })
  })

  test('keeps no trace of its customer once they are deleted', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    okaeri.advance(MINUTE)
    await click(mail)
    await creditOrder(merchant.scope(), order(mail))
    await okaeri.context.publish(merchant.scope(), 'customer.deleted', { customerId: mail.customerId, emailKey: null })
    const rows = await okaeri.query`select 1 from conversions where customer_id = ${mail.customerId}
      union all select 1 from tracking_hits where delivery_id = ${mail.deliveryId} and (user_agent <> '' or network <> '')`
    expect(rows).toEqual([])
    expect(await results(merchant, mail)).toMatchObject({ orders: 1, clicked: 1 })
  })

  test('of one merchant is not credited to a mail of another', async () => {
    const [merchant, neighbour] = [await okaeri.merchant(), await okaeri.merchant()]
    const mail = await sentMail(okaeri, merchant)
    okaeri.advance(MINUTE)
    await click(mail)
    await creditOrder(neighbour.scope(), order(mail))
    expect(await results(merchant, mail)).toMatchObject({ orders: 0 })
  })
})
