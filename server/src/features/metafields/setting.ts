import {
  defaultMetafieldName,
  MAX_METAFIELD_SETTINGS,
  type MetafieldDefinition,
  type MetafieldSetting,
  metafieldTag,
  type MetafieldUse,
  type NamespaceType,
  splitMetafieldKey,
} from '@okaeri/contract/metafields/metafield'
import type { MetafieldType } from '@okaeri/contract/metafields/value-type'
import type { Page } from '@okaeri/contract/paging'
import {
  METAFIELD_DEFINITIONS,
  type MetafieldDefinitionsResult,
} from '../../integrations/shopify/metafield-operations.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getStoreClient } from '../stores/index.ts'
import { progressOf } from './backfill.ts'
import { dropMetafieldValues, rereadMetafield } from './jobs.ts'
import {
  findBirthdaySettingId,
  findSetting,
  findSettingByKey,
  insertSetting,
  listSettings,
  lockSettings,
  markDeleted,
  markStatus,
  type SettingRow,
  type SettingSort,
  selectSettings,
  updateSetting,
} from './queries.ts'
import { todayOf } from './value-upsert.ts'

declare module '../../kernel/context.ts' {
  interface Ports {
    /** Segments whose conditions use a metafield. */
    segmentsUsingMetafield(scope: MerchantScope, settingId: string): Promise<{ id: string; name: string }[]>
    /** Emails that write a metafield's value. */
    emailsUsingMetafield(
      scope: MerchantScope,
      metafield: { namespace: string; key: string },
    ): Promise<{ id: string; name: string }[]>
  }
}

export const fullKey = ({ namespace, key }: { namespace: string; key: string }): string => `${namespace}.${key}`

/** Throws 404 if there is none or it was deleted. */
export async function getSetting(scope: MerchantScope, id: string, options?: { lock: boolean }): Promise<SettingRow> {
  const row = await findSetting(scope, id, options)
  if (!row) throw notFound('there is no such metafield')
  return row
}

export async function listMetafieldSettings(
  scope: MerchantScope,
  query: {
    q?: string | undefined
    namespace_type?: NamespaceType | undefined
    sort: SettingSort
    direction: 'asc' | 'desc'
    limit: number
    offset: number
  },
): Promise<Page<MetafieldSetting>> {
  const { rows, total } = await selectSettings(scope, query)
  const progress = await progressOf(scope)
  return { data: rows.map((row) => present(row, progress(row))), limit: query.limit, offset: query.offset, total }
}

export async function getMetafieldSetting(scope: MerchantScope, id: string): Promise<MetafieldSetting> {
  const row = await getSetting(scope, id)
  return present(row, (await progressOf(scope))(row))
}

