import { errorStatus } from '@okaeri/contract/errors'
import { beforeAll, describe, expect, test } from 'vitest'
import { okaeri, withOkaeri } from './with-okaeri.ts'
import { z } from 'zod'
import { everyEndpoint, goodTokenOf, makeWorld, requestOf, send, tokenOf, type World } from './every-endpoint.ts'

/** The parts of OpenAPI 3.1 that this description uses; anything else in it is a mistake. */
const JsonSchema = z.record(z.string(), z.unknown())
const Content = z.record(z.string(), z.strictObject({ schema: JsonSchema }))
const Operation = z.strictObject({
  operationId: z.string().regex(/^\w+$/),
  summary: z.string().min(5),
  tags: z.array(z.string()).length(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z
    .array(
      z.strictObject({
        name: z.string(),
        in: z.enum(['path', 'query']),
        required: z.boolean(),
        description: z.string().optional(),
        schema: JsonSchema,
      }),
    )
    .default([]),
  requestBody: z.strictObject({ required: z.boolean(), content: Content }).optional(),
  responses: z.record(
    z.string().regex(/^([1-5]\d\d|[45]XX)$/),
    z.strictObject({
      description: z.string(),
      content: Content.optional(),
      headers: z.record(z.string(), z.strictObject({ description: z.string(), schema: JsonSchema })).optional(),
    }),
  ),
})
type Operation = z.output<typeof Operation>
const Description = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({ title: z.string(), version: z.string(), description: z.string() }),
  components: z.strictObject({
    securitySchemes: z.record(z.string(), JsonSchema),
    schemas: z.record(z.string(), JsonSchema),
  }),
  paths: z.record(
    z.string().startsWith('/'),
    z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), Operation),
  ),
})

let text: string
let described: z.output<typeof Description>
withOkaeri()
beforeAll(async () => {
  text = await (await fetch(`${okaeri.url}/openapi.json`)).text()
  described = Description.parse(JSON.parse(text))
})

const entries = everyEndpoint().map((entry) => [entry.key, entry] as const)
function operationOf({ method, path }: { method: string; path: string }): Operation {
  const operation = described.paths[path]?.[method.toLowerCase() as 'get']
  if (!operation) throw new Error(`${method} ${path} is not described`)
  return operation
}
/** The described schema as something that checks; what it refers to stands beside it, and nothing else: reading all of it takes longer. */
function checker(schema: z.output<typeof JsonSchema>): z.ZodType {
  const $defs: Record<string, unknown> = {}
  const addReferred = (part: unknown): void => {
    for (const name of referredIn(JSON.stringify(part)))
      if (!Object.hasOwn($defs, name)) addReferred(($defs[name] = described.components.schemas[name]))
  }
  addReferred(schema)
  const whole = JSON.stringify({ ...schema, $defs })
  return z.fromJSONSchema(
    JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')) as Parameters<typeof z.fromJSONSchema>[0],
  )
}
const referredIn = (part: string): string[] =>
  [...part.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name)

test('it describes every endpoint and nothing else, each under a name of its own', () => {
  const operations = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      key: `${method.toUpperCase()} ${path}`,
      operationId,
    })),
  )
  expect(operations.map(({ key }) => key).sort()).toEqual(entries.map(([key]) => key).sort())
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
})

test('what it refers to is there, and nothing is there that nothing refers to', () => {
  expect(new Set(referredIn(text))).toEqual(new Set(Object.keys(described.components.schemas)))
})

describe('an endpoint is described with what it takes and answers', () => {
  test.for(entries)('%s', ([, { endpoint }]) => {
    const { parameters, requestBody, responses, security } = operationOf(endpoint)
    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(parameters.filter((one) => one.in === 'path').map(({ name, required }) => [name, required])).toEqual(
      inPath.map((name) => [name, true]),
    )
    expect(parameters.some((one) => one.in === 'query')).toBe(endpoint.query !== undefined)
    const types = {
      json: ['application/json'],
      form: ['application/x-www-form-urlencoded', 'multipart/form-data'],
      raw: ['*/*'],
      stream: ['*/*'],
      multipart: ['multipart/form-data'],
    }
    expect(Object.keys(requestBody?.content ?? {})).toEqual(
      endpoint.bodyKind === 'none' ? [] : types[endpoint.bodyKind],
    )
    expect(Object.keys(responses)).toEqual([String(endpoint.status), '4XX', '5XX'])
    expect(responses['4XX']?.content?.['application/json']).toEqual({ schema: { $ref: '#/components/schemas/Error' } })
    expect(security.length > 0).toBe(endpoint.access !== 'public')
    const answered = {
      json: 'application/json',
      page: 'text/html',
      file: endpoint.mediaTypes,
      redirect: null,
      empty: null,
    }
    const type = answered[endpoint.replyKind]
    expect(Object.keys(responses[endpoint.status]?.content ?? {})).toEqual(type === null ? [] : [type].flat())
  })
})

describe('a real answer is what is described', () => {
  let untouched: World
  beforeAll(async () => {
    untouched = await makeWorld(okaeri, await okaeri.merchant())
  })
  test.for(entries)('%s', async ([, { endpoint, feed }]) => {
    const world = endpoint.method === 'GET' ? untouched : await makeWorld(okaeri, await okaeri.merchant())
    const request = await requestOf(feed, world)
    const { responses, requestBody } = operationOf(endpoint)
    const given =
      requestBody?.content[endpoint.bodyKind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json']
    if (given && request.body !== undefined)
      expect(checker(given.schema).safeParse(request.body).error?.message).toBeUndefined()

    const token = await goodTokenOf(world, endpoint)
    const { status, type, json, headers } = await send(okaeri, endpoint, request, token)
    expect(status).toBe(feed.status ?? endpoint.status)
    const kind = status >= 500 ? '5XX' : status >= 400 ? '4XX' : String(status)
    const content = responses[kind]?.content
    if (!content) {
      if (endpoint.replyKind === 'redirect') expect(headers.get('location')).toBeTruthy()
      return
    }
    const schema = content[type.split(';')[0] ?? '']?.schema
    expect(schema).toBeDefined()
    if (json !== undefined && schema) expect(checker(schema).safeParse(json).error?.message).toBeUndefined()
  })

  test('a file of JSON too', async () => {
    const world = untouched
    const exported = entries.find(([key]) => key === 'GET /customers/{id}/export')?.[1].endpoint
    if (!exported) throw new Error('there is no such endpoint')
    const request = { params: { id: world.ids.customer }, query: { format: 'json' } }
    const { status, json } = await send(okaeri, exported, request, tokenOf(world.merchant))
    expect([status, typeof json]).toEqual([200, 'object'])
    const schema = operationOf(exported).responses['200']?.content?.['application/json']?.schema
    expect(checker(schema ?? {}).safeParse(json).error?.message).toBeUndefined()
  })

  test('errors are of the codes described', async () => {
    const json: unknown = await (await fetch(`${okaeri.url}/nowhere`)).json()
    expect(checker(described.components.schemas['Error'] ?? {}).safeParse(json).success).toBe(true)
    expect(JSON.stringify(described.components.schemas['Error'])).toContain(JSON.stringify(Object.keys(errorStatus)))
  })
})
