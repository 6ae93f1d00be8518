import * as routes from '@okaeri/contract/campaigns/routes'
import { createEmail } from '@okaeri/contract/emails/routes'
import { changeSettings } from '@okaeri/contract/merchants/routes'
import { describe, expect, test } from 'vitest'
import {
  addCustomers,
  addEmail,
  beginCopying,
  copyCustomers,
  finishCopying,
  GOOD_HTML,
  setSendingHours,
} from '../../../test/fixtures.ts'
import { type TestMerchant } from '../../../test/harness.ts'
import { refusal } from '../../../test/refusal.ts'
import { okaeri } from '../../../test/with-okaeri.ts'
import { gotBy, withSink } from '../../../test/with-sink.ts'
import { aCampaign, aSentCampaign, campaignOf } from '../../../test/builders/campaign.ts'
import { anEmail } from '../../../test/builders/email.ts'
import { aSegment } from '../../../test/builders/segment.ts'
import { getTimeline } from '@okaeri/contract/customers/routes'
import { changeConsent, suppress } from '../consent/index.ts'
import { askAfterOutage } from './index.ts'

withSink()

const HOUR = 3_600_000
const later = (ms: number): string => new Date(okaeri.clock.now().getTime() + ms).toISOString()

test('everyone who may be mailed gets one mail, everyone else is named with the reason, and the balance adds up', async () => {
  const merchant = await okaeri.merchant()
  await addCustomers(merchant.scope(), [
    { email: 'one@a.test' },
    { email: 'two@a.test' },
    { email: 'TWO@a.test' },
    { email: 'no@a.test', marketing_state: 'withdrawn' },
    { email: 'unknown@a.test', marketing_state: 'unknown' },
    { email: null },
    { email: 'bounced@a.test' },
  ])
  await okaeri.query`insert into suppressions (merchant_id, id, address_key, reason, created_at)
    values (${merchant.id}, gen_random_uuid(), 'bounced@a.test', 'hard_bounce', now())`
  const { id } = await aCampaign(merchant)
  const { review } = await merchant.call(routes.reviewCampaign, { params: { id }, query: {} })
  expect(review).toMatchObject({
    audience: 7,
    recipients: 2,
    left_out: { no_consent: 2, no_address: 1, suppressed: 1, duplicate_address: 1, frequency_cap: 0 },
    can_reserve: true,
    missing: [],
  })
  await merchant.call(routes.reserveCampaign, { params: { id }, body: { recipients_seen: 2 } })
  await okaeri.settle()
  const campaign = await campaignOf(merchant, id)
  expect(campaign.status).toBe('sent')
  expect(campaign.balance).toMatchObject({
    audience: 7,
    sent: 2,
    skipped: 5,
    pending: 0,
    sending: 0,
    failed: 0,
    uncertain: 0,
    skipped_by_reason: { no_consent: 2, no_address: 1, suppressed: 1, duplicate_address: 1 },
  })
  expect([gotBy('one@a.test'), gotBy('two@a.test') + gotBy('TWO@a.test'), gotBy('no@a.test')]).toEqual([1, 1, 0])
  const people = await merchant.call(routes.listCampaignDeliveries, { params: { id }, query: { status: 'skipped' } })
  expect(people.total).toBe(5)
})

test('the review says for how many recipients a tag stays empty, and whether a date is over when the mail leaves', async () => {
  const merchant = await okaeri.merchant()
  await addCustomers(merchant.scope(), [
    { email: 'one@a.test', last_name: '山田' },
    { email: 'two@a.test', last_name: '佐藤' },
    { email: 'three@a.test', last_name: ' ' },
    { email: 'no@a.test', marketing_state: 'withdrawn' },
  ])
  const later = new Date(okaeri.clock.now().getTime() + 48 * HOUR)
  const tomorrow = new Intl.DateTimeFormat('ja-JP', { timeZone: 'Asia/Tokyo', dateStyle: 'long' }).format(
    new Date(okaeri.clock.now().getTime() + 24 * HOUR),
  )
  const email = await anEmail(merchant, {
    content: GOOD_HTML.replace(
      '<body>',
      `<body><p>{{ customer.last_name }} {{ customer.phone }}</p>\n<p>${tomorrow}まで</p>`,
    ),
  })
  const found = async (given: Parameters<typeof aCampaign>[1]) => {
    const { id } = await aCampaign(merchant, { email_id: email.id, ...given })
    const { review } = await merchant.call(routes.reviewCampaign, { params: { id }, query: {} })
    expect(review.can_reserve).toBe(true)
    return review.findings.map(({ code, detail, line, people }) => ({ code, detail, line, people }))
  }
  const empty = [
    { code: 'empty_for_some', detail: '{{ customer.last_name }}', line: 1, people: 1 },
    { code: 'empty_for_some', detail: '{{ customer.phone }}', line: 1, people: 3 },
  ]
  expect(await found({})).toEqual(empty)
  expect(await found({ send_type: 'scheduled', scheduled_at: later.toISOString() })).toEqual([
    { code: 'past_date', detail: tomorrow, line: 2, people: undefined },
    ...empty,
  ])
})

