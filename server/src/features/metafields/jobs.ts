import { NIL_ID } from '../../kernel/ids.ts'
import { job } from '../../kernel/work/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { analyzeValues } from './backfill-queries.ts'
import { findBirthdaySettingId, findSetting, markStatus } from './queries.ts'
import { readValue } from './value.ts'
import { deleteSomeValues, listValues, recount, rewriteReadings, type StoredValue } from './value-queries.ts'
import { readBirthdays } from './value-upsert.ts'

/** Small enough for short locks and constant memory. */
const BATCH = 2000

/** Sets every birthday from the stored values. A second run begins again and changes only differences. */
export const readAllBirthdays = job<{ settingId: string }>(
  'read_all_birthdays',
  ({ settingId }) => settingId,
  async (scope, { settingId }) => {
    await eachBatch(scope, settingId, async (scope, values) => {
      if ((await findBirthdaySettingId(scope)) !== settingId) return
      const customerIds = await readBirthdays(scope, values)
      if (customerIds.length > 0)
        await scope.context.publish(scope, 'customers.changed', { customerIds, learned: true })
    })
  },
)

/** The type of a setting was changed: its values are read again. */
export const rereadMetafield = job<{ settingId: string }>(
  'reread_metafield',
  ({ settingId }) => settingId,
  async (scope, { settingId }) => {
    await eachBatch(scope, settingId, async (scope, values) => {
      const setting = await findSetting(scope, settingId)
      if (!setting) return
      await rewriteReadings(
        scope,
        values.map((stored) => ({ settingId, ...stored, ...readValue(setting.valueType, stored.value) })),
      )
    })
    await scope.transaction(async (scope) => {
      const setting = await findSetting(scope, settingId, { lock: true })
      if (setting?.status === 'filling' && (setting.namespaceType === 'custom' || setting.filledAt))
        await markStatus(scope, [settingId], { status: 'ready' })
      await recount(scope, settingId)
      await scope.context.publish(scope, 'customers.changed_widely', { learned: true })
    })
    await analyzeValues(scope)
  },
)

/** A setting was deleted: deletes its values, some at a time. */
export const dropMetafieldValues = job<{ settingId: string }>(
  'drop_metafield_values',
  ({ settingId }) => settingId,
  async (scope, { settingId }) => {
    while ((await deleteSomeValues(scope, settingId, BATCH)) === BATCH);
  },
)

async function eachBatch(
  scope: MerchantScope,
  settingId: string,
  work: (scope: MerchantScope, values: StoredValue[]) => Promise<void>,
): Promise<void> {
  for (let after = NIL_ID; ; ) {
    const values = await listValues(scope, settingId, { after, limit: BATCH })
    if (values.length > 0) await scope.transaction((scope) => work(scope, values))
    const last = values.at(-1)
    if (!last || values.length < BATCH) return
    after = last.customerId
  }
}
