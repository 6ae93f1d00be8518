import { type Block, Design } from '@okaeri/contract/emails/design'
import { firstLook } from '@okaeri/contract/emails/starter-design'
import * as components from '@okaeri/contract/emails/component-routes'
import * as endpoints from '@okaeri/contract/emails/routes'
import { starterKeys, starters } from '@okaeri/contract/emails/starters'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusal } from '../../../test/refusal.ts'
import { EMPTY, merchant, okaeri, withSandboxStore } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'

withSandboxStore({ seed: EMPTY, connected: false })

const base = { space: 12, background: null }
const text = (id: string, html: string): Block => ({
  ...base,
  id,
  kind: 'text',
  html,
  size: 'medium',
  align: 'left',
  color: null,
})
const footer: Block = { ...base, id: 'foot', kind: 'footer', why: 'ご希望の方にお送りしています。', align: 'left' }
const designOf = (...blocks: Block[]): Design => ({ language: 'ja', look: firstLook, blocks: [...blocks, footer] })

const written = { name: '夏の便り', subject: 'お知らせ' }
const create = async (given: Record<string, unknown>) =>
  (await merchant.call(endpoints.createEmail, { body: { ...written, ...given } })).email
const change = async (id: string, body: Record<string, unknown>) =>
  (await merchant.call(endpoints.changeEmail, { params: { id }, body })).email
const preview = async (design: Design) =>
  (await merchant.call(endpoints.previewEmail, { body: { subject: 'お知らせ', design } })).rendered

describe('an email made of blocks', () => {
  test.each(starterKeys)('started for %s can be sent but for what the merchant has to choose', async (starter) => {
    for (const language of ['ja', 'en'] as const) {
      const email = await create({ type: 'VISUAL', starter, language, subject: starters[starter].subject[language] })
      expect(email).toMatchObject({ type: 'VISUAL', design: { language } })
      expect(Design.parse(email.design)).toEqual(email.design)
      const design = email.design as Design
      const { findings, html, text } = await preview(design)
      expect(findings.filter(({ code }) => code !== 'placeholder_left')).toEqual([])
      const unchosen = design.blocks.filter(({ kind }) => kind === 'products' || kind === 'coupon')
      expect(findings).toHaveLength(unchosen.length > 0 ? 1 : 0)
      expect(html).toContain('[if mso')
      expect(text).toContain('東京都渋谷区1-2-3')
    }
  })

  test('is compiled at each save, and looks in its preview as it will be sent', async () => {
    const email = await create({ design: designOf(text('word', '<p>{{ customer.greeting }}、こんにちは</p>')) })
    expect(email.content).toContain('{{ customer.greeting }}、こんにちは')
    const changed = await change(email.id, { design: designOf(text('word', '<p>こんばんは</p>')) })
    expect(changed.content).not.toContain('こんにちは')
    expect((await preview(changed.design as Design)).size_bytes).toBe(changed.size_bytes)
  })

  test('becomes code as it is, when a person asks for that, and is then written by hand', async () => {
    const email = await create({ design: designOf(text('word', '<p>こんにちは</p>')) })
    expect(await refusal(change(email.id, { content: '<p>x</p>' }))).toMatchObject({
      fields: { content: 'not_allowed' },
    })
    const code = await change(email.id, { design: null })
    expect(code).toMatchObject({ type: 'HTML', design: null, content: email.content })
    expect((await change(email.id, { content: '<p>x</p>' })).content).toBe('<p>x</p>')
  })

  test('takes the place of HTML when a person asks for that, but of none that was saved meanwhile', async () => {
    const email = await create({ content: '<p>古いHTML</p>' })
    const design = designOf(text('word', '<p>こんにちは</p>'))
    await change(email.id, { content: '<p>ほかの人のHTML</p>' })
    expect(await refusal(change(email.id, { design, began: { content: email.content, design: null } }))).toMatchObject({
      reason: 'email_changed_meanwhile',
    })
    const made = await change(email.id, { design, began: { content: '<p>ほかの人のHTML</p>', design: null } })
    expect(made).toMatchObject({ type: 'VISUAL', subject: email.subject })
    expect(made.content).toContain('こんにちは')
    expect(made.content).not.toContain('HTML</p>')
  })

  test('that another member changed meanwhile is not overwritten', async () => {
    const began = designOf(text('word', '<p>一</p>'))
    const email = await create({ design: began })
    await change(email.id, { design: designOf(text('word', '<p>二</p>')), began: { design: began } })
    expect(
      await refusal(change(email.id, { design: designOf(text('word', '<p>三</p>')), began: { design: began } })),
    ).toMatchObject({ reason: 'email_changed_meanwhile' })
    expect((await merchant.call(endpoints.getEmail, { params: { id: email.id } })).email.content).toContain('二')
  })

  test('is copied with its blocks', async () => {
    const email = await create({ type: 'VISUAL' })
    const copy = await merchant.call(endpoints.duplicateEmail, { params: { id: email.id }, body: {} })
    expect(copy.email.design).toEqual(email.design)
  })

  test('shows products as the store has them, and none that it does not sell', async () => {
    const [sold, gone] = [newId(), newId()]
    for (const [at, id] of [sold, gone].entries())
      await okaeri.context.db
        .insertInto('products')
        .values({
          merchant_id: merchant.id,
          id,
          store_product_id: 900 + at,
          title: at === 0 ? '麻のシャツ {{ x }}' : '昔の帽子',
          search_text: 'x',
          handle: 'linen-shirt',
          status: at === 0 ? 'ACTIVE' : 'DRAFT',
          tags: [],
        })
        .execute()
    const products: Block = {
      ...base,
      id: 'goods',
      kind: 'products',
      product_ids: [sold, gone],
      columns: 2,
      shows_price: true,
      button: '見る',
    }
    const shown = await preview(designOf(products))
    expect(shown.html).toContain('麻のシャツ (( x ))')
    expect(shown.html).not.toContain('昔の帽子')
    expect(shown.findings.map(({ code }) => code)).not.toContain('template_broken')
    const nothing = await preview(designOf({ ...products, product_ids: [gone] }))
    expect(nothing.findings).toContainEqual(expect.objectContaining({ code: 'placeholder_left', block: 'goods' }))
  })

  test('says in which block a template is broken', async () => {
    const { findings } = await preview(designOf(text('fine', '<p>x</p>'), text('sick', '<p>{% if %}</p>')))
    expect(findings).toContainEqual(expect.objectContaining({ code: 'template_broken', block: 'sick' }))
  })
})

