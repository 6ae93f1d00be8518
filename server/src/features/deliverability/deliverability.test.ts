import { getCampaignReport } from '@okaeri/contract/campaigns/routes'
import { deleteCustomer } from '@okaeri/contract/customers/routes'
import * as routes from '@okaeri/contract/deliverability/routes'
import { receiverDomains, receiverOf } from '@okaeri/contract/emails/receivers'
import { getDashboard } from '@okaeri/contract/reports/routes'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { arf } from '../../../test/bounce-samples.ts'
import { aSentCampaign } from '../../../test/builders/campaign.ts'
import { addCustomers } from '../../../test/fixtures.ts'
import type { TestMerchant } from '../../../test/harness.ts'
import { refusal } from '../../../test/refusal.ts'
import { type SentMail, sentMail } from '../../../test/sent-mail.ts'
import { eachWithMerchant, merchant, okaeri } from '../../../test/with-okaeri.ts'
import { gotBy, withSink } from '../../../test/with-sink.ts'
import { newId } from '../../kernel/ids.ts'
import { readBounce } from '../../integrations/bounces/read-bounce.ts'
import { recordReport } from '../bounces/bounce.ts'
import { addStats, campaignProgram } from '../stats/index.ts'
import { countProgram, setFigures } from './queries.ts'
import { byReceiver } from './receiver-sql.ts'

withSink()
eachWithMerchant()

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const people = (domain: string, count: number, name = 'person') =>
  Array.from({ length: count }, (_, at) => ({ email: `${name}-${at}@${domain}` }))

/** Sent for real: 20 of each large one, 60 of a university, 5 of a small company. */
async function campaign(): Promise<string> {
  await addCustomers(merchant.scope(), [
    ...people('gmail.com', 12),
    ...people('googlemail.com', 8),
    ...people('docomo.ne.jp', 20),
    ...people('t.vodafone.ne.jp', 6),
    ...people('i.softbank.jp', 4),
    ...people('u-kyoto.example', 60),
    ...people('small-company.example', 5),
    ...people('other-company.example', 3),
  ])
  const { id, balance } = await aSentCampaign(merchant)
  expect(balance?.sent).toBe(118)
  return id
}

/** As if the first so many at a domain had ended so. */
const happened = (id: string, domain: string, count: number, what: string) =>
  okaeri.query`update deliveries set ${sql.raw(what)} where merchant_id = ${merchant.id} and id in (
    select id from deliveries where merchant_id = ${merchant.id} and campaign_id = ${id} and address like ${`%@${domain}`}
      and status = 'sent' and bounced_at is null and complained_at is null and opened_at is null order by id limit ${count})`

async function variedCampaign(): Promise<string> {
  const id = await campaign()
  await happened(
    id,
    'docomo.ne.jp',
    4,
    `status = 'failed', reason = 'permanent', sent_at = null, detail = '550 5.7.1 Refused: ' || address || ' [af79cd13be357-8b2e1c2f]'`,
  )
  await happened(
    id,
    'docomo.ne.jp',
    2,
    `status = 'failed', reason = 'permanent', sent_at = null, bounced_at = now(), bounce_kind = 'hard', detail = '550 5.1.1 unknown user ' || split_part(address, '@', 1)`,
  )
  await happened(
    id,
    'gmail.com',
    1,
    `status = 'failed', reason = 'content', sent_at = null, detail = '554 5.7.1 Message refused as spam'`,
  )
  await happened(id, 'gmail.com', 1, `bounced_at = now(), bounce_kind = 'full'`)
  await happened(id, 'gmail.com', 1, `bounced_at = now(), bounce_kind = 'blocked'`)
  await happened(id, 'gmail.com', 2, `complained_at = now()`)
  await happened(id, 'googlemail.com', 5, `opened_at = now(), clicked_at = now()`)
  await happened(id, 'u-kyoto.example', 30, `opened_at = now()`)
  await happened(id, 'i.softbank.jp', 1, `status = 'uncertain', sent_at = null`)
  await happened(
    id,
    'small-company.example',
    1,
    `status = 'failed', reason = 'permanent', sent_at = null, detail = '550 5.1.1 No such user at small-company.example'`,
  )
  await happened(id, 'i.softbank.jp', 1, `status = 'failed', reason = 'content', sent_at = null`)
  return id
}

const receiversOf = async (id: string, of: TestMerchant = merchant) =>
  (await of.call(routes.getCampaignReceivers, { params: { id } })).receivers
