import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { Endpoint } from '@okaeri/contract/endpoint'
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'

/** How `/openapi.json` is made from the contract: what the schemas of bodies and answers cannot say is added here. */
export const description: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Okaeri',
      version: '0.1.0',
      description: 'The API of Okaeri. Errors are answered as the schema Error.',
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        operator: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Operator-Key',
          description: 'Not needed on the machine itself in the sandbox.',
        },
      },
    },
  },
  transform: (document) => {
    const described = schemaTransform(document)
    const endpoint = document.route.config?.endpoint
    if (!endpoint || !described.schema || described.schema.hide) return described
    const { response, ...schema } = described.schema
    return { ...described, schema: { ...schema, ...describeEndpoint(endpoint, (response ?? {}) as Schemas) } }
  },
  transformObject: (document) => {
    const made = jsonSchemaTransformObject(document) as Description
    for (const path of Object.values(made.paths ?? {}))
      for (const { requestBody } of Object.values(path))
        if (requestBody)
          requestBody.required = !Object.values(requestBody.content).some(({ schema }) => mayBeLeftOut(schema))
    return { ...made, components: { ...made.components, schemas: usedSchemas(made) } } as ReturnType<
      typeof jsonSchemaTransformObject
    >
  },
}

const schemaTransform = createJsonSchemaTransform({})

type Json = Record<string, unknown>
type Schemas = Record<string, Json>
interface Description {
  paths?: Record<
    string,
    Record<string, { requestBody?: { required: boolean; content: Record<string, { schema: Json }> } }>
  >
  components: { schemas?: Schemas }
}

const HTML = { 'text/html': { schema: { type: 'string' } } }
/** A file of JSON is read as what it holds, every other as text. */
const FILE_SCHEMA: Record<string, Json> = { 'application/json': { type: 'object' } }
const PROBLEM = { '4xx': 'Refused, and why', '5xx': 'A fault of ours, or of a service we asked' }

function describeEndpoint(endpoint: Endpoint, response: Schemas): Json {
  const error = { 'application/json': { schema: response['4xx'] } }
  const content = endpoint.replyKind === 'json' ? error : { ...error, ...HTML }
  return {
    security: securityOf(endpoint),
    response: {
      [endpoint.status]: describeReply(endpoint, response[endpoint.status]),
      '4xx': { description: PROBLEM['4xx'], content },
      '5xx': { description: PROBLEM['5xx'], content },
    },
    // Signatures are made over the bytes as they came: nothing is said of what they hold.
    ...(endpoint.form ? { body: z.toJSONSchema(endpoint.form) } : {}),
    ...(endpoint.bodyKind === 'raw' || endpoint.bodyKind === 'stream'
      ? { body: { default: '' }, consumes: ['*/*'] }
      : {}),
  }
}

function describeReply({ replyKind, mediaTypes }: Endpoint, schema: Json | undefined): Json {
  switch (replyKind) {
    case 'json':
      return { description: 'Done', content: { 'application/json': { schema: schema ?? {} } } }
    case 'page':
      return { description: 'A page for a person', content: HTML }
    case 'file':
      return {
        description: 'The file',
        content: Object.fromEntries(
          mediaTypes.map((type) => [type, { schema: FILE_SCHEMA[type] ?? { type: 'string' } }]),
        ),
      }
    case 'redirect':
      return {
        description: 'Go there',
        type: 'null',
        headers: { Location: { type: 'string', description: 'Where to' } },
      }
    case 'empty':
      return { description: 'Done', type: 'null' }
  }
}

function securityOf({ access }: Endpoint): Record<string, string[]>[] {
  if (access === 'public') return []
  return access === 'operator' ? [{ operator: [] }, {}] : [{ bearer: [] }]
}

const mayBeLeftOut = (schema: Json): boolean => 'default' in schema

/** The schemas that a path leads to: of each there is one for what is given and one for what is answered, and most are only one. */
function usedSchemas({ paths, components }: Description): Schemas {
  const all = components.schemas ?? {}
  const used = new Set<string>()
  const follow = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      follow(all[name] ?? {})
    }
  }
  follow(paths ?? {})
  return Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)))
}
