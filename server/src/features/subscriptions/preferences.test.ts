import { reserveCampaign, reviewCampaign } from '@okaeri/contract/campaigns/routes'
import { getCustomer } from '@okaeri/contract/customers/routes'
import { eraseCustomer } from '@okaeri/contract/privacy/routes'
import { previewConditions } from '@okaeri/contract/segments/routes'
import { describe, expect, test } from 'vitest'
import { aCampaign, campaignOf } from '../../../test/builders/campaign.ts'
import type { TestMerchant } from '../../../test/harness.ts'
import { type SentMail, sentMail } from '../../../test/sent-mail.ts'
import { okaeri, withSandbox } from '../../../test/with-okaeri.ts'
import { changeConsent } from '../consent/index.ts'
import { sealAddress } from './addressee.ts'

withSandbox()

const DAY = 86_400_000
const PAGE = '/pages/preferences'
const open = (token: string, lang?: string) =>
  fetch(new URL(`${PAGE}?token=${token}${lang ? `&lang=${lang}` : ''}`, okaeri.url), { redirect: 'manual' })
/** As the page's form is sent: what is off is absent. */
const press = (token: string, form: Record<string, string>) =>
  fetch(new URL(PAGE, okaeri.url), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ token, ...form }),
  })
/** The form as the page has it now. */
async function formOf(token: string): Promise<Record<string, string>> {
  const page = await (await open(token)).text()
  const fields: Record<string, string> = {}
  for (const [input] of page.matchAll(/<input [^>]*>/g)) {
    const attribute = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(input)?.[1]
    const [name, type] = [attribute('name'), attribute('type')]
    if (name && (type === 'hidden' || input.includes(' checked'))) fields[name] = attribute('value') ?? 'on'
  }
  return fields
}
async function rowOf(customerId: string) {
  const rows = await okaeri.query<{ marketing_state: string; notification_state: string; language: string | null }>`
    select marketing_state, notification_state, language from customers where id = ${customerId}`
  return rows[0]
}
const changes = async (merchant: TestMerchant) =>
  await okaeri.query<{
    kind: string
    to_state: string
    source: string
    page: string
    wording: string
    delivery_id: string
  }>`
      select kind, to_state, source, page, wording, delivery_id from consent_changes where merchant_id = ${merchant.id} order by id`

const pausedUntil = async (merchant: TestMerchant, { customerId }: SentMail) =>
  (await merchant.call(getCustomer, { params: { id: customerId } })).mail_paused_until
const without = (form: Record<string, string>, ...names: string[]) =>
  Object.fromEntries(Object.entries(form).filter(([name]) => !names.includes(name)))

