import { type Condition, checkCondition } from '@okaeri/contract/segments/condition'
import type { TargetCounts } from '@okaeri/contract/segments/segment'
import type { RawBuilder } from 'kysely'
import { invalid } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { compileCondition, nobody } from './condition-sql.ts'
import { countChosen, readMerchantCalendar, selectKnownProducts } from './queries.ts'

/** 400 `condition_invalid`, naming each part that cannot be used; what it names must be the merchant's own. */
export async function refuseUnusable(scope: MerchantScope, conditions: Condition): Promise<void> {
  const fields = checkCondition(conditions)
  if (Object.keys(fields).length === 0) {
    const named = productsNamed(conditions, 'conditions')
    const known = await selectKnownProducts(scope, [...new Set(named.map(({ id }) => id))])
    for (const { id, path } of named) if (!known.has(id)) fields[path] = 'not_found'
  }
  if (Object.keys(fields).length > 0) throw invalid(fields, 'condition_invalid')
}

function productsNamed(condition: Condition, path: string): { id: string; path: string }[] {
  if (condition.type === 'group')
    return condition.children.flatMap((child, index) => productsNamed(child, `${path}.children.${index}`))
  const { value } = condition
  if (typeof value !== 'object' || value === null || !('ids' in value)) return []
  return value.ids.map((id, index) => ({ id: id.toLowerCase(), path: `${path}.value.ids.${index}` }))
}

/** The conditions as SQL over `c`, read in the merchant's calendar and currency at the scope's now. */
export async function whoIsChosen(scope: MerchantScope, conditions: Condition | null): Promise<RawBuilder<boolean>> {
  if (!conditions) return nobody
  const calendar = await readMerchantCalendar(scope)
  return compileCondition(conditions, { merchantId: scope.merchantId, now: scope.now, ...calendar })
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
  const where = await whoIsChosen(scope, conditions)
  return countWithFirst(scope, where, { sendToAll: false, firstIds: PREVIEWED_CUSTOMERS })
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