const deliverability = (days: 7 | 30 | 90 = 30, of: TestMerchant = merchant) =>
  of.call(routes.getDeliverability, { query: { days } })

/** A file as a browser gets it. */
async function file(path: string, language = 'en'): Promise<string> {
  const answer = await fetch(`${okaeri.url}${path}`, {
    headers: { authorization: `Bearer test.${merchant.id}.${merchant.memberId}.viewer`, 'accept-language': language },
  })
  expect(answer.headers.get('content-type')).toContain('text/csv')
  return answer.text()
}

describe('a campaign by receiver', () => {
  test('domains of one operator are one, small ones are not named, and the sums are those of the report', async () => {
    const id = await variedCampaign()
    const receivers = await receiversOf(id)
    const by = new Map(receivers.map((row) => [row.receiver, row]))
    expect([...by.keys()].sort()).toEqual(['docomo', 'google', 'others', 'softbank', 'u-kyoto.example'])
    expect(receivers.at(-1)?.receiver).toBe('others')
    expect(by.get('google')).toMatchObject({
      sent: 19,
      refused: 1,
      failed: 0,
      bounced_soft: 1,
      bounced_blocked: 1,
      complained: 2,
      opened: 5,
      clicked: 5,
      open_rate: 26.3,
      complaint_rate: 11.76,
    })
    expect(by.get('docomo')).toMatchObject({
      sent: 14,
      refused: 6,
      refused_hard: 2,
      bounced_hard: 2,
      refused_rate: 30,
      peak_per_minute: 14,
    })
    expect(by.get('softbank')).toMatchObject({ sent: 8, uncertain: 1, failed: 1 })
    expect(by.get('others')).toMatchObject({ sent: 7, refused: 1 })

    const { report } = await merchant.call(getCampaignReport, { params: { id } })
    const sum = (of: (row: routes.ReceiverFigures) => number) => receivers.reduce((all, row) => all + of(row), 0)
    expect({
      sent: sum((row) => row.sent),
      failed: sum((row) => row.failed + row.refused),
      uncertain: sum((row) => row.uncertain),
      waiting: sum((row) => row.waiting),
      hard: sum((row) => row.bounced_hard),
      soft: sum((row) => row.bounced_soft),
      blocked: sum((row) => row.bounced_blocked),
      complained: sum((row) => row.complained),
      opened: sum((row) => row.opened),
      clicked: sum((row) => row.clicked),
    }).toEqual({
      sent: report.delivery_count,
      failed: report.balance?.failed,
      uncertain: report.balance?.uncertain,
      waiting: 0,
      hard: report.bounces_by_kind.hard,
      soft: report.bounces_by_kind.soft + report.bounces_by_kind.full,
      blocked: report.bounces_by_kind.blocked,
      complained: report.complaint_count,
      opened: report.open_count,
      clicked: report.click_count,
    })
  })

  test('answers of servers are shown without the person, and of small domains only the code', async () => {
    const id = await variedCampaign()
    const by = new Map(
      (await receiversOf(id)).map((row) => [row.receiver, row.answers.map(({ words, count }) => [words, count])]),
    )
    expect(by.get('docomo')?.toSorted()).toEqual([
      ['550 5.1.1 unknown user …', 2],
      ['550 5.7.1 Refused: … […]', 4],
    ])
    expect(by.get('others')).toEqual([['550 5.1.1', 1]])
    const said = JSON.stringify([await receiversOf(id), await file(`/reports/${id}/download-receivers`)])
    expect(said).not.toMatch(/person-|company/)
  })

  test('its file has all receivers, in both languages', async () => {
    const id = await variedCampaign()
    const english = (await file(`/reports/${id}/download-receivers`)).split('\r\n')
    expect(english[0]).toContain('Receiver,Waiting,Sent,Rejected')
    for (const [at, line] of [
      'u-kyoto.example,0,60,0,',
      'docomo,0,14,6,',
      'Gmail,0,19,1,',
      '"SoftBank, Y!mobile",0,8,0,',
      'Others,0,7,1,',
    ].entries())
      expect(english[at + 1]?.startsWith(line), english[at + 1]).toBe(true)
    expect(await file(`/reports/${id}/download-receivers`, 'ja')).toContain('ドコモ,0,14,6')
  })

  test('who was forgotten stays in the sum, among the others', async () => {
    const [customerId = ''] = await addCustomers(merchant.scope(), people('docomo.ne.jp', 2, 'gone'))
    const { id } = await aSentCampaign(merchant)
    expect((await receiversOf(id)).map(({ receiver, sent }) => [receiver, sent])).toEqual([['docomo', 2]])
    await merchant.call(deleteCustomer, { params: { id: customerId } })
    await okaeri.settle()
    expect((await receiversOf(id)).map(({ receiver, sent }) => [receiver, sent])).toEqual([
      ['docomo', 1],
      ['others', 1],
    ])
  })

  test('a campaign that was not sent has none, and another merchant’s is not there', async () => {
    const id = await campaign()
    const other = await okaeri.merchant()
    expect(await refusal(receiversOf(id, other))).toMatchObject({ code: 'not_found' })
    expect(await refusal(receiversOf(newId()))).toMatchObject({ code: 'not_found' })
    expect((await deliverability(7, other)).receivers).toEqual([])
  })
})

