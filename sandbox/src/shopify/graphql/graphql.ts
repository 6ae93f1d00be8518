import type { FastifyInstance } from 'fastify'
import {
  buildSchema,
  type DocumentNode,
  execute as executeOperation,
  getOperationAST,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isObjectType,
  isScalarType,
  parse,
  validate,
} from 'graphql'
import { actualCost, maximumAvailable, openBucket, queryMaximum, requestedCost, restoreRate } from './cost.ts'
import { guardType } from '../access.ts'
import { writeResolvers } from '../mutations.ts'
import { findToken } from '../oauth.ts'
import { type Platform, servedVersion, type StoreScope } from '../platform.ts'
import { readResolvers } from './resolvers.ts'
import type { GraphContext } from './graph-context.ts'
import { schemaText } from './schema.graphql.ts'
import { execute } from '../../sql.ts'
import { findStore, refreshed } from '../stores.ts'
import { refuseClosed, sendBroken, takeBreakage } from '../fault-injection.ts'

let built: GraphQLSchema | undefined

/** The executable schema: our text with the resolvers attached. Built once. */
export function storeSchema(): GraphQLSchema {
  built ??= attach(buildSchema(schemaText))
  return built
}

function attach(schema: GraphQLSchema): GraphQLSchema {
  const resolvers = { ...readResolvers, ...writeResolvers }
  for (const [typeName, fields] of Object.entries(resolvers)) {
    const type = schema.getType(typeName)
    if (!isObjectType(type)) throw new Error(`resolvers for ${typeName}, which is no object type`)
    for (const [name, resolver] of Object.entries(fields)) {
      const field = type.getFields()[name]
      // Shared sets (identity, times) may offer more than a type has.
      if (!field) continue
      field.resolve = resolver as GraphQLFieldResolver<unknown, GraphContext>
    }
  }
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type) && !type.name.startsWith('__')) guardType(type)
  const dateTime = schema.getType('DateTime')
  if (isScalarType(dateTime))
    dateTime.parseValue = (value) => {
      if (typeof value !== 'string' || Number.isNaN(Date.parse(value)))
        throw new GraphQLError(`invalid DateTime '${String(value)}'`)
      return value
    }
  return schema
}

interface GraphRequest {
  query: string
  variables: Record<string, unknown>
  operationName: string | undefined
}

function readRequest(body: unknown): GraphRequest | null {
  if (typeof body === 'string') return { query: body, variables: {}, operationName: undefined }
  if (body === null || typeof body !== 'object') return null
  const { query, variables, operationName } = body as Record<string, unknown>
  if (typeof query !== 'string' || query.trim() === '') return null
  return {
    query,
    variables: variables !== null && typeof variables === 'object' ? (variables as Record<string, unknown>) : {},
    operationName: typeof operationName === 'string' ? operationName : undefined,
  }
}

/** A refused document, with the codes the platform gives to the common mistakes. */
function presentRefusal(error: GraphQLError): Record<string, unknown> {
  const { message, locations } = error
  const unknownField = /^Cannot query field "(\w+)" on type "(\w+)"/.exec(message)
  if (unknownField)
    return {
      message: `Field '${unknownField[1]}' doesn't exist on type '${unknownField[2]}'`,
      locations,
      path: [],
      extensions: { code: 'undefinedField', typeName: unknownField[2], fieldName: unknownField[1] },
    }
  const unknownArgument = /^Unknown argument "(\w+)" on field "(\w+)\.(\w+)"/.exec(message)
  if (unknownArgument)
    return {
      message: `Field '${unknownArgument[3]}' doesn't accept argument '${unknownArgument[1]}'`,
      locations,
      path: [],
      extensions: {
        code: 'argumentNotAccepted',
        name: unknownArgument[3],
        typeName: 'Field',
        argumentName: unknownArgument[1],
      },
    }
  return { message, locations, ...(error.extensions.code === undefined ? {} : { extensions: error.extensions }) }
}

