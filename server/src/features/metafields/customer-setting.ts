import type { CustomerSetting } from '@okaeri/contract/metafields/metafield'
import { isMetafieldType } from '@okaeri/contract/metafields/value-type'
import { AppError, IntegrationError } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from '../merchants/index.ts'
import { findStore } from '../stores/index.ts'
import { progressOf } from './filling.ts'
import { readAllBirthdays } from './jobs.ts'
import { findBirthdaySettingId, findSetting, findSettingByKey, writeBirthdaySettingId } from './queries.ts'
import { ensureMetafieldSetting, fullKey, listDefinitions } from './setting.ts'
import { splitMetafieldKey } from '@okaeri/contract/metafields/metafield'
import { deleteUnreadableBirthdays, listUnreadableBirthdays } from './value-queries.ts'

/** Shown of those whose metafield is no date. */
const FEW = 20
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
 * Names the metafield whose values are the birthdays; one that is not kept yet is kept from now on, with the type the store gives it.
 * Birthdays known so far stay where the new metafield says nothing.
 */
export async function changeCustomerSetting(
  scope: MerchantScope,
  { birthday_metafield: key }: { birthday_metafield: string | null },
): Promise<CustomerSetting> {
  const valueType = key === null ? 'date' : await typeInStore(scope, key)
  return scope.transaction(async (scope) => {
    await deleteUnreadableBirthdays(scope)
    if (key === null) await writeBirthdaySettingId(scope, null)
    else {
      const { language } = await getMerchant(scope)
      const setting = await ensureMetafieldSetting(scope, {
        name: BIRTHDAY[language],
        key,
        namespace_type: 'platform',
        value_type: valueType,
      })
      await writeBirthdaySettingId(scope, setting.id)
      await scope.context.jobs.later(scope, readAllBirthdays, { settingId: setting.id })
    }
    return getCustomerSetting(scope)
  })
}

/** What the store says the metafield is; a date where it says nothing, or there is no store to ask. */
async function typeInStore(scope: MerchantScope, key: string) {
  const name = splitMetafieldKey(key)
  if (!name || (await findSettingByKey(scope, name)) || (await findStore(scope))?.status !== 'connected') return 'date'
  try {
    const found = (await listDefinitions(scope)).find((definition) => definition.key === key)
    return found && isMetafieldType(found.value_type) ? found.value_type : 'date'
  } catch (error) {
    // The setting is worth keeping though the store cannot be asked just now.
    if (error instanceof IntegrationError || error instanceof AppError) return 'date'
    throw error
  }
}
