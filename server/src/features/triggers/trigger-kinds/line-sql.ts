import { isKeywordIn } from '@okaeri/contract/scenarios/trigger-kinds/line'
import { sql } from 'kysely'
import type { TriggerRules } from '../trigger-kind.ts'

export const lineFollowed: TriggerRules<'line_followed'> = {
  namesOnlyCustomer: true,
  pastSql: (merchantId, within) => sql`select f.customer_id as id, e.happened_at as at
    from line_events e join line_friends f on f.merchant_id = ${merchantId} and f.line_user_id = e.line_user_id
    where e.merchant_id = ${merchantId} and e.type = 'follow' and f.customer_id is not null and ${within(sql`e.happened_at`)}`,
}

export const lineMessage: TriggerRules<'line_message'> = {
  matches: (trigger, { line_text }) => line_text !== undefined && isKeywordIn(line_text, trigger),
}
