import { readBirthday, YEAR_UNKNOWN } from '@okaeri/contract/metafields/birthday'
import type { MetafieldOfCustomer } from '@okaeri/contract/metafields/metafield'
import { memberTypeOf } from '@okaeri/contract/metafields/value-type'
import {
  METAFIELDS_DELETE,
  METAFIELDS_SET,
  type MetafieldsDeleteResult,
  type MetafieldsSetResult,
  type MetafieldsSetVariables,
} from '../../integrations/shopify/metafield-operations.ts'
import { globalId } from '../../integrations/shopify/sync-operations.ts'
import type { FieldReason } from '@okaeri/contract/errors'
import { AppError, conflict, invalid, notFound } from '../../kernel/errors.ts'
import { job } from '../../kernel/work/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findStore, getStoreClient } from '../stores/index.ts'
import { findBirthdaySettingId, findSetting, type SettingRow } from './queries.ts'
import { fullKey, getSetting } from './setting.ts'
import { readValue } from './value.ts'
import {
  deleteUnreadableBirthdays,
  deleteValues,
  deleteValuesOfCustomer,
  findBirthdayOf,
  findStoreNumber,
  listValuesOfCustomer,
  moveValues,
} from './value-queries.ts'
import { follow, type NewValue, upsertValues, todayOf } from './value-upsert.ts'

/** The platform sets this many at once, all or none. */
const SET_AT_ONCE = 25

export async function listMetafieldsOfCustomer(
  scope: MerchantScope,
  customerId: string,
): Promise<MetafieldOfCustomer[]> {
  if ((await findStoreNumber(scope, customerId)) === undefined) throw notFound('there is no such customer')
  return (await listValuesOfCustomer(scope, customerId)).map((row) => ({
    setting_id: row.settingId,
    name: row.name,
    key: fullKey(row),
    namespace_type: row.namespaceType,
    value_type: row.valueType,
    value: row.value,
    readable: row.readable ?? true,
    updated_at: row.updatedAt?.toISOString() ?? null,
  }))
}

interface Change {
  setting: SettingRow
  /** Null: the value was removed. */
  value: string | null
  /** The index in the body, for error messages. */
  index: number
}

/** Sets or clears values of one customer: the store's in the store first, which may refuse; ours must match their type. */
export async function changeMetafieldsOfCustomer(
  scope: MerchantScope,
  customerId: string,
  given: readonly { setting_id: string; value: string | null }[],
  { keepsBirthday = false }: { keepsBirthday?: boolean } = {},
): Promise<MetafieldOfCustomer[]> {
  const number = await findStoreNumber(scope, customerId)
  if (number === undefined) throw notFound('there is no such customer')
  const changes = await readChanges(scope, given)
  const inStore = changes.filter(({ setting }) => setting.namespaceType === 'platform')
  const [first] = inStore
  if (first && number === null) throw invalid({ [`metafields.${first.index}.setting_id`]: 'not_allowed' })
  const set = number === null ? [] : await setInStore(scope, number, inStore)
  const ours = changes.flatMap(({ setting, value }): NewValue[] =>
    setting.namespaceType === 'custom' && value !== null
      ? [{ setting, customerId, value, updatedAt: scope.context.clock.now() }]
      : [],
  )
  await scope.transaction(async (scope) => {
    await upsertValues(scope, [...ours, ...set.map((one) => ({ ...one, customerId }))], { keepsBirthday })
    for (const { setting, value } of changes)
      if (value === null) await follow(scope, await deleteValues(scope, setting.id, [customerId]), { keepsBirthday })
  })
  return listMetafieldsOfCustomer(scope, customerId)
}

async function readChanges(
  scope: MerchantScope,
  given: readonly { setting_id: string; value: string | null }[],
): Promise<Change[]> {
  const wrong: Record<string, FieldReason> = {}
  const changes: Change[] = []
  for (const [index, { setting_id: id, value: typed }] of given.entries()) {
    const setting = await findSetting(scope, id)
    // An empty field of a form means no value.
    const value = typed === '' ? null : typed
    if (!setting) wrong[`metafields.${index}.setting_id`] = 'not_found'
    else if (changes.some((change) => change.setting.id === id)) wrong[`metafields.${index}.setting_id`] = 'not_allowed'
    else if (value !== null && !readValue(setting.valueType, value).readable)
      wrong[`metafields.${index}.value`] = 'invalid'
    else changes.push({ setting, value, index })
  }
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
  return changes
}

