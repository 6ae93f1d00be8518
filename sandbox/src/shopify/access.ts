import {
  defaultFieldResolver,
  getNamedType,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
} from 'graphql'
import type { GraphContext } from './graphql/graph-context.ts'
import { listed, resourceOf, topics } from './resources.ts'
import type { StoreRow } from './rows.ts'

/** What the app may see: by the scopes the merchant granted, and by the platform's approval for protected customer data. */

/** Fields of the root and the scope they need. */
const scopesOfFields: ReadonlyMap<string, string | undefined> = new Map(
  listed.flatMap(([, { count, scope, reads = [], writes = [] }]) => [
    ...[...reads, ...(count === undefined ? [] : [count])].map((name) => [name, scope] as const),
    ...writes.map((name) => [name, scope?.replace('read_', 'write_')] as const),
  ]),
)
/** These change the owner that their ids name. */
const ownerMutations = new Set(['tagsAdd', 'tagsRemove', 'metafieldsSet', 'metafieldsDelete'])

const documentation = 'https://shopify.dev/api/usage/access-scopes'
const denied = (message: string, more: Record<string, unknown> = {}): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'ACCESS_DENIED', documentation, ...more } })

export const hasScope = (granted: readonly string[], scope: string): boolean =>
  granted.includes(scope) || (scope.startsWith('read_') && granted.includes(scope.replace('read_', 'write_')))

function requireScope(field: string, scope: string | undefined, granted: readonly string[]): void {
  if (scope === undefined || hasScope(granted, scope)) return
  throw denied(`Access denied for ${field} field. Required access: \`${scope}\` access scope.`, {
    requiredAccess: `\`${scope}\` access scope.`,
  })
}

const approval = 'See https://shopify.dev/docs/apps/launch/protected-customer-data for more details.'

const idKinds = (given: unknown): string[] =>
  [...JSON.stringify(given ?? null).matchAll(/gid:\/\/shopify\/([A-Za-z]+)\//g)].map(([, kind = '']) => kind)

/** Every field of the type checks its scope and approval before it answers. */
export function guardType(type: GraphQLObjectType): void {
  const isRoot = type.name === 'QueryRoot' || type.name === 'Mutation'
  for (const [name, field] of Object.entries(type.getFields())) {
    const kind = getNamedType(field.type).name.replace(/(Connection|Edge)$/, '')
    // Payloads and lists inside them were checked at the root.
    const ofField = isRoot ? scopesOfFields.get(name) : undefined
    const ofKind = type.name.endsWith('Payload') ? undefined : resourceOf(kind)?.scope
    const names = resourceOf(type.name)?.names?.includes(name) ?? false
    const byId = isRoot && (kind === 'Node' || ownerMutations.has(name))
    if (!ofField && !ofKind && !names && !byId && !resourceOf(kind)?.isProtected) continue
    const resolve: GraphQLFieldResolver<unknown, GraphContext> = field.resolve ?? defaultFieldResolver
    field.resolve = (source, given, context, info) => {
      const level = context.scope.store.protected_data
      requireScope(name, ofField ?? ofKind, context.scopes)
      const kinds = byId ? idKinds(given) : [kind]
      if (byId)
        for (const one of kinds) {
          const scope = resourceOf(one)?.scope
          requireScope(name, ownerMutations.has(name) ? scope?.replace('read_', 'write_') : scope, context.scopes)
        }
      const shut = level === 'none' ? kinds.find((one) => resourceOf(one)?.isProtected) : undefined
      if (shut) throw denied(`This app is not approved to access the ${shut} object. ${approval}`)
      if (names && level !== 'approved') throw denied(`This app is not approved to use the ${name} field. ${approval}`)
      return resolve(source, given, context, info)
    }
  }
}

/** Throws if the app may not receive this topic. */
export function requireTopic(topic: string, { scope, scopes }: GraphContext): void {
  const { scope: needed, isPersonal } = topics.get(topic) ?? {}
  requireScope('webhookSubscriptionCreate', needed, scopes)
  if (scope.store.protected_data === 'none' && isPersonal)
    throw denied(
      `This app is not approved to subscribe to webhook topics containing protected customer data. ${approval}`,
    )
}

const namingKeys = new Set([
  'first_name',
  'last_name',
  'email',
  'email_address',
  'contact_email',
  'phone',
  'default_address',
  'addresses',
  'billing_address',
  'shipping_address',
])

/** The allowed part of a body: without approval, no personal fields; null: it is not sent at all. */
export function allowedBody(
  { protected_data: level }: Pick<StoreRow, 'protected_data'>,
  topic: string,
  body: Record<string, unknown>,
): Record<string, unknown> | null {
  if (level === 'approved' || !topics.get(topic)?.isPersonal) return body
  if (level === 'none') return null
  return JSON.parse(JSON.stringify(body, (key, value: unknown) => (namingKeys.has(key) ? undefined : value))) as Record<
    string,
    unknown
  >
}

const DAY_SECONDS = 86_400
/** Without `read_all_orders` only the orders of the last 60 days are shown. */
export const ordersShownSince = (nowSeconds: number, scopes: readonly string[]): number =>
  scopes.includes('read_all_orders') ? 0 : nowSeconds - 60 * DAY_SECONDS
