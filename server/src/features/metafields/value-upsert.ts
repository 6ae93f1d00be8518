import { readBirthday } from '@okaeri/contract/metafields/birthday'
import { DateTime } from 'luxon'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { setBirthdays } from '../customers/index.ts'
import { getMerchant } from '../merchants/index.ts'
import { recountMetafieldLater } from './value-counts.ts'
import { findBirthdaySettingId, type SettingRow } from './queries.ts'
import { readValue } from './value.ts'
import {
  type ChangedValue,
  deleteMissing,
  type ValueRow,
  writeUnreadableBirthdays,
  writeValues,
} from './value-queries.ts'

/** A new value: from the store with its own time, or from us. */
export interface NewValue {
  setting: Pick<SettingRow, 'id' | 'valueType'>
  customerId: string
  value: string
  updatedAt: Date
}

const toRow = ({ setting, customerId, value, updatedAt }: NewValue): ValueRow => ({
  settingId: setting.id,
  customerId,
  value,
  updatedAt,
  ...readValue(setting.valueType, value),
})

/** One statement cannot write a row twice; the last one reported is the newest. */
function once(values: readonly NewValue[]): NewValue[] {
  return [...new Map(values.map((value) => [`${value.setting.id} ${value.customerId}`, value])).values()]
}

/**
 * Stores values and deletes missing ones: for the settings and customers of `complete` the list has everything in the store as of `asOf`.
 * Updates birthdays too, unless they come from there (`keepsBirthday`). Marks these customers dirty, unless `silent`. Within a transaction.
 */
export async function upsertValues(
  scope: MerchantScope,
  values: readonly NewValue[],
  options: {
    complete?: { settingIds: readonly string[]; customerIds: readonly string[]; asOf: Date }
    silent?: boolean
    learned?: boolean
    keepsBirthday?: boolean
  } = {},
): Promise<ChangedValue[]> {
  const rows = once(values).map(toRow)
  const changed = await writeValues(scope, rows)
  const { complete } = options
  if (complete && complete.settingIds.length > 0)
    changed.push(...(await deleteMissing(scope, { ...complete, kept: rows, before: complete.asOf })))
  await follow(scope, changed, options)
  return changed
}

/** The consequences of changed values. */
export async function follow(
  scope: MerchantScope,
  changed: readonly ChangedValue[],
  {
    silent = false,
    learned = false,
    keepsBirthday = false,
  }: { silent?: boolean; learned?: boolean; keepsBirthday?: boolean } = {},
): Promise<void> {
  if (changed.length === 0) return
  const birthdaySettingId = keepsBirthday ? null : await findBirthdaySettingId(scope)
  await readBirthdays(
    scope,
    changed.filter(({ settingId }) => settingId === birthdaySettingId),
  )
  for (const settingId of new Set(changed.map((one) => one.settingId))) await recountMetafieldLater(scope, settingId)
  if (!silent)
    await scope.context.publish(scope, 'customers.changed', {
      customerIds: [...new Set(changed.map(({ customerId }) => customerId))],
      learned,
    })
}

/** Sets the birthdays from these values; no date, or no value, means no birthday. Returns the customers whose birthday changed. */
export async function readBirthdays(
  scope: MerchantScope,
  values: readonly { customerId: string; value: string | null }[],
): Promise<string[]> {
  if (values.length === 0) return []
  const today = await todayOf(scope)
  const read = values.map(({ customerId, value }) => ({
    customerId,
    value,
    birthday: value === null ? null : readBirthday(value, today),
  }))
  await writeUnreadableBirthdays(
    scope,
    read.map(({ customerId }) => customerId),
    read.flatMap(({ customerId, value, birthday }) =>
      value === null || birthday !== null ? [] : [{ customerId, value }],
    ),
  )
  return setBirthdays(scope, read)
}

/** `YYYY-MM-DD` in the merchant's zone. */
export async function todayOf(scope: MerchantScope): Promise<string> {
  const { timezone } = await getMerchant(scope)
  return DateTime.fromJSDate(scope.now, { zone: timezone }).toFormat('yyyy-MM-dd')
}
