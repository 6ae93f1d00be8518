import { NO_PARAMETERS } from '@okaeri/contract/campaigns/campaign'
import fs from 'node:fs'
import path from 'node:path'
import { LineMessageFields, type LineMessageContent } from '@okaeri/contract/line-messages/message'
import { PlatformMessage } from '@okaeri/contract/line-messages/platform'
import { lineSamples, sampleKeys } from '@okaeri/contract/line-messages/samples'
import { mapTexts, withTexts } from '@okaeri/contract/line-messages/texts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'
import { anyContent } from '../../../test/line-content.ts'
import { merchant, withOneMerchant } from '../../../test/with-okaeri.ts'
import { customerData, exampleCustomer, type MessageData, NO_EVENT } from '../email-rendering/index.ts'
import { openLineTemplate, prepareLineMessages } from './index.ts'
import { placeLinks } from './links.ts'

withOneMerchant()

const data = (last_name = '山田'): MessageData => ({
  ...NO_EVENT,
  event: {
    ...NO_EVENT.event,
    product_url: 'https://shop.example/products/tea',
    cancel_url: 'https://okaeri.example/r/x',
  },
  customer: { ...customerData(exampleCustomer.ja, 'ja'), last_name },
  store: { name: '店', url: 'https://shop.example', postal_address: '', contact_email: '', contact_phone: '' },
  sender: { name: '店', email: 'a@shop.example' },
  unsubscribe_url: 'https://okaeri.example/u/x',
  preferences_url: 'https://okaeri.test/pages/preferences?token=x',
  line: { link_url: 'https://shop.example/connect?chat=x' },
})
const prepare = (content: LineMessageContent, enabled = true) =>
  prepareLineMessages(merchant.scope(), content, {
    tracking: { enabled, parameters: NO_PARAMETERS },
    contentId: 'content',
  })
const linkTo = (position: number) => `https://okaeri.example/c/token-${position}`
/** What each of these people gets, as the platform reads it. */
const fill = async (content: LineMessageContent, names: string[] = ['山田'], enabled = true) => {
  const template = await openLineTemplate(merchant.scope(), await prepare(content, enabled))
  const filled = await template.fill(names.map((name) => ({ data: data(name), linkTo })))
  return filled.map((one) =>
    'failure' in one ? one : { messages: JSON.parse(one.json) as unknown[], words: one.words },
  )
}
const textOf = (text: string): LineMessageContent => ({ messages: [{ type: 'text', text }], quick_replies: [] })

test('what is equal for all is not personal; a tag or a tracked link makes it so', async () => {
  expect(await prepare(textOf('こんにちは'))).toMatchObject({ isPersonal: false, links: [] })
  expect(await prepare(textOf('{{ customer.greeting }}'))).toMatchObject({ isPersonal: true })
  expect(await prepare(textOf('https://shop.example/'))).toMatchObject({ isPersonal: true })
  expect(await prepare(textOf('https://shop.example/'), false)).toMatchObject({ isPersonal: false, links: [] })
  expect((await prepare(textOf('{{ coupon.code }}'))).uses).toEqual({ event: false, coupon: true })
})

test('links of every kind are numbered in their order, with medium line; others stay', async () => {
  const uri = (address: string) => ({ type: 'uri' as const, label: '見る', uri: address })
  const content: LineMessageContent = {
    messages: [
      { type: 'text', text: '新作はこちらhttps://shop.example/a?x=1。電話は tel:03 です' },
      {
        type: 'buttons',
        alt_text: 'x',
        image_url: '',
        image_ratio: 'rectangle',
        image_fit: 'cover',
        title: '',
        text: 'x',
        link_url: 'https://shop.example/b',
        actions: [uri('https://shop.example/c#d'), uri('tel:0312345678')],
      },
    ],
    quick_replies: [uri('https://shop.example/e?utm_source=own')],
  }
  const { links, messages } = await prepare(content)
  expect(links).toEqual([
    'https://shop.example/a?x=1&utm_source=okaeri&utm_medium=line&utm_content=content',
    'https://shop.example/b?utm_source=okaeri&utm_medium=line&utm_content=content',
    'https://shop.example/c?utm_source=okaeri&utm_medium=line&utm_content=content#d',
    'https://shop.example/e?utm_source=own&utm_medium=line&utm_content=content',
  ])
  expect(JSON.stringify(messages)).toContain('tel:0312345678')
  const [one] = await fill(content)
  expect(JSON.stringify(one)).toContain('新作はこちらhttps://okaeri.example/c/token-0。')
})

