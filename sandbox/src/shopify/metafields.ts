import type { ConnectionArguments } from './connection.ts'
import { pageOf, presentPage } from './connection.ts'
import { findCustomer, touchCustomer } from './customers.ts'
import { findMetafield, type Owner } from './metafield-rows.ts'
import { gid, idIn, nextId, type StoreScope } from './platform.ts'
import type { GraphContext, Resolvers } from './graphql/graph-context.ts'
import { execute, findRow, listRows } from '../sql.ts'

/** The shop's definition of a customer metafield. Metafields without a definition exist too. */
export interface DefinitionRow {
  id: number
  namespace: string
  key: string
  name: string
  description: string | null
  type: string
}

export function listDefinitions(scope: StoreScope): DefinitionRow[] {
  return listRows<DefinitionRow>(scope.database)`SELECT * FROM store_metafield_definition
    WHERE store_id = ${scope.store.id} ORDER BY id`
}

export function findDefinition(scope: StoreScope, name: { namespace: string; key: string }): DefinitionRow | null {
  return (
    findRow<DefinitionRow>(scope.database)`SELECT * FROM store_metafield_definition
      WHERE store_id = ${scope.store.id} AND namespace = ${name.namespace} AND key = ${name.key}` ?? null
  )
}

export function addDefinition(scope: StoreScope, definition: Omit<DefinitionRow, 'id'>): void {
  execute(scope.database)`INSERT INTO store_metafield_definition
    VALUES (${scope.store.id}, ${nextId(scope, 'definition')}, ${definition.namespace}, ${definition.key},
    ${definition.name}, ${definition.description}, ${definition.type})`
}

/** Returns whether there was one. The customer's webhook reports it. */
export function deleteMetafield(scope: StoreScope, owner: Owner, name: { namespace: string; key: string }): boolean {
  const known = findMetafield(scope, owner, name)
  if (!known) return false
  execute(scope.database)`DELETE FROM store_metafield WHERE store_id = ${scope.store.id} AND id = ${known.id}`
  if (owner.type === 'Customer') touchCustomer(scope, owner.id)
  return true
}

const jsonTypes = ['json', 'link', 'rich_text_field']
const measures = ['dimension', 'weight', 'volume']

/** The platform's objection to a value, or null. */
export function valueProblem(type: string, value: string): string | null {
  if (type.startsWith('list.')) {
    const members = parsed(value)
    if (!Array.isArray(members)) return 'Value must be an array.'
    const member = type.slice('list.'.length)
    const problems = members.map((item) => valueProblem(member, typeof item === 'string' ? item : JSON.stringify(item)))
    return problems.find((problem) => problem !== null) ?? null
  }
  if (type === 'date') return isDate(value) ? null : 'Value must be in YYYY-MM-DD format.'
  if (type === 'date_time')
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value))
      ? null
      : 'Value must be in “YYYY-MM-DDTHH:MM:SS” format.'
  if (type === 'number_integer') return /^-?\d{1,16}$/.test(value) ? null : 'Value must be an integer.'
  if (type === 'number_decimal') return /^-?\d{1,13}(\.\d{1,9})?$/.test(value) ? null : 'Value must be a decimal.'
  if (type === 'boolean') return value === 'true' || value === 'false' ? null : 'Value must be true or false.'
  if (type === 'color') return /^#[0-9a-f]{6}$/i.test(value) ? null : 'Value must be a hexadecimal color code.'
  if (type === 'url') return URL.canParse(value) ? null : 'Value must be a valid URL.'
  if (type === 'money') return has(value, 'amount', 'currency_code') ? null : 'Value must be a valid money object.'
  if (type === 'rating') return has(value, 'value', 'scale_min', 'scale_max') ? null : 'Value must be a rating.'
  if (measures.includes(type)) return has(value, 'value', 'unit') ? null : 'Value must be a measurement.'
  if (jsonTypes.includes(type)) return parsed(value) === undefined ? 'Value is invalid JSON.' : null
  return null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // No JSON: the caller says so.
    return undefined
  }
}

function has(text: string, ...keys: string[]): boolean {
  const value = parsed(text)
  return typeof value === 'object' && value !== null && keys.every((key) => key in value)
}

function isDate(value: string): boolean {
  const at = new Date(`${value}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value)
}

function countOf(scope: StoreScope, { namespace, key }: DefinitionRow): number {
  const row = findRow<{ n: number }>(scope.database)`SELECT count(*) AS n FROM store_metafield
    WHERE store_id = ${scope.store.id} AND owner_type = 'Customer' AND namespace = ${namespace} AND key = ${key}`
  return row?.n ?? 0
}

const categories: [RegExp, string][] = [
  [/reference/, 'REFERENCE'],
  [/number/, 'NUMBER'],
  [/date/, 'DATE_TIME'],
  [/boolean/, 'TRUE_FALSE'],
  [/dimension|weight|volume/, 'MEASUREMENT'],
]

type DefinitionArguments = ConnectionArguments & { ownerType: string; namespace?: string | null; key?: string | null }

export const definitionQueries = {
  metafieldDefinitions: (_: unknown, given: DefinitionArguments, { scope, bulk }: GraphContext) => {
    const found = listDefinitions(scope).filter(
      ({ namespace, key }) =>
        given.ownerType === 'CUSTOMER' &&
        (given.namespace == null || given.namespace === namespace) &&
        (given.key == null || given.key === key),
    )
    return presentPage(pageOf(found, given, { bulk }), (row) => row)
  },
}

export const definitionResolvers: Resolvers = {
  MetafieldDefinition: {
    id: (row: DefinitionRow) => gid('MetafieldDefinition', row.id),
    ownerType: () => 'CUSTOMER',
    type: ({ type }: DefinitionRow) => ({
      name: type,
      category: categories.find(([form]) => form.test(type))?.[1] ?? 'TEXT',
    }),
    metafieldsCount: (row: DefinitionRow, _, { scope }) => countOf(scope, row),
    pinnedPosition: () => null,
    validationStatus: () => 'ALL_VALID',
  },
}

export const definitionMutations = {
  metafieldsDelete: (
    _: unknown,
    given: { metafields: { ownerId: string; namespace: string; key: string }[] },
    { scope }: GraphContext,
  ) => {
    const owners = given.metafields.map(({ ownerId }) => idIn('Customer', ownerId))
    const missing = owners.findIndex((id) => id === null || !findCustomer(scope, id))
    if (missing >= 0) {
      const field = ['metafields', String(missing), 'ownerId']
      return { deletedMetafields: null, userErrors: [{ field, message: 'Owner does not exist.' }] }
    }
    const deletedMetafields = given.metafields.map((name, index) =>
      deleteMetafield(scope, { type: 'Customer', id: owners[index] ?? -1 }, name) ? name : null,
    )
    return { deletedMetafields, userErrors: [] }
  },
}
