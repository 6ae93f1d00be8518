import { getCampaignReport } from '@okaeri/contract/campaigns/routes'
import {
  getClickMap,
  getDashboard,
  getDayStats,
  getRangeStats,
  getScenarioStats,
  getStepClickMap,
  listReports,
} from '@okaeri/contract/reports/routes'
import { createScenario } from '@okaeri/contract/scenarios/routes'
import { DateTime } from 'luxon'
import { describe, expect, test } from 'vitest'
import type { TestMerchant } from '../../../test/harness.ts'
import { BROWSER, type SentMail, sentMail } from '../../../test/sent-mail.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { linkMarker, OPEN_MARKER } from '../email-rendering/parts.ts'
import { addStats, campaignProgram } from '../stats/index.ts'
import { creditOrder, withdrawOrder } from '../tracking/index.ts'

withOkaeri()

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const visit = async (path: string, userAgent = BROWSER): Promise<void> => {
  await fetch(`${okaeri.url}${path}`, { redirect: 'manual', headers: { 'user-agent': userAgent } })
}
const judged = async (): Promise<void> => {
  okaeri.advance(5000)
  await okaeri.settle()
}
/** Three recipients: one clicks and orders, one is opened by a machine, one does nothing. */
async function campaign(merchant: TestMerchant, testMode = false): Promise<SentMail> {
  const links = ['https://shop.test/a', 'https://shop.test/b', 'https://shop.test/a']
  const mail = await sentMail(okaeri, merchant, { links, testMode, address: 'hanako@example.jp' })
  const { campaignId, emailId, messageId } = mail
  const beside = { campaignId, emailId, messageId }
  const second = await sentMail(okaeri, merchant, { beside, testMode })
  await sentMail(okaeri, merchant, { beside, testMode })
  if (!testMode)
    await addStats(merchant.scope(), [
      {
        at: okaeri.clock.now(),
        program: campaignProgram(campaignId as string),
        channel: 'email',
        contentId: emailId,
        sent: 3,
      },
    ])
  okaeri.advance(MINUTE)
  await visit(`/o/${second.token}.gif`, 'Mozilla/5.0')
  await visit(`/c/${second.token}-1`, 'BarracudaCentral')
  await visit(`/c/${mail.token}-0`)
  okaeri.advance(MINUTE)
  await visit(`/c/${mail.token}-2`)
  await judged()
  await creditOrder(merchant.scope(), {
    orderId: newId(),
    customerId: mail.customerId,
    emailKey: null,
    processedAt: okaeri.clock.now(),
    amount: 5000,
    currency: 'JPY',
  })
  return mail
}
/** A file as a browser gets it. */
async function download(merchant: TestMerchant, path: string, language = 'ja'): Promise<Response> {
  return fetch(`${okaeri.url}${path}`, {
    headers: { authorization: `Bearer test.${merchant.id}.${merchant.memberId}.viewer`, 'accept-language': language },
  })
}
const text = async (merchant: TestMerchant, path: string, language?: string): Promise<string> =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await (await download(merchant, path, language)).arrayBuffer())