test('an emoji keeps its place behind a link', async () => {
  const [one] = await fill(
    textOf('https://shop.example/ {{ customer.last_name }} [emoji:5ac1bfd5040ab15980c9b435:001]'),
  )
  const text = 'https://okaeri.example/c/token-0 山田 $'
  expect(one).toMatchObject({ messages: [{ text, emojis: [{ index: text.indexOf('$') }] }] })
})

test('each person gets their own words; a value changes neither the JSON nor an address around it', async () => {
  const odd = '"}],"x":[{山 田&\u0001L0\u0001'
  const [one, other] = await fill(
    {
      messages: [
        { type: 'text', text: '{{ customer.last_name }}様 [emoji:5ac1bfd5040ab15980c9b435:001]' },
        {
          type: 'flex',
          alt_text: '{{ customer.last_name }}',
          json: '{"type":"bubble","body":{"type":"box","layout":"vertical","contents":[{"type":"text","text":"{{ customer.last_name }}","action":{"type":"uri","uri":"https://shop.example/?n={{ customer.last_name }}"}}]}}',
        },
      ],
      quick_replies: [],
    },
    ['鈴木', odd],
  )
  expect(one).toMatchObject({
    messages: [
      { text: '鈴木様 $', emojis: [{ index: 4, productId: '5ac1bfd5040ab15980c9b435', emojiId: '001' }] },
      { altText: '鈴木', contents: { body: { contents: [{ text: '鈴木' }] } } },
    ],
  })
  expect(JSON.stringify(one)).toContain('https://shop.example/?n=%E9%88%B4%E6%9C%A8')
  expect(other).toMatchObject({
    messages: [{}, { contents: { body: { contents: [{ text: '"}],"x":[{山 田&L0' }] } } }],
  })
})

test('what was made ready once says to each person what it would say made for them alone', async () => {
  await fc.assert(
    fc.asyncProperty(anyContent, async (content) => {
      const prepared = await prepare(content)
      const people = ['one', 'other'].map((token) => ({
        data: data(),
        linkTo: (position: number) => `https://okaeri.example/c/${token.padStart(9, '_')}-${position}`,
      }))
      const filled = await (await openLineTemplate(merchant.scope(), prepared)).fill(people)
      for (const [at, one] of filled.entries())
        if ('json' in one)
          expect(JSON.parse(one.json)).toEqual(
            withTexts(prepared.messages, [], (text) => placeLinks(text, people[at]?.linkTo ?? linkTo)),
          )
    }),
    { numRuns: 60 },
  )
})

test('where values alone stand in it, also ones with a default, no thread is asked for each person', async () => {
  const calls = async (text: string) => {
    const template = await openLineTemplate(merchant.scope(), await prepare(textOf(text)))
    const run = vi.spyOn(merchant.scope().context.threads, 'run')
    const [one] = await template.fill([{ data: data(''), linkTo }])
    const asked = run.mock.calls.length
    run.mockRestore()
    return [asked, one]
  }
  const said = (text: string) => expect.objectContaining({ json: JSON.stringify([{ type: 'text', text }]) }) as unknown
  expect(await calls("{{ customer.last_name | default: 'お客' }}様")).toEqual([0, said('お客様')])
  expect(await calls('https://shop.example/')).toEqual([0, said('https://okaeri.example/c/token-0')])
  expect(await calls('{% if customer.last_name == "" %}お客{% endif %}様')).toEqual([1, said('お客様')])
})

test('a text that is too long or empty only after filling in fails for that person alone', async () => {
  const confirm: LineMessageContent = {
    messages: [
      {
        type: 'confirm',
        alt_text: 'x',
        text: '{{ customer.last_name }}',
        actions: [
          { type: 'message', label: 'はい', text: 'はい' },
          { type: 'message', label: 'いいえ', text: 'いいえ' },
        ],
      },
    ],
    quick_replies: [],
  }
  const family = '👨‍👩‍👧‍👦'
  expect(await fill(confirm, [family.repeat(240), family.repeat(241), '', '山田'])).toEqual([
    expect.objectContaining({ messages: expect.anything() as unknown }),
    { failure: 'messages.0.template.text: too_long', isTooCostly: false },
    { failure: 'messages.0.template.text: required', isTooCostly: false },
    expect.objectContaining({ messages: expect.anything() as unknown }),
  ])
})

