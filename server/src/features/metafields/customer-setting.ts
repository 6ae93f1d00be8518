import type { CustomerSetting } from '@okaeri/contract/metafields/metafield'
import { isMetafieldType, type MetafieldType } from '@okaeri/contract/metafields/value-type'
import { AppError, IntegrationError } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from '../merchants/index.ts'
import { findStore } from '../stores/index.ts'
import { progressOf } from './backfill.ts'
import { readAllBirthdays } from './jobs.ts'
import { findBirthdaySettingId, findSetting, findSettingByKey, writeBirthdaySettingId } from './queries.ts'
import { ensureMetafieldSetting, fullKey, listDefinitions } from './setting.ts'
import { splitMetafieldKey } from '@okaeri/contract/metafields/metafield'
import { deleteUnreadableBirthdays, listUnreadableBirthdays } from './value-queries.ts'

/** This many customers are shown whose metafield is not a date. */
const FEW = 20
/** The limit of the contract's `MetafieldName`. */
const MAX_NAME_LENGTH = 100
const BIRTHDAY = { ja: '誕生日', en: 'Birthday' } as const

export async function getCustomerSetting(scope: MerchantScope): Promise<CustomerSetting> {
  const id = await findBirthdaySettingId(scope)
  const setting = id === null ? null : await findSetting(scope, id)
  if (!setting) return { birthday_metafield: null, birthdays: null }
  const [unreadable, progress] = await Promise.all([listUnreadableBirthdays(scope, FEW), progressOf(scope)])
  return {
    birthday_metafield: fullKey(setting),
    birthdays: {
      metafield_setting_id: setting.id,
      status: setting.status,
      error: setting.error,
      progress: progress(setting),
      filled_at: setting.filledAt?.toISOString() ?? null,
      read_count: Math.max(0, setting.valueCount - unreadable.total),
      unreadable_count: unreadable.total,
      unreadable: unreadable.first.map(({ customerId, name, value }) => ({ customer_id: customerId, name, value })),
    },
  }
}

/**
 * Chooses the metafield with the birthdays; a new one is added with the type the store gives it. Known birthdays stay if the new metafield has
 * no value.
 */
export async function changeCustomerSetting(
  scope: MerchantScope,
  { birthday_metafield: key }: { birthday_metafield: string | null },
): Promise<CustomerSetting> {
  const defined = key === null ? null : await findDefined(scope, key)
  return scope.transaction(async (scope) => {
    await deleteUnreadableBirthdays(scope)
    if (key === null) await writeBirthdaySettingId(scope, null)
    else {
      const { language } = await getMerchant(scope)
      const setting = await ensureMetafieldSetting(scope, {
        name: defined?.name ?? BIRTHDAY[language],
        key,
        namespace_type: 'platform',
        value_type: defined?.type ?? 'date',
      })
      await writeBirthdaySettingId(scope, setting.id)
      await scope.context.jobs.later(scope, readAllBirthdays, { settingId: setting.id })
    }
    return getCustomerSetting(scope)
  })
}

/** The store's definition of the metafield; null if it has none, there is no store, or a setting exists already. */
async function findDefined(scope: MerchantScope, key: string): Promise<{ name: string; type: MetafieldType } | null> {
  const name = splitMetafieldKey(key)
  if (!name || (await findSettingByKey(scope, name)) || (await findStore(scope))?.status !== 'connected') return null
  try {
    const found = (await listDefinitions(scope)).find((definition) => definition.key === key)
    if (!found || !isMetafieldType(found.value_type)) return null
    return { name: [...(found.name || key)].slice(0, MAX_NAME_LENGTH).join(''), type: found.value_type }
  } catch (error) {
    // The setting is stored even if the store cannot be reached now.
    if (error instanceof IntegrationError || error instanceof AppError) return null
    throw error
  }
}