test('"send to all" mails people without consent but never the suppressed', async () => {
  const merchant = await okaeri.merchant()
  await addCustomers(merchant.scope(), [
    { email: 'yes@b.test' },
    { email: 'no@b.test', marketing_state: 'withdrawn' },
    { email: 'sup@b.test' },
  ])
  await okaeri.query`insert into suppressions (merchant_id, id, address_key, reason, created_at)
    values (${merchant.id}, gen_random_uuid(), 'sup@b.test', 'complaint', now())`
  const { id } = await aCampaign(merchant, { send_to_all: true })
  const { review } = await merchant.call(routes.reviewCampaign, { params: { id }, query: {} })
  expect(review).toMatchObject({ recipients: 2, without_consent: 1, left_out: { suppressed: 1 } })
  await merchant.call(routes.reserveCampaign, { params: { id }, body: {} })
  await okaeri.settle()
  expect([gotBy('yes@b.test'), gotBy('no@b.test'), gotBy('sup@b.test')]).toEqual([1, 1, 0])
})

test('the audience is frozen at the reservation, but consent is looked at again when the mail is sent', async () => {
  const merchant = await okaeri.merchant()
  const [, second] = await addCustomers(merchant.scope(), [{ email: 'stays@c.test' }, { email: 'leaves@c.test' }])
  const { id } = await aCampaign(merchant, { send_type: 'scheduled', scheduled_at: later(2 * HOUR) })
  await merchant.call(routes.reserveCampaign, { params: { id }, body: {} })
  await okaeri.settle()
  expect((await campaignOf(merchant, id)).status).toBe('reserved')
  await addCustomers(merchant.scope(), [{ email: 'late@c.test' }])
  await okaeri.query`update customers set marketing_state = 'withdrawn' where merchant_id = ${merchant.id} and id = ${second}`
  okaeri.advance(2 * HOUR)
  await okaeri.settle()
  expect(await campaignOf(merchant, id)).toMatchObject({
    status: 'sent',
    balance: { audience: 2, sent: 1, skipped_by_reason: { no_consent: 1 } },
  })
  expect([gotBy('stays@c.test'), gotBy('leaves@c.test'), gotBy('late@c.test')]).toEqual([1, 0, 0])
})

test('who consents, or gets an address, between the reservation and the sending is sent it; each address once', async () => {
  const merchant = await okaeri.merchant()
  const [consents, shares, , bounced, leaves] = await addCustomers(merchant.scope(), [
    { email: 'consents@u.test', marketing_state: 'unknown' },
    // The older of two with one address: the other has consented already.
    { email: 'shared@u.test', marketing_state: 'unknown' },
    { email: 'shared@u.test' },
    { email: 'lifted@u.test' },
    { email: 'leaves@u.test', marketing_state: 'unknown' },
  ])
  const address = 'lifted@u.test'
  await okaeri.query`insert into suppressions (merchant_id, id, address_key, reason, created_at)
    values (${merchant.id}, gen_random_uuid(), ${address}, 'hard_bounce', now())`
  const { id } = await aCampaign(merchant, { send_type: 'scheduled', scheduled_at: later(2 * HOUR) })
  await merchant.call(routes.reserveCampaign, { params: { id }, body: { recipients_seen: 1 } })
  await okaeri.settle()
  const grant = (customer: string | undefined) =>
    okaeri.query`update customers set marketing_state = 'granted' where merchant_id = ${merchant.id} and id = ${customer}`
  for (const customer of [consents, shares, bounced]) await grant(customer)
  await okaeri.query`update suppressions set lifted_at = now() where merchant_id = ${merchant.id}`
  await okaeri.query`update customers set email = null, email_key = null where merchant_id = ${merchant.id} and id = ${leaves}`
  okaeri.advance(2 * HOUR)
  await okaeri.settle()
  expect(await campaignOf(merchant, id)).toMatchObject({
    status: 'sent',
    balance: { audience: 5, sent: 3, skipped: 2, skipped_by_reason: { duplicate_address: 1, no_address: 1 } },
  })
  expect(['consents@u.test', 'shared@u.test', address].map(gotBy)).toEqual([1, 1, 1])
})