/** Reads the file as RFC 4180 says, by the names of its first line. */
function rows(csv: string): Record<string, string>[] {
  const cells: string[][] = [[]]
  for (const [, quoted, plain = '', end] of csv
    .replace('\uFEFF', '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    cells.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '\r\n') cells.push([])
  }
  const [head = [], ...lines] = cells
  return lines
    .filter((line) => line.length === head.length)
    .map((line) => Object.fromEntries(head.map((name, i) => [name, line[i] ?? ''])))
}

describe('the report of a campaign', () => {
  test('counts people, shows machines beside them, and each address once', async () => {
    const merchant = await okaeri.merchant()
    const mail = await campaign(merchant)
    const { report } = await merchant.call(getCampaignReport, { params: { id: mail.campaignId ?? '' } })
    expect(report).toMatchObject({
      delivery_count: 3,
      open_count: 1,
      open_rate: 33.3,
      click_count: 1,
      click_rate: 33.3,
      machine_open_count: 1,
      machine_click_count: 1,
      order_count: 1,
      revenue: { amount: 5000, currency: 'JPY' },
      balance: { audience: 3, sent: 3 },
      email: { subject: '春の新茶', sent_count: 3, revenue: { amount: 5000 } },
    })
    // As someone would have got it: tags are filled in and the link leads to its target.
    expect(report.email?.html).toBe('<p>山田 様 <a href="https://shop.test/a">新茶</a></p>')
    expect(report.links).toEqual([
      { url: 'https://shop.test/a', click_count: 1, machine_click_count: 0 },
      { url: 'https://shop.test/b', click_count: 0, machine_click_count: 1 },
    ])
    const sum = (key: 'opens' | 'clicks' | 'revenue') => report.series.reduce((all, point) => all + point[key], 0)
    expect([sum('opens'), sum('clicks'), sum('revenue')]).toEqual([1, 1, 5000])
  })

  test('says how many orders its revenue leaves out, as do the sums of a span; a cancelled one is not among them', async () => {
    const merchant = await okaeri.merchant()
    const mail = await campaign(merchant)
    const credit = async (amount: number): Promise<string> => {
      const orderId = newId()
      await creditOrder(merchant.scope(), {
        orderId,
        customerId: mail.customerId,
        emailKey: null,
        processedAt: okaeri.clock.now(),
        amount,
        currency: 'USD',
      })
      return orderId
    }
    await credit(9000)
    await credit(100)
    await withdrawOrder(merchant.scope(), { orderId: await credit(700) })
    const { report } = await merchant.call(getCampaignReport, { params: { id: mail.campaignId ?? '' } })
    const left = { orders_in_other_currencies: 2 }
    expect(report).toMatchObject({ order_count: 3, revenue: { amount: 5000, currency: 'JPY' }, ...left })
    const dashboard = await merchant.call(getDashboard, { query: {} })
    expect(dashboard).toMatchObject({ figures: { orders: 3, revenue: 5000 }, ...left })
    const date = DateTime.fromJSDate(okaeri.clock.now(), { zone: 'Asia/Tokyo' }).toISODate() ?? ''
    expect(await merchant.call(getDayStats, { query: { date } })).toMatchObject(left)
    expect(await merchant.call(getRangeStats, { query: { from: date, to: date } })).toMatchObject(left)
    const before = DateTime.fromISO(date).minus({ days: 1 }).toISODate() ?? ''
    expect(await merchant.call(getDayStats, { query: { date: before } })).toMatchObject({
      orders_in_other_currencies: 0,
    })
  })

  test('says what is usual once three campaigns went to customers before it, and counts no test among them', async () => {
    const merchant = await okaeri.merchant()
    const ended = async (results: { opened: number; clicked: number; revenue: number }, testMode = false) => {
      okaeri.advance(MINUTE)
      const { campaignId, emailId } = await sentMail(okaeri, merchant, { testMode })
      const at = okaeri.clock.now()
      await addStats(merchant.scope(), [
        {
          at,
          program: campaignProgram(campaignId as string),
          channel: 'email',
          contentId: emailId,
          sent: 10,
          ...results,
        },
      ])
      return campaignId ?? ''
    }
    const usualOf = async (id: string) => (await merchant.call(getCampaignReport, { params: { id } })).report.usual
    await ended({ opened: 10, clicked: 10, revenue: 9000 }, true)
    await ended({ opened: 2, clicked: 0, revenue: 0 })
    await ended({ opened: 4, clicked: 1, revenue: 1000 })
    const third = await ended({ opened: 9, clicked: 3, revenue: 500 })
    expect(await usualOf(third)).toBeNull()
    const fourth = await ended({ opened: 3, clicked: 2, revenue: 200 })
    const usual = { campaigns: 3, open_rate: 40, click_rate: 10, revenue_per_message: 50 }
    expect(await usualOf(fourth)).toEqual(usual)
    const fifth = await ended({ opened: 1, clicked: 1, revenue: 100 })
    expect(await usualOf(fifth)).toEqual({ campaigns: 4, open_rate: 35, click_rate: 15, revenue_per_message: 35 })
    expect(await usualOf(fourth)).toEqual(usual)
    expect(await usualOf(await ended({ opened: 0, clicked: 0, revenue: 0 }, true))).toBeNull()
    const other = await okaeri.merchant()
    const { campaignId } = await sentMail(okaeri, other, {})
    const { report } = await other.call(getCampaignReport, { params: { id: campaignId ?? '' } })
    expect(report.usual).toBeNull()
  })

  test('names the campaign before it: the last to the same audience, else the last; no test, nothing that sent nothing', async () => {
    const merchant = await okaeri.merchant()
    const segment = newId()
    const ended = async (name: string, of: { sent?: number; segment?: string; testMode?: boolean } = {}) => {
      okaeri.advance(MINUTE)
      const { campaignId, emailId } = await sentMail(okaeri, merchant, { name, testMode: of.testMode ?? false })
      await okaeri.query`update campaigns set segment_type = ${of.segment ? 'own' : 'all'}, customer_segment_id = ${of.segment ?? null}
        where id = ${campaignId}`
      const counts = { sent: of.sent ?? 10, opened: 4, clicked: 1, revenue: 500 }
      await addStats(merchant.scope(), [
        {
          at: okaeri.clock.now(),
          program: campaignProgram(campaignId as string),
          channel: 'email',
          contentId: emailId,
          ...counts,
        },
      ])
      return campaignId ?? ''
    }
    const beforeOf = async (id: string) => (await merchant.call(getCampaignReport, { params: { id } })).report.before
    const first = await ended('first', { segment })
    expect(await beforeOf(first)).toBeNull()
    await ended('second')
    await ended('nothing left', { sent: 0 })
    await ended('a test', { testMode: true })
    const rates = { open_rate: 40, click_rate: 10, revenue_per_message: 50 }
    expect(await beforeOf(await ended('other', { segment: newId() }))).toMatchObject({
      name: 'second',
      same_audience: false,
      ...rates,
    })
    expect(await beforeOf(await ended('again', { segment }))).toMatchObject({
      name: 'first',
      same_audience: true,
      ...rates,
    })
    expect(await beforeOf(await ended('to all'))).toMatchObject({ name: 'second', same_audience: true })
    expect(await beforeOf(await ended('another test', { testMode: true }))).toBeNull()
    const neighbour = await okaeri.merchant()
    const { campaignId } = await sentMail(okaeri, neighbour)
    const { report } = await neighbour.call(getCampaignReport, { params: { id: campaignId ?? '' } })
    expect(report.before).toBeNull()
  })

  test('of a test shows its figures, which the dashboard leaves out', async () => {
    const merchant = await okaeri.merchant({ test_mode: true })
    const mail = await campaign(merchant, true)
    const { report } = await merchant.call(getCampaignReport, { params: { id: mail.campaignId ?? '' } })
    expect(report).toMatchObject({ test_mode: true, delivery_count: 3, open_count: 1, click_count: 1, order_count: 0 })
    const { figures } = await merchant.call(getDashboard, { query: {} })
    expect(figures).toMatchObject({ sent: 0, opened: 0, clicked: 0 })
    expect((await merchant.call(listReports, { query: {} })).data).toMatchObject([{ test_mode: true }])
  })

  test('of a deleted campaign, of another merchant or of none is not found', async () => {
    const merchant = await okaeri.merchant()
    const mail = await campaign(merchant)
    const neighbour = await okaeri.merchant()
    const params = { id: mail.campaignId ?? '' }
    await expect(neighbour.call(getCampaignReport, { params })).rejects.toMatchObject({ status: 404 })
    for (const file of ['download', 'download-clicks']) {
      expect((await download(neighbour, `/reports/${params.id}/${file}`)).status).toBe(404)
      expect((await download(merchant, `/reports/${newId()}/${file}`)).status).toBe(404)
    }
    await okaeri.query`update campaigns set status = 'deleted' where id = ${params.id}`
    await expect(merchant.call(getCampaignReport, { params })).rejects.toMatchObject({ status: 404 })
  })

  test('stands in the list of reports, the newest first', async () => {
    const merchant = await okaeri.merchant()
    const first = await campaign(merchant)
    okaeri.advance(DAY)
    const second = await campaign(merchant)
    const page = await merchant.call(listReports, { query: { limit: 1 } })
    expect(page).toMatchObject({ total: 2, data: [{ id: second.campaignId, type: 'campaign', delivery_count: 3 }] })
    expect((await merchant.call(listReports, { query: { offset: 1 } })).data[0]?.id).toBe(first.campaignId)
  })
})

describe('the click map', () => {
  /** The mail of {@link campaign} with each of its three links at its place, and a pixel. */
  async function drawn(merchant: TestMerchant, testMode = false): Promise<SentMail> {
    const mail = await campaign(merchant, testMode)
    const link = (position: number) => `<a href="${linkMarker(position)}">新茶</a>`
    const html = `<p>{{ customer.greeting }}</p>${link(0)}${link(1)}${link(2)}<img src="${OPEN_MARKER}">`
    await okaeri.query`update email_contents set html = ${html} where message_id = ${mail.messageId}`
    return mail
  }
  const mapOf = (merchant: TestMerchant, mail: SentMail) =>
    merchant.call(getClickMap, { params: { id: mail.campaignId ?? '' } })

  test('tells an address that stands twice in the mail apart, and counts people, not bots', async () => {
    const merchant = await okaeri.merchant()
    const mail = await drawn(merchant)
    await visit(`/c/${mail.token}-2`)
    await judged()
    const { links, tracking_enabled, test_mode } = await mapOf(merchant, mail)
    expect(links).toEqual([
      { position: 0, url: 'https://shop.test/a', click_count: 1, machine_click_count: 0 },
      { position: 1, url: 'https://shop.test/b', click_count: 0, machine_click_count: 1 },
      { position: 2, url: 'https://shop.test/a', click_count: 1, machine_click_count: 0 },
    ])
    expect({ tracking_enabled, test_mode }).toEqual({ tracking_enabled: true, test_mode: false })
    expect(await mapOf(merchant, await drawn(merchant, true))).toMatchObject({ test_mode: true })
  })

  test('is drawn on the mail as it was sent, whose links lead nowhere and whose pixel is not requested', async () => {
    const merchant = await okaeri.merchant()
    const mail = await drawn(merchant)
    const before = await merchant.call(getCampaignReport, { params: { id: mail.campaignId ?? '' } })
    const { mail: shown, mark } = await mapOf(merchant, mail)
    expect(shown?.subject).toBe('春の新茶')
    expect([...(shown?.html ?? '').matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      `#${mark}0`,
      `#${mark}1`,
      `#${mark}2`,
    ])
    expect(shown?.html).toContain('山田 様')
    expect(shown?.html).not.toMatch(/https?:|\/o\//)
    await judged()
    const after = await merchant.call(getCampaignReport, { params: { id: mail.campaignId ?? '' } })
    expect(after.report).toMatchObject({ open_count: before.report.open_count, click_count: before.report.click_count })
  })

  test('of a scenario’s step is of its newest mail, or of one before, and never of a test’s', async () => {
    const merchant = await okaeri.merchant()
    const { action } = await merchant.call(createScenario, {
      body: { name: '誕生日', template: 'BirthdayAction', form: {} },
    })
    const mails: SentMail[] = []
    for (const forTests of [false, false, true]) {
      const mail = await drawn(merchant)
      await okaeri.query`update messages set campaign_id = null, scenario_id = ${action.id}, node_id = 'email', version = 1, fingerprint = id::text,
        for_tests = ${forTests} where id = ${mail.messageId}`
      mails.push(mail)
      okaeri.advance(DAY)
    }
    const [old, now] = mails
    const params = { id: action.id }
    const newest = await merchant.call(getStepClickMap, { params, query: { node_id: 'email' } })
    expect(newest).toMatchObject({
      message_id: now?.messageId,
      messages: [{ id: now?.messageId }, { id: old?.messageId }],
    })
    expect(newest.mail?.html).toContain(`#${newest.mark}2`)
    expect(newest.links.map(({ click_count, machine_click_count }) => [click_count, machine_click_count])).toEqual([
      [1, 0],
      [0, 1],
      [1, 0],
    ])
    const query = { node_id: 'email', message_id: old?.messageId ?? '' }
    expect(await merchant.call(getStepClickMap, { params, query })).toMatchObject({ message_id: old?.messageId })
    expect(await merchant.call(getStepClickMap, { params, query: { node_id: 'other' } })).toMatchObject({
      mail: null,
      messages: [],
      links: [],
    })
    await expect(
      merchant.call(getStepClickMap, { params, query: { ...query, message_id: mails[2]?.messageId ?? '' } }),
    ).rejects.toMatchObject({ status: 404 })
    const neighbour = await okaeri.merchant()
    await expect(neighbour.call(getStepClickMap, { params, query })).rejects.toMatchObject({ status: 404 })
  })

  test('of a campaign that sent nothing yet has no mail, and of a neighbour’s is not found', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    const neighbour = await okaeri.merchant()
    await expect(mapOf(neighbour, mail)).rejects.toMatchObject({ status: 404 })
    await okaeri.query`update campaigns set message_id = null, tracking_enabled = false where id = ${mail.campaignId}`
    expect(await mapOf(merchant, mail)).toMatchObject({ mail: null, links: [], tracking_enabled: false })
  })
})

describe('the figures of spans', () => {
  test('belong to the merchant’s local days, and their points add up', async () => {
    const merchant = await okaeri.merchant({ timezone: 'America/New_York', currency: 'USD' })
    const on = (iso: string, counts: object) => ({
      at: new Date(iso),
      program: campaignProgram(newId()),
      channel: 'email' as const,
      contentId: null,
      ...counts,
    })
    await addStats(merchant.scope(), [
      on('2026-11-01T03:59:00Z', { sent: 1 }), // still 31 October
      on('2026-11-01T04:00:00Z', { sent: 10, opened: 4 }),
      on('2026-11-01T04:00:00Z', { channel: 'line', sent: 20, opened: 6, clicked: 6, orders: 1, revenue: 300 }),
      on('2026-11-01T05:30:00Z', { clicked: 1 }), // 01:30, before the clocks go back
      on('2026-11-01T06:30:00Z', { clicked: 2 }), // 01:30 again
      on('2026-11-02T04:59:00Z', { revenue: 700, orders: 1 }),
      on('2026-11-02T05:00:00Z', { sent: 100 }), // 2 November
    ])
    const day = await merchant.call(getDayStats, { query: { date: '2026-11-01' } })
    expect(day).toMatchObject({
      timezone: 'America/New_York',
      figures: {
        sent: 30,
        mails_sent: 10,
        opened: 4,
        clicked: 9,
        open_rate: 40,
        click_rate: 30,
        revenue: 1000,
        orders: 2,
      },
      by_channel: [
        { channel: 'email', sent: 10, clicked: 3, open_rate: 40, click_rate: 30, orders: 1, revenue: 700 },
        { channel: 'line', sent: 20, clicked: 6, open_rate: null, click_rate: 30, orders: 1, revenue: 300 },
      ],
    })
    expect(day.series).toHaveLength(25)
    expect(day.series.slice(1, 3).map(({ at, clicked }) => [at, clicked])).toEqual([
      ['2026-11-01T01:00-04:00', 1],
      ['2026-11-01T01:00-05:00', 2],
    ])
    const range = await merchant.call(getRangeStats, { query: { from: '2026-10-31', to: '2026-11-02' } })
    expect(range.series.map(({ at, sent }) => [at, sent])).toEqual([
      ['2026-10-31', 1],
      ['2026-11-01', 30],
      ['2026-11-02', 100],
    ])
    expect(range.figures.sent).toBe(131)
  })

  test('that make no sense are refused at their field', async () => {
    const merchant = await okaeri.merchant()
    await expect(
      merchant.call(getRangeStats, { query: { from: '2026-02-02', to: '2026-02-01' } }),
    ).rejects.toMatchObject({ status: 400, fields: { to: 'too_small' } })
    await expect(merchant.call(getDayStats, { query: { date: '2026-02-30' } })).rejects.toMatchObject({
      status: 400,
      fields: { date: 'not_a_date' },
    })
  })

  test('on the dashboard stand beside the span before, with what needs a look', async () => {
    const merchant = await okaeri.merchant({ test_mode: true })
    const now = okaeri.clock.now().getTime()
    const sent = (days: number, count: number) => ({
      at: new Date(now - days * DAY),
      program: null,
      channel: 'email' as const,
      contentId: null,
      sent: count,
    })
    await addStats(merchant.scope(), [sent(0, 1), sent(29, 2), sent(31, 4), sent(59, 8), sent(61, 16)])
    await sentMail(okaeri, merchant)
    await sentMail(okaeri, merchant, { marketing: 'withdrawn' })
    const dashboard = await merchant.call(getDashboard, { query: { timespan: '30d' } })
    expect(dashboard).toMatchObject({
      unit: 'day',
      figures: { sent: 3 },
      previous: { sent: 12 },
      by_channel: [],
      customers: { total: 2, marketing_permitted: 1 },
      alerts: ['test_mode', 'no_test_address', 'sender_domain_unverified', 'store_not_connected'],
    })
    expect(dashboard.series).toHaveLength(30)
    // It has been here for 61 days: of the year before, and of the three months before these, nothing can be known.
    for (const timespan of ['3m', '1y'] as const)
      expect((await merchant.call(getDashboard, { query: { timespan } })).previous).toBeNull()
    expect((await merchant.call(getDashboard, { query: { timespan: '1y' } })).figures.sent).toBe(31)
  })
})

test('the figures of a scenario are its own, beside a span before only where it was there by then', async () => {
  const merchant = await okaeri.merchant()
  const { action } = await merchant.call(createScenario, {
    body: { name: 'お礼', template: 'PurchaseFollowUpAction', form: {} },
  })
  const now = okaeri.clock.now().getTime()
  const sent = (programId: string, days: number, count: number) => ({
    at: new Date(now - days * DAY),
    program: { kind: 'scenario', id: programId, nodeId: 'mail' } as const,
    channel: 'email' as const,
    contentId: newId(),
    sent: count,
    opened: 1,
  })
  await addStats(merchant.scope(), [sent(action.id, 1, 4), sent(action.id, 40, 2), sent(newId(), 1, 100)])
  const statsOf = (of: TestMerchant) => of.call(getScenarioStats, { params: { id: action.id }, query: {} })
  expect(await statsOf(merchant)).toMatchObject({ figures: { sent: 4, opened: 1, open_rate: 25 }, previous: null })
  await okaeri.query`update scenarios set created_at = ${new Date(now - 90 * DAY)} where id = ${action.id}`
  expect(await statsOf(merchant)).toMatchObject({ figures: { sent: 4 }, previous: { sent: 2, open_rate: 50 } })
  await expect(statsOf(await okaeri.merchant())).rejects.toMatchObject({ status: 404 })
})

describe('a download', () => {
  test('names every recipient with what came of the message, in the language asked for', async () => {
    const merchant = await okaeri.merchant()
    const mail = await campaign(merchant)
    for (const [amount, currency] of [
      [1999, 'USD'],
      [501, 'USD'],
      [700, 'JPY'],
    ] as const)
      await creditOrder(merchant.scope(), {
        orderId: newId(),
        customerId: mail.customerId,
        emailKey: null,
        processedAt: okaeri.clock.now(),
        amount,
        currency,
      })
    const japanese = await text(merchant, `/reports/${mail.campaignId}/download`)
    expect(japanese.startsWith('\uFEFF')).toBe(true)
    const [hanako, ...others] = rows(japanese)
    expect(others).toHaveLength(2)
    expect(hanako).toMatchObject({
      顧客名: '山田 花子',
      メールアドレス: 'hanako@example.jp',
      ステータス: '配信済み',
      注文数: '4',
      '売上（JPY）': '5700',
      '売上（他の通貨）': '25.00 USD',
    })
    expect(others[0]).toMatchObject({ 注文数: '0', '売上（JPY）': '0', '売上（他の通貨）': '' })
    expect(hanako?.['クリック日時 (Asia/Tokyo)']).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    const english = rows(await text(merchant, `/reports/${mail.campaignId}/download?lang=en`))
    expect(english[0]).toMatchObject({ Customer: '山田 花子', Status: 'sent', Orders: '4' })
  })

  test('of the clicks gives each with its verdict', async () => {
    const merchant = await okaeri.merchant()
    const mail = await campaign(merchant)
    const clicks = rows(await text(merchant, `/reports/${mail.campaignId}/download-clicks`, 'en-US,en;q=0.9'))
    expect(clicks.map(({ Link, Verdict, Evidence }) => [Link, Verdict, Evidence])).toEqual([
      ['https://shop.test/a', 'human', 'ordinary visit'],
      ['https://shop.test/a', 'human', 'ordinary visit'],
      ['https://shop.test/b', 'bot', 'email security product'],
    ])
  })

  test('is named after the campaign, and no cell of it is a formula', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant, { name: '春/夏 "祭"' })
    await okaeri.query`update customers set display_name = '=HYPERLINK("http://evil.test")' where id = ${mail.customerId}`
    const answer = await download(merchant, `/reports/${mail.campaignId}/download`, 'en')
    expect(answer.headers.get('content-disposition')).toContain(
      `filename*=UTF-8''${encodeURIComponent('春_夏 _祭__recipients.csv')}`,
    )
    expect(rows(await answer.text())[0]?.['Customer']).toBe(`'=HYPERLINK("http://evil.test")`)
  })

  test('has no row missing or twice where one page of it ends and the next begins', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    const more = Array.from({ length: 4321 }, newId)
    await okaeri.query`insert into deliveries (merchant_id, id, kind, campaign_id, customer_id, message_id, status, address, created_at)
      select ${merchant.id}, id, 'campaign', ${mail.campaignId}, id, ${mail.messageId}, 'sent', id || '@example.jp', now()
      from unnest(${more}::uuid[]) as t (id)`
    await okaeri.query`insert into tracking_hits (merchant_id, id, delivery_id, kind, link_position, occurred_at, judged_at)
      select ${merchant.id}, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ${mail.deliveryId}, 'click', 0, now(), now()
      from generate_series(1, 5000) n`
    const recipients = rows(await text(merchant, `/reports/${mail.campaignId}/download?lang=en`))
    expect(new Set(recipients.map((row) => row['Email address'])).size).toBe(more.length + 1)
    expect(recipients).toHaveLength(more.length + 1)
    expect(rows(await text(merchant, `/reports/${mail.campaignId}/download-clicks`))).toHaveLength(5000)
  })
})
