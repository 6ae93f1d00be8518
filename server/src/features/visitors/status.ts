import { createHash } from 'node:crypto'
import type { FrontendStatus } from '@okaeri/contract/visitors/routes'
import { scriptParts } from '@okaeri/contract/visitors/widget'
import type { Context } from '../../kernel/context.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { getStorefrontSettings } from '../storefront-settings/index.ts'
import { makeReady, type Ready } from './at-once.ts'
import { findStore } from '../stores/index.ts'
import { findShop, forgetShop } from './shop.ts'
import { readWidgetSettings, statusFrom } from './widget-settings.ts'

declare module '../../kernel/context.ts' {
  interface Ports {
    /** What features tell their parts of the script, by feature; the same for every visitor. */
    storefrontFacts(scope: MerchantScope): Promise<FrontendStatus['facts']>
  }
}

/** As it is sent, to the shop's own pages and to others, who may not read it. */
export interface StatusAnswer {
  own: ReadonlyMap<string, Ready>
  others: Ready
}
export const statusFor = ({ own, others }: StatusAnswer, origin: string | undefined): Ready =>
  (origin === undefined ? undefined : own.get(origin)) ?? others

/** How long an answer stands, here and in browsers: a change of the settings is on all pages within two minutes. */
const STATUS_SECONDS = 60
const MAX_KEPT = 5000

interface Kept {
  answer: StatusAnswer
  until: number
  asking: Promise<StatusAnswer> | null
}
const kept = new WeakMap<Context, Map<string, Kept>>()

/** What the script gets; a promise only where it has to be composed. While the database is away, the last answer again. */
export function statusOf(context: Context, shopDomain: string): StatusAnswer | Promise<StatusAnswer> {
  const answers = kept.get(context) ?? new Map<string, Kept>()
  kept.set(context, answers)
  const nowMs = context.clock.realNow().getTime()
  const known = answers.get(shopDomain)
  if (known && known.until > nowMs && known.until <= nowMs + STATUS_SECONDS * 1000) return known.answer
  if (known?.asking) return known.answer
  const asking = compose(context, shopDomain).then((answer) => {
    if (answers.size >= MAX_KEPT) answers.clear()
    answers.set(shopDomain, { answer, until: nowMs + STATUS_SECONDS * 1000, asking: null })
    return answer
  })
  if (!known) return asking
  // One asks for all; the others, and this one if it fails, have the former answer.
  known.asking = asking
  return asking.catch((error: unknown) => {
    known.asking = null
    context.log.warn({ error, shopDomain }, 'the status of a shop is the former one')
    return known.answer
  })
}

/** The store was connected or is no longer: this process sees it at once, the others soon. */
export async function checkShopAgain(
  { context }: MerchantScope,
  { shopDomain }: { shopDomain: string },
): Promise<void> {
  forgetShop(context, shopDomain)
  kept.get(context)?.delete(shopDomain)
}

/** The merchant's settings changed. */
export async function forgetStatus(scope: MerchantScope): Promise<void> {
  const store = await findStore(scope)
  if (store) kept.get(scope.context)?.delete(store.shop_domain)
}

async function compose(context: Context, shopDomain: string): Promise<StatusAnswer> {
  const shop = await findShop(context, shopDomain)
  const status =
    shop?.isConnected && shop.merchantId !== null ? await readStatus(merchantScope(context, shop.merchantId)) : off
  const body = Buffer.from(JSON.stringify({ status }))
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const ready = (more: object): Ready =>
    makeReady(
      context,
      { body, etag },
      {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': `public, max-age=${STATUS_SECONDS}`,
        vary: 'origin',
        ...more,
      },
    )
  const own = (shop?.origins ?? []).map((origin) => [origin, ready({ 'access-control-allow-origin': origin })] as const)
  return { own: new Map(own), others: ready({}) }
}

const off: FrontendStatus = {
  on: false,
  parts: Object.fromEntries(scriptParts.map((part) => [part, { on: false, place: null }])) as FrontendStatus['parts'],
  texts: {},
  colors: {},
  facts: {},
}

async function readStatus(scope: MerchantScope): Promise<FrontendStatus> {
  const { parts, ...looks } = statusFrom(await readWidgetSettings(scope))
  const { records_behavior, records_carts } = await getStorefrontSettings(scope)
  return {
    on: true,
    ...looks,
    // What visitors do is looked at only where the merchant said so, in the settings of customers.
    parts: { ...parts, views: { on: records_behavior || records_carts, place: null } },
    facts: {
      ...(await scope.context.ports.storefrontFacts(scope)),
      behavior: { views: records_behavior, carts: records_carts },
    },
  }
}