describe('whatever is typed into blocks', () => {
  const hostile = [
    '</mj-text>',
    '<mj-include path="/etc/passwd"/>',
    ']]>',
    '<![CDATA[',
    '"',
    '<',
    '&lt;',
    '{{',
    '{%',
    '--',
    '<!--',
    '<!--[if mso]>',
    // A comment to a browser, which ends with the bracket.
    '<![CDATA[<script>',
    '<?<script>',
    '<script>',
    '<style>',
    '<textarea>',
    '<plaintext>',
    "<a href='x",
    '<a href="x',
    '</div>',
    'okKept.PGI-.',
    '\n',
    'あ',
  ]
  const typed = fc
    .array(fc.oneof(fc.constantFrom(...hostile), fc.string({ maxLength: 8 })), { maxLength: 12 })
    .map((all) => all.join('').replaceAll('\0', '').toWellFormed())

  test('it makes a mail, and stands in its texts alone', async () => {
    await fc.assert(
      fc.asyncProperty(typed, typed, async (one, other) => {
        const blocks: Block[] = [
          { ...base, id: 'head', kind: 'heading', text: one, size: 'large', align: 'left', color: null },
          text('word', other),
          { ...base, id: 'code', kind: 'code', html: one },
          text('last', '<p>最後まで届く</p>'),
        ]
        const { html, text: plain, findings } = await preview(designOf(...blocks))
        // The plain text is made from what a mail program shows: what was swallowed is not in it.
        if (!findings.some(({ code }) => code.startsWith('template_'))) {
          expect(plain).toContain('最後まで届く')
          expect(plain).toContain('東京都渋谷区1-2-3')
        }
        // What the server wrote as MJML was read as that.
        expect(html).not.toMatch(/<\/?mj-(?:section|column|wrapper|body)/)
        expect(html).not.toContain('root:')
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    '<!--',
    '<!--[if mso]>',
    '<script>',
    // Read as a script that does not end where it is ended.
    '<script><!--<script>',
    '<style>',
    '<textarea>',
    '<title>',
    '<plaintext>',
    "<a href='x",
    '<a href="x',
    '<mj-raw>',
    '</mj-text>',
    '{{ "</mj-text>" }}',
  ])('%s in a block of HTML hides nothing that follows', async (html) => {
    const { text: plain, findings } = await preview(
      designOf({ ...base, id: 'code', kind: 'code', html }, text('last', '<p>最後まで届く</p>')),
    )
    expect(plain).toContain('最後まで届く')
    expect(plain).toContain('東京都渋谷区1-2-3')
    expect(findings.map(({ code }) => code)).not.toContain('no_unsubscribe_link')
  })

  test('nothing in a component hides what follows it, nor in one that stands within it', async () => {
    const { email_component: inner } = await merchant.call(components.createEmailComponent, { body: { name: 'inner' } })
    const { email_component: outer } = await merchant.call(components.createEmailComponent, { body: { name: 'outer' } })
    const put = (id: string, content: string) =>
      merchant.call(components.changeEmailComponent, { params: { id }, body: { content } }).then(
        () => true,
        // Liquid that cannot be read is not saved.
        () => false,
      )
    await fc.assert(
      fc.asyncProperty(typed, typed, async (one, other) => {
        if (!(await put(inner.id, one)) || !(await put(outer.id, `${other}${inner.tag}`))) return
        const { text: plain, findings } = await preview(
          designOf({ ...base, id: 'part', kind: 'component', key: outer.key }, text('last', '<p>最後まで届く</p>')),
        )
        if (findings.some(({ code }) => code.startsWith('template_'))) return
        expect(plain).toContain('最後まで届く')
        expect(plain).toContain('東京都渋谷区1-2-3')
        expect(findings.map(({ code }) => code)).not.toContain('no_unsubscribe_link')
      }),
      {
        numRuns: 60,
        examples: [
          ['<!--', '<p>'],
          ['<p>', '<!--'],
          ['<a href="x', '<style>'],
          ['<plaintext>', ''],
        ],
      },
    )
  })

  test('a mail written as code keeps its components as they are: their halves may stand in two', async () => {
    const make = async (name: string, content: string) =>
      (await merchant.call(components.createEmailComponent, { body: { name, content } })).email_component.tag
    const [head, foot] = [await make('head', '<div title="x">\n<!-- 上'), await make('foot', '下 --></div>')]
    const { rendered } = await merchant.call(endpoints.previewEmail, {
      body: { subject: 'お知らせ', content: `<body>${head}中${foot}外</body>` },
    })
    expect(rendered.html).toContain('<!-- 上中下 --></div>外')
  })

  test('HTML that was not ended is, and keeps what it says', async () => {
    const { html, text: plain } = await preview(
      designOf({ ...base, id: 'code', kind: 'code', html: `<p>はじめ{{ "<" }}</p><!-- メモ` }),
    )
    expect(html).toContain('<p>はじめ&lt;</p><!-- メモ-->')
    expect(plain).not.toContain('メモ')
  })

  test('HTML that ends what it begins is kept as typed', async () => {
    const html = `<!--[if mso]><table><tr><td><![endif]-->\n\n<B Class='x'>{% if 2 > 1 %}はい{% endif %}</B>`
    const { content } = await create({ design: designOf({ ...base, id: 'code', kind: 'code', html }) })
    expect(content).toContain(html)
  })

  test('a tag works wherever it may be put, with what it says when there is nothing', async () => {
    const tag = `{{ customer.nothing | default: 'お客様' }}`
    const { html, findings } = await preview(
      designOf(
        text('word', '<p>{% if 2 &gt; 1 %}大きい{% endif %}{{ customer.nothing | default: "&amp;" }}</p>'),
        {
          ...base,
          id: 'hand',
          kind: 'button',
          label: tag,
          link: `https://shop.test/?n=${tag}&m=1`,
          align: 'left',
          wide: false,
          color: null,
        },
        {
          ...base,
          id: 'pict',
          kind: 'picture',
          url: 'https://shop.test/a.png',
          alt: tag.replaceAll("'", '"'),
          link: '',
          width: 100,
          align: 'left',
          wide: false,
        },
      ),
    )
    expect(findings.filter(({ level }) => level === 'blocks')).toEqual([])
    expect(html).toContain('大きい&amp;')
    expect(html).toContain('alt="お客様"')
    expect(html).toMatch(/href="[^"]*n=お客様&amp;m=1/)
  })

  test.each<[string, Record<string, unknown>]>([
    ['more blocks than there may be', { blocks: Array.from({ length: 101 }, (_, at) => text(`text${at}`, 'x')) }],
    ['two blocks of one name', { blocks: [text('same', 'x'), text('same', 'y')] }],
    ['an unknown block', { blocks: [{ id: 'what', kind: 'iframe' }] }],
    ['a colour that is none', { look: { ...firstLook, accent: 'red;}' } }],
    ['more text than a mail has', { blocks: [text('long', 'x'.repeat(20_001))] }],
  ])('%s is refused with its field', async (_, wrong) => {
    const refused = await refusal(create({ design: { ...designOf(), ...wrong } }))
    expect(refused).toMatchObject({ status: 400 })
    expect(Object.keys(refused.fields ?? {}).every((field) => field.startsWith('design'))).toBe(true)
  })
})
