import * as components from '@okaeri/contract/emails/component-routes'
import * as endpoints from '@okaeri/contract/emails/routes'
import { describe, expect, test } from 'vitest'
import { aReservedCampaign } from '../../../test/builders/campaign.ts'
import { anEmail } from '../../../test/builders/email.ts'
import { addCustomers, GOOD_HTML } from '../../../test/fixtures.ts'
import { refusal } from '../../../test/refusal.ts'
import { addScenario, got, nodeOf, visit, withScenarioMail, writeNow } from '../../../test/scenario-mail.ts'
import { eachWithMerchant, merchant, okaeri } from '../../../test/with-okaeri.ts'
import { componentKeysIn, withComponents } from './component-tags.ts'

withScenarioMail()
eachWithMerchant()

const create = async (name: string, content: string) =>
  (await merchant.call(components.createEmailComponent, { body: { name, content } })).email_component
const change = async (id: string, content: string) =>
  (await merchant.call(components.changeEmailComponent, { params: { id }, body: { content } })).email_component
const withTag = (tag: string): string => GOOD_HTML.replace('</body>', `${tag}</body>`)
const preview = async (content: string) =>
  (await merchant.call(endpoints.previewEmail, { body: { subject: 's', content } })).rendered

describe('a component', () => {
  test('stands in an email where its tag is written, with the customer’s data', async () => {
    const footer = await create('Footer', '<p>{{ customer.greeting }} <b>店の住所</b></p>')
    expect(footer.tag).toBe('{% component "footer" %}')
    const { html, findings } = await preview(withTag(footer.tag))
    expect(html).toContain('<p>山田 様 <b>店の住所</b></p>')
    expect(html).not.toContain('component')
    expect(findings).toEqual([])
  })

  test('is given a key from what is Latin in its name, never one that is taken', async () => {
    const keys = []
    for (const name of ['Sale Banner!', 'sale banner', 'フッター', 'ヘッダー']) keys.push((await create(name, '')).key)
    expect(keys).toEqual(['sale-banner', 'sale-banner-2', 'component', 'component-2'])
    const named = (key: string) =>
      merchant.call(components.createEmailComponent, { body: { name: 'フッター', key, content: '' } })
    expect((await named('footer')).email_component.tag).toBe('{% component "footer" %}')
    expect(await refusal(named('footer'))).toMatchObject({ status: 400, fields: { key: 'taken' } })
    expect(await refusal(named('Foot er'))).toMatchObject({ status: 400, fields: { key: 'component_key_form' } })
  })

  test('that is changed changes the emails it stands in, and their size', async () => {
    const { id, tag } = await create('Banner', '<p>古い</p>')
    const email = await anEmail(merchant, { content: withTag(tag) })
    await change(id, `<p>${'新'.repeat(1000)}</p>`)
    await okaeri.settle()
    const after = (await merchant.call(endpoints.getEmail, { params: { id: email.id } })).email
    expect(after.size_bytes - email.size_bytes).toBe(3 * 998)
    expect(after.content).toBe(withTag(tag))
  })

  test('stands in a variant, and in a written plain text as its text, and is in use there', async () => {
    const { id, tag } = await create('Legal', '<p>{{ sender.name }}<br><a href="{{ unsubscribe_url }}">停止</a></p>')
    const english = { language: 'en' as const, subject: 'e', content: withTag(tag) }
    const email = await anEmail(merchant, { plain_text: `本文\n${tag}`, variants: [english] })
    const { rendered } = await merchant.call(endpoints.previewEmail, {
      body: { subject: 's', content: GOOD_HTML, plain_text: email.plain_text },
    })
    expect(rendered.text).toMatch(/^本文\n.+\n停止 \( http[^)]+\/u\/x+ \)$/)
    expect(await refusal(merchant.call(components.deleteEmailComponent, { params: { id } }))).toMatchObject({
      status: 409,
    })
    await merchant.call(endpoints.changeEmail, { params: { id: email.id }, body: { plain_text: null } })
    expect(await refusal(merchant.call(components.deleteEmailComponent, { params: { id } }))).toMatchObject({
      status: 409,
    })
    await change(id, `<p>${'新'.repeat(1000)}</p>`)
    await okaeri.settle()
    const after = (await merchant.call(endpoints.getEmail, { params: { id: email.id } })).email
    expect(after.variants[0]?.size_bytes).toBeGreaterThan((email.variants[0]?.size_bytes ?? 0) + 2000)
    await merchant.call(endpoints.changeEmail, { params: { id: email.id }, body: { variants: [] } })
    await merchant.call(components.deleteEmailComponent, { params: { id } })
  })

  test('changed after a campaign was reserved changes nothing of what it sends', async () => {
    await addCustomers(merchant.scope(), [{}])
    const { id, tag } = await create('Banner', '<p>予約した時の文</p>')
    const { id: emailId } = await anEmail(merchant, { content: withTag(tag) })
    await aReservedCampaign(merchant, { email_id: emailId })
    await change(id, '<p>あとの文</p>')
    await okaeri.settle()
    expect(got).toHaveLength(1)
    expect(got[0]?.html).toContain('予約した時の文')
  })

  test('changed while a scenario is active stands in what the scenario sends next', async () => {
    const people = await addCustomers(merchant.scope(), [{}, {}, {}])
    const { id, tag } = await create('Banner', '<p>はじめの文</p>')
    const inner = await create('Outer', `<div>${tag}</div>`)
    const { id: emailId } = await anEmail(merchant, { content: withTag(inner.tag) })
    const node = nodeOf(await addScenario(merchant), emailId)
    await writeNow(merchant, node, [visit(people[0] ?? null)])
    await change(id, '<p>次の文</p>')
    for (const person of people.slice(1)) await writeNow(merchant, node, [visit(person)])
    await okaeri.settle()
    const holding = (text: string) => got.filter(({ html }) => html?.includes(text))
    expect(holding('はじめの文')).toHaveLength(1)
    expect(holding('次の文')).toHaveLength(2)
    const rows = await okaeri.query`select from messages where merchant_id = ${merchant.id}`
    expect(rows).toHaveLength(2)
  })

  test('names what uses it, also through another component, and is deleted only when nothing does', async () => {
    const inner = await create('Inner', '<p>中</p>')
    const outer = await create('Outer', `<div>${inner.tag}</div>`)
    const email = await anEmail(merchant, { name: '夏の便り', content: withTag(outer.tag) })
    const { used_by } = await merchant.call(components.getEmailComponent, { params: { id: inner.id } })
    expect(used_by).toEqual({
      emails: [{ id: email.id, name: '夏の便り', direct: false, used_by: [] }],
      email_count: 1,
      components: [{ id: outer.id, name: 'Outer' }],
    })
    const { data } = await merchant.call(components.listEmailComponents, { query: { sort: 'name', direction: 'asc' } })
    expect(data.map(({ name, email_count }) => [name, email_count])).toEqual([
      ['Inner', 1],
      ['Outer', 1],
    ])
    const remove = (id: string) => merchant.call(components.deleteEmailComponent, { params: { id } })
    expect(await refusal(remove(outer.id))).toMatchObject({
      status: 409,
      reason: 'component_in_use',
      message: expect.stringContaining('夏の便り'),
    })
    await merchant.call(endpoints.deleteEmail, { params: { id: email.id } })
    expect(await refusal(remove(inner.id))).toMatchObject({ reason: 'component_in_use' })
    await remove(outer.id)
    await remove(inner.id)
    expect(await refusal(merchant.call(components.getEmailComponent, { params: { id: inner.id } }))).toMatchObject({
      status: 404,
    })
  })

  test('cannot stand within itself, nor more than five deep', async () => {
    const first = await create('c1', '<p>1</p>')
    let tag = first.tag
    for (const name of ['c2', 'c3', 'c4', 'c5']) tag = (await create(name, `<div>${tag}</div>`)).tag
    expect(await refusal(create('c6', tag))).toMatchObject({ status: 400, fields: { content: 'too_deep' } })
    expect(await refusal(change(first.id, tag))).toMatchObject({ status: 400, fields: { content: 'circular' } })
    expect(await refusal(change(first.id, first.tag))).toMatchObject({ fields: { content: 'circular' } })
    const leaf = await create('leaf', '')
    expect(await refusal(change(first.id, leaf.tag))).toMatchObject({ fields: { content: 'too_deep' } })
    expect((await preview(withTag(tag))).html).toContain('<p>1</p>')
  })

  test('that is broken, or names one that is not there, is refused; so is an email that does', async () => {
    expect(await refusal(create('x', '{% if customer %}'))).toMatchObject({ reason: 'template_broken' })
    expect(await refusal(create('x', '{% component "nothing" %}'))).toMatchObject({ reason: 'template_broken' })
    const email = anEmail(merchant, { content: withTag('{% component "nothing" %}') })
    expect(await refusal(email)).toMatchObject({
      status: 400,
      reason: 'template_broken',
      fields: { content: 'template_syntax' },
      message: expect.stringContaining('component "nothing" cannot stand here'),
    })
  })

  test('that multiplies into more than a mail may hold is a finding, quickly', async () => {
    const one = await create('One', '<p>text</p>'.repeat(5000))
    const many = await create('Many', one.tag.repeat(15))
    expect(await refusal(create('All', many.tag.repeat(4000)))).toMatchObject({ reason: 'template_broken' })
  })

  test('may be one of fifty in a content; one more is refused as if it were not there', async () => {
    const { tag } = await create('Last', '<p>51</p>')
    const tags = Array.from({ length: 50 }, (_, n) => `{% component "c${n}" %}`)
    for (const n of tags.keys())
      await merchant.call(components.createEmailComponent, {
        body: { name: 'c', key: `c${n}`, content: `<i>${n}</i>` },
      })
    expect((await preview(withTag(tags.join('')))).html).toContain('<i>48</i><i>49</i>')
    const email = anEmail(merchant, { content: withTag(tags.join('') + tag) })
    expect(await refusal(email)).toMatchObject({ reason: 'template_broken' })
  })

  test('found faulty within an email is found at the line of its tag', async () => {
    const { tag } = await create('Banner', '<p>\n\n<img src="https://shop.test/a.png">\n</p>')
    const { findings } = await preview(`<p>1</p>\n${tag}\n${GOOD_HTML}\n<a href="http://shop.test/">x</a>`)
    expect(findings).toEqual([
      expect.objectContaining({ code: 'image_without_alt', line: 2 }),
      expect.objectContaining({ code: 'insecure_link', line: 6 }),
      expect.objectContaining({ code: 'mostly_picture' }),
    ])
  })

  test('is previewed alone, without what only whole mails need', async () => {
    const { rendered } = await merchant.call(components.previewEmailComponent, {
      body: { content: '<p>{{ customer.nothing }}</p>' },
    })
    expect(rendered.html).toContain('<p></p>')
    expect(rendered.findings.map(({ code }) => code)).toEqual(['unknown_tag'])
  })

  test('is among the tags that can be written, and a copy has a tag of its own', async () => {
    const { id } = await create('Footer', '<p>終わり</p>')
    const copy = (await merchant.call(components.duplicateEmailComponent, { params: { id }, body: { language: 'en' } }))
      .email_component
    expect(copy).toMatchObject({ name: 'Copy of Footer', key: 'copy-of-footer', content: '<p>終わり</p>' })
    const { content_tags } = await merchant.call(endpoints.listContentTags, {})
    expect(
      content_tags
        .filter(({ category }) => category === 'components')
        .map(({ tag }) => tag)
        .toSorted(),
    ).toEqual(['{% component "copy-of-footer" %}', '{% component "footer" %}'])
  })

  test('changed by two members loses neither text', async () => {
    const { id } = await create('Footer', '<p>1</p>')
    const save = (content: string) =>
      merchant.call(components.changeEmailComponent, {
        params: { id },
        body: { content, began: { content: '<p>1</p>' } },
      })
    await save('<p>2</p>')
    expect(await refusal(save('<p>3</p>'))).toMatchObject({ status: 409, reason: 'component_changed_meanwhile' })
  })

  test('of another merchant is none', async () => {
    const { tag, id } = await create('Footer', '<p>秘密</p>')
    const other = await okaeri.merchant()
    expect(await refusal(anEmail(other, { content: withTag(tag) }))).toMatchObject({ reason: 'template_broken' })
    expect(await refusal(other.call(components.getEmailComponent, { params: { id } }))).toMatchObject({ status: 404 })
  })
})

describe('tags of components', () => {
  test('are read as the engine reads: not within raw, and in either kind of quotes', () => {
    expect(componentKeysIn(`{% component "a" %}{%- component 'b' -%}{% component a %}{% component "A" %}`)).toEqual([
      'a',
      'b',
    ])
    expect(componentKeysIn('{% raw %}{% component "a" %}{% endraw %}{% component "a" %}{% component "a" %}')).toEqual([
      'a',
    ])
  })

  test('say for each line which line it was typed at', () => {
    const known = new Map([['a', '1\n2\n3']])
    expect(withComponents('x\n{% component "a" %}\ny', known)).toEqual({
      content: 'x\n1\n2\n3\ny',
      typedLines: [1, 2, 2, 2, 3],
    })
    expect(withComponents('x\ny', known)).toEqual({ content: 'x\ny', typedLines: null })
  })
})
