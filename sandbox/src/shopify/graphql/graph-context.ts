import { createHash } from 'node:crypto'
import type { GraphQLResolveInfo } from 'graphql'
import { type ConnectionArguments, countListed, listPage, pageOf, presentPage } from '../connection.ts'
import { findMetafield, listMetafields, type MetafieldRow } from '../metafield-rows.ts'
import { gid, idIn, isoSeconds, type StoreScope } from '../platform.ts'
import { findResource, type Kind, listed, listingOf } from '../resources.ts'

/** What the resolvers of customers, orders and goods share. */

export interface GraphContext {
  scope: StoreScope
  scopes: string[]
  apiVersion: string
  bulk: boolean
}

// Each resolver declares the source and arguments it takes; the schema decides which resolver gets which.
type Resolver = (source: never, given: never, context: GraphContext, info: GraphQLResolveInfo) => unknown
export type Resolvers = Record<string, Record<string, Resolver>>

export interface Row {
  id: number
}

export function page<Source extends Row>(
  kind: Kind,
  narrowed?: (source: Source, context: GraphContext) => { where: string; parameters: number[] },
) {
  return (source: Source, given: ConnectionArguments, context: GraphContext) => {
    const { scope, bulk } = context
    return presentPage(
      listPage<Row>(scope, listingOf(kind), given, { bulk, ...narrowed?.(source, context) }),
      (row) => row,
    )
  }
}

function count(kind: Kind) {
  return (_: unknown, given: { query?: string; limit?: number | null }, { scope }: GraphContext) => {
    const found = countListed(scope, listingOf(kind), given.query)
    const limit = given.limit ?? Number.POSITIVE_INFINITY
    return { count: Math.min(found, limit), precision: found > limit ? 'AT_LEAST' : 'EXACT' }
  }
}

const one =
  (kind: Kind) =>
  (_: unknown, given: { id: string }, { scope }: GraphContext): Row | null => {
    const id = idIn(kind, given.id)
    return id === null ? null : findResource(scope, kind, id)
  }

/** The root's fields that answer one resource, a page of them, or how many there are. */
export const resourceQueries: Resolvers[string] = Object.fromEntries(
  listed.flatMap(([kind, resource]) => [
    ...(resource.one ? [[resource.one, one(kind)] as const] : []),
    ...(resource.many ? [[resource.many, page(kind)] as const] : []),
    ...(resource.count ? [[resource.count, count(kind)] as const] : []),
  ]),
)

export const time = (seconds: number | null) => (seconds === null ? null : isoSeconds(seconds))
export const times = {
  createdAt: (row: { created_at: number }) => isoSeconds(row.created_at),
  updatedAt: (row: { updated_at: number }) => isoSeconds(row.updated_at),
}
export const identity = (kind: string) => ({
  id: (row: Row) => gid(kind, row.id),
  legacyResourceId: (row: Row) => String(row.id),
})
export const list = (text: string): string[] => JSON.parse(text) as string[]

export const metafieldsOf = (type: string) => ({
  metafield: (row: Row, given: { namespace?: string; key: string }, { scope }: GraphContext) => {
    const [namespace, key] = given.namespace ? [given.namespace, given.key] : splitKey(given.key)
    return findMetafield(scope, { type, id: row.id }, { namespace, key })
  },
  metafields: (
    row: Row,
    given: ConnectionArguments & { namespace?: string; keys?: string[] },
    { scope, bulk }: GraphContext,
  ) => {
    const rows = listMetafields(scope, { type, id: row.id }, given.namespace ?? null)
    const wanted = given.keys
    const kept = wanted
      ? rows.filter(({ namespace, key }) => wanted.includes(`${namespace}.${key}`) || wanted.includes(key))
      : rows
    return presentPage(pageOf(kept, given, { bulk }), (metafield) => metafield)
  },
})

/** `metafield(key: "facts.birth_date")` names the namespace within the key. */
export function splitKey(key: string): [string, string] {
  const dot = key.indexOf('.')
  return dot < 0 ? ['$app', key] : [key.slice(0, dot), key.slice(dot + 1)]
}

/** Changes whenever the value does: what `metafieldsSet(compareDigest:)` compares. */
export function digestOf(row: MetafieldRow): string {
  return createHash('sha256').update(`${row.type}\n${row.value}`).digest('hex')
}
