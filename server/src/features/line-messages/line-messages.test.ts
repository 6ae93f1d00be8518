import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiError } from '@okaeri/contract/client'
import { deleteCampaign } from '@okaeri/contract/campaigns/routes'
import { lineLimits } from '@okaeri/contract/line-messages/limits'
import type { LineAction, LineMessagePart } from '@okaeri/contract/line-messages/message'
import {
  changeLineMessage,
  createLineMessage,
  deleteLineMessage,
  duplicateLineMessage,
  getLineMessage,
  listLineMessages,
  listLineSamples,
  previewLineTexts,
} from '@okaeri/contract/line-messages/routes'
import { expect, test } from 'vitest'
import { aCampaign } from '../../../test/builders/campaign.ts'
import { aCustomer } from '../../../test/builders/customer.ts'
import { aLineMessage } from '../../../test/builders/line-message.ts'
import { connectLine, openLineAccount } from '../../../test/line-platform.ts'
import { addScenario, flowOf } from '../../../test/scenarios.ts'
import { eachWithMerchant, EMPTY, merchant, okaeri, withSandbox } from '../../../test/with-okaeri.ts'
import { createLine } from '../../integrations/line/index.ts'
import { updateScenario } from '../flows/queries.ts'
import { findLineMessage } from './index.ts'

withSandbox({ seed: EMPTY })
eachWithMerchant()

const create = (messages: unknown[], quick_replies: LineAction[] = []) =>
  merchant.call(createLineMessage, {
    body: { name: 'お知らせ', messages: messages as LineMessagePart[], quick_replies },
  })
const problemsOf = (call: Promise<unknown>) =>
  call.then(
    () => 'saved',
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      return Object.keys(error.fields).length > 0 ? error.fields : error.reason
    },
  )
const text = (words: string): LineMessagePart => ({ type: 'text', text: words })
const say: LineAction = { type: 'message', label: 'はい', text: 'はい' }
const card = { image_url: '', title: '', text: '本文', link_url: '', actions: [say] }
const buttons = { type: 'buttons', alt_text: '代替', image_ratio: 'square', image_fit: 'cover', ...card }
const carousel = (...columns: object[]) => ({
  type: 'carousel',
  alt_text: '代替',
  image_ratio: 'square',
  image_fit: 'cover',
  columns,
})
const flex = (contents: unknown) => ({
  type: 'flex',
  alt_text: '代替',
  json: typeof contents === 'string' ? contents : JSON.stringify(contents),
})
const box = (...contents: object[]) => ({ type: 'box', layout: 'vertical', contents })
const bubble = (...contents: object[]) => ({ type: 'bubble', body: box(...contents) })
const words = { type: 'text', text: '本文' }

test('a LINE message is written, listed, changed, copied and deleted', async () => {
  const { line_message, checked_by_line } = await create([text('{{ customer.greeting }}\nこんにちは'), buttons], [say])
  expect(checked_by_line).toBe('not_connected')
  expect(await merchant.call(listLineMessages, { query: { q: 'お知' } })).toMatchObject({
    total: 1,
    data: [{ id: line_message.id, types: ['text', 'buttons'], begin: 'こんにちは' }],
  })
  const params = { id: line_message.id }
  const changed = await merchant.call(changeLineMessage, { params, body: { messages: [text('さようなら')] } })
  expect(changed.line_message).toMatchObject({ messages: [text('さようなら')], quick_replies: [say] })
  const copy = await merchant.call(duplicateLineMessage, { params, body: { language: 'en' } })
  expect(copy.line_message).toMatchObject({ name: 'Copy of お知らせ', messages: [text('さようなら')] })
  expect(await findLineMessage(merchant.scope(), line_message.id)).toMatchObject({ quick_replies: [say] })
  await merchant.call(deleteLineMessage, { params })
  expect(await findLineMessage(merchant.scope(), line_message.id)).toBeNull()
  expect(await problemsOf(merchant.call(getLineMessage, { params }))).toBe('not_found')
  expect((await merchant.call(listLineMessages, {})).total).toBe(1)
})

