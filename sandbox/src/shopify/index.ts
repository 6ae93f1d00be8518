import type { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import formbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import type { SandboxClock } from '../clock.ts'
import { acceptOwnForms } from '../http.ts'
import { mountAdmin } from './admin/admin.ts'
import { mountAppProxy } from './app-proxy.ts'
import { mountBulkFiles, startBulkRunner } from './graphql/bulk.ts'
import { createTables } from './database.ts'
import { mountGraphql, storeSchema } from './graphql/graphql.ts'
import { giveLocations } from './goods/levels.ts'
import { mountOauth } from './oauth.ts'
import type { Platform, SeedSize } from './platform.ts'
import { createRelays } from './webhooks/relay.ts'
import { mountSandboxApi } from './sandbox-api.ts'
import { readExtension } from './storefront/extension.ts'
import { mountStorefront } from './storefront/index.ts'
import { findStore, mainShop, openStore } from './stores.ts'
import { listRows } from '../sql.ts'
import { startWebhookSender } from './webhooks/webhooks.ts'

export { mainShop } from './stores.ts'

export interface ShopifyOptions {
  database: DatabaseSync
  clock: SandboxClock
  /** Origin the sandbox is reached at, known once it listens. */
  publicUrl: () => string
  apiKey: string
  apiSecret: string
  /** Where the app lives. Without it the store learns it when the app is first installed. */
  appUrl?: string
  /** How much the main store is filled with at first start. */
  seed?: SeedSize
  /** The folder of the app's theme extension, as it is deployed to the platform; null: the app has none. */
  extensionDir?: string | null
  /** The folder of its extension for checkout and account pages, built; null: the app has none. */
  checkoutExtensionDir?: string | null
  /** How late the app's answers reach the storefront while its network is slow. */
  slowMs?: number
  log?: (line: string) => void
}

const ownCheckoutExtension = fileURLToPath(new URL('../../../widget/checkout-extension/', import.meta.url))
const ownExtension = fileURLToPath(new URL('../../../widget/extension/', import.meta.url))
/** Longer than people wait without a sign of life. */
const SLOW_MS = 3000
const defaultSeed: SeedSize = { customers: 2000, products: 300, orders: 6000 }

/** Plays the store platform under `/stores/:shop/…` of this application. */
export async function mountShopify(
  app: FastifyInstance,
  options: ShopifyOptions,
): Promise<{
  /** Does all that is under way (bulk operations, webhooks) to its end; returns whether there was any. */
  settle(): Promise<boolean>
  close(): Promise<void>
}> {
  const platform: Platform = {
    database: options.database,
    clock: options.clock,
    publicUrl: () => options.publicUrl().replace(/\/$/, ''),
    apiKey: options.apiKey,
    apiSecret: options.apiSecret,
    appUrl: options.appUrl?.replace(/\/$/, ''),
    seed: options.seed ?? defaultSeed,
    extension: options.extensionDir === null ? null : readExtension(options.extensionDir ?? ownExtension),
    checkoutExtensionDir:
      options.checkoutExtensionDir === undefined ? ownCheckoutExtension : options.checkoutExtensionDir,
    relays: createRelays({ slowMs: options.slowMs ?? SLOW_MS }),
    log: options.log ?? (() => undefined),
    wakeWebhooks: () => undefined,
    wakeBulk: () => undefined,
  }
  createTables(options.database)
  for (const { shop } of listRows<{ shop: string }>(options.database)`SELECT shop FROM store`) {
    const known = findStore(platform, shop)
    if (known) giveLocations(known)
  }
  const sender = startWebhookSender(platform)
  platform.wakeWebhooks = sender.wake
  const runner = startBulkRunner(platform, storeSchema())
  platform.wakeBulk = runner.wake
  openStore(platform, mainShop)

  await app.register(async (stores) => {
    if (!stores.hasContentTypeParser('application/x-www-form-urlencoded')) await stores.register(formbody)
    mountOauth(stores, platform)
    mountGraphql(stores, platform)
    mountBulkFiles(stores, platform)
    mountSandboxApi(stores, platform)
    await stores.register(async (pages) => {
      await acceptOwnForms(pages)
      mountAdmin(pages, platform)
      mountStorefront(pages, platform)
      mountAppProxy(pages, platform)
    })
  })
  return {
    async settle() {
      const ran = await runner.settle()
      return (await sender.settle()) || ran
    },
    async close() {
      await runner.close()
      await sender.close()
      await platform.relays.close()
    },
  }
}
