import { sql } from 'kysely'
import type { TriggerRules } from '../trigger-kind.ts'

export const customerCreated: TriggerRules<'customer_created'> = {
  namesOnlyCustomer: true,
  pastSql: (merchantId, within) => sql`select c.id, c.created_at as at from customers c
    where c.merchant_id = ${merchantId} and ${within(sql`c.created_at`)}`,
}

export const consentGiven: TriggerRules<'consent_given'> = {
  namesOnlyCustomer: true,
  pastSql: (merchantId, within) => sql`select h.customer_id as id, h.occurred_at as at from consent_changes h
    where h.merchant_id = ${merchantId} and h.kind = 'marketing' and h.to_state = 'granted' and ${within(sql`h.occurred_at`)}`,
}

export const favoriteAdded: TriggerRules<'favorite_added'> = {
  pastSql: (merchantId, within) => sql`select f.customer_id as id, f.created_at as at from favorites f
    where f.merchant_id = ${merchantId} and f.customer_id is not null and ${within(sql`f.created_at`)}`,
}
