import type { DatabaseSync } from 'node:sqlite'
import type { SandboxClock } from '../clock.ts'
import type { Relays } from './webhooks/relay.ts'
import type { Extension } from './storefront/extension.ts'
import { execute, findRow } from '../sql.ts'
import type { StoreRow } from './rows.ts'

export interface SeedSize {
  customers: number
  products: number
  orders: number
}

/** What every part of the store platform shares. */
export interface Platform {
  database: DatabaseSync
  clock: SandboxClock
  /** Origin the sandbox is reached at, without a trailing slash. */
  publicUrl: () => string
  apiKey: string
  apiSecret: string
  appUrl: string | undefined
  seed: SeedSize
  relays: Relays
  /** The app's theme extension; null: none was made. */
  extension: Extension | null
  /** Where the app's extension for checkout and account pages is; null: none was made. */
  checkoutExtensionDir: string | null
  log: (line: string) => void
  /** Wakes the webhook sender after deliveries were written. Replaced when the sender starts. */
  wakeWebhooks: () => void
  /** The same for the runner of bulk operations. */
  wakeBulk: () => void
}

/** A platform and one of its stores: the first argument of everything that reads or changes a store. */
export interface StoreScope extends Platform {
  store: StoreRow
}

export const latestVersion = '2026-07'
const supportedVersions = ['2025-10', '2026-01', '2026-04', '2026-07', '2026-10', 'unstable']

/** The platform answers a retired version as its oldest supported one; null for what never was a version. */
export function servedVersion(asked: string): string | null {
  if (supportedVersions.includes(asked)) return asked
  if (!/^\d{4}-(01|04|07|10)$/.test(asked)) return null
  return asked < '2025-10' ? '2025-10' : null
}

export function isShopDomain(shop: string): boolean {
  return /^[a-zA-Z0-9][a-zA-Z0-9-]*\.myshopify\.com$/.test(shop) && shop.length <= 80
}

export function shopSlug(shop: string): string {
  return shop.slice(0, -'.myshopify.com'.length)
}

/** The store's clock in whole seconds, the platform's resolution. */
export function nowSeconds(platform: Platform): number {
  return Math.floor(platform.clock.now().getTime() / 1000)
}

/** Address within the sandbox, for its own pages: they work at every host name. */
export function storePath(scope: StoreScope, path = ''): string {
  return `/stores/${scope.store.shop}${path}`
}

export function storeUrl(scope: StoreScope, path = ''): string {
  return scope.publicUrl() + storePath(scope, path)
}

/** Takes the next number of a kind. Numbers of deleted things are never given out again. */
export function nextId(scope: StoreScope, kind: string): number {
  const { database, store } = scope
  const row = findRow<{ next: number }>(database)`INSERT INTO store_counter (store_id, kind, next)
    VALUES (${store.id}, ${kind}, ${firstId(store.shop) + 1}) ON CONFLICT (store_id, kind) DO UPDATE
    SET next = next + 1 RETURNING next`
  if (!row) throw new Error(`no number for ${kind}`)
  return row.next
}

export function setCounter(scope: StoreScope, kind: string, last: number): void {
  execute(scope.database)`INSERT OR REPLACE INTO store_counter (store_id, kind, next)
    VALUES (${scope.store.id}, ${kind}, ${last})`
}

/** Ids look like the platform's (13 digits), differ between stores and are the same at every first start. */
export function firstId(shop: string): number {
  return 6_000_000_000_000 + (hashOf(shop) % 900_000) * 1_000_000
}

/** FNV-1a over UTF-16 units, 32 bits. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash ^= text.charCodeAt(index)
    hash = Math.imul(hash, 0x01000193)
  }
  return hash >>> 0
}

export function gid(kind: string, id: number | string): string {
  return `gid://shopify/${kind}/${id}`
}

/** The number in a global id of this kind, or null. */
export function idIn(kind: string, globalId: string): number | null {
  const match = /^gid:\/\/shopify\/([A-Za-z]+)\/(\d{1,15})$/.exec(globalId)
  return match && match[1] === kind ? Number(match[2]) : null
}

export function isoSeconds(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
}
