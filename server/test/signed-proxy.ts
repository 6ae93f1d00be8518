import { createHmac, randomUUID } from 'node:crypto'
import { SANDBOX_APP } from './harness.ts'
import { SHOP } from './sandbox-store.ts'
import { okaeri, play, sandbox } from './with-okaeri.ts'

/** Our address with a query signed as the platform's app proxy signs it. */
export function signedByProxy(
  path: string,
  parameters: Record<string, string> = {},
  secret: string = SANDBOX_APP.apiSecret,
): string {
  const all = {
    shop: SHOP,
    path_prefix: '/apps/okaeri',
    logged_in_customer_id: '',
    timestamp: String(Math.floor(Date.now() / 1000)),
    ...parameters,
  }
  const text = Object.entries(all)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`)
    .join('')
  const signature = createHmac('sha256', secret).update(text).digest('hex')
  return `${okaeri.url}${path}?${new URLSearchParams({ ...all, signature }).toString()}`
}

let made = 0
/** A new customer of the sandbox's store, signed in there, who asks through the app proxy. */
export async function aSignedInCustomer(email = `signed-in-${(made += 1)}@example.jp`) {
  const storefront = `${sandbox.url}/stores/${SHOP}`
  const { customer } = await play<{ customer: { id: number } }>('customers.json', { first_name: '花子', email })
  const signedIn = await fetch(`${storefront}/account/login`, {
    method: 'POST',
    body: new URLSearchParams({ email }),
    redirect: 'manual',
  })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const ask = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: never }> => {
    const answer = await fetch(`${storefront}/apps/okaeri${path}`, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: (text.startsWith('{') ? JSON.parse(text) : text) as never }
  }
  return { storeCustomerId: customer.id, email, ask }
}

/** Calls `/frontend/*` as the script on a page of the shop does, for who asks by the app proxy; a guest without. */
export async function onPage(storeCustomerId: number | null) {
  const origin = new URL(sandbox.url).origin
  const who = { logged_in_customer_id: storeCustomerId === null ? '' : String(storeCustomerId) }
  const { connection } = (await (await fetch(signedByProxy('/shopify/proxy/connect', who))).json()) as {
    connection: { page_token: string }
  }
  const ask = async (token: string, method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${okaeri.url}${path}?shop=${SHOP}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        origin,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as never }
  }
  const guest = storeCustomerId === null ? { guest_id: randomUUID().replaceAll('-', '') } : {}
  const { token } = (await ask(connection.page_token, 'POST', '/frontend/convert_token/', guest)).body as {
    token: { access_token: string }
  }
  return (method: string, path: string, body?: unknown) => ask(token.access_token, method, path, body)
}