test('the reason why a customer was skipped is the one at the decision, wherever it is shown, whatever changed before or since', async () => {
  const merchant = await okaeri.merchant()
  const scope = merchant.scope()
  const people = await addCustomers(scope, [
    { email: 'wavers@w.test', marketing_state: 'unknown' },
    { email: 'bounces@w.test', marketing_state: 'unknown' },
    { email: null, marketing_state: 'unknown' },
    { email: 'again@w.test' },
    { email: 'stays@w.test' },
  ])
  const [wavers, bounces, nameless, again] = people as [string, string, string, string]
  const decide = (customerId: string, to: 'granted' | 'withdrawn', source: 'member' | 'unsubscribe_link') => {
    okaeri.advance(60_000)
    return changeConsent(merchant.scope(), { customerId, kind: 'marketing', to, source })
  }
  const block = (address: string, detail: string) =>
    suppress(merchant.scope(), { address, reason: 'hard_bounce', detail })
  const lift = async (): Promise<void> => {
    okaeri.advance(60_000)
    await okaeri.query`update suppressions set lifted_at = ${okaeri.clock.now()} where merchant_id = ${merchant.id} and lifted_at is null`
    okaeri.advance(60_000)
  }
  await block('again@w.test', 'the first')
  const { id } = await aCampaign(merchant, { send_type: 'scheduled', scheduled_at: later(2 * HOUR) })
  await merchant.call(routes.reserveCampaign, { params: { id }, body: {} })
  await okaeri.settle()
  await decide(wavers, 'granted', 'member')
  await decide(wavers, 'withdrawn', 'unsubscribe_link')
  await lift()
  for (const address of ['bounces@w.test', 'again@w.test']) await block(address, 'the second')
  await okaeri.query`update customers set email = 'late@w.test', email_key = 'late@w.test'
    where merchant_id = ${merchant.id} and id = ${nameless}`
  okaeri.advance(2 * HOUR)
  await okaeri.settle()

  const figures = async () => {
    const { balance } = await campaignOf(merchant, id)
    const { data } = await merchant.call(routes.listCampaignDeliveries, { params: { id }, query: {} })
    const file = await fetch(`${okaeri.url}/reports/${id}/download?lang=en`, {
      headers: { authorization: `Bearer test.${merchant.id}.${merchant.memberId}.owner` },
    })
    const lines = (await file.text()).split('\r\n')
    return {
      sums: balance?.skipped_by_reason,
      list: people.map((person) => data.find(({ customer_id }) => customer_id === person)?.reason),
      file: ['wavers', 'bounces', 'late', 'again'].map(
        (name) => lines.find((line) => line.includes(`${name}@`))?.split(',')[4],
      ),
      why: await Promise.all(
        [wavers, bounces, nameless, again].map(async (person) => {
          const timeline = await merchant.call(getTimeline, { params: { id: person }, query: { part: 'messages' } })
          return timeline.data.flatMap((entry) => (entry.kind === 'message' ? [entry.why_not] : []))[0]
        }),
      ),
    }
  }
  const before = await figures()
  expect(before).toMatchObject({
    sums: { no_consent: 2, suppressed: 2 },
    list: ['no_consent', 'suppressed', 'no_consent', 'suppressed', null],
    why: [
      { state: 'withdrawn', source: 'unsubscribe_link', changed_meanwhile: true },
      { decided_by: 'suppression', proof: 'the second', changed_meanwhile: true },
      { state: 'unknown', since: null },
      { decided_by: 'suppression', proof: 'the second', changed_meanwhile: true },
    ],
  })
  const [consent, suppression] = ['no marketing permission', 'on the suppression list']
  expect(before.file).toEqual([consent, suppression, consent, suppression])
  for (const person of [wavers, bounces, nameless, again]) await decide(person, 'granted', 'member')
  await lift()
  const after = await figures()
  expect({ ...after, why: null }).toEqual({ ...before, why: null })
  expect(after.why).toEqual(
    before.why.map((why) => (why?.decided_by === 'suppression' ? { ...why, lifted_at: expect.any(String) } : why)),
  )
})

