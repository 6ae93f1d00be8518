import type { Condition } from '@okaeri/contract/segments/condition'
import type { TargetCounts } from '@okaeri/contract/segments/segment'
import type { RawBuilder } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { MerchantScope, TransactionScope } from '../../../kernel/merchant-scope.ts'
import { isBrokenOff, limitStatements } from '../../../kernel/database/statement-limits.ts'
import { readContext, refuseUnusable } from './condition-context.ts'
import { configurePlanner } from './condition-queries.ts'
import { compileCondition, matchesNone } from './condition-sql.ts'
import { countChosen, countCustomers } from '../preview-queries.ts'
import { scoreWhereNeeded } from '../scores.ts'

/**
 * The conditions as SQL over `c`, in the merchant's calendar and currency at the scope's now. It also sets the memory that large answers
 * need until the end of the transaction, so the statement must run in the same one. `only`: the ids of a few customers; for any other
 * customer the result is then undefined.
 */
export async function conditionsSql(
  scope: TransactionScope,
  conditions: Condition | null,
  { only }: { only?: readonly string[] } = {},
): Promise<RawBuilder<boolean>> {
  if (!conditions) return matchesNone
  await configurePlanner(scope, { everyone: only === undefined })
  const context = await readContext(scope, conditions)
  return compileCondition(conditions, only ? { ...context, only } : context)
}

/** Fifteen times the slowest of thirty varied segments among a million customers. A person who keeps typing has sent another request by then. */
const COUNT_LIMIT_MS = 30_000

/**
 * How many of the customers for whom `where` (SQL over `c`) is true could be mailed now, and how many not, by reason. Throws
 * `condition_too_slow`; the transaction is then aborted.
 */
export function countTargets(
  scope: TransactionScope,
  where: RawBuilder<boolean>,
  { sendToAll, limitMs = COUNT_LIMIT_MS }: { sendToAll: boolean; limitMs?: number },
): Promise<TargetCounts> {
  return refuseIfTooSlow(async () => {
    await limitStatements(scope, limitMs)
    return (await countWithFirst(scope, where, { sendToAll, firstIds: 0 })).counts
  })
}

/** Gives up instead of keeping a connection that others wait for. */
async function refuseIfTooSlow<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!isBrokenOff(error)) throw error
    throw new AppError('unavailable', 'condition_too_slow', 'counting these conditions took too long')
  }
}

/** Customers shown beside a live count. */
const PREVIEWED_CUSTOMERS = 10

/** Counts conditions that are not stored, with the newest customers they choose. Throws `condition_too_slow`. */
export async function previewConditions(
  scope: MerchantScope,
  conditions: Condition,
  { limitMs = COUNT_LIMIT_MS } = {},
): Promise<{ counts: TargetCounts; firstIds: string[] }> {
  await refuseUnusable(scope, conditions)
  await scoreWhereNeeded(scope, conditions)
  return refuseIfTooSlow(() =>
    scope.transaction(async (scope) => {
      await limitStatements(scope, limitMs)
      const where = await conditionsSql(scope, conditions)
      return countWithFirst(scope, where, { sendToAll: false, firstIds: PREVIEWED_CUSTOMERS })
    }),
  )
}

async function countWithFirst(
  scope: TransactionScope,
  where: RawBuilder<boolean>,
  options: { sendToAll: boolean; firstIds: number },
): Promise<{ counts: TargetCounts; firstIds: string[] }> {
  const { firstIds, ...counts } = await countChosen(scope, where, options)
  // The total may be older than the customers just counted.
  const customersTotal = Math.max(counts.total, await customersTotalOf(scope))
  return { counts: { ...counts, customer_percentage: percentage(counts.total, customersTotal) }, firstIds }
}

/** Above this number a minute changes less than a tenth of a percent; fewer are counted each time. */
const TOTAL = { maxAgeMs: 60_000, few: 20_000 }
const totals = new WeakMap<Context, Map<string, { total: number; at: number }>>()

/** The merchant's number of customers, for percentages. Counting a million takes as long as a condition about them. */
async function customersTotalOf(scope: MerchantScope): Promise<number> {
  const known = totals.get(scope.context) ?? new Map<string, { total: number; at: number }>()
  totals.set(scope.context, known)
  const now = scope.now.getTime()
  const last = known.get(scope.merchantId)
  if (last && now >= last.at && now - last.at <= TOTAL.maxAgeMs) return last.total
  const total = await countCustomers(scope)
  if (total > TOTAL.few) known.set(scope.merchantId, { total, at: now })
  else known.delete(scope.merchantId)
  return total
}

/** 0–100 with one decimal. */
export const percentage = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10
