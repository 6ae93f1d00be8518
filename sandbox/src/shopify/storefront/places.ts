import { escapeHtml } from '../../page.ts'
import { appUrlOf } from '../oauth.ts'
import type { StoreScope } from '../platform.ts'
import type { PageType, Visit } from './visit.ts'

/**
 * Where the app's parts have their places: by the blocks of its extension, or by lines that someone put into the theme by hand together
 * with the script tag. Without either the theme has none.
 */
const hasPlaces = ({ scope: { store } }: Visit): boolean => store.has_blocks === 1 || store.has_script_tag === 1

const place = (visit: Visit, part: string, facts: Record<string, string | number> = {}): string => {
  if (!hasPlaces(visit)) return ''
  const attributes = Object.entries(facts).map(([name, value]) => ` data-${name}="${escapeHtml(String(value))}"`)
  return `<div data-okaeri="${part}"${attributes.join('')}></div>`
}

export const heartPlace = (visit: Visit, productId: number): string =>
  place(visit, 'heart', { 'product-id': productId })
export const restockPlace = (visit: Visit, productId: number): string =>
  place(visit, 'restock', { 'product-id': productId })
export const signUpPlace = (visit: Visit): string => place(visit, 'sign-up')
export const birthdayPlace = (visit: Visit): string => place(visit, 'birthday')
export const consentPlace = (visit: Visit): string => place(visit, 'consent')

/** Where the store's visitors reach the app. */
const appAddress = async (scope: StoreScope): Promise<string | null> => {
  const url = appUrlOf(scope)
  return url === null ? null : scope.relays.addressOf(url, scope.store.network)
}
export const appOrigin = async (scope: StoreScope): Promise<string | null> => {
  const url = await appAddress(scope)
  return url === null ? null : new URL(url).origin
}

/** The end of the body: what the app's embed and the tag by hand write. Both at once load the script twice. */
export async function embedOf(
  { scope, customer, at }: Visit,
  { type, productFacts }: { type: PageType; productFacts: string },
): Promise<string> {
  const { store } = scope
  const app = await appAddress(scope)
  if (app === null) return ''
  const address = `${app}/assets/js/okaeri.js?shop=${encodeURIComponent(store.shop)}`
  // The store is not at the root of its host here, so the app proxy is not where the script would look for it.
  const facts = {
    shop: store.shop,
    page: type,
    proxy: at('/apps/okaeri'),
    ...(customer && { customer: String(customer.id) }),
  }
  const attributes = Object.entries(facts).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
  const tag = `<script src="${escapeHtml(address)}" async${attributes.join('')}></script>\n`
  // No theme extension reaches the page after a purchase: only the tag by hand does, as a script of the order status page.
  const isEmbedded = store.has_embed === 1 && type !== 'checkout' && type !== 'order'
  const isTagged = store.has_script_tag === 1 && type !== 'checkout'
  const tags = [isEmbedded, isTagged].flatMap((has) => (has ? [tag] : []))
  return tags.length === 0 ? '' : productFacts + tags.join('')
}

/** As JSON in a script of no program: no part of it may end the element. */
export const factsScript = (facts: unknown): string =>
  `<script type="application/json" data-okaeri-product>${JSON.stringify(facts).replaceAll('<', '\\u003c')}</script>\n`
