import type { ReadValue } from '@okaeri/contract/segments/condition-routes'
import type { Leaf } from '@okaeri/contract/segments/condition'
import { sql } from 'kysely'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { compileLeaf, readLeaf } from './condition-sql.ts'
import type { ConditionContext } from '../condition-types/field-sql.ts'
import type { JoinedReads } from '../condition-types/read-value-sql.ts'

export interface Comparison {
  holds: boolean
  value: ReadValue
}

/** The result and the value of every comparison for some customers, in one statement. Customers who do not exist are missing. */
export async function selectExplanations(
  scope: MerchantScope,
  customerIds: readonly string[],
  leaves: readonly Leaf[],
  context: ConditionContext,
): Promise<Map<string, Comparison[]>> {
  const ofThese = { ...context, only: customerIds }
  const joined: JoinedReads = []
  const values = leaves.map((leaf) => readLeaf(leaf, ofThese, joined))
  const withJoined = joined.length > 0 ? sql`with ${sql.join(joined.map(({ query }) => query))}` : sql``
  const { rows } = await sql<{ id: string; holds: boolean[]; values: ReadValue[] }>`
    ${withJoined}
    select c.id, array[${sql.join(leaves.map((leaf) => sql`(${compileLeaf(leaf, ofThese)}) is true`))}]::boolean[] as holds,
      array[${sql.join(values)}]::jsonb[] as values
    from customers c ${sql.join(
      joined.map(({ join }) => join),
      sql` `,
    )}
    where c.merchant_id = ${scope.merchantId} and c.id = any(${[...customerIds]}::uuid[])`.execute(scope.db)
  return new Map(
    rows.map(({ id, holds, values }) => [
      id,
      leaves.map((_, index) => ({ holds: holds[index] ?? false, value: values[index] ?? { kind: 'none' } })),
    ]),
  )
}

export async function isMember(scope: MerchantScope, segmentId: string, customerId: string): Promise<boolean> {
  const { rows } = await sql`
    select from segment_members where merchant_id = ${scope.merchantId} and segment_id = ${segmentId}
      and customer_id = ${customerId}`.execute(scope.db)
  return rows.length > 0
}
