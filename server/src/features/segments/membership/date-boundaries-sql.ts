import { type Condition, findField, type Leaf, leavesOf } from '@okaeri/contract/segments/condition'
import { type RawBuilder, sql } from 'kysely'
import type { TransactionScope } from '../../../kernel/merchant-scope.ts'
import { conditionsSql } from '../conditions/condition-preview.ts'
import { conditionTypeSqlOf } from '../condition-types/index.ts'
import { addDays, localDay, startOfDay } from './local-day.ts'

/**
 * Customers (`c`) whose answer may differ between today and the day the segment was last evaluated; null if no part of its conditions depends
 * on the calendar. A part depends on it if it compiles to different SQL for the two days.
 */
export async function findDateBoundaries(
  scope: TransactionScope,
  segment: { conditions: Condition | null; members_day: string | null },
  timezone: string,
): Promise<RawBuilder<boolean> | null> {
  if (!segment.conditions || segment.members_day === null) return null
  const before: TransactionScope = { ...scope, now: startOfDay(segment.members_day, timezone) }
  const relative: Leaf[] = []
  for (const leaf of leavesOf(segment.conditions))
    if ((await read(before, leaf)) !== (await read(scope, leaf))) relative.push(leaf)
  if (relative.length === 0) return null
  const boundaries = relative.map((leaf) => boundaryOf(leaf, { before: before.now, now: scope.now, timezone }))
  if (boundaries.every((boundary) => boundary !== null)) return sql<boolean>`(${sql.join(boundaries, sql` or `)})`
  // For anything else, the answers of both days are compared.
  const [then, today] = [
    await conditionsSql(before, segment.conditions),
    await conditionsSql(scope, segment.conditions),
  ]
  return sql<boolean>`coalesce(${then}, false) <> coalesce(${today}, false)`
}

/**
 * Whether the answer depends on the catalog as it is now. A vendor, a tag or a collection that changes there changes nothing about the
 * customers who bought it, so no customer is marked dirty: such segments are calculated once a day.
 */
export const dependsOnCatalog = (conditions: Condition | null): boolean =>
  conditions !== null &&
  leavesOf(conditions).some((leaf) => {
    const field = findField(leaf)
    return field !== null && conditionTypeSqlOf(field.type).dependsOnCatalog?.(leaf.value)
  })

/** The part as SQL with its parameters. */
async function read(scope: TransactionScope, leaf: Leaf): Promise<string> {
  const { sql: text, parameters } = (await conditionsSql(scope, leaf)).compile(scope.db)
  return JSON.stringify([text, parameters])
}

/**
 * The boundary of "so many days ago" has moved from one instant to another, and dates between them crossed it. For "within", so did dates
 * between the last evaluation and now, because they are no longer in the future. Null: not a date stored with the customer.
 */
function boundaryOf(
  leaf: Leaf,
  { before, now, timezone }: { before: Date; now: Date; timezone: string },
): RawBuilder<boolean> | null {
  const { operator, value } = leaf
  const field = findField(leaf)
  const column = field && conditionTypeSqlOf(field.type).fields[field.name]?.boundary
  if (!column || typeof value !== 'number') return null
  if (operator !== 'within_last_days' && operator !== 'more_than_days_ago') return null
  const boundary = (at: Date): Date => startOfDay(addDays(localDay(at, timezone), -value), timezone)
  const at = sql.ref(`c.${column}`)
  const crossed = sql<boolean>`(${at} >= ${boundary(before)} and ${at} < ${boundary(now)})`
  return operator === 'within_last_days'
    ? sql<boolean>`(${crossed} or (${at} > ${before} and ${at} <= ${now}))`
    : crossed
}
