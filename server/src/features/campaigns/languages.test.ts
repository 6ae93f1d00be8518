import { chooseWinner, reserveCampaign, reviewCampaign } from '@okaeri/contract/campaigns/routes'
import { listEmailAddresses } from '@okaeri/contract/emails/address-routes'
import { listEmailHistories, previewEmail } from '@okaeri/contract/emails/routes'
import { deleteCustomer } from '@okaeri/contract/customers/routes'
import { getClickMap } from '@okaeri/contract/reports/routes'
import { beforeAll, expect, test } from 'vitest'
import { aCampaign, campaignOf } from '../../../test/builders/campaign.ts'
import { anEmail } from '../../../test/builders/email.ts'
import { aSegment } from '../../../test/builders/segment.ts'
import { addCustomers, GOOD_HTML } from '../../../test/fixtures.ts'
import { refusal } from '../../../test/refusal.ts'
import { EMPTY, merchant, okaeri, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { unconfirmedOf } from '../merchants/index.ts'

withSandboxStore({ seed: EMPTY, connected: true })

// Until the store is copied nothing is sent.
beforeAll(() => okaeri.settle())

const ENGLISH_HTML = `<html><body><p>Dear {{ customer.greeting }}</p>
<p><a href="https://shop.test/en">See what is new</a> <a href="https://shop.test/new">all</a></p>
<p>{{ sender.name }}<br>{{ store.name }}<br>{{ store.postal_address }}<br>{{ store.contact_email }}</p>
<p><a href="{{ unsubscribe_url }}">Unsubscribe</a></p></body></html>`
const english = (given: Record<string, unknown> = {}) => ({
  language: 'en' as const,
  subject: 'What is new',
  preheader: 'For you',
  content: ENGLISH_HTML,
  ...given,
})
const bilingual = (given: Record<string, unknown> = {}) =>
  anEmail(merchant, { subject: '新作のお知らせ', variants: [english(given)] })

let number = 0
/** Customers of these languages, and a segment of them alone. */
async function people(languages: readonly (string | null)[]) {
  number += 1
  const tag = `round${number}x`
  const addresses = languages.map((_, at) => `${tag}-${at}@x.test`)
  const ids = await addCustomers(
    merchant.scope(),
    addresses.map((email) => ({ email })),
  )
  for (const [at, language] of languages.entries()) await speak(ids[at] as string, language)
  const segment = await aSegment(merchant, {
    type: 'condition',
    id: 'r',
    category: 'customer',
    name: 'email',
    operator: 'starts_with',
    value: tag,
  })
  return { ids, addresses, audience: { segment_type: 'own' as const, customer_segment_id: segment.id } }
}
const speak = (id: string, language: string | null) =>
  okaeri.query`update customers set language = ${language} where merchant_id = ${merchant.id} and id = ${id}`
async function mailTo(address: string) {
  const { id } = await sandbox.mailbox.waitFor({ to: address })
  return sandbox.mailbox.read(id)
}
const reserve = (id: string) => merchant.call(reserveCampaign, { params: { id }, body: {} })

test('each customer gets the variant of their language, others the base, and the review says how many', async () => {
  const { addresses, audience, ids } = await people(['ja', 'en', 'en-GB', 'EN_us', 'fr-CA', null, ' '])
  const { id: email_id } = await bilingual()
  const { id } = await aCampaign(merchant, { email_id, ...audience })
  const { review } = await merchant.call(reviewCampaign, { params: { id }, query: { customer_id: ids[2] } })
  expect(review.languages).toEqual([
    { language: null, people: 4 },
    { language: 'en', people: 3 },
  ])
  expect(review.sample).toMatchObject({
    subject: 'What is new',
    customer_variant: { language: 'en', why: 'language', customer_language: 'en-GB' },
  })
  expect(review.findings).toEqual([])
  await reserve(id)
  await okaeri.settle()
  const mails = await Promise.all(addresses.map(mailTo))
  const [ja, en] = ['新作のお知らせ', 'What is new']
  expect(mails.map(({ subject }) => subject)).toEqual([ja, en, en, en, ja, ja, ja])
  // The values follow the language of the mail.
  expect(mails[1]?.text).toContain('Dear 花子')
  expect(mails[0]?.text).toContain('様')
  // RFC 8058: the same fields in every language.
  for (const mail of mails) {
    const named = (name: string) => mail.headers.find((one) => one.name.toLowerCase() === name)?.value
    expect(named('list-unsubscribe')).toMatch(/^<http[^>]+\/u\/[\w-]+>$/)
    expect(named('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  }
  const histories = await Promise.all(
    ids.map((customer_id) => merchant.call(listEmailHistories, { query: { customer_id } })),
  )
  expect(histories.map(({ data }) => [data[0]?.subject, data[0]?.language])).toEqual([
    [ja, null],
    [en, 'en'],
    [en, 'en'],
    [en, 'en'],
    [ja, null],
    [ja, null],
    [ja, null],
  ])
})

test('the language is the one a customer has when the mail is claimed, not when it was reserved', async () => {
  const { addresses, audience, ids } = await people(['ja', 'en'])
  const { id: email_id } = await bilingual()
  const { id } = await aCampaign(merchant, { email_id, ...audience })
  await reserve(id)
  await speak(ids[0] as string, 'en')
  await speak(ids[1] as string, null)
  await okaeri.settle()
  expect((await mailTo(addresses[0] as string)).subject).toBe('What is new')
  expect((await mailTo(addresses[1] as string)).subject).toBe('新作のお知らせ')
})

test('what differs by recipient is filled in in the language of each, mails in mixed order', async () => {
  const { addresses, audience } = await people(['en', 'ja', 'en', 'ja'])
  const filled = (html: string, word: string) =>
    html.replace('</body>', `{% if customer.email contains "x.test" %}<p>${word}</p>{% endif %}</body>`)
  const { id: email_id } = await anEmail(merchant, {
    subject: '{{ customer.greeting | upcase }}へ',
    content: filled(GOOD_HTML, '日本語の行'),
    variants: [english({ subject: 'To {{ customer.greeting }}', content: filled(ENGLISH_HTML, 'english line') })],
  })
  const { id } = await aCampaign(merchant, { email_id, ...audience })
  await reserve(id)
  await okaeri.settle()
  const mails = await Promise.all(addresses.map(mailTo))
  expect(mails.map(({ text }) => /日本語の行|english line/.exec(text ?? '')?.[0])).toEqual([
    'english line',
    '日本語の行',
    'english line',
    '日本語の行',
  ])
  expect(mails[0]?.subject).toBe('To 花子')
})

test('a link of a variant leads where it says, and the map of one language shows its own clicks alone', async () => {
  const { addresses, audience } = await people(['ja', 'en'])
  const { id: email_id } = await bilingual()
  const { id } = await aCampaign(merchant, { email_id, ...audience })
  await reserve(id)
  await okaeri.settle()
  const [ja, en] = await Promise.all(addresses.map(mailTo))
  const linkIn = (html: string | null | undefined, word: string): string =>
    new RegExp(`href="([^"]+)"[^>]*>${word}`).exec(html ?? '')?.[1] ?? ''
  const follow = async (address: string) => {
    const answer = await fetch(address, {
      redirect: 'manual',
      headers: {
        'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
      },
    })
    return answer.headers.get('location')?.replace(/\?.*/, '')
  }
  okaeri.advance(60_000)
  expect(await follow(linkIn(ja?.html, '新作'))).toBe('https://shop.test/new')
  expect(await follow(linkIn(en?.html, 'See'))).toBe('https://shop.test/en')
  okaeri.advance(60_000)
  await okaeri.settle()
  const mapOf = (language?: 'en') => merchant.call(getClickMap, { params: { id }, query: { language } })
  const [base, variant] = [await mapOf(), await mapOf('en')]
  const shown = (links: typeof base.links) => links.map(({ url, ...one }) => [url.replace(/\?.*/, ''), one.click_count])
  expect(base).toMatchObject({ language: null, languages: [null, 'en'] })
  expect(shown(base.links)).toEqual([['https://shop.test/new', 1]])
  expect(variant).toMatchObject({ language: 'en', mail: { subject: 'What is new' } })
  expect(shown(variant.links)).toEqual([
    ['https://shop.test/en', 1],
    ['https://shop.test/new', 0],
  ])
  // In its HTML each link leads to its own number.
  expect(variant.mail?.html).toContain(`#${variant.mark}0"`)
  const plain = await aCampaign(merchant, { email_id: (await anEmail(merchant)).id, ...audience })
  expect(
    await refusal(merchant.call(getClickMap, { params: { id: plain.id }, query: { language: 'en' } })),
  ).toMatchObject({ status: 404 })
})

test('what is wrong in one language keeps the campaign back, and says which language it is', async () => {
  const { audience } = await people(['ja', 'en'])
  const lacking = english({ content: ENGLISH_HTML.replace('{{ store.postal_address }}', '') })
  const { id: email_id } = await anEmail(merchant, { variants: [lacking] })
  const { id } = await aCampaign(merchant, { email_id, ...audience })
  const { review } = await merchant.call(reviewCampaign, { params: { id } })
  expect(review.findings).toMatchObject([{ code: 'no_postal_address', language: 'en' }])
  expect(review.can_reserve).toBe(false)
  expect(await refusal(reserve(id))).toMatchObject({ status: 409, reason: 'preflight_failed' })
})

test('a field that some do not have is counted among those who get that language', async () => {
  const { audience } = await people(['ja', 'en', 'en', 'fr'])
  const html = ENGLISH_HTML.replace('Dear', 'Dear {{ customer.phone }}')
  const { id: email_id } = await bilingual({ content: html })
  const { id } = await aCampaign(merchant, { email_id, ...audience })
  const { review } = await merchant.call(reviewCampaign, { params: { id } })
  expect(review.findings).toMatchObject([{ code: 'empty_for_some', people: 2, language: 'en' }])
})

test('a review of one language of another is not taken for it: a variant changed since is refused', async () => {
  const { audience } = await people(['en'])
  const email = await bilingual()
  const { id } = await aCampaign(merchant, { email_id: email.id, ...audience })
  const { review } = await merchant.call(reviewCampaign, { params: { id } })
  await okaeri.query`update emails set variants = jsonb_set(variants, '{0,subject}', '"Other"')
    where merchant_id = ${merchant.id} and id = ${email.id}`
  const stale = { fingerprint_seen: review.fingerprint }
  expect(await refusal(merchant.call(reserveCampaign, { params: { id }, body: stale }))).toMatchObject({
    reason: 'campaign_changed_since_review',
  })
})

test('a mail with variants is left alone by a worker of before, which would send the base to everyone', async () => {
  const { audience } = await people(['en'])
  const { id: email_id } = await bilingual()
  const { id } = await aCampaign(merchant, { email_id, ...audience })
  await reserve(id)
  const { message_id } = await okaeri.context.db
    .selectFrom('campaigns')
    .select('message_id')
    .where('merchant_id', '=', merchant.id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  // As such a worker asks who it comes from.
  const rows = await okaeri.query<{ from_email: string }>`
    select coalesce(e.from_email, m.from_email) as from_email from messages m
    left join email_contents e on e.merchant_id = m.merchant_id and e.message_id = m.id
    where m.merchant_id = ${merchant.id} and m.id = ${message_id}`
  expect(await unconfirmedOf(merchant.scope(), 'sender', [rows[0]?.from_email ?? 'none'])).toEqual([''])
  await okaeri.settle()
  const campaign = await campaignOf(merchant, id)
  expect([campaign.status, campaign.balance?.sent]).toEqual(['sent', 1])
})

test('a customer deleted meanwhile gets none of the languages', async () => {
  const { addresses, audience, ids } = await people(['en', 'ja'])
  const { id: email_id } = await bilingual()
  const { id } = await aCampaign(merchant, { email_id, ...audience })
  await reserve(id)
  await merchant.call(deleteCustomer, { params: { id: ids[0] as string } })
  await okaeri.settle()
  expect((await mailTo(addresses[1] as string)).subject).toBe('新作のお知らせ')
  expect(sandbox.mailbox.list({ to: addresses[0] as string })).toEqual([])
})

test('a preview says which variant the customer gets, and why', async () => {
  const { ids } = await people(['en-US', 'fr', null, 'ja-JP'])
  const why = async (customer_id: string | undefined) =>
    (
      await merchant.call(previewEmail, {
        body: {
          subject: '新作',
          content: GOOD_HTML,
          variant_languages: ['en'],
          ...(customer_id !== undefined && { customer_id }),
        },
      })
    ).rendered.customer_variant
  expect(await why(ids[0])).toEqual({ language: 'en', why: 'language', customer_language: 'en-US' })
  expect(await why(ids[1])).toEqual({ language: null, why: 'no_variant', customer_language: 'fr' })
  expect(await why(ids[2])).toEqual({ language: null, why: 'no_language', customer_language: null })
  expect(await why(ids[3])).toEqual({ language: null, why: 'language', customer_language: 'ja-JP' })
  expect(await why(undefined)).toBeUndefined()
})

const languagesOf100 = Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? 'ja' : 'en'))
const test50 = { share: 50, decides_by: 'person', hours: 4 } as const

test('the subject alone of an email with several languages is not tested', async () => {
  const { audience } = await people(languagesOf100)
  const { id: email_id } = await bilingual()
  const ab_test = { ...test50, differs: 'subject', subject: '本日から新作', email_id: null } as const
  const { id } = await aCampaign(merchant, { email_id, ...audience, ab_test })
  const { review } = await merchant.call(reviewCampaign, { params: { id }, query: {} })
  expect(review.missing).toEqual(['ab_languages'])
  expect(await refusal(reserve(id))).toMatchObject({ code: 'invalid' })
})

test('where an email with several languages wins a test, the rest gets it in theirs', async () => {
  const { addresses, audience } = await people(languagesOf100)
  const { id: email_id } = await bilingual()
  const { id: second } = await bilingual({ subject: 'The better one' })
  const ab_test = { ...test50, differs: 'email', subject: null, email_id: second } as const
  const { id } = await aCampaign(merchant, { email_id, ...audience, ab_test })
  const { review } = await merchant.call(reviewCampaign, { params: { id }, query: {} })
  await reserve(id)
  await okaeri.settle()
  await merchant.call(chooseWinner, { params: { id }, body: { winner: 'b' } })
  await okaeri.settle()
  expect(await campaignOf(merchant, id)).toMatchObject({ status: 'sent', balance: { sent: 100 } })
  const rows = await okaeri.query<{ language: string; got: string; people: number }>`
    select c.language, d.language as got, count(*)::int as people from deliveries d
    join messages m on m.merchant_id = d.merchant_id and m.id = d.message_id and m.ab_group = 'rest'
    join customers c on c.merchant_id = d.merchant_id and c.id = d.customer_id
    where d.merchant_id = ${merchant.id} and d.campaign_id = ${id} group by 1, 2 order by 1`
  expect(rows.map(({ language, got }) => [language, got])).toEqual([
    ['en', 'en'],
    ['ja', null],
  ])
  expect(rows.reduce((all, row) => all + row.people, 0)).toBe(review.ab_test?.people.rest)
  const subjects = await Promise.all(
    addresses.filter((_, at) => at % 2 === 1).map(async (to) => (await mailTo(to)).subject),
  )
  expect(new Set(subjects)).toEqual(new Set(['What is new', 'The better one']))
})

test('the page behind a mail’s unsubscribe link speaks the language of that mail, and the file of recipients names it', async () => {
  const { addresses, audience, ids } = await people(['en', 'fr', 'ja'])
  const { id: email_id } = await bilingual()
  const { id } = await aCampaign(merchant, { email_id, ...audience })
  await reserve(id)
  await okaeri.settle()
  // What they speak by now is not what the mail said.
  await speak(ids[0] as string, 'ja')
  await speak(ids[2] as string, 'en')
  const languageOfPage = async (at: number) => {
    const { text } = await mailTo(addresses[at] as string)
    const link = /https?:\/\/\S+\/u\/[\w-]+/.exec(text ?? '')?.[0] ?? ''
    return /<html[^>]* lang="(\w+)"/.exec(await (await fetch(link)).text())?.[1]
  }
  expect([await languageOfPage(0), await languageOfPage(1), await languageOfPage(2)]).toEqual(['en', 'ja', 'ja'])
  const file = await fetch(`${okaeri.url}/reports/${id}/download?lang=en`, {
    headers: { authorization: `Bearer test.${merchant.id}.${merchant.memberId}.viewer` },
  })
  const [head = '', ...lines] = (await file.text()).trim().split('\r\n')
  expect(head.split(',').at(-1)).toBe('Language')
  const named = Map.groupBy(lines, (line) => line.split(',').at(-1))
  expect([named.get('English')?.length, named.get('Japanese')?.length]).toEqual([1, 2])
})

test('the links of every language of an email are listed and looked at, each once', async () => {
  const { id } = await bilingual()
  const { addresses } = await merchant.call(listEmailAddresses, { params: { id } })
  const seen = addresses
    .filter(({ kind }) => kind === 'page')
    .map(({ written, languages, variant }) => [written, languages, variant])
  expect(seen).toContainEqual(['https://shop.test/new', ['ja', 'en'], undefined])
  expect(seen).toContainEqual(['https://shop.test/en', ['en'], 'en'])
  const { id: plain } = await anEmail(merchant, {})
  const alone = await merchant.call(listEmailAddresses, { params: { id: plain } })
  expect(alone.addresses[0]).not.toHaveProperty('languages')
})