test('the review counts whom the frequency cap skips, and what is confirmed is what is sent', async () => {
  const merchant = await okaeri.merchant({ frequency_cap_count: 1, frequency_cap_days: 7 })
  const people = await addCustomers(merchant.scope(), [{ email: 'one@f.test' }, { email: 'two@f.test' }])
  const first = await aCampaign(merchant)
  await merchant.call(routes.reserveCampaign, { params: { id: first.id }, body: { recipients_seen: people.length } })
  await okaeri.settle()
  await addCustomers(merchant.scope(), [{ email: 'new@f.test' }, { email: 'NEW@f.test' }])
  const reviewOf = async (id: string) =>
    (await merchant.call(routes.reviewCampaign, { params: { id }, query: {} })).review
  const { id } = await aCampaign(merchant)
  expect(await reviewOf(id)).toMatchObject({ recipients: 1, left_out: { frequency_cap: 2, duplicate_address: 1 } })
  const afterwards = await aCampaign(merchant, { send_type: 'scheduled', scheduled_at: later(8 * 24 * HOUR) })
  expect(await reviewOf(afterwards.id)).toMatchObject({ recipients: 3, left_out: { frequency_cap: 0 } })
  await merchant.call(routes.reserveCampaign, { params: { id }, body: { recipients_seen: 1 } })
  await okaeri.settle()
  expect((await campaignOf(merchant, id)).balance).toMatchObject({ sent: 1, skipped_by_reason: { frequency_cap: 2 } })
  const again = await aCampaign(merchant)
  expect(await reviewOf(again.id)).toMatchObject({ recipients: 0, can_reserve: false })
  expect(await refusal(merchant.call(routes.reserveCampaign, { params: { id: again.id }, body: {} }))).toMatchObject({
    reason: 'audience_empty',
  })
})

describe('what was just confirmed', () => {
  const confirm = (merchant: TestMerchant, id: string, undo_seconds = 10) =>
    merchant.call(routes.reserveCampaign, { params: { id }, body: { undo_seconds } })
  const rowsOf = async (merchant: TestMerchant) =>
    (
      await okaeri.query`select from deliveries where merchant_id = ${merchant.id} union all
        select from messages where merchant_id = ${merchant.id} union all
        select from email_contents where merchant_id = ${merchant.id}`
    ).length

  test.each(['before its audience was written', 'when it was written'])(
    'is a draft again when it is undone in time, %s, and can be sent afterwards',
    async (when) => {
      const merchant = await okaeri.merchant()
      const address = `undone-${when.length}@g.test`
      await addCustomers(merchant.scope(), [{ email: address }, { email: null }])
      const { id } = await aCampaign(merchant)
      const before = await campaignOf(merchant, id)
      const { campaign } = await confirm(merchant, id)
      expect(campaign.undo_seconds_left).toBeGreaterThan(0)
      expect(campaign.undo_seconds_left).toBeLessThanOrEqual(10)
      if (when === 'when it was written') {
        await okaeri.settle()
        expect(await campaignOf(merchant, id)).toMatchObject({ status: 'reserved', customer_count: 2 })
      }
      expect(gotBy(address)).toBe(0)
      const undone = (await merchant.call(routes.undoCampaign, { params: { id } })).campaign
      expect({ ...undone, updated_at: '' }).toEqual({ ...before, updated_at: '' })
      expect(await rowsOf(merchant)).toBe(0)
      okaeri.advance(HOUR)
      await okaeri.settle()
      expect([gotBy(address), (await campaignOf(merchant, id)).status]).toEqual([0, 'draft'])
      await confirm(merchant, id, 0)
      await okaeri.settle()
      expect([gotBy(address), (await campaignOf(merchant, id)).status]).toEqual([1, 'sent'])
    },
  )

  test('is sent once its time to be undone is over, and cannot be undone then, nor where none was asked for', async () => {
    const merchant = await okaeri.merchant()
    await addCustomers(merchant.scope(), [{ email: 'too-late@g.test' }])
    const { id } = await aCampaign(merchant)
    await confirm(merchant, id)
    await okaeri.settle()
    okaeri.advance(11_000)
    await okaeri.settle()
    expect([gotBy('too-late@g.test'), (await campaignOf(merchant, id)).undo_seconds_left]).toEqual([1, null])
    const undo = (one: string) => refusal(merchant.call(routes.undoCampaign, { params: { id: one } }))
    expect(await undo(id)).toMatchObject({ status: 409, reason: 'campaign_not_undoable' })
    const other = await aCampaign(merchant, { send_type: 'scheduled', scheduled_at: later(HOUR) })
    expect(await undo(other.id)).toMatchObject({ reason: 'campaign_not_undoable' })
    await confirm(merchant, other.id, 0)
    expect(await undo(other.id)).toMatchObject({ reason: 'campaign_not_undoable' })
  })

  test('keeps its time when it was scheduled, and is undone until then at most', async () => {
    const merchant = await okaeri.merchant()
    await addCustomers(merchant.scope(), [{ email: 'planned@g.test' }])
    const scheduled_at = later(5000)
    const { id } = await aCampaign(merchant, { send_type: 'scheduled', scheduled_at })
    const { campaign } = await confirm(merchant, id, 60)
    expect(campaign.scheduled_at).toBe(scheduled_at)
    expect(campaign.undo_seconds_left).toBeLessThanOrEqual(5)
    const { campaign: undone } = await merchant.call(routes.undoCampaign, { params: { id } })
    expect(undone).toMatchObject({ status: 'draft', scheduled_at, undo_seconds_left: null })
  })
})