test('a statement says of each domain what the rule says', async () => {
  const domains = [
    ...receiverDomains.flatMap(({ domain }) => [
      domain,
      `a.${domain}`,
      `a.b.${domain}`,
      `x${domain}`,
      domain.toUpperCase(),
    ]),
    'example.jp',
    'ne.jp',
    'jp',
    '.',
    'a..b',
    'example.jp.',
  ]
  const { rows } = await byReceiver({
    rows: sql`select 'a@' || g.domain as address, 'sent' as status, null as reason, null as detail, now() as sent_at, now() as at, null::timestamptz as bounced_at,
      null as bounce_kind, null::timestamptz as complained_at, null::timestamptz as opened_at, null::timestamptz as clicked_at
      from unnest(${domains}::text[]) as g (domain) cross join generate_series(1, 50)`,
    timezone: null,
    namesPeople: true,
  }).execute(okaeri.context.db)
  const expected = new Map<string, number>()
  for (const domain of domains) {
    const receiver = domain.endsWith('.') ? domain : receiverOf(domain)
    expected.set(receiver, (expected.get(receiver) ?? 0) + 50)
  }
  expect(new Map(rows.map(({ receiver, sent }) => [receiver, sent]))).toEqual(expected)
})

describe('all mails of the last days', () => {
  beforeEach(() => okaeri.settle())

  test('are summed by receiver and day without their rows being read, and counted again later', async () => {
    const id = await campaign()
    okaeri.advance(6 * MINUTE)
    await okaeri.settle()
    const first = await deliverability()
    expect(first.receivers.map(({ receiver, sent }) => [receiver, sent])).toEqual([
      ['u-kyoto.example', 60],
      ['docomo', 20],
      ['google', 20],
      ['softbank', 10],
      ['others', 8],
    ])
    expect(first.total).toMatchObject({ sent: 118, refused: 0, opened: 0 })
    expect(first.counted_at).not.toBeNull()
    expect(first.hints).toEqual([])

    await happened(id, 'gmail.com', 6, `opened_at = now()`)
    await happened(
      id,
      'docomo.ne.jp',
      4,
      `status = 'failed', reason = 'permanent', sent_at = null, detail = '550 5.7.1 no'`,
    )
    expect((await deliverability()).total.opened).toBe(0)
    okaeri.advance(11 * MINUTE)
    await okaeri.settle()
    const { receivers, total } = await deliverability(7)
    expect(receivers.find(({ receiver }) => receiver === 'google')).toMatchObject({ opened: 6, open_rate: 30 })
    expect(receivers.find(({ receiver }) => receiver === 'docomo')).toMatchObject({
      sent: 16,
      refused: 4,
      answers: [{ words: '550 5.7.1 no', count: 4 }],
    })
    expect(total).toMatchObject({ sent: 114, refused: 4 })
    const lines = (await file('/deliverability/download?days=7')).trim().split('\r\n')
    expect(lines).toHaveLength(6)
    expect(lines.find((line) => line.includes(',docomo,'))).toContain(',docomo,16,4,0')
  })

  test('counted by several workers at once are stored once', async () => {
    const program = {
      program_id: await campaign(),
      kind: 'campaign' as const,
      active_at: okaeri.clock.now(),
      counted_at: null,
    }
    okaeri.advance(6 * MINUTE)
    await okaeri.settle()
    const before = await deliverability()
    const rows = await countProgram(merchant.scope(), program, { since: okaeri.clock.now(), timezone: 'Asia/Tokyo' })
    const figures = { fromDay: null, rows: rows.map((row) => ({ ...row, answers: [] })) }
    const store = () => merchant.scope().transaction((scope) => setFigures(scope, program.program_id, figures))
    await Promise.all(Array.from({ length: 8 }, store))
    expect((await deliverability()).total.sent).toBe(before.total.sent)
  })

  test('leave out tests, and what is older', async () => {
    const id = await campaign()
    const rows = await okaeri.query<{ message_id: string; email_id: string }>`
      select message_id, email_id from campaigns where merchant_id = ${merchant.id} and id = ${id}`
    const beside = { campaignId: id, messageId: rows[0]?.message_id ?? '', emailId: rows[0]?.email_id ?? '' }
    await sentMail(okaeri, merchant, { beside, testMode: true, address: 'a@gmail.com' })
    expect((await receiversOf(id)).reduce((all, { sent }) => all + sent, 0)).toBe(119)
    okaeri.advance(8 * DAY)
    await okaeri.settle()
    expect((await deliverability(7)).total.sent).toBe(0)
    const { receivers, total } = await deliverability(30)
    expect(total.sent).toBe(118)
    expect(receivers[0]?.usual).toBeNull()
    okaeri.advance(30 * DAY)
    const later = await deliverability(30)
    expect(later.receivers).toEqual([])
  })

  test('of a merchant to whom nothing has happened are empty, with a chart of zeros', async () => {
    const { receivers, hints, total, complaints, counted_at } = await deliverability(30)
    expect({ receivers, hints, counted_at }).toEqual({ receivers: [], hints: [], counted_at: null })
    expect(total.sent).toBe(0)
    expect(complaints).toMatchObject({ unit: 'day', recent: { level: 'few', rate: 0 } })
    expect(complaints.series).toHaveLength(30)
    expect((await deliverability(90)).complaints).toMatchObject({ unit: 'week' })
    expect((await deliverability(90)).complaints.series).toHaveLength(13)
  })

  test('a number of days that is not offered is refused', async () => {
    expect(await refusal(deliverability(5 as 7))).toMatchObject({ code: 'invalid' })
  })
})

