import { type Platform, type SeedSize, type StoreScope, shopSlug } from './platform.ts'
import { countListed } from './connection.ts'
import { listed, listingOf } from './resources.ts'
import { seedStore } from './seed/seed.ts'
import { execute, findRow, transaction } from '../sql.ts'
import { currencyOfShop, moneyFormat } from './goods/money.ts'
import type { Breakage } from './fault-injection.ts'
import type { BulkEnd, Currency, ProtectedData, StoreRow, StoreState } from './rows.ts'

export const mainShop = 'okaeri-sandbox.myshopify.com'
const smallSeed: SeedSize = { customers: 60, products: 20, orders: 120 }

export function findStore(platform: Platform, shop: string): StoreScope | null {
  const store = findRow<StoreRow>(platform.database)`SELECT * FROM store WHERE shop = ${shop}`
  return store ? { ...platform, store } : null
}

/** The store of this name; opened and filled when it is asked for the first time. */
export function openStore(platform: Platform, shop: string): StoreScope {
  const known = findStore(platform, shop)
  if (known) return known
  return transaction(platform.database, () => {
    const started = performance.now()
    const createdAt = Math.floor(platform.clock.now().getTime() / 1000)
    execute(platform.database)`INSERT INTO store (shop, name, created_at, currency)
      VALUES (${shop}, ${shop === mainShop ? 'おかえり雑貨店' : shopSlug(shop)}, ${createdAt}, ${currencyOfShop(shop)})`
    const scope = findStore(platform, shop)
    if (!scope) throw new Error(`store ${shop} did not appear`)
    const size = shop === mainShop ? platform.seed : smallSeed
    seedStore(scope, size)
    platform.log(
      `store ${shop} opened: ${size.customers} customers, ${size.orders} orders in ${Math.round(performance.now() - started)} ms`,
    )
    return scope
  })
}

/** The row as it is now: switches and points change between two looks. */
export function refreshed(scope: StoreScope): StoreScope {
  return findStore(scope, scope.store.shop) ?? scope
}

/** The switches on the admin page and in `switches.json`. Only what is given changes. */
export interface Switches {
  throttle_next?: number
  fail_next_bulk?: boolean
  throttling?: boolean
  bulk_duration_ms?: number
  lose_webhooks?: boolean
  state?: StoreState
  /** How so many of the next calls of the API (tokens included), or files, break. */
  break_calls?: { as: Breakage; times: number }
  break_files?: { as: Breakage; times: number }
  end_next_bulk?: BulkEnd
  protected_data?: ProtectedData
  lose_code_jobs?: boolean
  /** Amounts keep their number in the smallest unit: ¥3,240 are $32.40 then. */
  currency?: Currency
}

export function setSwitches(scope: StoreScope, switches: Switches): void {
  const row = refreshed(scope).store
  execute(scope.database)`UPDATE store SET throttle_next = ${switches.throttle_next ?? row.throttle_next},
    fail_next_bulk = ${Number(switches.fail_next_bulk ?? row.fail_next_bulk)},
    throttling = ${Number(switches.throttling ?? row.throttling)},
    bulk_duration_ms = ${switches.bulk_duration_ms ?? row.bulk_duration_ms},
    lose_webhooks = ${Number(switches.lose_webhooks ?? row.lose_webhooks)}, state = ${switches.state ?? row.state},
    break_calls = ${switches.break_calls?.as ?? row.break_calls},
    break_calls_left = ${switches.break_calls?.times ?? row.break_calls_left},
    break_files = ${switches.break_files?.as ?? row.break_files},
    break_files_left = ${switches.break_files?.times ?? row.break_files_left},
    end_next_bulk = ${switches.end_next_bulk ?? row.end_next_bulk},
    protected_data = ${switches.protected_data ?? row.protected_data},
    lose_code_jobs = ${Number(switches.lose_code_jobs ?? row.lose_code_jobs)},
    currency = ${switches.currency ?? row.currency} WHERE id = ${row.id}`
}

export function countStore(scope: StoreScope): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [kind, { counted }] of listed) if (counted) counts[counted] = countListed(scope, listingOf(kind), null)
  return counts
}

/** What the platform tells about the shop in a REST-shaped body (app/uninstalled). */
export function shopBody(scope: StoreScope): Record<string, unknown> {
  const { store } = scope
  return {
    id: store.id + 70_000_000_000,
    name: store.name,
    email: `owner@${shopSlug(store.shop)}.test`,
    domain: store.shop,
    province: 'Tōkyō',
    country: 'JP',
    address1: '渋谷1-2-3',
    zip: '150-0002',
    city: '渋谷区',
    source: null,
    phone: '+81312345678',
    primary_locale: 'ja',
    country_code: 'JP',
    country_name: 'Japan',
    currency: store.currency,
    customer_email: `hello@${shopSlug(store.shop)}.test`,
    timezone: '(GMT+09:00) Asia/Tokyo',
    iana_timezone: 'Asia/Tokyo',
    shop_owner: 'おかえり 店主',
    money_format: moneyFormat(scope),
    money_with_currency_format: `${moneyFormat(scope)} ${store.currency}`,
    plan_display_name: 'Basic',
    plan_name: 'basic',
    myshopify_domain: store.shop,
    has_storefront: true,
    password_enabled: false,
    enabled_presentment_currencies: [store.currency],
  }
}