test('a mail that will be cut off is sent only where a person says yes to that', async () => {
  const merchant = await okaeri.merchant()
  await addCustomers(merchant.scope(), [{ email: 'long@h.test' }])
  const email_id = await addEmail(merchant.scope(), {
    content: GOOD_HTML.replace('<p>', `<p>${'長い'.repeat(20_000)}`),
  })
  const { id } = await aCampaign(merchant, { email_id })
  const { review } = await merchant.call(routes.reviewCampaign, { params: { id }, query: {} })
  expect(review.findings).toContainEqual(expect.objectContaining({ code: 'size_clipped', level: 'warns' }))
  expect(review.can_reserve).toBe(true)
  expect(await refusal(merchant.call(routes.reserveCampaign, { params: { id }, body: {} }))).toMatchObject({
    status: 409,
    reason: 'finding_not_accepted',
  })
  await merchant.call(routes.reserveCampaign, { params: { id }, body: { accepted: ['size_clipped'] } })
  await okaeri.settle()
  expect(gotBy('long@h.test')).toBe(1)
})

test('an email that was changed since it was reviewed is not sent', async () => {
  const merchant = await okaeri.merchant()
  await addCustomers(merchant.scope(), [{ email: 'seen@j.test' }])
  const { id, email } = await aCampaign(merchant)
  const review = async () => (await merchant.call(routes.reviewCampaign, { params: { id }, query: {} })).review
  const confirm = (fingerprint_seen: string | null) =>
    merchant.call(routes.reserveCampaign, { params: { id }, body: { fingerprint_seen } })
  const { fingerprint } = await review()
  await okaeri.query`update emails set subject = '別の件名' where merchant_id = ${merchant.id} and id = ${email?.id}`
  expect(await refusal(confirm(fingerprint))).toMatchObject({ status: 409, reason: 'campaign_changed_since_review' })
  await confirm((await review()).fingerprint)
  await okaeri.settle()
  expect(gotBy('seen@j.test')).toBe(1)
})

test('a copy is a draft, named in the language of the member who copies', async () => {
  const merchant = await okaeri.merchant()
  const params = { id: (await aCampaign(merchant, { name: 'Sale' })).id }
  for (const [language, name] of [
    ['ja', 'Saleのコピー'],
    ['en', 'Copy of Sale'],
  ] as const) {
    const { campaign } = await merchant.call(routes.duplicateCampaign, { params, body: { language } })
    expect(campaign).toMatchObject({ name, status: 'draft', sender: null })
  }
})

test('a reservation can be cancelled until 15 minutes before its time', async () => {
  const merchant = await okaeri.merchant()
  await addCustomers(merchant.scope(), [{ email: 'cancel@d.test' }])
  const { id } = await aCampaign(merchant, { send_type: 'scheduled', scheduled_at: later(2 * HOUR) })
  await merchant.call(routes.reserveCampaign, { params: { id }, body: {} })
  await okaeri.settle()
  okaeri.advance(2 * HOUR - 14 * 60_000)
  expect(await refusal(merchant.call(routes.cancelCampaign, { params: { id } }))).toMatchObject({
    status: 409,
    reason: 'campaign_sends_too_soon',
  })
  const other = await aCampaign(merchant, { send_type: 'scheduled', scheduled_at: later(HOUR) })
  await merchant.call(routes.reserveCampaign, { params: { id: other.id }, body: {} })
  await okaeri.settle()
  const { campaign } = await merchant.call(routes.cancelCampaign, { params: { id: other.id } })
  expect(campaign).toMatchObject({ status: 'cancelled', balance: { skipped_by_reason: { cancelled: 1 } } })
  okaeri.advance(HOUR)
  await okaeri.settle()
  expect(gotBy('cancel@d.test')).toBe(1)
})

test('a reservation date in the past is refused, at writing and at reserving', async () => {
  const merchant = await okaeri.merchant()
  await addCustomers(merchant.scope(), [{}])
  expect(await refusal(aCampaign(merchant, { send_type: 'scheduled', scheduled_at: later(-HOUR) }))).toMatchObject({
    status: 400,
    reason: 'reservation_in_past',
    fields: { scheduled_at: 'in_past' },
  })
  const { id } = await aCampaign(merchant, { send_type: 'scheduled', scheduled_at: later(HOUR) })
  okaeri.advance(2 * HOUR)
  expect(await refusal(merchant.call(routes.reserveCampaign, { params: { id }, body: {} }))).toMatchObject({
    reason: 'reservation_in_past',
  })
})

