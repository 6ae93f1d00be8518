import fs from 'node:fs'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { requests } from './shapes/request-shapes.ts'
import { isObject, problemsOf, type Shape } from './shapes/shapes.ts'

const reference = path.join(import.meta.dirname, '../../../../shared/reference/line')
const shapes: Record<string, Shape> = {
  PushMessageRequest: requests.push,
  MulticastRequest: requests.multicast,
  ValidateMessageRequest: requests.validate,
  RichMenuRequest: requests.richMenu,
  CreateRichMenuAliasRequest: requests.alias,
  RichMenuBulkLinkRequest: requests.bulkLink,
  RichMenuBatchRequest: requests.batch,
  SetWebhookEndpointRequest: requests.webhookEndpoint,
}
interface Sample {
  name: string
  schema: string
  valid: boolean
  body: unknown
}
const isThere = fs.existsSync(path.join(reference, 'samples.json'))
const read = (name: string) => JSON.parse(fs.readFileSync(path.join(reference, name), 'utf8'))
const samples: Sample[] = isThere
  ? (read('samples.json') as { requests: Sample[] }).requests.filter(({ schema }) => shapes[schema])
  : []
const taken = ({ schema }: Sample, body: unknown) => problemsOf(shapes[schema] as Shape, body).length === 0

/** The body with one thing in it changed: for each place, in each of these ways. */
function* spoiled(value: unknown): Generator<unknown> {
  for (const other of [null, 12.5, true, '', 'x'.repeat(6000), [], {}]) yield other
  if (Array.isArray(value)) {
    for (const [index, item] of value.slice(0, 3).entries())
      for (const each of spoiled(item)) yield value.with(index, each)
    yield Array.from({ length: 1001 }, () => value[0])
  } else if (isObject(value)) {
    yield { ...value, unheardOf: 1 }
    for (const [name, item] of Object.entries(value)) {
      const { [name]: _without, ...others } = value
      yield others
      for (const each of spoiled(item)) yield { ...value, [name]: each }
    }
  }
}

describe.skipIf(!isThere)('the platform’s own schema', () => {
  test.each(samples)('$name', (sample) => {
    expect(problemsOf(shapes[sample.schema] as Shape, sample.body).length === 0).toBe(sample.valid)
  })

  test('nothing is taken here that the schema refuses', () => {
    const ajv = new Ajv2020({ strict: false })
    addFormats.default(ajv)
    ajv.addSchema(read('messaging-api.strict.schema.json') as object, 'api')
    const wronglyTaken: string[] = []
    let count = 0
    for (const sample of samples.filter(({ valid }) => valid)) {
      const validate = ajv.getSchema(`api#/$defs/${sample.schema}`)
      if (!validate) throw new Error(`no ${sample.schema}`)
      for (const body of spoiled(sample.body)) {
        count += 1
        if (taken(sample, body) && !validate(body))
          wronglyTaken.push(
            `${sample.name}: ${JSON.stringify(validate.errors?.[0])} ${JSON.stringify(body).slice(0, 300)}`,
          )
      }
    }
    expect(wronglyTaken).toEqual([])
    expect(count).toBeGreaterThan(1000)
  })
})

describe('what the schema does not say', () => {
  const push = (message: unknown) => problemsOf(requests.push, { to: 'U1', messages: [message] })
  const go = { type: 'uri', label: 'Go', uri: 'https://shop.example/' }

  test('lengths are counted in UTF-16 units, and in graphemes where the platform says so', () => {
    expect(push({ type: 'text', text: '🎉'.repeat(2500) })).toEqual([])
    expect(push({ type: 'text', text: '🎉'.repeat(2501) })).toEqual([
      { message: 'Length must be between 1 and 5000', property: 'messages[0].text' },
    ])
    const confirm = (text: string) =>
      push({ type: 'template', altText: 'a', template: { type: 'confirm', text, actions: [go, go] } })
    expect(confirm('👨‍👩‍👧'.repeat(240))).toEqual([])
    expect(confirm('👨‍👩‍👧'.repeat(241))).toMatchObject([{ property: 'messages[0].template.text' }])
  })

  test('columns of a carousel are alike', () => {
    const carousel = (...columns: object[]) =>
      push({ type: 'template', altText: 'a', template: { type: 'carousel', columns } })
    expect(carousel({ text: '1', actions: [go] }, { text: '2', actions: [go] })).toEqual([])
    expect(carousel({ text: '1', actions: [go] }, { text: '2', title: 't', actions: [go, go] })).toMatchObject([
      { property: 'messages[0].template.columns[1].actions' },
      { property: 'messages[0].template.columns[1].title' },
    ])
  })

  test('an emoji needs its placeholder', () => {
    const emojis = [{ index: 0, productId: '5ac1bfd5040ab15980c9b435', emojiId: '001' }]
    expect(push({ type: 'text', text: '$ hi', emojis })).toEqual([])
    expect(push({ type: 'text', text: 'hi $', emojis })).toMatchObject([{ property: 'messages[0].emojis[0].index' }])
  })

  test('a bubble is 30 KB or less, and names what is wrong deep inside it', () => {
    const bubble = (...contents: object[]) =>
      push({
        type: 'flex',
        altText: 'a',
        contents: { type: 'bubble', body: { type: 'box', layout: 'vertical', contents } },
      })
    expect(bubble({ type: 'text', text: 'x'.repeat(30_000) })).toEqual([])
    expect(bubble({ type: 'text', text: 'x'.repeat(31_000) })).toMatchObject([{ property: 'messages[0].contents' }])
    expect(bubble({ type: 'box', layout: 'baseline', contents: [{ type: 'text', text: 'x', color: 'red' }] })).toEqual([
      { message: 'invalid value', property: 'messages[0].contents.body.contents[0].contents[0].color' },
    ])
  })
})
