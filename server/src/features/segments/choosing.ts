import type { Condition } from '@okaeri/contract/segments/condition'
import type { TargetCounts } from '@okaeri/contract/segments/segment'
import type { RawBuilder } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { readContext, refuseUnusable } from './condition-context.ts'
import { compileCondition, nobody } from './condition-sql.ts'
import { countChosen } from './queries.ts'
import { scoreWhereNeeded } from './scores.ts'

/**
 * The conditions as SQL over `c`, read in the merchant's calendar and currency at the scope's now. In a transaction it also makes the
 * room that large answers need (`work_mem`), so the statement belongs into the same one. `only`: the ids of the customers it is asked
 * about, where they are few; about others it then says nothing true.
 */
export async function whoIsChosen(
  scope: MerchantScope,
  conditions: Condition | null,
  { only }: { only?: readonly string[] } = {},
): Promise<RawBuilder<boolean>> {
  if (!conditions) return nobody
  const context = await readContext(scope, conditions, { everyone: only === undefined })
  return compileCondition(conditions, only ? { ...context, only } : context)
}

/** How many of the customers for whom `where` (SQL over `c`) holds could be mailed now, and who could not. */
export async function countTargets(
  scope: MerchantScope,
  where: RawBuilder<boolean>,
  { sendToAll }: { sendToAll: boolean },
): Promise<TargetCounts> {
  return (await countWithFirst(scope, where, { sendToAll, firstIds: 0 })).counts
}

/** Customers shown beside a live count. */
const PREVIEWED_CUSTOMERS = 10

/** Counts conditions that are not stored, with the newest customers they choose. */
export async function previewConditions(
  scope: MerchantScope,
  conditions: Condition,
): Promise<{ counts: TargetCounts; firstIds: string[] }> {
  await refuseUnusable(scope, conditions)
  await scoreWhereNeeded(scope, conditions)
  return scope.transaction(async (scope) => {
    const where = await whoIsChosen(scope, conditions)
    return countWithFirst(scope, where, { sendToAll: false, firstIds: PREVIEWED_CUSTOMERS })
  })
}

async function countWithFirst(
  scope: MerchantScope,
  where: RawBuilder<boolean>,
  options: { sendToAll: boolean; firstIds: number },
): Promise<{ counts: TargetCounts; firstIds: string[] }> {
  const { customersTotal, firstIds, ...counts } = await countChosen(scope, where, options)
  return { counts: { ...counts, customer_percentage: percentage(counts.total, customersTotal) }, firstIds }
}

/** 0–100 with one decimal. */
export const percentage = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10