test('a member who saw another number of recipients is asked again', async () => {
  const merchant = await okaeri.merchant()
  await addCustomers(merchant.scope(), [{ email: 'x@e.test' }])
  const { id } = await aCampaign(merchant)
  const error = await refusal(merchant.call(routes.reserveCampaign, { params: { id }, body: { recipients_seen: 5 } }))
  expect(error).toMatchObject({ status: 409, reason: 'campaign_changed_since_review' })
  expect((await campaignOf(merchant, id)).status).toBe('draft')
})

test('in test mode only the test addresses get mail, a few at most, and no one else', async () => {
  const merchant = await okaeri.merchant({ test_mode: true, test_emails: ['tester@f.test'] })
  await addCustomers(
    merchant.scope(),
    Array.from({ length: 15 }, (_, i) => ({ email: `real-${i}@f.test` })),
  )
  const campaign = await aSentCampaign(merchant)
  expect(campaign).toMatchObject({
    status: 'sent',
    test_mode: true,
    open_rate: 0,
    balance: { sent: 10, skipped_by_reason: { test_cap: 5 } },
  })
  expect(gotBy('tester@f.test')).toBe(10)
  for (let i = 0; i < 15; i += 1) expect(gotBy(`real-${i}@f.test`)).toBe(0)

  const { campaign: copy } = await merchant.call(routes.duplicateCampaign, {
    params: { id: campaign.id },
    body: { language: 'en' },
  })
  const listed = async (test_mode: 'true' | 'false') =>
    (await merchant.call(routes.listCampaigns, { query: { test_mode } })).data.map(({ id }) => id)
  expect(await listed('true')).toEqual([campaign.id])
  expect(await listed('false')).toEqual([copy.id])
})

test('switched to test mode, what was reserved for customers waits, and goes to them once it is switched off', async () => {
  const merchant = await okaeri.merchant({ test_emails: ['tester@g.test'] })
  const customers = Array.from({ length: 15 }, (_, i) => ({ email: `real-${i}@g.test` }))
  await addCustomers(merchant.scope(), customers)
  const switchTo = (test_mode: boolean) => merchant.call(changeSettings, { body: { userSetting: { test_mode } } })
  const { id } = await aCampaign(merchant, { send_type: 'scheduled', scheduled_at: later(HOUR) })
  await merchant.call(routes.reserveCampaign, { params: { id }, body: {} })
  await okaeri.settle()
  await switchTo(true)
  okaeri.advance(HOUR)
  await okaeri.settle()
  expect(await campaignOf(merchant, id)).toMatchObject({
    status: 'waiting',
    wait_reason: 'test_mode',
    balance: { pending: 15, skipped_by_reason: {} },
  })
  expect([gotBy('real-0@g.test'), gotBy('tester@g.test')]).toEqual([0, 0])
  await switchTo(false)
  await okaeri.settle()
  expect(await campaignOf(merchant, id)).toMatchObject({ status: 'sent', test_mode: false, balance: { sent: 15 } })
  expect([...customers.map(({ email }) => gotBy(email)), gotBy('tester@g.test')]).toEqual([
    ...customers.map(() => 1),
    0,
  ])
})

test('what waited in test mode for more than six hours asks before it begins', async () => {
  const merchant = await okaeri.merchant({ test_emails: ['tester@g.test'] })
  await addCustomers(merchant.scope(), [{ email: 'days-later@g.test' }])
  const { id } = await aCampaign(merchant, { send_type: 'scheduled', scheduled_at: later(HOUR) })
  await merchant.call(routes.reserveCampaign, { params: { id }, body: {} })
  await okaeri.settle()
  await merchant.call(changeSettings, { body: { userSetting: { test_mode: true } } })
  okaeri.advance(30 * HOUR)
  await okaeri.settle()
  expect(await campaignOf(merchant, id)).toMatchObject({ status: 'waiting', wait_reason: 'test_mode' })
  await merchant.call(changeSettings, { body: { userSetting: { test_mode: false } } })
  await okaeri.settle()
  expect(await campaignOf(merchant, id)).toMatchObject({ status: 'waiting', wait_reason: 'found_late' })
  expect(gotBy('days-later@g.test')).toBe(0)
})

test('outside the allowed sending hours a campaign waits, says so, and goes out when they begin', async () => {
  const merchant = await okaeri.merchant()
  await setSendingHours(merchant.scope(), 2, 4)
  await addCustomers(merchant.scope(), [{ email: 'hours@h.test' }])
  const campaign = await aSentCampaign(merchant)
  expect(campaign).toMatchObject({ status: 'waiting', wait_reason: 'sending_hours' })
  expect(gotBy('hours@h.test')).toBe(0)
  const opens = new Date(campaign.waits_until ?? 0).getTime()
  okaeri.advance(opens - okaeri.clock.now().getTime())
  await okaeri.settle()
  expect((await campaignOf(merchant, campaign.id)).status).toBe('sent')
  expect(gotBy('hours@h.test')).toBe(1)
})

