import { EmailSubject } from '@okaeri/contract/emails/email'
import * as endpoints from '@okaeri/contract/emails/routes'
import { starterKeys, starters } from '@okaeri/contract/emails/starters'
import { captcha } from '@okaeri/contract/system/routes'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { beforeAll, describe, expect, test } from 'vitest'
import { confirmAddresses } from '../../../test/fixtures.ts'
import { type TestMerchant } from '../../../test/harness.ts'
import { EMPTY, merchant, okaeri, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { refusal } from '../../../test/refusal.ts'
import { newId } from '../../kernel/ids.ts'
import { addStats, campaignProgram } from '../stats/index.ts'

withSandboxStore({ seed: EMPTY, connected: false })

const written = { name: '夏のセール', subject: '{{ customer.last_name }}様へのお知らせ' }
const create = async (given: Record<string, unknown> = {}, who = merchant) =>
  (await who.call(endpoints.createEmail, { body: { ...written, ...given } })).email

async function addCustomer(who: TestMerchant, name: { first: string; last: string }): Promise<string> {
  const id = newId()
  await okaeri.context.db
    .insertInto('customers')
    .values({
      merchant_id: who.id,
      id,
      email: `${id}@people.test`,
      email_key: `${id}@people.test`,
      first_name: name.first,
      last_name: name.last,
      display_name: `${name.first} ${name.last}`,
      created_at: okaeri.clock.now(),
      updated_at: okaeri.clock.now(),
    })
    .execute()
  return id
}

describe('an email', () => {
  test.each(['ja', 'en'] as const)('starts from a template that may be sent as it is (%s)', async (language) => {
    const email = await create({ language })
    expect(email.content).toContain(language === 'ja' ? '配信を停止' : 'unsubscribe here')
    const { rendered } = await merchant.call(endpoints.previewEmail, {
      body: { subject: email.subject, content: email.content },
    })
    expect(rendered.findings).toEqual([])
    expect(rendered.size_bytes).toBe(email.size_bytes)
    expect(rendered.text).toContain('staff@shop.test')
    expect(rendered.text).toContain('東京都渋谷区1-2-3')
  })

  test.each(starterKeys)('started for %s can be sent as it is, in both languages', async (starter) => {
    for (const language of ['ja', 'en'] as const) {
      const { paragraphs, aside } = starters[starter]
      const subject = starters[starter].subject[language]
      const preheader = starters[starter].preheader[language]
      const email = await create({ subject, preheader, language, starter })
      const { rendered } = await merchant.call(endpoints.previewEmail, {
        body: { subject, preheader, content: email.content },
      })
      expect(rendered.findings).toEqual([])
      expect(email.content).toContain(paragraphs[0]?.[language])
      // What leads away from the product stands below what leads to it.
      if (aside)
        expect(email.content.indexOf(aside[language])).toBeGreaterThan(email.content.indexOf('event.product_url'))
      expect(rendered.text).toContain('東京都渋谷区1-2-3')
    }
  })

  test.each([
    ['ここに本文を書いてください', 3],
    ['ここに件名', 3],
    ['Write your message here.', 3],
    ['[Write here]', 3],
    ['Lorem ipsum dolor sit amet', 3],
  ])('in which "%s" still stands cannot be sent, and it says in which line', async (left, line) => {
    const { rendered } = await merchant.call(endpoints.previewEmail, {
      body: { subject: 'お知らせ', content: `<p>\n\n${left}</p>` },
    })
    expect(rendered.findings).toContainEqual(
      expect.objectContaining({ code: 'placeholder_left', level: 'blocks', line }),
    )
    const { rendered: other } = await merchant.call(endpoints.previewEmail, {
      body: { subject: left, content: '<p>x</p>' },
    })
    expect(other.findings.map(({ code }) => code)).toContain('placeholder_left')
  })

  test.each([
    'ここにある文章を読んでください',
    'ここに書いてある内容をご確認ください',
    'Write to us here',
    'お名前をご記入ください',
  ])('that only says "%s" is not kept back', async (text) => {
    const { rendered } = await merchant.call(endpoints.previewEmail, {
      body: { subject: text, content: `<p>${text}</p>` },
    })
    expect(rendered.findings.map(({ code }) => code)).not.toContain('placeholder_left')
  })

  test('keeps its content exactly as typed', async () => {
    const content = '\ufeff<P  Class=x>\r\n\t{{customer.name}}&nbsp;<br/ >😀\u0007</p>\n\n'
    const { id } = await create({ content })
    expect((await merchant.call(endpoints.getEmail, { params: { id } })).email.content).toBe(content)
    await merchant.call(endpoints.changeEmail, { params: { id }, body: { name: '別名' } })
    const { email } = await merchant.call(endpoints.getEmail, { params: { id } })
    expect(email).toMatchObject({ content, name: '別名', subject: written.subject })
  })

  describe('open in two tabs', () => {
    const change = (id: string, body: Record<string, unknown>) =>
      merchant.call(endpoints.changeEmail, { params: { id }, body })

    test('loses nothing of what the other tab saved: the field both changed is refused, the others are kept', async () => {
      const { id, content, preheader } = await create({ content: '<p>はじめ</p>' })
      await change(id, { content: '<p>A</p>', began: { content } })
      const late = { content: '<p>B</p>', preheader: 'B', began: { content, preheader } }
      expect(await refusal(change(id, late))).toMatchObject({
        status: 409,
        reason: 'email_changed_meanwhile',
        message: expect.stringMatching(/: content$/),
      })
      // Nothing of it was saved, not even the fields that only this form changed.
      expect((await merchant.call(endpoints.getEmail, { params: { id } })).email).toMatchObject({
        content: '<p>A</p>',
        preheader: '',
      })
      await change(id, { preheader: 'B', began: { preheader } })
      await change(id, { ...late, began: { content: '<p>A</p>', preheader: 'B' } })
      expect((await merchant.call(endpoints.getEmail, { params: { id } })).email).toMatchObject({
        content: '<p>B</p>',
        preheader: 'B',
      })
    })

    test('saves at the same moment, and one of the two is refused', async () => {
      const { id, content } = await create()
      const both = await Promise.allSettled(
        ['<p>A</p>', '<p>B</p>'].map((mine) => change(id, { content: mine, began: { content } })),
      )
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    })

    test('may save again what was saved already, as after an answer that never came', async () => {
      const { id, subject, from_name } = await create({ from_name: null })
      const again = { subject: '次の便り', from_name: '', began: { subject, from_name } }
      await change(id, again)
      expect((await change(id, again)).email).toMatchObject({ subject: '次の便り', from_name: null })
    })
  })

  test('is refused with the field and the line when its Liquid is broken, and nothing is saved', async () => {
    const email = await create()
    const broken = await refusal(
      merchant.call(endpoints.changeEmail, {
        params: { id: email.id },
        body: { name: 'x', content: '<p>\n{% if a %}' },
      }),
    )
    expect(broken).toMatchObject({ status: 400, reason: 'template_broken', fields: { content: 'template_syntax' } })
    expect(broken.message).toMatch(/line 2/)
    expect(await refusal(create({ subject: '{{ customer.name' }))).toMatchObject({
      fields: { subject: 'template_syntax' },
    })
    expect(await refusal(create({ preheader: '{% endif %}' }))).toMatchObject({
      fields: { preheader: 'template_syntax' },
    })
    expect((await merchant.call(endpoints.getEmail, { params: { id: email.id } })).email.name).toBe(written.name)
  })

  test.each([
    [{ content: 'a\0b' }, { content: 'control_characters' }],
    [{ content: 'a\ud800b' }, { content: 'invalid' }],
    [{ content: 'あ'.repeat(400_000) }, { content: 'too_long' }],
    [{ subject: 'a\r\nBcc: x@y.test' }, { subject: 'control_characters' }],
    [{ subject: '' }, { subject: 'required' }],
    [{ subject: 'あ'.repeat(201) }, { subject: 'too_long' }],
    [{ name: ' ' }, { name: 'required' }],
    [{ from_name: 'a\nb' }, { from_name: 'control_characters' }],
    [{ from_email: 'x' }, { from_email: 'not_an_email' }],
    [{ from_email: 'shop@gmail.com' }, { from_email: 'public_mail_domain' }],
    [{ colour: 'red' }, { colour: 'unknown_field' }],
  ])('with a bad field is refused by name: %j', async (given, fields) => {
    expect(await refusal(create(given))).toMatchObject({ status: 400, fields })
  })

  test('is copied under a name that still fits, in the language of the member who copies', async () => {
    const named = await create({ name: '😀'.repeat(100), content: 'x' })
    const { email: english } = await merchant.call(endpoints.duplicateEmail, {
      params: { id: named.id },
      body: { language: 'en' },
    })
    expect(english.name).toBe(`Copy of ${'😀'.repeat(92)}`)
    const email = await create({ name: '名'.repeat(100), content: 'x', from_name: '店長' })
    const { email: copy } = await merchant.call(endpoints.duplicateEmail, { params: { id: email.id } })
    expect(copy).toMatchObject({ name: `${'名'.repeat(96)}のコピー`, content: 'x', from_name: '店長', sent_count: 0 })
  })

  test('cannot be deleted while a campaign needs it, and the page says which', async () => {
    const { id } = await create()
    const campaignId = newId()
    await okaeri.context.db
      .insertInto('campaigns')
      .values({
        merchant_id: merchant.id,
        id: campaignId,
        name: '春の便り',
        status: 'draft',
        email_id: id,
        created_at: okaeri.clock.now(),
        updated_at: okaeri.clock.now(),
      })
      .execute()
    const { used_by } = await merchant.call(endpoints.getEmail, { params: { id } })
    expect(used_by).toEqual([{ type: 'campaign', id: campaignId, name: '春の便り', status: 'draft' }])
    expect(await refusal(merchant.call(endpoints.deleteEmail, { params: { id } }))).toMatchObject({
      status: 409,
      reason: 'email_in_use',
      message: expect.stringContaining('春の便り'),
    })
    await okaeri.context.db
      .updateTable('campaigns')
      .set({ status: 'sent' })
      .where('merchant_id', '=', merchant.id)
      .where('id', '=', campaignId)
      .execute()
    await merchant.call(endpoints.deleteEmail, { params: { id } })
    expect(await refusal(merchant.call(endpoints.getEmail, { params: { id } }))).toMatchObject({ status: 404 })
    const { data } = await merchant.call(endpoints.listEmails, {})
    expect(data.map((email) => email.id)).not.toContain(id)
  })

  test('of another merchant does not exist', async () => {
    const { id } = await create()
    const other = await okaeri.merchant()
    for (const call of [
      () => other.call(endpoints.getEmail, { params: { id } }),
      () => other.call(endpoints.changeEmail, { params: { id }, body: { name: 'x' } }),
      () => other.call(endpoints.deleteEmail, { params: { id } }),
      () => other.call(endpoints.duplicateEmail, { params: { id } }),
    ])
      expect(await refusal(call())).toMatchObject({ status: 404 })
    expect((await other.call(endpoints.listEmails, {})).total).toBe(0)
  })

  test('is changed by no viewer', async () => {
    const { id } = await create()
    const viewer = merchant.as('viewer')
    expect((await viewer(endpoints.getEmail, { params: { id } })).email.id).toBe(id)
    expect(await refusal(viewer(endpoints.deleteEmail, { params: { id } }))).toMatchObject({ status: 403 })
  })
})

describe('the list of emails', () => {
  test('is searched, and sorted by what became of them', async () => {
    const who = await okaeri.merchant({ currency: 'JPY' })
    const first = await create({ name: '100%割引' }, who)
    const second = await create({ name: '新商品' }, who)
    const third = await create({ name: '再入荷' }, who)
    const at = okaeri.clock.now()
    await addStats(who.scope(), [
      {
        at,
        program: campaignProgram(newId()),
        channel: 'email',
        contentId: first.id,
        sent: 200,
        opened: 20,
        clicked: 10,
        revenue: 500,
      },
      {
        at,
        program: campaignProgram(newId()),
        channel: 'email',
        contentId: second.id,
        sent: 30,
        opened: 15,
        clicked: 1,
        revenue: 4000,
      },
    ])
    const order = async (query: object) =>
      (await who.call(endpoints.listEmails, { query })).data.map(({ name }) => name)
    expect(await order({})).toEqual(['再入荷', '新商品', '100%割引'])
    expect(await order({ sort: 'sent_count' })).toEqual(['100%割引', '新商品', '再入荷'])
    expect(await order({ sort: 'open_rate' })).toEqual(['新商品', '100%割引', '再入荷'])
    expect(await order({ sort: 'click_rate', direction: 'asc' })).toEqual(['再入荷', '新商品', '100%割引'])
    expect(await order({ sort: 'revenue', limit: 1, offset: 1 })).toEqual(['100%割引'])
    expect(await order({ q: '100%' })).toEqual(['100%割引'])
    expect(await order({ q: '%' })).toEqual(['100%割引'])
    const { data, total } = await who.call(endpoints.listEmails, { query: { q: '新商品' } })
    expect(total).toBe(1)
    expect(data[0]).toMatchObject({
      sent_count: 30,
      open_rate: 50,
      click_rate: 3.3,
      revenue: { amount: 4000, currency: 'JPY' },
    })
    expect(data[0]).not.toHaveProperty('content')
    expect(third.open_rate).toBe(0)
  })
})

describe('a preview', () => {
  const preview = async (body: Record<string, unknown>) =>
    (await merchant.call(endpoints.previewEmail, { body: { subject: 's', content: '', ...body } })).rendered

  test('shows what one customer will get, and counts nothing', async () => {
    const customer_id = await addCustomer(merchant, { first: '太郎', last: '<b>佐藤' })
    const rendered = await preview({
      customer_id,
      subject: '{{ customer.last_name }}様\r\nへ',
      preheader: '{{ customer.greeting }}',
      content:
        '<p>{{ customer.greeting }}</p><a href="https://a.test/?b=1">見る</a><a href="{{ unsubscribe_url }}">停止</a>',
      from_name: '店長',
    })
    expect(rendered).toMatchObject({
      subject: '<b>佐藤様 へ',
      preheader: '<b>佐藤 様',
      from: '店長 <shop@shop.test>',
      to: `${customer_id}@people.test`,
    })
    expect(rendered.html).toContain('<p>&lt;b&gt;佐藤 様</p>')
    expect(rendered.html).toContain(
      'href="https://a.test/?b=1&amp;utm_source=okaeri&amp;utm_medium=email&amp;utm_content=preview"',
    )
    expect(rendered.text).toContain('見る ( https://a.test/?b=1&utm_source=okaeri')
    for (const part of [rendered.html, rendered.text]) {
      expect(part).not.toContain('\u0001')
      expect(part).not.toMatch(/\/[co]\//)
    }
  })

  test('of someone invented is in the language of the merchant', async () => {
    const english = await okaeri.merchant({ language: 'en' })
    const { rendered } = await english.call(endpoints.previewEmail, {
      body: { subject: 'Hi {{ customer.greeting }}', content: 'x' },
    })
    expect(rendered.subject).toBe('Hi Hanako')
    expect((await preview({ subject: '{{ customer.greeting }}' })).subject).toBe('山田 様')
  })

  test('of something broken says where instead of failing', async () => {
    const rendered = await preview({ content: '<p>\n{{ x' })
    expect(rendered.findings).toContainEqual({
      code: 'template_broken',
      level: 'blocks',
      detail: expect.stringMatching(/^2: /),
      line: 2,
    })
    const slow = await preview({ content: '{% for i in (1..3000) %}{% for j in (1..3000) %}x{% endfor %}{% endfor %}' })
    expect(slow.findings.map(({ code }) => code)).toContain('template_not_offered')
    const subject = await preview({ subject: '{% if %}', content: 'x' })
    expect(subject).toMatchObject({ subject: '' })
    // The subject's line is no line of the content.
    expect(subject.findings.find(({ code }) => code === 'template_broken')).not.toHaveProperty('line')
  })

  test('of what a lone surrogate or an unknown customer is in is refused', async () => {
    expect(await refusal(preview({ customer_id: newId() }))).toMatchObject({
      status: 400,
      fields: { customer_id: 'not_found' },
    })
    expect(await refusal(preview({ content: '\udc00' }))).toMatchObject({ status: 400, fields: { content: 'invalid' } })
  })
})

test('every tag offered can be used, and has its name in both languages', async () => {
  const { content_tags } = await merchant.call(endpoints.listContentTags, {})
  const tagsOf = (is: (category: string) => boolean) =>
    content_tags.flatMap(({ tag, category }) => (is(category) ? [tag] : [])).join(' ')
  const { rendered } = await merchant.call(endpoints.previewEmail, {
    body: { subject: 's', content: tagsOf((category) => category !== 'line') },
  })
  expect(rendered.findings.map(({ code }) => code)).not.toContain('unknown_tag')
  for (const tag of content_tags) {
    expect([tag.name_ja, tag.name_en].every(Boolean)).toBe(true)
    // What is offered where an address is asked for is one.
    expect(tag.example_ja.startsWith('https://')).toBe(tag.value !== 'text')
  }
  const { rendered: wrong } = await merchant.call(endpoints.previewEmail, {
    body: { subject: 's', content: '{{ customer.nmae }}' },
  })
  expect(wrong.findings).toContainEqual({ code: 'unknown_tag', level: 'warns', detail: '{{ customer.nmae }}' })
  const { rendered: ofLine } = await merchant.call(endpoints.previewEmail, {
    body: { subject: 's', content: tagsOf((category) => category === 'line') },
  })
  expect(ofLine.findings).toContainEqual({ code: 'unknown_tag', level: 'warns', detail: '{{ line.link_url }}' })
})

describe('a test mail', () => {
  const solved = async (): Promise<string> => {
    const challenge = (await okaeri.call(captcha, {})) as unknown as Challenge
    const solution = await solveChallenge({ challenge, deriveKey })
    return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
  }

  beforeAll(() => confirmAddresses(merchant.scope(), 'a@shop.test', 'b@shop.test'))

  test('goes through the ledger, once to each address, and stands in the history', async () => {
    const { id } = await create({ content: '<p>{{ customer.greeting }}</p>' })
    const customer_id = await addCustomer(merchant, { first: '太郎', last: '佐藤' })
    const { deliveries } = await merchant.call(endpoints.testSendEmail, {
      params: { id },
      body: { emails: ['a@shop.test', 'A@shop.test', 'b@shop.test'], customer_id, captcha: await solved() },
    })
    expect(deliveries.map(({ kind }) => kind)).toEqual(['test', 'test'])
    expect(new Set(deliveries.map(({ address }) => address?.toLowerCase()))).toEqual(
      new Set(['a@shop.test', 'b@shop.test']),
    )
    const history = async (query: object) => merchant.call(endpoints.listEmailHistories, { query })
    expect((await history({ email_id: id, kind: 'test', customer_id })).data).toEqual(
      deliveries.toSorted((a, b) => (a.id < b.id ? 1 : -1)),
    )
    expect((await history({ email_id: id, limit: 1, offset: 1 })).data.map((row) => row.id)).toEqual([
      deliveries.map((row) => row.id).sort()[0],
    ])
    expect((await history({ email_id: id })).data[0]).toMatchObject({
      customer_name: '太郎 佐藤',
      email_id: id,
      subject: null,
    })
    expect((await history({ email_id: id, kind: 'campaign' })).total).toBe(0)

    await okaeri.settle()
    const [mail, another] = sandbox.mailbox.list({ to: 'b@shop.test' })
    expect(another).toBeUndefined()
    const got = JSON.stringify(await sandbox.mailbox.read(mail?.id ?? 0))
    expect(got).toContain('佐藤様へのお知らせ')
    expect(got).toContain('<p>佐藤 様</p>')
    expect((await history({ email_id: id })).data).toMatchObject(
      [1, 2].map(() => ({ status: 'sent', subject: '佐藤様へのお知らせ' })),
    )
    const other = await okaeri.merchant()
    expect((await other.call(endpoints.listEmailHistories, {})).total).toBe(0)
  })

  test('may have another subject than the email, as group B of a test of subjects gets it', async () => {
    const { id } = await create()
    const { deliveries } = await merchant.call(endpoints.testSendEmail, {
      params: { id },
      body: { emails: ['a@shop.test'], subject: 'Bの件名', captcha: await solved() },
    })
    expect(deliveries.map(({ subject }) => subject)).toEqual(['Bの件名'])
  })

  test('needs addresses, a captcha solved once, a sender, and an email that exists', async () => {
    const { id } = await create()
    const send = (body: Record<string, unknown>, emailId = id, who = merchant) =>
      refusal(
        who.call(endpoints.testSendEmail, {
          params: { id: emailId },
          body: { emails: ['a@shop.test'], captcha: 'x', ...body },
        }),
      )
    expect(await send({ emails: [] })).toMatchObject({ status: 400, fields: { emails: 'required' } })
    expect(await send({ emails: ['a@shop.test', 'a@'] })).toMatchObject({
      status: 400,
      fields: { 'emails.1': 'not_an_email' },
    })
    expect(await send({ captcha: '' })).toMatchObject({ status: 400, fields: { captcha: 'required' } })
    expect(await send({})).toMatchObject({ status: 400, reason: 'captcha_failed' })
    expect(await send({}, newId())).toMatchObject({ status: 404 })
    expect(await send({ customer_id: newId() })).toMatchObject({ status: 400, fields: { customer_id: 'not_found' } })
    const used = await solved()
    await merchant.call(endpoints.testSendEmail, { params: { id }, body: { emails: ['a@shop.test'], captcha: used } })
    expect(await send({ captcha: used })).toMatchObject({ reason: 'captcha_failed' })
    const senderless = await okaeri.merchant({ sender_email: '' })
    const theirs = await create({}, senderless)
    expect(await send({}, theirs.id, senderless)).toMatchObject({ status: 409, reason: 'preflight_failed' })
  })
})

test('a subject is measured in characters people see', () => {
  expect(EmailSubject.safeParse('😀'.repeat(200)).success).toBe(true)
})