describe('the preference page', () => {
  test('of a link that is broken or too old, or of a person who was erased, says so and changes nothing', async () => {
    const merchant = await okaeri.merchant()
    const kept = await sentMail(okaeri, merchant, { address: 'kept@example.jp' })
    const erased = await sentMail(okaeri, merchant, { address: 'erased@example.jp' })
    await merchant.call(eraseCustomer, { params: { id: erased.customerId }, body: { confirm: true } })
    await okaeri.settle()
    const ofLastWeek = { ...merchant.scope(), now: new Date(okaeri.clock.now().getTime() - 7 * DAY - 1000) }
    const tooOld = encodeURIComponent(sealAddress(ofLastWeek, 'kept@example.jp'))
    const changed = `${kept.token.slice(0, -1)}${kept.token.endsWith('A') ? 'B' : 'A'}`
    for (const token of [changed, tooOld, erased.token, '']) {
      for (const [lang, title] of [
        ['ja', 'このリンクは使えません'],
        ['en', 'This link does not work'],
      ] as const) {
        const page = await open(token, lang)
        expect([token, page.status]).toEqual([token, 404])
        expect(await page.text()).toContain(title)
      }
      expect((await press(decodeURIComponent(token), { pause: 'on', news: 'on' })).status).toBe(404)
    }
    expect(await pausedUntil(merchant, kept)).toBeNull()
  })

  test('is in both languages, names the address masked, and changes nothing when it is opened', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant, { address: 'hanako@example.jp', language: 'ja' })
    const japanese = await open(mail.token)
    expect([japanese.status, japanese.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const page = await japanese.text()
    expect(page).toContain('メールの配信設定')
    expect(page).not.toContain('hanako@example.jp')
    expect(page).not.toContain('<script')
    expect(await (await open(mail.token, 'en')).text()).toContain('Email preferences')
    for (const method of ['HEAD', 'OPTIONS'])
      expect((await fetch(new URL(`${PAGE}?token=${mail.token}`, okaeri.url), { method })).status).toBeLessThan(500)
    expect(await rowOf(mail.customerId)).toMatchObject({ marketing_state: 'granted', notification_state: 'unknown' })
    expect(await changes(merchant)).toEqual([])
    for (const token of ['', 'made-up', `${mail.token}x`]) {
      expect((await open(token)).status).toBe(404)
      expect((await press(token, { news: 'on' })).status).toBe(404)
    }
  })

  test('saved as it was opened, it changes nothing', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant, { language: 'en' })
    expect((await press(mail.token, await formOf(mail.token))).status).toBe(303)
    expect(await changes(merchant)).toEqual([])
    expect(await pausedUntil(merchant, mail)).toBeNull()
    expect(await rowOf(mail.customerId)).toMatchObject({ language: 'en' })
  })

  test('keeps what was said where, for each kind', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant, { language: 'ja' })
    const form = await formOf(mail.token)
    const saved = await press(mail.token, without(form, 'news', 'notices'))
    expect(saved.headers.get('location')).toBe(`${PAGE}?token=${mail.token}&saved=1`)
    expect(await rowOf(mail.customerId)).toMatchObject({
      marketing_state: 'withdrawn',
      notification_state: 'withdrawn',
    })
    expect(await changes(merchant)).toEqual([
      {
        kind: 'marketing',
        to_state: 'withdrawn',
        source: 'unsubscribe_link',
        page: PAGE,
        wording: expect.stringContaining('お知らせメール'),
        delivery_id: mail.deliveryId,
      },
      {
        kind: 'notification',
        to_state: 'withdrawn',
        source: 'unsubscribe_link',
        page: PAGE,
        wording: expect.stringContaining('再入荷'),
        delivery_id: mail.deliveryId,
      },
    ])
    await press(mail.token, { ...(await formOf(mail.token)), notices: 'on' })
    expect(await rowOf(mail.customerId)).toMatchObject({
      marketing_state: 'withdrawn',
      notification_state: 'granted',
    })
  })

  test('an old page does not take back what was changed elsewhere since it was opened', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant, { language: 'ja' })
    const old = await formOf(mail.token)
    await changeConsent(merchant.scope(), {
      customerId: mail.customerId,
      kind: 'marketing',
      to: 'withdrawn',
      source: 'one_click',
    })
    await press(mail.token, { ...old, language: 'en' })
    expect(await rowOf(mail.customerId)).toMatchObject({ marketing_state: 'withdrawn', language: 'en' })
  })

  test('the link of a test mail changes nothing', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant, { testMode: true, language: 'ja' })
    await press(mail.token, { ...without(await formOf(mail.token), 'news'), pause: 'on', language: 'en' })
    expect(await rowOf(mail.customerId)).toMatchObject({ marketing_state: 'granted', language: 'ja' })
    expect(await pausedUntil(merchant, mail)).toBeNull()
  })

  test('what comes in the form beside its own fields, or in a wrong form, is no error', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    const forms: Record<string, string>[] = [
      { news: 'yes', pause: 'maybe', language: 'fr', other: 'x' },
      { lang: '<b>' },
      { language: 'en' },
    ]
    for (const form of forms)
      expect((await press(mail.token, { ...(await formOf(mail.token)), ...form })).status).toBe(303)
  })
})

