import { newId } from '../src/kernel/ids.ts'
import { beginCopying, finishCopying } from './fixtures.ts'
import type { TestMerchant, TestOkaeri } from './harness.ts'
import { deliverWebhook } from './sandbox-store.ts'

/** A connected store that was copied already. Nothing is read from it: it only sends the webhooks that the test chooses. */
export interface WebhookStore {
  shop: string
  /** Signed, as the platform would. */
  tell(topic: string, body: Record<string, unknown>): Promise<void>
  customer(person: WebhookCustomer): Record<string, unknown>
  order(order: WebhookOrder): Record<string, unknown>
  product(product: WebhookProduct): Record<string, unknown>
  cart(cart: WebhookBasket): Record<string, unknown>
  checkout(
    checkout: WebhookBasket & { id: number; email?: string; person?: WebhookCustomer; done?: boolean },
  ): Record<string, unknown>
}
export interface WebhookCustomer {
  id: number
  email?: string
}
export interface WebhookOrder {
  id: number
  person?: WebhookCustomer
  email?: string
  paid?: boolean
  fulfilled?: boolean
  cancelled?: boolean
  yen?: number
  at?: Date
  cartToken?: string
  checkoutToken?: string
}
export interface WebhookProduct {
  id: number
  variants: { id: number; price: number; stock: number }[]
}
export interface WebhookBasket {
  token: string
  items?: number
  at?: Date
  cartToken?: string
}

export async function connectWebhookStore(okaeri: TestOkaeri, merchant: TestMerchant): Promise<WebhookStore> {
  const shop = `told-${newId().slice(-12)}.myshopify.com`
  const now = okaeri.clock.now()
  await okaeri.query`insert into store_directory (shop_domain, merchant_id) values (${shop}, ${merchant.id})`
  await okaeri.query`insert into store_connections (merchant_id, id, shop_domain, name, storefront_url, status, scopes, connected_at)
    values (${merchant.id}, ${newId()}, ${shop}, '店', ${`https://${shop}`}, 'connected', '', ${now})`
  await beginCopying(merchant.scope())
  await finishCopying(merchant.scope())
  const yen = (amount: number) => ({ shop_money: { amount: String(amount), currency_code: 'JPY' } })
  const iso = (at?: Date): string => (at ?? okaeri.clock.now()).toISOString()
  const person = ({ id, email }: WebhookCustomer) => ({
    id,
    email: email ?? `person-${id}@example.test`,
    first_name: '花子',
    last_name: '山田',
    created_at: iso(),
    updated_at: iso(),
  })
  const items = (count = 1) =>
    Array.from({ length: count }, (_, index) => ({
      title: '煎茶',
      product_id: 9001,
      variant_id: 9101 + index,
      quantity: 1,
      line_price: '1200',
    }))
  return {
    shop,
    async tell(topic, body) {
      const response = await deliverWebhook(okaeri, JSON.stringify(body), {
        'x-shopify-topic': topic,
        'x-shopify-shop-domain': shop,
      })
      if (!response.ok) throw new Error(`${topic}: ${response.status} ${await response.text()}`)
    },
    customer: person,
    order: (order) => ({
      id: order.id,
      name: `#${order.id}`,
      email: order.email ?? (order.person ? person(order.person).email : null),
      processed_at: iso(order.at),
      created_at: iso(order.at),
      updated_at: iso(),
      cancelled_at: order.cancelled ? iso() : null,
      financial_status: order.paid ? 'paid' : 'pending',
      fulfillment_status: order.fulfilled ? 'fulfilled' : null,
      cart_token: order.cartToken ?? null,
      checkout_token: order.checkoutToken ?? null,
      total_price_set: yen(order.yen ?? 1200),
      current_total_price_set: yen(order.yen ?? 1200),
      customer: order.person ? person(order.person) : null,
      line_items: [
        { title: '煎茶', quantity: 1, product_id: 9001, variant_id: 9101, price_set: yen(order.yen ?? 1200) },
      ],
    }),
    product: ({ id, variants }) => ({
      id,
      title: '煎茶',
      handle: 'sencha',
      status: 'active',
      updated_at: iso(),
      variants: variants.map((variant) => ({
        id: variant.id,
        title: 'S',
        price: String(variant.price),
        inventory_quantity: variant.stock,
      })),
      variant_gids: variants,
    }),
    cart: ({ token, items: count, at }) => ({
      token,
      created_at: iso(at),
      updated_at: iso(at),
      line_items: items(count),
    }),
    checkout: ({ id, token, items: count, at, cartToken, email, person: who, done }) => ({
      id,
      token,
      cart_token: cartToken ?? null,
      email: email ?? (who ? person(who).email : null),
      currency: 'JPY',
      total_price: '1200',
      created_at: iso(at),
      updated_at: iso(at),
      completed_at: done ? iso() : null,
      abandoned_checkout_url: `https://${shop}/checkouts/${token}/recover`,
      customer: who ? person(who) : null,
      line_items: items(count),
    }),
  }
}
