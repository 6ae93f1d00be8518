import { locales } from '@okaeri/contract/locale'
import * as contract from '@okaeri/contract/system/routes'
import { inspectToken } from '../features/sessions/index.ts'
import { getStoreClient, listConnectedStores } from '../features/stores/index.ts'
import { scopeOfShop } from '../features/subscriptions/index.ts'
import { makeCaptcha } from '../integrations/captcha/captcha.ts'
import { getShopify } from '../integrations/shopify/index.ts'
import { WEBHOOK_LIST, type WebhookListResult } from '../integrations/shopify/operations.ts'
import { stopwatch } from '../kernel/clock.ts'
import type { Context } from '../kernel/context.ts'
import { pingDatabase } from '../kernel/database/database.ts'
import { AppError, IntegrationError } from '../kernel/errors.ts'
import type { Routes } from '../kernel/http/http.ts'
import { originOf } from '../kernel/rate-limits.ts'
import { livenessOf, readinessOf } from './readiness.ts'
import { merchantScope } from '../kernel/merchant-scope.ts'

/** Routes about this process rather than about a feature. */
export function systemRoutes(on: Routes): void {
  on.open(contract.supportedLocales)(async () => ({ locales: [...locales], default: 'ja' }))
  on.open(contract.health)(async ({ context }) => livenessOf(context))
  on.open(contract.readiness)(async ({ context, reply }) => {
    const { status, headers, body } = await readinessOf(context)
    return reply.code(status).headers(headers).send(body)
  })
  on.open(contract.captcha)(async ({ context, query, request }) => {
    const merchantId = query.shop === undefined ? null : (await scopeOfShop(context, query.shop)).merchantId
    return makeCaptcha(context, { form: merchantId === null ? 'test_mail' : 'sign_up', merchantId }, originOf(request))
  })

  on.open(contract.networkTest)(async ({ context }) => ({
    checks: await Promise.all([
      check('database', () => pingDatabase(context.db)),
      check('store platform', () => getShopify(context).ping()),
      check('smtp', () => context.integrations.systemMail.ping()),
      check('picture storage', () => context.integrations.storage.ping()),
    ]),
  }))
  on.open(contract.errorTest)(async () => {
    throw new Error('this error was asked for at /errortest')
  })
  on.open(contract.debugToken)(({ context, query }) => inspectToken(context, query.token))
  on.open(contract.debugWebhookTopics)(async ({ context }) => {
    const connected = await listConnectedStores(context)
    return { stores: await Promise.all(connected.slice(0, MAX_STORES_ASKED).map((store) => askTopics(context, store))) }
  })
}

const MAX_STORES_ASKED = 20

async function check(service: string, ask: () => Promise<void>) {
  const elapsed = stopwatch()
  let detail = ''
  try {
    await ask()
  } catch (error) {
    // What failed is the answer here.
    detail = error instanceof Error ? error.message : String(error)
  }
  return { service, ok: detail === '', duration_ms: Math.round(elapsed()), detail }
}

async function askTopics(context: Context, store: { merchant_id: string; shop_domain: string }) {
  const { shop_domain } = store
  try {
    const client = await getStoreClient(merchantScope(context, store.merchant_id))
    const { webhookSubscriptions } = await client.graphql<WebhookListResult>(WEBHOOK_LIST, { first: 100 })
    return { shop_domain, topics: webhookSubscriptions.nodes.map(({ topic }) => topic).sort(), error: null }
  } catch (error) {
    if (!(error instanceof IntegrationError) && !(error instanceof AppError)) throw error
    return { shop_domain, topics: [], error: error.message }
  }
}
