import { gid, type StoreScope } from './platform.ts'
import { execute, findRow, listRows } from '../sql.ts'

export interface MetafieldRow {
  id: number
  owner_type: string
  owner_id: number
  namespace: string
  key: string
  type: string
  value: string
  created_at: number
  updated_at: number
}

export interface Owner {
  type: string
  id: number
}

export function findMetafield(
  scope: StoreScope,
  owner: Owner,
  name: { namespace: string; key: string },
): MetafieldRow | null {
  return (
    findRow<MetafieldRow>(scope.database)`SELECT * FROM store_metafield
      WHERE store_id = ${scope.store.id} AND owner_type = ${owner.type} AND owner_id = ${owner.id}
      AND namespace = ${name.namespace} AND key = ${name.key}` ?? null
  )
}

export function listMetafields(scope: StoreScope, owner: Owner, namespace: string | null): MetafieldRow[] {
  return listRows<MetafieldRow>(scope.database)`SELECT * FROM store_metafield
    WHERE store_id = ${scope.store.id} AND owner_type = ${owner.type} AND owner_id = ${owner.id}
    AND (${namespace} IS NULL OR namespace = ${namespace}) ORDER BY namespace, key`
}

/** A metafield within a webhook's body. */
export function metafieldBody(row: MetafieldRow, at: (seconds: number) => string): Record<string, unknown> {
  return {
    id: row.id,
    namespace: row.namespace,
    key: row.key,
    value: row.value,
    type: row.type,
    description: null,
    owner_id: row.owner_id,
    owner_resource: row.owner_type.toLowerCase(),
    created_at: at(row.created_at),
    updated_at: at(row.updated_at),
    admin_graphql_api_id: gid('Metafield', row.id),
  }
}

/** The namespaces a subscription asked to have in its bodies. */
export function namespacesOf(scope: StoreScope, subscriptionId: number): string[] {
  const row = findRow<{ namespaces: string }>(scope.database)`SELECT namespaces FROM store_subscription_namespaces
    WHERE store_id = ${scope.store.id} AND subscription_id = ${subscriptionId}`
  return row ? (JSON.parse(row.namespaces) as string[]) : []
}

export function setNamespaces(scope: StoreScope, subscriptionId: number, namespaces: readonly string[]): void {
  execute(scope.database)`INSERT OR REPLACE INTO store_subscription_namespaces
    VALUES (${scope.store.id}, ${subscriptionId}, ${JSON.stringify(namespaces)})`
}
