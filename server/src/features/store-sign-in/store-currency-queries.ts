import type { CouponTerms } from '@okaeri/contract/coupons/coupon'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import type { FormConditions } from '@okaeri/contract/scenarios/scenario'
import type { Condition } from '@okaeri/contract/segments/condition'
import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

interface Named {
  id: string
  name: string
}
interface WithAmounts {
  segments: (Named & { conditions: Condition })[]
  /** Those that are over too: what is duplicated keeps its coupon. */
  campaigns: (Named & { coupon: CouponTerms })[]
  /** Every version: people may still be in an old one. */
  scenarios: (Named & { conditions: FormConditions | null; flows: Flow[] })[]
  /** Of the customer list; in major units, as the address has them. */
  views: (Named & { least: string | null; most: string | null })[]
}

/** Where amounts of money may have been typed. */
export async function selectWithAmounts(scope: MerchantScope): Promise<WithAmounts> {
  const { rows: segments } = await sql<WithAmounts['segments'][number]>`
    select id, name, conditions from segments
    where merchant_id = ${scope.merchantId} and deleted_at is null and conditions is not null
    order by created_at, id`.execute(scope.db)
  const { rows: campaigns } = await sql<WithAmounts['campaigns'][number]>`
    select id, name, coupon from campaigns
    where merchant_id = ${scope.merchantId} and status <> 'deleted' and coupon -> 'minimum' ->> 'kind' = 'subtotal'
    order by created_at, id`.execute(scope.db)
  const { rows: scenarios } = await sql<WithAmounts['scenarios'][number]>`
    select s.id, s.name, s.conditions, jsonb_agg(v.flow order by v.number) as flows
    from scenarios s
    join scenario_versions v on v.merchant_id = ${scope.merchantId} and v.scenario_id = s.id
    where s.merchant_id = ${scope.merchantId} and s.status <> 'deleted'
    group by s.merchant_id, s.id, s.name, s.conditions, s.created_at order by s.created_at, s.id`.execute(scope.db)
  const { rows: views } = await sql<WithAmounts['views'][number]>`
    select id, case when member_id is null then name else '' end as name, search ->> 'sales_min' as least, search ->> 'sales_max' as most
    from saved_views
    where merchant_id = ${scope.merchantId} and page = 'customers' and search ?| array['sales_min', 'sales_max']
    order by created_at, id`.execute(scope.db)
  return { segments, campaigns, scenarios, views }
}

/** What sends now, or will without anyone doing more. */
export async function selectRunning(scope: MerchantScope): Promise<(Named & { kind: 'campaign' | 'scenario' })[]> {
  const { rows } = await sql<Named & { kind: 'campaign' | 'scenario' }>`
    select 'campaign' as kind, id, name from campaigns
    where merchant_id = ${scope.merchantId} and status in ('collecting', 'reserving', 'reserved', 'waiting', 'sending')
    union all
    select 'scenario', id, name from scenarios where merchant_id = ${scope.merchantId} and status = 'active'
    order by kind, name, id`.execute(scope.db)
  return rows
}