test('a LINE message that a campaign or scenario sends cannot be deleted, and its page says which', async () => {
  const { id } = await aLineMessage(merchant)
  const send = {
    id: 'line',
    kind: 'send_line',
    settings: { line_message_id: id, tracking_parameters: null },
    next: { next: null },
  } as const
  const scenarioId = await addScenario(merchant.scope(), flowOf([send]), '入荷のお知らせ')
  const campaign = await aCampaign(merchant, {
    channels: 'line',
    line_message_id: id,
    email_id: null,
    name: '秋の便り',
  })
  expect((await merchant.call(getLineMessage, { params: { id } })).used_by).toEqual([
    { type: 'campaign', id: campaign.id, name: '秋の便り', status: 'draft' },
    { type: 'scenario', id: scenarioId, name: '入荷のお知らせ', status: 'active' },
  ])
  await expect(merchant.call(deleteLineMessage, { params: { id } })).rejects.toMatchObject({
    status: 409,
    reason: 'line_message_in_use',
    message: expect.stringContaining('秋の便り, 入荷のお知らせ'),
  })
  await updateScenario(merchant.scope(), scenarioId, { status: 'deleted' })
  await merchant.call(deleteCampaign, { params: { id: campaign.id } })
  await merchant.call(deleteLineMessage, { params: { id } })
})

test('what another member changed meanwhile is not overwritten', async () => {
  const { id } = await aLineMessage(merchant, [text('はじめ')])
  const change = (words: string, began: string) =>
    merchant.call(changeLineMessage, {
      params: { id },
      body: { messages: [text(words)], began: { messages: [text(began)] } },
    })
  await change('一人目', 'はじめ')
  expect(await problemsOf(change('二人目', 'はじめ'))).toBe('line_message_changed_meanwhile')
  await change('二人目', '一人目')
})

test('each mistake is shown at its field', async () => {
  const cases: [unknown[], Record<string, string>][] = [
    [[], { messages: 'required' }],
    [Array.from({ length: 6 }, () => text('x')), { messages: 'too_many' }],
    [[text(' ')], { 'messages.0.text': 'required' }],
    [[text('あ'.repeat(5001))], { 'messages.0.text': 'too_long' }],
    [[text('🌸'.repeat(2501))], { 'messages.0.text': 'too_long' }],
    [[text('a\u0000b')], { 'messages.0.text': 'control_characters' }],
    [[text('{% if %}')], { 'messages.0.text': 'template_syntax' }],
    [[{ type: 'video' }], { 'messages.0.type': 'not_allowed' }],
    [[{ ...buttons, text: 'あ'.repeat(161) }], { 'messages.0.text': 'too_long' }],
    [[{ ...buttons, title: '題', text: 'あ'.repeat(61) }], { 'messages.0.text': 'too_long' }],
    [[{ ...buttons, image_url: 'http://shop.example/a.jpg' }], { 'messages.0.image_url': 'not_a_url' }],
    [[{ ...buttons, actions: [{ ...say, label: 'あ'.repeat(21) }] }], { 'messages.0.actions.0.label': 'too_long' }],
    [[{ ...buttons, actions: [] }], { 'messages.0.actions': 'required' }],
    [
      [{ ...buttons, actions: [{ type: 'uri', label: '見る', uri: 'javascript:alert(1)' }] }],
      { 'messages.0.actions.0.uri': 'not_a_url' },
    ],
    [[{ type: 'confirm', alt_text: '代替', text: 'x', actions: [say] }], { 'messages.0.actions': 'required' }],
    [
      [carousel(card, { ...card, title: '題', actions: [say, say] })],
      { 'messages.0.columns.1.actions': 'not_as_many', 'messages.0.columns.1.title': 'all_or_none' },
    ],
    [
      [
        {
          type: 'image',
          image_url: 'https://shop.example/a.jpg',
          preview_url: '',
          link_url: 'https://shop.example/',
          ratio: '1:1',
          alt_text: '',
        },
      ],
      { 'messages.0.alt_text': 'required' },
    ],
    [
      [
        {
          type: 'image',
          image_url: 'https://shop.example/画像.jpg',
          preview_url: '',
          link_url: '',
          ratio: '1:1',
          alt_text: '',
        },
      ],
      { 'messages.0.image_url': 'not_a_url' },
    ],
    [[flex('{')], { 'messages.0.json': 'not_json' }],
    [[flex('[]')], { 'messages.0.json': 'flex_invalid' }],
    [[flex({ type: 'bubble' })], { 'messages.0.json': 'flex_invalid' }],
    [[flex(bubble({ ...words, colour: '#fff' }))], { 'messages.0.json': 'flex_invalid' }],
    [
      [flex('{"type":"bubble","body":{"type":"box","layout":"vertical","contents":[],"__proto__":{}}}')],
      { 'messages.0.json': 'flex_invalid' },
    ],
    [
      [flex({ type: 'carousel', contents: Array.from({ length: 13 }, () => bubble(words)) })],
      { 'messages.0.json': 'flex_invalid' },
    ],
    [[flex(bubble({ type: 'text', text: 'あ'.repeat(10_300) }))], { 'messages.0.json': 'too_large' }],
    [[flex(' '.repeat(100_001))], { 'messages.0.json': 'required' }],
    [
      [flex(bubble(Array.from({ length: 50 }).reduce<object>((inner) => box(inner), words)))],
      { 'messages.0.json': 'flex_too_deep' },
    ],
    [[flex('['.repeat(60_000))], { 'messages.0.json': 'not_json' }],
  ]
  for (const [messages, fields] of cases) expect(await problemsOf(create(messages))).toEqual(fields)
})