test('a campaign that waited for the sending hours is not late when they begin, but hours after', async () => {
  const merchant = await okaeri.merchant()
  await addCustomers(merchant.scope(), [{ email: 'morning@i.test' }])
  const reserved = async (): Promise<string> => {
    const { id } = await aCampaign(merchant, { send_type: 'scheduled', scheduled_at: later(HOUR) })
    await merchant.call(routes.reserveCampaign, { params: { id }, body: {} })
    await okaeri.settle()
    return id
  }
  await setSendingHours(merchant.scope(), 10, 12)
  const inTime = await reserved()
  for (const hours of [2, 7]) {
    okaeri.advance(hours * HOUR)
    await okaeri.settle()
    expect(await campaignOf(merchant, inTime)).toMatchObject({ status: 'waiting', wait_reason: 'sending_hours' })
  }
  okaeri.advance(2 * HOUR)
  await okaeri.settle()
  expect((await campaignOf(merchant, inTime)).status).toBe('sent')
  await setSendingHours(merchant.scope(), 10, 23)
  const tooLate = await reserved()
  okaeri.advance(18 * HOUR)
  await okaeri.settle()
  expect(await campaignOf(merchant, tooLate)).toMatchObject({ status: 'waiting', wait_reason: 'found_late' })
})

test('a campaign found due more than six hours late asks instead of sending', async () => {
  const merchant = await okaeri.merchant()
  await addCustomers(merchant.scope(), [{ email: 'late@i.test' }])
  const { id } = await aCampaign(merchant, { send_type: 'scheduled', scheduled_at: later(HOUR) })
  await merchant.call(routes.reserveCampaign, { params: { id }, body: {} })
  await okaeri.settle()
  okaeri.advance(8 * HOUR)
  await okaeri.settle()
  expect(await campaignOf(merchant, id)).toMatchObject({ status: 'waiting', wait_reason: 'found_late' })
  expect(gotBy('late@i.test')).toBe(0)
  await merchant.call(routes.sendLateCampaign, { params: { id } })
  await okaeri.settle()
  expect((await campaignOf(merchant, id)).status).toBe('sent')
  expect(gotBy('late@i.test')).toBe(1)
})

test('what a campaign sends is what was reserved, whatever happens to its email later', async () => {
  const merchant = await okaeri.merchant()
  await addCustomers(merchant.scope(), [{ email: 'frozen@j.test' }])
  const { id } = await aCampaign(merchant, { send_type: 'scheduled', scheduled_at: later(HOUR) })
  await merchant.call(routes.reserveCampaign, { params: { id }, body: {} })
  await okaeri.settle()
  await okaeri.query`update emails set subject = 'changed', content = '<p>changed</p>' where merchant_id = ${merchant.id}`
  const rows = await okaeri.query<{
    subject: string
  }>`select subject from email_contents where merchant_id = ${merchant.id}`
  expect(rows[0]?.subject).toContain('春の新作')
  expect(await refusal(merchant.call(routes.changeCampaign, { params: { id }, body: { name: 'x' } }))).toMatchObject({
    reason: 'campaign_not_editable',
  })
})

test('an email without what the law asks for keeps the campaign from being reserved', async () => {
  const merchant = await okaeri.merchant()
  await addCustomers(merchant.scope(), [{}])
  const email_id = await addEmail(merchant.scope(), { content: '<p>Buy!</p>' })
  const { id } = await aCampaign(merchant, { email_id })
  const { review } = await merchant.call(routes.reviewCampaign, { params: { id }, query: {} })
  expect(review.can_reserve).toBe(false)
  expect(review.findings.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['no_unsubscribe_link', 'no_postal_address', 'no_contact']),
  )
  expect(await refusal(merchant.call(routes.reserveCampaign, { params: { id }, body: {} }))).toMatchObject({
    status: 409,
    reason: 'preflight_failed',
  })
})

test('another merchant’s campaign, segment and email do not exist', async () => {
  const [mine, other] = [await okaeri.merchant(), await okaeri.merchant()]
  const theirs = await aCampaign(other)
  for (const call of [
    () => mine.call(routes.getCampaign, { params: { id: theirs.id } }),
    () => mine.call(routes.deleteCampaign, { params: { id: theirs.id } }),
    () => mine.call(routes.reserveCampaign, { params: { id: theirs.id }, body: {} }),
    () => mine.call(routes.listCampaignDeliveries, { params: { id: theirs.id }, query: {} }),
  ])
    expect(await refusal(call())).toMatchObject({ status: 404 })
  expect(await refusal(aCampaign(mine, { email_id: theirs.email?.id }))).toMatchObject({
    status: 400,
    fields: { email_id: 'not_found' },
  })
})

