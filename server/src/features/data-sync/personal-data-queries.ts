import { sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import type { PersonalDataEntry, Person } from '../../kernel/personal-data.ts'

/** Personal fields of a webhook; without them an order is still an order. */
const PERSONAL = new Set(
  `customer,customer_id,email,contact_email,phone,billing_address,shipping_address,customer_locale,client_details,browser_ip,note,
  note_attributes,name,user_id,device_id,landing_site,landing_site_ref,referring_site,buyer_accepts_marketing,token,cart_token,
  checkout_token,checkout_id,confirmation_number,order_status_url,payment_details,default_address,addresses,first_name,last_name,
  destination,receipt,abandoned_checkout_url,customerId,email_address`
    .split(',')
    .map((word) => word.trim()),
)

/** At any depth, so that addresses within fulfillments are removed too. An order's own name (#1001) stays. */
function withoutPerson(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutPerson(item, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !PERSONAL.has(key) || (key === 'name' && depth === 0))
      .map(([key, inner]) => [key, withoutPerson(inner, depth + 1)]),
  )
}

const about = ({ storeCustomerIds, addresses, phones }: Person) => {
  const numbers = storeCustomerIds.map(String)
  return sql`t.subject = any(${numbers.map((id) => `customer:${id}`)}::text[])
    or t.payload #>> '{customer,id}' = any(${numbers}::text[]) or t.payload ->> 'customer_id' = any(${numbers}::text[])
    or t.payload ->> 'customerId' = any(${numbers.map((id) => `gid://shopify/Customer/${id}`)}::text[])
    or exists (select from unnest(${[...addresses, ...phones]}::text[]) as mark
      where length(mark) >= 4 and strpos(lower(t.payload::text), lower(mark)) > 0)`
}

export const syncPersonalData: readonly PersonalDataEntry[] = [
  {
    table: 'store_webhooks',
    title: { ja: 'ストアからの通知（14日間保存）', en: 'Store notifications (kept for 14 days)' },
    about,
    omittedColumns: ['event_id', 'attempts', 'next_attempt_at', 'error', 'parked_at'],
    forget: { run: emptyWebhooks },
  },
]

/**
 * The event's id stays, so that a repetition is recognized. Processed bodies, and those only about the person, are emptied; an order that is
 * not processed yet keeps everything except personal fields.
 */
async function emptyWebhooks(scope: MerchantScope, person: Person): Promise<number> {
  const { rows } = await sql<{ key: string; topic: string; waiting: boolean; payload: unknown }>`
    select t.event_id as key, t.topic, t.processed_at is null and t.parked_at is null as waiting, t.payload
    from store_webhooks t where t.merchant_id = ${scope.merchantId} and (${about(person)}) for update
  `.execute(scope.db)
  const marks = [...person.addresses, ...person.phones, ...person.names]
  for (const { key, topic, waiting, payload } of rows) {
    const left = waiting && /^(orders|refunds)\//.test(topic) ? JSON.stringify(withoutPerson(payload)) : '{}'
    const text = left.toLowerCase()
    const kept = marks.some((mark) => mark.length >= 4 && text.includes(mark.toLowerCase())) ? '{}' : left
    await sql`
      update store_webhooks set payload = ${kept}::jsonb, error = null,
        subject = case when subject like 'customer:%' then 'customer:erased' else subject end,
        processed_at = case when ${kept} = '{}' then coalesce(processed_at, ${scope.now}) else processed_at end
      where merchant_id = ${scope.merchantId} and event_id = ${key}
    `.execute(scope.db)
  }
  return rows.length
}
