import { type Block, Design } from '@okaeri/contract/emails/design'
import { firstLook } from '@okaeri/contract/emails/starter-design'
import * as components from '@okaeri/contract/emails/component-routes'
import * as endpoints from '@okaeri/contract/emails/routes'
import { reviewCampaign } from '@okaeri/contract/campaigns/routes'
import { starterKeys, starters } from '@okaeri/contract/emails/starters'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aCampaign } from '../../../test/builders/campaign.ts'
import { aSegment } from '../../../test/builders/segment.ts'
import { addCustomers } from '../../../test/fixtures.ts'
import { refusal } from '../../../test/refusal.ts'
import { EMPTY, merchant, okaeri, withSandboxStore } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'

withSandboxStore({ seed: EMPTY, connected: false })

const base = { space: 12, background: null, shown_to: null }
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
const preview = async (design: Design, customer_id?: string) =>
  (
    await merchant.call(endpoints.previewEmail, {
      body: { subject: 'お知らせ', design, ...(customer_id !== undefined && { customer_id }) },
    })
  ).rendered
const segmentOfOne = (email: string) =>
  aSegment(merchant, {
    type: 'condition',
    id: 'r',
    category: 'customer',
    name: 'email',
    operator: 'equals',
    value: email,
  })

describe('an email made of blocks', () => {
  test.each(starterKeys)('started for %s can be sent but for what the merchant has to choose', async (starter) => {
    for (const language of ['ja', 'en'] as const) {
      const email = await create({ type: 'VISUAL', starter, language, subject: starters[starter].subject[language] })
      expect(email).toMatchObject({ type: 'VISUAL', design: { language } })
      expect(Design.parse(email.design)).toEqual(email.design)
      const design = email.design as Design
      const { findings, html, text } = await preview(design)
      // A store without products has no new ones.
      const expected = ['placeholder_left', 'no_products_chosen']
      expect(findings.filter(({ code }) => !expected.includes(code))).toEqual([])
      const unchosen = design.blocks.filter(
        (block) =>
          block.kind === 'products' ||
          block.kind === 'coupon' ||
          (block.kind === 'product_rule' && block.rule === 'new'),
      )
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
      as_of: 'saving',
      sold_out: 'shown',
      shows_stock: false,
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

  test('shows a block to the members of a segment alone, or to all others, and both where no customer is chosen', async () => {
    const [inside, outside] = await addCustomers(merchant.scope(), [{ email: 'in@x.test' }, { email: 'out@x.test' }])
    const { id: segment_id } = await segmentOfOne('in@x.test')
    const members = { ...text('memb', '<p>会員の方へ</p>'), shown_to: { segment_id, who: 'members' } } as Block
    const others = { ...text('othr', '<p>はじめての方へ</p>'), shown_to: { segment_id, who: 'others' } } as Block
    const all = text('alll', '<p>みなさまへ</p>')
    const columns: Block = { ...base, id: 'cols', kind: 'columns', widths: [6, 6], columns: [[], []] }
    const within = { ...columns, columns: [[members], [others]] } as Block
    const onColour = [members, others, all].map((block) => ({ ...block, background: '#eeeeee' })) as Block[]
    expect((await preview(designOf(members))).findings).toMatchObject([{ code: 'segment_not_ready', block: 'memb' }])
    await okaeri.settle()
    for (const design of [designOf(members, others, all), designOf(within, all), designOf(...onColour)]) {
      const [nobody, member, other] = [
        await preview(design),
        await preview(design, inside),
        await preview(design, outside),
      ]
      expect(nobody.findings).toEqual([])
      for (const part of ['html', 'text'] as const) {
        expect(nobody[part]).toMatch(/会員の方へ[^]*はじめての方へ/)
        expect(member[part]).toContain('会員の方へ')
        expect(member[part]).not.toContain('はじめての方へ')
        expect(other[part]).toContain('はじめての方へ')
        expect(other[part]).not.toContain('会員の方へ')
        for (const seen of [nobody, member, other]) expect(seen[part]).toContain('みなさまへ')
        expect(member[part]).not.toContain('{%')
      }
    }
    const gone = { ...members, shown_to: { segment_id: newId(), who: 'members' } } as Block
    expect((await preview(designOf(all, gone, { ...all, id: 'last' } as Block))).findings).toMatchObject([
      { code: 'segment_gone', block: 'memb' },
    ])
    const swapped = { ...members, html: '<p>会員の方へ{% else %}</p>' } as Block
    expect((await preview(designOf(all, swapped))).findings).toContainEqual(
      expect.objectContaining({ code: 'template_broken', block: 'memb' }),
    )
    expect((await refusal(preview(designOf({ ...footer, shown_to: members.shown_to } as Block)))).code).toBe('invalid')
  })

  test('shows products as they are when it is sent, sold out ones as that or not at all, and finds one that is gone', async () => {
    const [many, none, gone] = [newId(), newId(), newId()]
    for (const [at, id] of [many, none].entries())
      await okaeri.context.db
        .insertInto('products')
        .values({
          merchant_id: merchant.id,
          id,
          store_product_id: 950 + at,
          title: at === 0 ? '<b>籠</b>' : '花器',
          search_text: 'x',
          handle: `basket-${at}`,
          status: 'ACTIVE',
          image_url: at === 0 ? 'https://cdn.example.com/a.jpg' : null,
          total_inventory: at === 0 ? 3 : 0,
          tags: [],
        })
        .execute()
    const products: Extract<Block, { kind: 'products' }> = {
      ...base,
      id: 'goods',
      kind: 'products',
      product_ids: [many, none],
      as_of: 'sending',
      columns: 2,
      shows_price: true,
      button: '見る',
      sold_out: 'shown',
      shows_stock: true,
    }
    const { html, text: plain, findings } = await preview(designOf(products))
    expect(findings).toEqual([])
    expect(plain).toMatch(/<b>籠<\/b>[^]*残り3点[^]*花器[^]*売り切れ/)
    expect(html).toContain('&lt;b&gt;籠')
    expect(html.match(/<img[^>]*cdn\.example\.com/g)).toHaveLength(1)
    expect(html).not.toMatch(/src=""|\{[{%]/)
    const left = await preview(designOf({ ...products, sold_out: 'left_out' }))
    expect(left.text).not.toContain('花器')
    expect((await preview(designOf(text('word', '<p>x</p>'), { ...products, product_ids: [gone] }))).findings).toEqual([
      expect.objectContaining({ code: 'product_gone', block: 'goods' }),
    ])
    const design = designOf(products)
    const email = await create({ design })
    expect(email.content).toContain(`{% product "${many}" %}`)
    expect((await change(email.id, { design: null })).content).toBe(email.content)
  })

  test('shows products by a rule, each in a card of its own', async () => {
    const rule: Block = {
      ...base,
      id: 'rule',
      kind: 'product_rule',
      rule: 'new',
      count: 2,
      otherwise: 'nothing',
      leaves_out_bought: false,
      excluded_ids: [],
      columns: 2,
      shows_price: true,
      shows_stock: false,
      button: '見る',
    }
    await okaeri.context.db.deleteFrom('products').where('merchant_id', '=', merchant.id).execute()
    expect((await preview(designOf(rule))).findings).toMatchObject([{ code: 'no_products_chosen', block: 'rule' }])
    for (const number of [1, 2, 3])
      await okaeri.context.db
        .insertInto('products')
        .values({
          merchant_id: merchant.id,
          id: newId(),
          store_product_id: 980 + number,
          title: `籠${number}`,
          search_text: 'x',
          handle: `basket-${number}`,
          image_url: 'https://cdn.example.com/a.jpg',
          tags: [],
        })
        .execute()
    const { html, text: plain, findings } = await preview(designOf(rule))
    expect(findings).toEqual([])
    expect(plain).toMatch(/籠3[^]*籠2/)
    expect(plain).not.toContain('籠1')
    expect(html.match(/<img[^>]*cdn\.example\.com/g)).toHaveLength(2)
    expect(html).not.toMatch(/\{[{%]/)
  })

  test('says of a coupon until when it can be used, and not at all after that day', async () => {
    const coupon = {
      ...base,
      id: 'coup',
      kind: 'coupon',
      title: 'クーポン',
      source: 'typed',
      code: 'AIZOME10',
      ends_on: '2000-01-31',
      note: '',
    } as const
    const late = await preview(designOf(coupon))
    expect(late.findings).toContainEqual(
      expect.objectContaining({ code: 'coupon_expired', block: 'coup', level: 'blocks' }),
    )
    const fine = await preview(designOf({ ...coupon, ends_on: '2999-01-31' }))
    expect(fine.findings).toEqual([])
    expect(fine.text).toMatch(/AIZOME10[^]*有効期限：2999年1月31日まで/)
    const issued = await preview(designOf({ ...coupon, source: 'scenario', code: '' }))
    expect(issued.text).toMatch(/10%OFF[^]*OBK7K3PX9WM[^]*¥5,000以上のお買い上げ[^]*有効期限：/)
  })

  test('lists what was ordered with its sums, as an example; a campaign with it is not sent, and its block is named', async () => {
    const items: Block = { ...base, id: 'item', kind: 'event_items', shows_pictures: true, shows_prices: true }
    const { text: plain, html, findings } = await preview(designOf(items))
    expect(findings).toEqual([])
    expect(plain).toMatch(
      /リネンのシャツ[^]*¥4,800[^]*コーヒーカップ[^]*¥7,000[^]*小計[^]*¥11,800[^]*¥1,000[^]*合計[^]*¥12,800/,
    )
    expect(html).not.toMatch(/\{[{%]/)
    const email = await create({ design: designOf(text('word', '<p>x</p>'), items) })
    const campaign = await aCampaign(merchant, { email_id: email.id })
    const { review } = await merchant.call(reviewCampaign, { params: { id: campaign.id } })
    expect(review.findings).toContainEqual(expect.objectContaining({ code: 'needs_scenario', block: 'item' }))
  })

  test('kept before a field was there has the default of it, and is no other design than the one a page began from', async () => {
    const email = await create({ design: designOf(text('word', '<p>一</p>')) })
    const { shown_to: _, ...before } = (email.design as Design).blocks[0] as Block
    await okaeri.context.db
      .updateTable('emails')
      .set({ design: JSON.stringify({ ...email.design, blocks: [before, footer] }) })
      .where('merchant_id', '=', merchant.id)
      .where('id', '=', email.id)
      .execute()
    const { design } = (await merchant.call(endpoints.getEmail, { params: { id: email.id } })).email
    expect(design).toEqual(email.design)
    const next = designOf(text('word', '<p>二</p>'))
    expect((await change(email.id, { design: next, began: { design: design as Design } })).content).toContain('二')
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
    '{% else %}',
    '{% endonly_for %}',
    '{% endproduct %}',
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
          { ...text('word', other), shown_to: { segment_id: newId(), who: 'others' } } as Block,
          { ...text('memb', one), shown_to: { segment_id: newId(), who: 'members' } } as Block,
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
          // Closed by itself, it is open again within a script.
          ['<a href="x<!--<script>"</mj-text>', '<![CDATA[<script>'],
          ['<a href="x<!--<script>"></a>', '<script>'],
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
