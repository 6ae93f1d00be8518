import type { Context } from '../../kernel/context.ts'
import { IntegrationError } from '../../kernel/errors.ts'
import { getShopify } from './index.ts'
import type { StoreGrant } from './shopify.ts'

/**
 * Approves our app in a store of the sandbox as its owner would by the button, and trades the code: the demo store and tests are
 * connected by real tokens without a person. Throws when the real platform is outside.
 */
export async function grantFromSandbox(context: Context, shopDomain: string): Promise<StoreGrant> {
  const { sandboxUrl, publicUrl } = context.settings
  if (!sandboxUrl) throw new IntegrationError('shopify', false, 'nobody approves by themselves outside the sandbox')
  const shopify = getShopify(context)
  const page = new URL(
    shopify.authorizeUrl(shopDomain, { state: 'sandbox', redirectUri: `${publicUrl}/shopify/callback` }),
  )
  let response: Response
  try {
    // Loading the page creates the store if there is none yet.
    await (await fetch(page, { redirect: 'manual' })).arrayBuffer()
    response = await fetch(page.origin + page.pathname, { method: 'POST', body: page.searchParams, redirect: 'manual' })
  } catch (error) {
    throw new IntegrationError('shopify', true, 'unreachable', { cause: error })
  }
  const code = new URL(response.headers.get('location') ?? 'about:blank').searchParams.get('code')
  if (!code) throw new IntegrationError('shopify', response.status >= 500, `not approved (HTTP ${response.status})`)
  return shopify.exchangeCode(shopDomain, code)
}
