import { createHash } from 'node:crypto'
import type { FrontendStatus } from '@okaeri/contract/visitors/routes'
import { type WidgetPart, widgetParts } from '@okaeri/contract/visitors/widget'
import type { Context } from '../../kernel/context.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { findShop, forgetShop } from './shop.ts'

declare module '../../kernel/context.ts' {
  interface Ports {
    /** What features tell their parts of the script, by feature; the same for every visitor. */
    storefrontFacts(scope: MerchantScope): Promise<FrontendStatus['facts']>
  }
}

/** As it is sent. */
export interface StatusAnswer {
  body: string
  etag: string
}

/** How long an answer stands, here and in browsers: a change of the settings is on all pages within two minutes. */
export const STATUS_SECONDS = 60
const MAX_KEPT = 5000

interface Kept {
  answer: StatusAnswer
  until: number
  asking: Promise<StatusAnswer> | null
}
const kept = new WeakMap<Context, Map<string, Kept>>()

/** What the script is told. While the database is away, what was told last. */
export async function statusOf(context: Context, shopDomain: string): Promise<StatusAnswer> {
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
export async function lookAtShopAgain(
  { context }: MerchantScope,
  { shopDomain }: { shopDomain: string },
): Promise<void> {
  forgetShop(context, shopDomain)
  kept.get(context)?.delete(shopDomain)
}

async function compose(context: Context, shopDomain: string): Promise<StatusAnswer> {
  const shop = await findShop(context, shopDomain)
  const status =
    shop?.isConnected && shop.merchantId !== null ? await readStatus(merchantScope(context, shop.merchantId)) : off
  const body = JSON.stringify({ status })
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
}

const parts = (on: boolean): FrontendStatus['parts'] =>
  Object.fromEntries(widgetParts.map((part) => [part, { on, place: null }])) as Record<
    WidgetPart,
    FrontendStatus['parts'][WidgetPart]
  >

const off: FrontendStatus = { on: false, parts: parts(false), texts: {}, colors: {}, facts: {} }

async function readStatus(scope: MerchantScope): Promise<FrontendStatus> {
  return {
    on: true,
    // What visitors look at is looked at only where the merchant said so.
    parts: { ...parts(true), views: { on: false, place: null } },
    texts: {},
    colors: {},
    facts: await scope.context.ports.storefrontFacts(scope),
  }
}