describe('a pause', () => {
  const reach = async (merchant: TestMerchant) => {
    const granted = {
      type: 'condition' as const,
      id: 'c',
      category: 'consent',
      name: 'accepts_marketing',
      operator: 'is',
      value: true,
    }
    const conditions = { type: 'group' as const, id: 'g', operator: 'and' as const, children: [granted] }
    return (await merchant.call(previewConditions, { body: { conditions } })).target_counts
  }

  test('keeps marketing away for a month: in counts, reviews and when the mail is sent', async () => {
    const merchant = await okaeri.merchant()
    const paused = await sentMail(okaeri, merchant)
    const other = await sentMail(okaeri, merchant)
    await press(paused.token, { ...(await formOf(paused.token)), pause: 'on' })
    const until = new Date((await pausedUntil(merchant, paused)) ?? 0)
    const days = (until.getTime() - okaeri.clock.now().getTime()) / DAY
    expect([days >= 28, days <= 31]).toEqual([true, true])
    expect(await reach(merchant)).toMatchObject({ total: 2, with_consent: 2, reachable: 1, paused: 1, no_consent: 0 })

    const { id } = await aCampaign(merchant)
    const { review } = await merchant.call(reviewCampaign, { params: { id }, query: {} })
    expect(review).toMatchObject({ audience: 2, recipients: 1, left_out: { paused: 1, no_consent: 0 } })
    const at = new Date(okaeri.clock.now().getTime() + 2 * 3_600_000).toISOString()
    const later = await aCampaign(merchant, { send_type: 'scheduled', scheduled_at: at } as never)
    await merchant.call(reserveCampaign, { params: { id: later.id }, body: {} })
    await okaeri.settle()
    // After the reservation.
    await press(other.token, { ...(await formOf(other.token)), pause: 'on' })
    okaeri.advance(2 * 3_600_000)
    await okaeri.settle()
    expect((await campaignOf(merchant, later.id)).balance).toMatchObject({
      audience: 2,
      sent: 0,
      skipped: 2,
      skipped_by_reason: { paused: 2 },
    })
    okaeri.advance(32 * DAY)
    expect(await pausedUntil(merchant, paused)).toBeNull()
    expect(await reach(merchant)).toMatchObject({ reachable: 2, paused: 0 })
    await okaeri.settle()
    const rows = await okaeri.query`select from marketing_pauses where merchant_id = ${merchant.id}`
    expect(rows).toEqual([])
  })

  test('is no withdrawal, and what is sent regardless of consent is sent', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    await press(mail.token, { ...(await formOf(mail.token)), pause: 'on' })
    expect(await rowOf(mail.customerId)).toMatchObject({ marketing_state: 'granted' })
    expect(await changes(merchant)).toEqual([])
    const { id } = await aCampaign(merchant, { send_to_all: true })
    const { review } = await merchant.call(reviewCampaign, { params: { id }, query: {} })
    expect(review).toMatchObject({ recipients: 1, left_out: { paused: 0 } })
  })

  test('ends when its owner says so, or asks for the mails again', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    const pause = async () => press(mail.token, { ...(await formOf(mail.token)), pause: 'on' })
    await pause()
    expect(await formOf(mail.token)).toMatchObject({ pause: 'on', pause_shown: 'on' })
    await press(mail.token, without(await formOf(mail.token), 'pause'))
    expect(await pausedUntil(merchant, mail)).toBeNull()
    await pause()
    await fetch(new URL('/pages/unsubscribe/confirm', okaeri.url), {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ token: mail.token, choice: 'subscribe' }),
    })
    expect(await pausedUntil(merchant, mail)).toBeNull()
  })

  test('is of the mailbox: of all customers with it, and of no other merchant', async () => {
    const [merchant, neighbor] = [await okaeri.merchant(), await okaeri.merchant()]
    const address = 'shared@example.jp'
    const mail = await sentMail(okaeri, merchant, { address })
    const twin = await sentMail(okaeri, merchant, { address: 'Shared@example.jp' })
    const elsewhere = await sentMail(okaeri, neighbor, { address })
    await press(mail.token, { ...(await formOf(mail.token)), pause: 'on' })
    expect(await pausedUntil(merchant, twin)).not.toBeNull()
    expect(await pausedUntil(neighbor, elsewhere)).toBeNull()
  })

  test('by a link mailed after a request on the storefront', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant, { address: 'sealed@example.jp' })
    const token = encodeURIComponent(sealAddress(merchant.scope(), 'sealed@example.jp'))
    expect((await open(token)).status).toBe(200)
    await press(decodeURIComponent(token), { pause: 'on' })
    expect(await pausedUntil(merchant, mail)).not.toBeNull()
  })
})