function presentError(error: GraphQLError): Record<string, unknown> {
  const { message, locations, path, extensions, originalError } = error
  if (originalError && !(originalError instanceof GraphQLError)) throw originalError
  // A variable of the wrong shape has no path: it fails before anything ran.
  const code = extensions.code ?? (path === undefined ? 'INVALID_VARIABLE' : undefined)
  return { message, locations, path, extensions: code === undefined ? extensions : { ...extensions, code } }
}

export async function answer(scope: StoreScope, scopes: string[], request: GraphRequest & { apiVersion: string }) {
  const schema = storeSchema()
  let document: DocumentNode
  try {
    document = parse(request.query, { maxTokens: 5000 })
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    return { errors: [{ ...presentRefusal(error), path: [] }] }
  }
  const refusals = validate(schema, document)
  if (refusals.length > 0) return { errors: refusals.map(presentRefusal) }
  const operation = getOperationAST(document, request.operationName)
  if (!operation) return { errors: [{ message: 'An operation name is required' }] }

  const requested = requestedCost(schema, document, { operation, variables: request.variables })
  const bucket = openBucket(scope)
  const cost = (actual: number | null) => ({
    requestedQueryCost: requested,
    actualQueryCost: actual,
    throttleStatus: { maximumAvailable, currentlyAvailable: bucket.available, restoreRate },
  })
  const code = (name: string, message: string, actual: number | null) => ({
    errors: [{ message, extensions: { code: name, documentation: 'https://shopify.dev/api/usage/rate-limits' } }],
    extensions: { cost: cost(actual) },
  })
  if (requested > queryMaximum)
    return code(
      'MAX_COST_EXCEEDED',
      `Query cost is ${requested}, which exceeds the single query max cost limit (${queryMaximum}).`,
      null,
    )
  if (scope.store.throttle_next > 0) {
    execute(scope.database)`UPDATE store SET throttle_next = throttle_next - 1 WHERE id = ${scope.store.id}`
    return code('THROTTLED', 'Throttled', null)
  }
  if (scope.store.throttling === 1 && requested > bucket.available) return code('THROTTLED', 'Throttled', null)

  const context: GraphContext = { scope, scopes, apiVersion: request.apiVersion, bulk: false }
  const result = await executeOperation({
    schema,
    document,
    variableValues: request.variables,
    operationName: request.operationName,
    contextValue: context,
  })
  const used = actualCost(result.data, requested)
  if (scope.store.throttling === 1) bucket.take(used)
  return {
    ...(result.data === undefined ? {} : { data: result.data }),
    ...(result.errors ? { errors: result.errors.map(presentError) } : {}),
    extensions: { cost: cost(used) },
  }
}

export function mountGraphql(app: FastifyInstance, platform: Platform): void {
  if (!app.hasContentTypeParser('application/graphql'))
    app.addContentTypeParser('application/graphql', { parseAs: 'string' }, (_request, body, done) => done(null, body))

  app.post<{ Params: { shop: string; version: string } }>(
    '/stores/:shop/admin/api/:version/graphql.json',
    async (request, reply) => {
      const apiVersion = servedVersion(request.params.version)
      const scope = findStore(platform, request.params.shop)
      if (apiVersion === null || !scope) return reply.code(404).send({ errors: 'Not Found' })
      if (refuseClosed(reply, scope)) return reply
      const token = request.headers['x-shopify-access-token']
      const granted = typeof token === 'string' ? findToken(scope, token) : null
      if (!granted)
        return reply
          .code(401)
          .send({ errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' })
      reply.header('X-Shopify-API-Version', apiVersion).header('X-Request-Id', request.id)
      const read = readRequest(request.body)
      if (!read) return reply.code(400).send({ errors: { query: 'Required parameter missing or invalid' } })
      const breakage = takeBreakage(scope, 'calls')
      const answered = await answer(refreshed(scope), granted.scopes, { ...read, apiVersion })
      return breakage
        ? sendBroken(reply, breakage, { text: JSON.stringify(answered), type: 'application/json' })
        : answered
    },
  )
}
