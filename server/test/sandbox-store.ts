import { createHmac, randomUUID } from 'node:crypto'
import { SANDBOX_APP, type Sandbox, type TestOkaeri } from './harness.ts'

/** The sandbox's store. */
export const SHOP = 'okaeri-sandbox.myshopify.com'

/** What a person does in the store, or what is asked of it: `customers.json`, `switches.json` … (sandbox/src/shopify/README.md). */
export type StoreCommand = <T>(what: string, body?: Record<string, unknown>) => Promise<T>

/** For a sandbox that is started later: it is looked up at each call. */
export function sandboxStore(sandbox: () => Sandbox, shop = SHOP): StoreCommand {
  return async <T>(what: string, body?: Record<string, unknown>) => {
    const posted = body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    const response = await fetch(`${sandbox().url}/stores/${shop}/sandbox/${what}`, posted)
    if (!response.ok) throw new Error(`${what}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
}

/** A webhook as the platform would send it, signed over these bytes. An undefined header is left out. */
export function deliverWebhook(
  okaeri: TestOkaeri,
  body: string | Buffer,
  headers: { 'x-shopify-topic': string; [name: string]: string | undefined },
): Promise<Response> {
  const all = {
    'content-type': 'application/json',
    'x-shopify-shop-domain': SHOP,
    'x-shopify-event-id': randomUUID(),
    'x-shopify-triggered-at': okaeri.clock.now().toISOString(),
    'x-shopify-hmac-sha256': createHmac('sha256', SANDBOX_APP.apiSecret).update(body).digest('base64'),
    ...headers,
  }
  return fetch(`${okaeri.url}/webhooks/shopify`, {
    method: 'POST',
    headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
}