test('lengths are counted as LINE counts them: a family is one character of a button, and eleven of a text', async () => {
  const family = '👨‍👩‍👧‍👦'
  expect(await problemsOf(create([{ ...buttons, text: family.repeat(160) }]))).toBe('saved')
  expect(await problemsOf(create([text(family.repeat(454))]))).toBe('saved')
  expect(await problemsOf(create([text(family.repeat(455))]))).toEqual({ 'messages.0.text': 'too_long' })
  expect(await problemsOf(create([text(`{{ customer.greeting }}${'あ'.repeat(lineLimits.text - 1)}`)]))).toBe('saved')
})

test('LINE itself checks what is saved, where an account is connected; saving works also when LINE does not answer', async () => {
  await connectLine(merchant, await openLineAccount('青い店'))
  const { checked_by_line } = await create(
    [text('{{ customer.greeting }}'), carousel(card, card), flex(bubble(words))],
    [say],
  )
  expect(checked_by_line).toBe('accepted')
  const details = [{ message: 'may not be', property: 'messages[0].template.columns[1].thumbnailImageUrl' }]
  const refusing = http.createServer((_, response) => {
    response.writeHead(400, { 'content-type': 'application/json', 'x-line-request-id': 'r' })
    response.end(JSON.stringify({ message: 'The request body has 1 error(s)', details }))
  })
  await once(refusing.listen(0, '127.0.0.1'), 'listening')
  const { port } = refusing.address() as AddressInfo
  await withLineAt(`http://127.0.0.1:${port}`, async () => {
    expect(await problemsOf(create([carousel(card, card)]))).toEqual({
      'messages.0.columns.1.image_url': 'refused_by_line',
    })
  })
  refusing.close()
  await withLineAt('http://127.0.0.1:9', async () => {
    expect((await create([text('こんにちは')])).checked_by_line).toBe('away')
  })
})

async function withLineAt(url: string, run: () => Promise<void>): Promise<void> {
  const { line } = okaeri.context.integrations
  okaeri.context.integrations.line = createLine({ apiUrl: url, dataApiUrl: url, accessUrl: url })
  try {
    await run()
  } finally {
    await okaeri.context.integrations.line.close()
    okaeri.context.integrations.line = line
  }
}

test('texts are shown as a customer gets them; a broken one says so and keeps no other from being shown', async () => {
  const customer = await aCustomer(merchant, 'suzuki@example.com', { last_name: '鈴木' })
  const texts = ['{{ customer.last_name }}様', '{% if %}', 'そのまま']
  const answer = await merchant.call(previewLineTexts, { body: { texts, customer_id: customer.id } })
  expect(answer.texts).toEqual([
    { text: '鈴木様', problem: null },
    { text: null, problem: expect.stringContaining('1:') as unknown },
    { text: 'そのまま', problem: null },
  ])
  const costly =
    '{% for i in (1..1000) %}{% for j in (1..1000) %}{% for k in (1..1000) %}x{% endfor %}{% endfor %}{% endfor %}'
  expect((await merchant.call(previewLineTexts, { body: { texts: [costly] } })).texts[0]?.text).toBeNull()
  expect(await problemsOf(create([text(costly)]))).toEqual({ 'messages.0.text': 'template_syntax' })
})

test('every sample can be saved, in both languages', async () => {
  for (const language of ['ja', 'en'] as const)
    for (const { name, messages, quick_replies } of (await merchant.call(listLineSamples, { query: { language } }))
      .data)
      expect(
        (await merchant.call(createLineMessage, { body: { name, messages, quick_replies } })).line_message.name,
      ).toBe(name)
})
