import * as endpoints from '@okaeri/contract/emails/routes'
import { starterDesign } from '@okaeri/contract/emails/starter-design'
import * as versions from '@okaeri/contract/emails/version-routes'
import { captcha } from '@okaeri/contract/system/routes'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { beforeEach, describe, expect, test } from 'vitest'
import { addCustomers, confirmAddresses, GOOD_HTML } from '../../../test/fixtures.ts'
import { refusal } from '../../../test/refusal.ts'
import { EMPTY, merchant, okaeri, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'

withSandboxStore({ seed: EMPTY, connected: false })

const english = (given: Record<string, unknown> = {}) => ({
  language: 'en' as const,
  subject: 'News',
  preheader: '',
  content: GOOD_HTML.replace('新作を見る', 'See it'),
  design: null,
  plain_text: null,
  ...given,
})
const create = async (given: Record<string, unknown> = {}) =>
  (
    await merchant.call(endpoints.createEmail, {
      body: { name: '便り', subject: '一', content: GOOD_HTML, variants: [english()], ...given },
    })
  ).email
const change = async (id: string, body: Record<string, unknown>) => {
  okaeri.advance(1_000)
  return (await merchant.call(endpoints.changeEmail, { params: { id }, body })).email
}
const find = async (id: string) => (await merchant.call(endpoints.getEmail, { params: { id } })).email

describe('an email in several languages', () => {
  test('keeps each of them with its size, lists name them, and one that is left out is deleted', async () => {
    const email = await create()
    expect(email.variants).toMatchObject([{ ...english(), plain_text_is_behind: false }])
    expect(email.variants[0]?.size_bytes).toBeGreaterThan(100)
    const { data } = await merchant.call(endpoints.listEmails, { query: { limit: 1 } })
    expect(data[0]?.languages).toEqual(['en'])
    // Who knows nothing of variants changes none.
    expect((await change(email.id, { subject: '二' })).variants).toHaveLength(1)
    expect((await change(email.id, { variants: [] })).variants).toEqual([])
  })

  test('may be made of blocks in one language and written as code in the other', async () => {
    const design = starterDesign({ starter: 'newsletter', language: 'en', storeUrl: 'https://shop.test/' })
    const email = await create({ variants: [english({ content: undefined, design })] })
    expect(email.variants[0]?.content).toContain('unsubscribe')
    expect(email.variants[0]?.design?.blocks).toHaveLength(design.blocks.length)
  })

  test('is refused with the place of the variant where one cannot be sent', async () => {
    const broken = english({ content: '{% if %}' })
    expect(await refusal(create({ variants: [broken] }))).toMatchObject({
      status: 400,
      fields: { 'variants.0.content': 'template_syntax' },
    })
    expect(await refusal(create({ variants: [english({ content: undefined })] }))).toMatchObject({
      fields: { 'variants.0.content': 'required' },
    })
    expect(await refusal(create({ variants: [english(), english()] }))).toMatchObject({ fields: { variants: 'taken' } })
    expect(await refusal(create({ variants: [english({ language: 'fr' })] }))).toMatchObject({ status: 400 })
  })

  test('is copied, kept in versions and brought back with all of them', async () => {
    const email = await create()
    const copy = (await merchant.call(endpoints.duplicateEmail, { params: { id: email.id }, body: {} })).email
    expect(copy.variants).toEqual(email.variants)
    await change(email.id, { variants: [english({ subject: 'Other news' })] })
    const kept = (await merchant.call(versions.listEmailVersions, { params: { id: email.id } })).versions
    expect(kept).toHaveLength(2)
    const version_id = kept[1]?.id ?? ''
    const { version } = await merchant.call(versions.getEmailVersion, { params: { id: email.id, version_id } })
    expect(version.variants).toMatchObject([{ language: 'en', subject: 'News' }])
    okaeri.advance(1_000)
    const back = await merchant.call(versions.restoreEmailVersion, { params: { id: email.id, version_id } })
    expect(back.email.variants).toEqual(email.variants)
  })

  test('may be written by two members at once, each in a language or a field of their own', async () => {
    const email = await create()
    const began = { variants: [english()] }
    await change(email.id, { variants: [english({ subject: 'Theirs' })], began })
    const mine = await change(email.id, { variants: [english({ preheader: 'mine' })], began, subject: '私' })
    expect(mine.variants).toMatchObject([{ subject: 'Theirs', preheader: 'mine' }])
    const lost = change(email.id, { variants: [english({ subject: 'Mine' })], began })
    expect(await refusal(lost)).toMatchObject({ status: 409, reason: 'email_changed_meanwhile' })
    // Deleted by another while it was written here.
    await change(email.id, { variants: [] })
    const gone = change(email.id, { variants: [english({ subject: 'Mine' })], began })
    expect(await refusal(gone)).toMatchObject({ reason: 'email_changed_meanwhile' })
  })

  test('has a draft of each language, kept apart', async () => {
    const email = await create()
    const keep = (subject: string, query: { language?: 'en' }) =>
      merchant.call(versions.keepEmailDraft, {
        params: { id: email.id },
        query,
        body: { fields: { subject }, began_at: email.updated_at },
      })
    const draft = async (query: { language?: 'en' }) =>
      (await merchant.call(versions.getEmailDraft, { params: { id: email.id }, query })).draft?.fields.subject
    await keep('下書き', {})
    await keep('Draft', { language: 'en' })
    expect([await draft({}), await draft({ language: 'en' })]).toEqual(['下書き', 'Draft'])
    await merchant.call(versions.deleteEmailDraft, { params: { id: email.id }, query: { language: 'en' } })
    expect([await draft({}), await draft({ language: 'en' })]).toEqual(['下書き', undefined])
  })
})

async function solved(): Promise<string> {
  const challenge = (await okaeri.call(captcha, {})) as unknown as Challenge
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}

describe('a test send', () => {
  const to = 'tester@x.test'
  beforeEach(() => confirmAddresses(merchant.scope(), to))
  const send = async (id: string, given: Record<string, unknown> = {}) => {
    sandbox.mailbox.clear()
    const body = { emails: [to], captcha: await solved(), ...given }
    await merchant.call(endpoints.testSendEmail, { params: { id }, body })
    await okaeri.settle()
    return sandbox.mailbox.list({ to }).map(({ subject }) => subject)
  }

  test('sends each language, the one asked for, or the one a customer gets', async () => {
    const email = await create()
    const [customer] = await addCustomers(merchant.scope(), [{ email: 'someone@x.test' }])
    expect((await send(email.id)).toSorted()).toEqual(['News', '一'])
    expect(await send(email.id, { language: 'en' })).toEqual(['News'])
    expect(await send(email.id, { language: 'base' })).toEqual(['一'])
    expect(await send(email.id, { customer_id: customer })).toEqual(['一'])
    const plain = await create({ variants: [] })
    expect(await send(plain.id)).toEqual(['一'])
    expect(await refusal(send(plain.id, { language: 'en' }))).toMatchObject({ fields: { language: 'not_found' } })
  })
})

describe('a plain text that a person wrote', () => {
  const LEGAL =
    '{{ sender.name }}\n{{ store.postal_address }}\n{{ store.contact_email }}\n配信停止: {{ unsubscribe_url }}'
  const preview = async (plain_text: string | null, content = GOOD_HTML) =>
    (await merchant.call(endpoints.previewEmail, { body: { subject: '一', content, plain_text } })).rendered
  const codes = async (plain_text: string) => (await preview(plain_text)).findings.map(({ code }) => code)

  test('is shown as it will be sent, with its tags filled in', async () => {
    const rendered = await preview(`{{ customer.greeting }}\nhttps://shop.test/new。\n${LEGAL}`)
    expect(rendered.findings).toEqual([])
    expect(rendered.text).toContain('山田 様\nhttps://shop.test/new?utm_source=')
    expect(rendered.text).toMatch(/utm_content=preview。\n/)
    expect(rendered.text).toContain('東京都渋谷区1-2-3')
    expect(rendered.html).toContain('新作を見る')
  })

  test('must say what the law asks for, also where the HTML says it', async () => {
    expect((await codes('こんにちは')).toSorted()).toEqual([
      'text_no_contact',
      'text_no_postal_address',
      'text_no_sender_name',
      'text_no_unsubscribe_link',
    ])
    expect(await codes('')).toContain('text_empty')
    expect(await codes(`${LEGAL}{{ customer.nickname }}`)).toEqual(['unknown_tag'])
    expect(await codes(`${LEGAL}{% if %}`)).toContain('template_broken')
    expect(await refusal(create({ plain_text: '{% if %}' }))).toMatchObject({
      fields: { plain_text: 'template_syntax' },
    })
    expect(await refusal(create({ variants: [english({ plain_text: '{% if %}' })] }))).toMatchObject({
      fields: { 'variants.0.plain_text': 'template_syntax' },
    })
  })

  test('says when the email was changed since, until a person looked at it', async () => {
    const email = await create({ plain_text: LEGAL })
    expect(email).toMatchObject({ plain_text: LEGAL, plain_text_is_behind: false })
    const newer = GOOD_HTML.replace('新作', '旧作')
    expect(await change(email.id, { content: newer })).toMatchObject({ plain_text_is_behind: true })
    expect(await change(email.id, { subject: '二' })).toMatchObject({ plain_text_is_behind: true })
    expect(await change(email.id, { plain_text_fits: true })).toMatchObject({ plain_text_is_behind: false })
    const inEnglish = await change(email.id, { variants: [english({ plain_text: LEGAL })] })
    expect(inEnglish.variants).toMatchObject([{ plain_text_is_behind: false }])
    const behind = await change(email.id, { variants: [english({ plain_text: LEGAL, content: newer })] })
    expect(behind.variants).toMatchObject([{ plain_text_is_behind: true }])
    const fits = english({ plain_text: LEGAL, content: newer, plain_text_fits: true })
    const began = { variants: [english({ plain_text: LEGAL, content: newer })] }
    expect((await change(email.id, { variants: [fits], began })).variants).toMatchObject([
      { plain_text_is_behind: false },
    ])
    expect(await change(email.id, { plain_text: null })).toMatchObject({
      plain_text: null,
      plain_text_is_behind: false,
    })
  })

  test('begins from the generated one, and is in copies and versions', async () => {
    const { plain_text } = await merchant.call(endpoints.makePlainText, { body: { content: GOOD_HTML } })
    expect(plain_text).toContain('{{ customer.greeting }}')
    expect(plain_text).toContain('新作を見る ( https://shop.test/new )')
    expect(plain_text).toContain('{{ unsubscribe_url }}')
    expect(await codes(plain_text)).toEqual([])
    const email = await create({ plain_text })
    const copy = (await merchant.call(endpoints.duplicateEmail, { params: { id: email.id }, body: {} })).email
    expect(copy).toMatchObject({ plain_text, plain_text_is_behind: false })
    await change(email.id, { plain_text: null })
    const [, first] = (await merchant.call(versions.listEmailVersions, { params: { id: email.id } })).versions
    okaeri.advance(1_000)
    const params = { id: email.id, version_id: first?.id ?? '' }
    expect((await merchant.call(versions.restoreEmailVersion, { params })).email).toMatchObject({ plain_text })
    expect(await find(email.id)).toMatchObject({ plain_text })
  })

  test('however its addresses end, takes one pass', async () => {
    const rendered = await preview(
      `https://x.test/${')'.repeat(50_000)}x ${LEGAL} https://x.test/(a) （https://x.test/b）`,
    )
    expect(rendered.text).toMatch(/https:\/\/x\.test\/\(a\)\?utm/)
    expect(rendered.text).toMatch(/（https:\/\/x\.test\/b\?[^）]+）/)
  })
})