test('a viewer sees campaigns and changes nothing', async () => {
  const merchant = await okaeri.merchant()
  const { id } = await aCampaign(merchant)
  const viewer = merchant.as('viewer')
  expect((await viewer(routes.getCampaign, { params: { id } })).campaign.id).toBe(id)
  expect(await refusal(viewer(routes.reserveCampaign, { params: { id }, body: {} }))).toMatchObject({
    status: 403,
    reason: 'role_forbids',
  })
})

test('a campaign half sent when everything stopped for hours asks before it goes on', async () => {
  const merchant = await okaeri.merchant()
  await addCustomers(merchant.scope(), [{ email: 'rest@o.test' }])
  const { id } = await aCampaign(merchant)
  await merchant.call(routes.reserveCampaign, { params: { id }, body: {} })
  // The state an outage leaves: under way, with no worker left to send the rest.
  await okaeri.query`update campaigns set status = 'sending', started_at = now() where merchant_id = ${merchant.id}`
  await okaeri.query`update installation set last_alive_at = now() - interval '7 hours'`
  await askAfterOutage(okaeri.context)
  await okaeri.settle()
  expect(await campaignOf(merchant, id)).toMatchObject({ status: 'waiting', wait_reason: 'found_late' })
  expect(gotBy('rest@o.test')).toBe(0)
})

test('while the store is being copied the audience is not known: nothing is reserved, except in test mode', async () => {
  const merchant = await okaeri.merchant({ test_emails: ['tester@copied.test'] })
  await addCustomers(merchant.scope(), [{ email: 'regular@copied.test' }])
  const { id } = await aCampaign(merchant)
  const review = async () => (await merchant.call(routes.reviewCampaign, { params: { id }, query: {} })).review
  const reserve = () => merchant.call(routes.reserveCampaign, { params: { id }, body: {} })
  expect(await review()).toMatchObject({ store_copied: true, can_reserve: true })

  await okaeri.query`insert into store_connections (merchant_id, id, shop_domain, status, connected_at)
    values (${merchant.id}, gen_random_uuid(), 'copied.myshopify.com', 'connected', now())`
  expect(await review()).toMatchObject({ store_copied: false, can_reserve: false })
  await beginCopying(merchant.scope())
  expect(await refusal(reserve())).toMatchObject({ status: 409, reason: 'store_being_copied' })
  // Everyone is everyone without their orders; a condition of ours may ask for them.
  await copyCustomers(merchant.scope())
  expect(await review()).toMatchObject({ store_copied: true, can_reserve: true })
  const choose = (audience: { segment_type: 'own' | 'all'; customer_segment_id: string | null }) =>
    merchant.call(routes.changeCampaign, { params: { id }, body: audience })
  const segment = await aSegment(merchant)
  await choose({ segment_type: 'own', customer_segment_id: segment.id })
  expect(await review()).toMatchObject({ store_copied: false, can_reserve: false })
  expect(await refusal(reserve())).toMatchObject({ reason: 'store_being_copied' })
  await finishCopying(merchant.scope())
  expect(await review()).toMatchObject({ store_copied: true, can_reserve: true })
  await choose({ segment_type: 'all', customer_segment_id: null })
  expect(await review()).toMatchObject({ store_copied: true, can_reserve: true })
  await beginCopying(merchant.scope())
  expect(await review()).toMatchObject({ store_copied: false, can_reserve: false })
  await okaeri.query`update merchants set test_mode = true where id = ${merchant.id}`
  expect(await review()).toMatchObject({ store_copied: false, can_reserve: true })
  await okaeri.query`update merchants set test_mode = false where id = ${merchant.id}`
  expect(await refusal(reserve())).toMatchObject({ reason: 'store_being_copied' })
  await finishCopying(merchant.scope())
  await reserve()
  await okaeri.settle()
  expect(gotBy('regular@copied.test')).toBe(1)
})

test('of a mail made of blocks the review names the block, not a line of the HTML made from it', async () => {
  const merchant = await okaeri.merchant()
  await addCustomers(merchant.scope(), [{ email: 'blocks@review.test' }])
  const { email } = await merchant.call(createEmail, {
    body: { name: 'セール', subject: 'セール', type: 'VISUAL', starter: 'sale' },
  })
  const { id } = await aCampaign(merchant, { email_id: email.id })
  const { review } = await merchant.call(routes.reviewCampaign, { params: { id }, query: {} })
  expect(review.findings.find(({ code }) => code === 'placeholder_left')).toMatchObject({ block: 'products' })
  expect(review.findings.some(({ line }) => line !== undefined)).toBe(false)
})