/** Returns the values as the store now has them, with its time. */
async function setInStore(
  scope: MerchantScope,
  storeCustomerId: number,
  changes: readonly Change[],
): Promise<Omit<NewValue, 'customerId'>[]> {
  if (changes.length === 0) return []
  const store = await getStoreClient(scope)
  const ownerId = globalId('Customer', storeCustomerId)
  const kept: Omit<NewValue, 'customerId'>[] = []
  const wanted = changes.flatMap(({ setting, value, index }) => (value === null ? [] : [{ setting, value, index }]))
  for (let from = 0; from < wanted.length; from += SET_AT_ONCE) {
    const some = wanted.slice(from, from + SET_AT_ONCE)
    const { metafieldsSet } = await store.graphql<MetafieldsSetResult>(METAFIELDS_SET, {
      metafields: some.map(({ setting, value }) => ({
        ownerId,
        namespace: setting.namespace,
        key: setting.key,
        type: setting.valueType,
        value,
      })),
    } satisfies MetafieldsSetVariables & Record<string, unknown>)
    const [refusal] = metafieldsSet.userErrors
    if (refusal) {
      const at = some[Number(refusal.elementIndex ?? refusal.field?.[1])]
      if (!at) throw conflict('store_refused', refusal.message)
      throw invalid({ [`metafields.${at.index}.value`]: 'invalid' }, 'store_refused')
    }
    for (const { setting } of some) {
      const now = metafieldsSet.metafields?.find(
        ({ namespace, key }) => namespace === setting.namespace && key === setting.key,
      )
      if (now) kept.push({ setting, value: now.value, updatedAt: new Date(now.updatedAt) })
    }
  }
  const cleared = changes.filter(({ value }) => value === null)
  if (cleared.length > 0) {
    const { metafieldsDelete } = await store.graphql<MetafieldsDeleteResult>(METAFIELDS_DELETE, {
      metafields: cleared.map(({ setting: { namespace, key } }) => ({ ownerId, namespace, key })),
    })
    const [refusal] = metafieldsDelete.userErrors
    if (refusal) throw conflict('store_refused', refusal.message)
  }
  return kept
}

/**
 * Writes the customer's present birthday, not the one when the job was enqueued: to the store's metafield if the customer setting names one,
 * else to ours. A second run finds nothing to do.
 */
export const pushBirthday = job<{ customerId: string }>(
  'push_birthday',
  ({ customerId }) => customerId,
  async (scope, { customerId }) => {
    const settingId = await findBirthdaySettingId(scope)
    const setting = settingId === null ? null : await findSetting(scope, settingId)
    const customer = await findBirthdayOf(scope, customerId)
    if (!setting || !customer) return
    const known = (await listValuesOfCustomer(scope, customerId)).find((value) => value.settingId === setting.id)
    const stored = known?.value ? readBirthday(known.value, await todayOf(scope)) : null
    if (customer.birthday === null ? !known?.value : stored === customer.birthday) return
    const inStore = setting.namespaceType === 'platform'
    // If the customer is not in the store yet, or there is no store, the birthday stays only here.
    if (inStore && (customer.storeCustomerId === null || (await findStore(scope))?.status !== 'connected')) return
    try {
      const value = customer.birthday && asValue(setting, customer.birthday)
      // It may have been changed again meanwhile; then the next job tells the store.
      await changeMetafieldsOfCustomer(scope, customerId, [{ setting_id: setting.id, value }], { keepsBirthday: true })
      await deleteUnreadableBirthdays(scope, customerId)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // The store's own rules for the metafield: a retry would not help.
      scope.context.log.warn({ merchantId: scope.merchantId, customerId, error }, 'the store refused a birthday')
    }
  },
)

/** A member set a birthday manually. */
export const pushBirthdayLater = (scope: MerchantScope, { customerId }: { customerId: string }): Promise<void> =>
  scope.context.jobs.later(scope, pushBirthday, { customerId })

/** In the format of the metafield's type; a text may have no year. */
function asValue({ valueType }: SettingRow, birthday: string): string {
  switch (memberTypeOf(valueType)) {
    case 'date':
      return birthday
    case 'date_time':
      return `${birthday}T00:00:00+00:00`
    default:
      return birthday.startsWith(`${YEAR_UNKNOWN}-`) ? birthday.slice(5) : birthday
  }
}

/**
 * Sets many values of one of our own metafields, hundreds in a statement; null clears. Values that do not match the type are stored as text and
 * counted. `silent`: the caller publishes `customers.changed_widely` at the end; `learned` as in `customers.changed`. Returns how many customers
 * changed.
 */
export function setCustomerMetafields(
  scope: MerchantScope,
  settingId: string,
  rows: readonly { customerId: string; value: string | null }[],
  options: { silent?: boolean; learned?: boolean } = {},
): Promise<number> {
  return scope.transaction(async (scope) => {
    const setting = await getSetting(scope, settingId)
    if (setting.namespaceType !== 'custom') throw invalid({ setting_id: 'not_allowed' })
    const values = rows.flatMap(({ customerId, value }): NewValue[] =>
      value === null || value === ''
        ? []
        : [
            {
              setting,
              customerId,
              value: value.replaceAll('\0', '').toWellFormed(),
              updatedAt: scope.context.clock.now(),
            },
          ],
    )
    const changed = await upsertValues(scope, values, options)
    const cleared = rows.flatMap(({ customerId, value }) => (value === null || value === '' ? [customerId] : []))
    const gone = cleared.length === 0 ? [] : await deleteValues(scope, settingId, cleared)
    await follow(scope, gone, options)
    return changed.length + gone.length
  })
}

/** Two customers of the store were merged. */
export const mergeMetafields = (
  scope: MerchantScope,
  { fromId, intoId }: { fromId: string; intoId: string },
): Promise<void> => moveValues(scope, fromId, intoId)

/** A customer was deleted. */
export async function forgetMetafields(scope: MerchantScope, { customerId }: { customerId: string }): Promise<void> {
  await deleteValuesOfCustomer(scope, customerId)
  await deleteUnreadableBirthdays(scope, customerId)
}