const present = (row: SettingRow, progress: MetafieldSetting['progress']): MetafieldSetting => ({
  id: row.id,
  name: row.name,
  key: fullKey(row),
  namespace_type: row.namespaceType,
  value_type: row.valueType,
  status: row.status,
  error: row.error,
  value_count: row.valueCount,
  unreadable_count: row.unreadableCount,
  progress,
  filled_at: row.filledAt?.toISOString() ?? null,
  content_tag: metafieldTag(row),
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

export interface NewSetting {
  name?: string | undefined
  /** `namespace.key` */
  key: string
  namespace_type: NamespaceType
  value_type: MetafieldType
}

/** The store's values come later, when a worker finds the waiting setting (schedule.ts). Throws `metafield_exists`. */
export function createMetafieldSetting(scope: MerchantScope, given: NewSetting): Promise<MetafieldSetting> {
  return scope.transaction(async (scope) => {
    const name = splitMetafieldKey(given.key)
    if (!name) throw invalid({ key: 'metafield_key_form' })
    if ((await lockSettings(scope)) >= MAX_METAFIELD_SETTINGS) throw conflict('metafield_limit')
    if (await findSettingByKey(scope, name)) throw conflict('metafield_exists', 'there is a metafield with this key')
    const id = newId()
    await insertSetting(scope, {
      id,
      ...name,
      name: given.name ?? defaultMetafieldName(await todayOf(scope)),
      namespaceType: given.namespace_type,
      valueType: given.value_type,
      status: given.namespace_type === 'platform' ? 'waiting' : 'ready',
    })
    return getMetafieldSetting(scope, id)
  })
}

/** The setting of this key; created if missing. One with another namespace type is answered unchanged. */
export function ensureMetafieldSetting(scope: MerchantScope, wanted: NewSetting): Promise<SettingRow> {
  return scope.transaction(async (scope) => {
    const name = splitMetafieldKey(wanted.key)
    if (!name) throw invalid({ key: 'metafield_key_form' })
    await lockSettings(scope)
    const known = await findSettingByKey(scope, name)
    return known ?? getSetting(scope, (await createMetafieldSetting(scope, wanted)).id)
  })
}

/** After a change of type a job reads the values again. */
export function changeMetafieldSetting(
  scope: MerchantScope,
  id: string,
  change: { [K in keyof NewSetting]?: NewSetting[K] | undefined },
): Promise<MetafieldSetting> {
  return scope.transaction(async (scope) => {
    const before = await getSetting(scope, id, { lock: true })
    if (change.key !== undefined && change.key !== fullKey(before)) throw invalid({ key: 'not_allowed' })
    if (change.namespace_type !== undefined && change.namespace_type !== before.namespaceType)
      throw invalid({ namespace_type: 'not_allowed' })
    const valueType = change.value_type ?? before.valueType
    await updateSetting(scope, id, { name: change.name ?? before.name, valueType })
    if (valueType !== before.valueType) {
      if (before.status === 'ready') await markStatus(scope, [id], { status: 'filling' })
      await scope.context.jobs.later(scope, rereadMetafield, { settingId: id })
    }
    return getMetafieldSetting(scope, id)
  })
}

export async function listUses(scope: MerchantScope, id: string): Promise<MetafieldUse[]> {
  const setting = await getSetting(scope, id)
  const [segments, emails, birthdaySettingId] = await Promise.all([
    scope.context.ports.segmentsUsingMetafield(scope, id),
    scope.context.ports.emailsUsingMetafield(scope, setting),
    findBirthdaySettingId(scope),
  ])
  return [
    ...segments.map(({ id, name }) => ({ type: 'segment' as const, id, name })),
    ...emails.map(({ id, name }) => ({ type: 'email' as const, id, name })),
    ...(birthdaySettingId === id ? [{ type: 'birthday' as const, id: null, name: setting.name }] : []),
  ]
}

/** Throws `metafield_in_use` while a segment, an email or the birthday setting uses it. */
export function deleteMetafieldSetting(scope: MerchantScope, id: string): Promise<void> {
  return scope.transaction(async (scope) => {
    await getSetting(scope, id, { lock: true })
    const uses = await listUses(scope, id)
    if (uses.length > 0)
      throw conflict('metafield_in_use', `the metafield is used by ${uses.map(({ name }) => name).join(', ')}`)
    await markDeleted(scope, id)
    await scope.context.jobs.later(scope, dropMetafieldValues, { settingId: id })
    await scope.context.publish(scope, 'customers.changed_widely', { learned: true })
  })
}

/** Fetches the store's values again. Our own metafields have nothing to fetch. */
export function refetchMetafieldSetting(scope: MerchantScope, id: string): Promise<MetafieldSetting> {
  return scope.transaction(async (scope) => {
    const setting = await getSetting(scope, id, { lock: true })
    // Its own transaction throws when no store is connected.
    if (setting.namespaceType === 'platform') {
      await getStoreClient(scope)
      if (setting.status !== 'filling') await markStatus(scope, [id], { status: 'waiting' })
    }
    return getMetafieldSetting(scope, id)
  })
}

/** Throws `store_not_connected`. */
export async function listDefinitions(scope: MerchantScope): Promise<MetafieldDefinition[]> {
  const store = await getStoreClient(scope)
  const settings = new Map((await listSettings(scope)).map((setting) => [fullKey(setting), setting.id]))
  const definitions: MetafieldDefinition[] = []
  for (let after: string | null = null, more = true; more; ) {
    const { metafieldDefinitions }: MetafieldDefinitionsResult = await store.graphql<MetafieldDefinitionsResult>(
      METAFIELD_DEFINITIONS,
      { after },
    )
    for (const { namespace, key, name, description, type, metafieldsCount } of metafieldDefinitions.nodes) {
      const full = fullKey({ namespace, key })
      definitions.push({
        key: full,
        name,
        description: description || null,
        value_type: type.name,
        count: metafieldsCount,
        setting_id: settings.get(full) ?? null,
      })
    }
    after = metafieldDefinitions.pageInfo.endCursor
    more = metafieldDefinitions.pageInfo.hasNextPage
  }
  return definitions
}