test('values longer than any message fail for that person alone', async () => {
  const failure = { failure: expect.stringMatching(/longer than any/) as unknown, isTooCostly: false }
  expect(
    await fill(textOf('{{ customer.last_name }}'.repeat(3)), ['x'.repeat(100_001), 'x'.repeat(99_000), '山田']),
  ).toEqual([failure, failure, expect.objectContaining({ words: '山田山田山田' })])
})

test('a template that costs too much, or cannot be read, fails and holds up nothing', async () => {
  const costly =
    '{% for i in (1..1000) %}{% for j in (1..1000) %}{% for k in (1..1000) %}x{% endfor %}{% endfor %}{% endfor %}'
  for (const source of [costly, '{% if %}', '{{ x | raw }}'])
    expect(await fill(textOf(source), ['a'])).toEqual([
      { failure: expect.stringMatching(/./) as unknown, isTooCostly: source === costly },
    ])
})

test('escapes in Flex bring in no half characters and no signs that steer', async () => {
  const json =
    '{"type":"bubble","body":{"type":"box","layout":"vertical","contents":[{"type":"text","text":"a\\u0000\\ud800\\u0001L0\\u0001b"}]}}'
  const [one] = await fill({ messages: [{ type: 'flex', alt_text: 'x', json }], quick_replies: [] })
  expect(one).toMatchObject({ messages: [{ contents: { body: { contents: [{ text: 'a\ufffdL0b' }] } } }] })
})

const reference = path.join(
  import.meta.dirname,
  '../../../../../shared/reference/line/messaging-api.strict.schema.json',
)
const isThere = fs.existsSync(reference)
const ajv = new Ajv2020({ strict: false })
beforeAll(() => {
  if (!isThere) return
  addFormats.default(ajv)
  ajv.addSchema(JSON.parse(fs.readFileSync(reference, 'utf8')) as object, 'api')
})
const graphemes = new Intl.Segmenter('ja', { granularity: 'grapheme' })
/** A schema counts code points. Where the platform counts what people take for one character, that is one here as well. */
const folded = (text: string): string =>
  [...graphemes.segment(text)].map(({ segment }) => String.fromCodePoint(segment.codePointAt(0) ?? 0)).join('')
const schemaProblems = (messages: unknown): unknown => {
  const validate = ajv.getSchema('api#/$defs/PushMessageRequest')
  if (!validate) throw new Error('the schema has no PushMessageRequest')
  return validate({ to: `U${'0'.repeat(32)}`, messages: mapTexts(messages, folded) }) ? null : validate.errors
}

test.skipIf(!isThere)('whatever may be saved is what the platform takes, prepared and filled in', async () => {
  await fc.assert(
    fc.asyncProperty(anyContent, fc.boolean(), async (content, isTracked) => {
      expect(LineMessageFields.messages.safeParse(content.messages).error).toBeUndefined()
      expect(LineMessageFields.quick_replies.safeParse(content.quick_replies).error).toBeUndefined()
      const [one] = await fill(content, ['山田'], isTracked)
      if (!one || 'failure' in one) {
        // An address in a text may become longer than there is room for.
        expect(one?.failure).toMatch(/^messages\.\d\.text: too_long$/)
        return
      }
      expect(schemaProblems(one.messages)).toBeNull()
    }),
    { numRuns: 60 },
  )
})

test('every sample can be sent as it is', async () => {
  for (const key of sampleKeys)
    for (const language of ['ja', 'en'] as const) {
      const { content } = lineSamples[key][language]
      expect(LineMessageFields.messages.safeParse(content.messages).error, key).toBeUndefined()
      const [one] = await fill(content)
      expect(one, key).toHaveProperty('messages')
      for (const message of (one as { messages: unknown[] }).messages)
        expect(PlatformMessage.safeParse(message).error, key).toBeUndefined()
      if (isThere) expect(schemaProblems((one as { messages: unknown[] }).messages), key).toBeNull()
    }
})
