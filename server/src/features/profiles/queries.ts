import type {
  CustomerCartLine,
  CustomerFavorite,
  CustomerLook,
  CustomerMetafield,
} from '@okaeri/contract/customers/customer'
import type { DeliveryView } from '@okaeri/contract/deliveries/delivery'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { deliveryColumns, deliveryJoins } from '../deliveries/index.ts'

type Instants =
  | 'sent_at'
  | 'opened_at'
  | 'clicked_at'
  | 'bounced_at'
  | 'machine_opened_at'
  | 'machine_clicked_at'
  | 'unsubscribed_at'
  | 'complained_at'
export type MessageRow = Omit<DeliveryView, Instants | 'created_at'> & { created_at: Date } & Record<
    Instants,
    Date | null
  >

/** The address of a customer; null if there is no such customer. */
export async function findAddress(scope: MerchantScope, customerId: string): Promise<{ email: string | null } | null> {
  const { rows } = await sql<{ email: string | null }>`
    select email from customers where merchant_id = ${scope.merchantId} and id = ${customerId}
  `.execute(scope.db)
  return rows[0] ?? null
}

/** Messages to a customer, in every state, with the names of mail, campaign and scenario. */
async function selectMessagesWhere(
  scope: MerchantScope,
  where: RawBuilder<unknown>,
  limit: number,
): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select ${deliveryColumns(scope)}, k.name as campaign_name, s.name as scenario_name,
      d.machine_opened_at, d.machine_clicked_at, d.unsubscribed_at, d.complained_at
    from deliveries d ${deliveryJoins(scope)}
    left join campaigns k on k.merchant_id = ${scope.merchantId} and k.id = d.campaign_id
    left join scenarios s on s.merchant_id = ${scope.merchantId} and s.id = d.scenario_id
    where d.merchant_id = ${scope.merchantId} and ${where}
    order by d.id desc limit ${limit}
  `.execute(scope.db)
  return rows
}

/** The newest. */
export const selectMessages = (scope: MerchantScope, customerId: string, limit: number): Promise<MessageRow[]> =>
  selectMessagesWhere(scope, sql`d.customer_id = ${customerId}`, limit)

export const selectMessagesByIds = (scope: MerchantScope, ids: readonly string[]): Promise<MessageRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : selectMessagesWhere(scope, sql`d.id = any(${ids}::uuid[])`, ids.length)

export async function selectFavorites(
  scope: MerchantScope,
  customerId: string,
  limit: number,
): Promise<CustomerFavorite[]> {
  const { rows } = await sql<
    Omit<CustomerFavorite, 'created_at' | 'store_product_id'> & { created_at: Date; number: number }
  >`
    select f.id, f.store_product_id as number, p.title as product_title, v.title as variant_title, f.created_at
    from favorites f
    left join products p on p.merchant_id = ${scope.merchantId} and p.store_product_id = f.store_product_id
    left join product_variants v on v.merchant_id = ${scope.merchantId} and v.store_variant_id = f.store_variant_id
    where f.merchant_id = ${scope.merchantId} and f.customer_id = ${customerId} and f.status = 'active'
    order by f.created_at desc, f.id desc limit ${limit}
  `.execute(scope.db)
  return rows.map(({ number, ...row }) => ({
    ...row,
    store_product_id: String(number),
    created_at: row.created_at.toISOString(),
  }))
}

/** The last first. */
export async function selectLooks(scope: MerchantScope, customerId: string, limit: number): Promise<CustomerLook[]> {
  const { rows } = await sql<Omit<CustomerLook, 'viewed_at'> & { viewed_at: Date }>`
    select w.store_product_id::text as store_product_id, p.title as product_title, w.views, w.viewed_at
    from product_views w
    left join products p on p.merchant_id = ${scope.merchantId} and p.store_product_id = w.store_product_id
    where w.merchant_id = ${scope.merchantId} and w.customer_id = ${customerId}
    order by w.viewed_at desc, w.store_product_id desc limit ${limit}
  `.execute(scope.db)
  return rows.map((row) => ({ ...row, viewed_at: row.viewed_at.toISOString() }))
}

/** What lies in it now, as the browser said. */
export async function selectCart(scope: MerchantScope, customerId: string, limit: number): Promise<CustomerCartLine[]> {
  const { rows } = await sql<Omit<CustomerCartLine, 'seen_at'> & { seen_at: Date }>`
    select k.store_product_id::text as store_product_id, p.title as product_title, k.quantity, k.seen_at
    from cart_products k
    left join products p on p.merchant_id = ${scope.merchantId} and p.store_product_id = k.store_product_id
    where k.merchant_id = ${scope.merchantId} and k.customer_id = ${customerId} and k.quantity > 0
    order by k.seen_at desc, k.store_product_id desc limit ${limit}
  `.execute(scope.db)
  return rows.map((row) => ({ ...row, seen_at: row.seen_at.toISOString() }))
}

export async function selectMetafields(scope: MerchantScope, customerId: string): Promise<CustomerMetafield[]> {
  const { rows } = await sql<Omit<CustomerMetafield, 'updated_at'> & { updated_at: Date }>`
    select s.id as metafield_setting_id, s.name, s.namespace, s.key, s.value_type, v.value, v.updated_at
    from customer_metafields v
    join metafield_settings s on s.merchant_id = ${scope.merchantId} and s.id = v.metafield_setting_id and s.deleted_at is null
    where v.merchant_id = ${scope.merchantId} and v.customer_id = ${customerId} order by s.name, s.id
  `.execute(scope.db)
  return rows.map((row) => ({ ...row, updated_at: row.updated_at.toISOString() }))
}
