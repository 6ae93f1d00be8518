import { sql } from 'kysely'
import type { TriggerRules } from '../trigger-kind.ts'

const ofSegment = <K extends 'segment_entered' | 'segment_left'>(kind: K) =>
  ({
    matches: ({ segment_id }, subject) => segment_id !== null && subject.segment_id === segment_id.toLowerCase(),
    namesOnlyCustomer: true,
    // Only as long as events are kept.
    pastSql: (merchantId, within, trigger) => sql`select v.customer_id as id, v.occurred_at as at from events v
      where v.merchant_id = ${merchantId} and v.kind = ${kind} and v.customer_id is not null and ${within(sql`v.occurred_at`)}
        and ${trigger ? sql`v.subject ->> 'segment_id' = ${trigger.segment_id?.toLowerCase() ?? null}` : sql`true`}`,
  }) satisfies TriggerRules<'segment_entered' | 'segment_left'>

export const segmentEntered: TriggerRules<'segment_entered'> = ofSegment('segment_entered')
export const segmentLeft: TriggerRules<'segment_left'> = ofSegment('segment_left')