describe('complaints', () => {
  const sent = async (count: number, complained = 0) =>
    addStats(merchant.scope(), [
      {
        at: okaeri.clock.now(),
        program: campaignProgram(newId()),
        channel: 'email',
        contentId: newId(),
        sent: count,
        complained,
      },
    ])
  /** A recipient's mail program reports a complaint. */
  async function complaint(): Promise<SentMail> {
    const mail = await sentMail(okaeri, merchant)
    const { reports } = readBounce(arf('abuse'))
    await recordReport(merchant.scope(), {
      deliveryId: mail.deliveryId,
      reports,
      way: 'smtp',
      matchedBy: 'return_path',
      evidence: '',
      writtenAt: null,
    })
    await okaeri.settle()
    return mail
  }
  const mailsToOwner = (): number => gotBy(`${merchant.id}@shop.test`)
  const alerts = async () => (await merchant.call(getDashboard, { query: {} })).alerts

  test('one of fifty mails says nothing', async () => {
    await sent(50)
    await complaint()
    expect(await deliverability(7)).toMatchObject({ complaints: { recent: { complained: 1, level: 'few' } } })
    expect((await alerts()).filter((alert) => alert.startsWith('complaints'))).toEqual([])
    expect(mailsToOwner()).toBe(0)
  })

  test('at 0.1 % of seven days the owner hears of it once, at 0.3 % once more, and the dashboard says so', async () => {
    await sent(2000)
    await complaint()
    await complaint()
    expect(mailsToOwner()).toBe(0)
    await complaint()
    await complaint()
    expect(mailsToOwner()).toBe(1)
    expect(await alerts()).toContain('complaints_high')
    expect((await deliverability(7)).complaints.recent).toMatchObject({
      delivered: 2000,
      complained: 4,
      rate: 0.2,
      level: 'high',
    })
    for (let more = 0; more < 2; more += 1) await complaint()
    expect(mailsToOwner()).toBe(2)
    expect(await alerts()).toContain('complaints_over')
    expect(await alerts()).not.toContain('complaints_high')
    await complaint()
    expect(mailsToOwner()).toBe(2)
    // Days later it is over.
    okaeri.advance(8 * DAY)
    expect((await alerts()).filter((alert) => alert.startsWith('complaints'))).toEqual([])
    expect((await deliverability(30)).complaints.series.filter(({ complained }) => complained > 0)).toMatchObject([
      { delivered: 2000, complained: 7, rate: 0.35 },
    ])
  })
})
