import { escapeHtml } from '../../page.ts'
import { appUrlOf } from '../oauth.ts'
import type { StoreScope } from '../platform.ts'
import { isForSale } from '../goods/variants.ts'
import type { Extension } from './extension.ts'
import { renderBlock } from './liquid.ts'
import type { ThemePage, Visit } from './visit.ts'
import type { ProductRow, VariantRow } from '../goods/rows.ts'

/*
 * Where the app's parts have their places: by the blocks of its extension, or by lines that someone put into the theme by hand together with
 * the script tag. Without either the theme has none. While the sandbox has no extension it writes what one would.
 */

type Facts = Record<string, string | number | null>
const byHand = (part: string, facts: Facts = {}): string => {
  const attributes = Object.entries(facts).map(([name, value]) =>
    value === null ? '' : ` data-${name}="${escapeHtml(String(value))}"`,
  )
  return `<div data-okaeri="${part}"${attributes.join('')}></div>`
}

function place(
  visit: Visit,
  part: string,
  { product = null, facts = {} }: { product?: Pick<ProductRow, 'id' | 'handle'> | null; facts?: Facts } = {},
): string {
  const { store, extension } = visit.scope
  const block = extension?.blocks.get(part)
  if (store.has_blocks === 1 && extension && block)
    return renderBlock(visit, block, extension.snippets, {
      type: product ? 'product' : 'page',
      product: product?.handle ?? null,
    })
  if (store.has_blocks === 0 && store.has_script_tag === 0) return ''
  return byHand(part, { ...(product && { 'product-id': product.id }), ...facts })
}

/** A card takes no block on the platform: this line stands in the theme by hand, whichever way the rest came. */
export const cardHeart = ({ scope: { store } }: Visit, productId: number): string =>
  store.has_blocks === 1 || store.has_script_tag === 1 ? byHand('heart', { 'product-id': productId }) : ''
export const heartPlace = (visit: Visit, product: ProductRow): string => place(visit, 'heart', { product })
export const restockPlace = (visit: Visit, product: ProductRow, chosen: VariantRow): string =>
  place(visit, 'restock', { product, facts: { 'sold-out': isForSale(chosen) ? null : 2 } })
export const signUpPlace = (visit: Visit): string => place(visit, 'sign-up')
/** Of customers alone: a place that stays empty would only take room. */
export const birthdayPlace = (visit: Visit): string => (visit.customer === null ? '' : place(visit, 'birthday'))
export const consentPlace = (visit: Visit): string => (visit.customer === null ? '' : place(visit, 'consent'))

/** What the extension's embed and blocks bring along, once; and by hand, what was copied into the theme's own sheets. */
export function blockStyles({ scope: { store, extension }, at }: Visit): string {
  if (!extension) return ''
  const used = [...extension.blocks.values()].filter(({ schema: { target } }) =>
    target === 'section' ? store.has_blocks === 1 : store.has_embed === 1,
  )
  const sheets = new Set(
    store.has_script_tag === 1 ? extension.assets.keys() : used.flatMap(({ schema }) => schema.stylesheet ?? []),
  )
  return [...sheets].map((name) => `<link rel="stylesheet" href="${at(`/cdn/extension/${name}`)}">\n`).join('')
}

/** Where the store's visitors reach the app. */
export const appAddress = async (scope: StoreScope): Promise<string | null> => {
  const url = appUrlOf(scope)
  return url === null ? null : scope.relays.addressOf(url, scope.store.network)
}
export const appOrigin = async (scope: StoreScope): Promise<string | null> => {
  const url = await appAddress(scope)
  return url === null ? null : new URL(url).origin
}

/** The end of the body: what the app's embed and the tag by hand write. Both at once load the script twice. */
export async function embedOf(visit: Visit, { type, product }: Pick<ThemePage, 'type' | 'product'>): Promise<string> {
  const { scope, customer, at } = visit
  const { store, extension } = scope
  const app = await appAddress(scope)
  if (app === null) return ''
  // Neither a theme extension nor a tag by hand reaches the pages of checkout and after it.
  const isOfTheme = type !== 'checkout' && type !== 'order'
  const isEmbedded = store.has_embed === 1 && isOfTheme
  const isTagged = store.has_script_tag === 1 && isOfTheme
  const facts = { page: type, ...(customer && { customer: String(customer.id) }) }
  const attributes = Object.entries(facts).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
  const address = escapeHtml(`${app}/assets/js/okaeri.js?shop=${encodeURIComponent(store.shop)}`)
  const tag = `<script async src="${address}"${attributes.join('')}></script>\n`
  const embed = [...(extension?.blocks.values() ?? [])].find(({ schema }) => schema.target === 'body')
  const written =
    isEmbedded && extension && embed
      ? renderBlock(visit, embed, withAddress(extension.snippets, app), { type, product: product?.handle ?? null })
      : isEmbedded || isTagged
        ? `${product?.facts ?? ''}${isEmbedded ? tag : ''}`
        : ''
  // The store is not at the root of its host here, so the app proxy is not where the script looks for it.
  return `${written}${isTagged ? tag : ''}`.replaceAll(
    /<script async src="[^"]*\/okaeri\.js[^"]*"/g,
    (start) => `${start} data-proxy="${at('/apps/okaeri')}"`,
  )
}

/** As the person who deploys the extension writes it into its snippet. */
const withAddress = (snippets: Extension['snippets'], app: string): Extension['snippets'] =>
  Object.fromEntries(Object.entries(snippets).map(([name, text]) => [name, name.endsWith('-address') ? app : text]))

/** As JSON in a script of no program: no part of it may end the element. */
export const factsScript = (facts: unknown): string =>
  `<script type="application/json" data-okaeri-product>${JSON.stringify(facts).replaceAll('<', '\\u003c')}</script>\n`
