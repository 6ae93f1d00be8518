import { Liquid } from 'liquidjs'
import { customerName } from '../customers.ts'
import { findProductByHandle } from '../goods/products.ts'
import { cartCount, cartItems, cartTotal, readCart } from './cart.ts'
import { chosenVariant, productJson } from './product-json.ts'
import { hundredths, moneyFormat, moneyText, unitOf } from '../goods/money.ts'
import type { Block } from './extension.ts'
import type { PageType, Visit } from './visit.ts'

/**
 * The part of the platform's Liquid that apps use in a theme: objects and filters of the same names. Amounts are in hundredths. Snippets are
 * an extension's own.
 */
function engineOf({ scope }: Visit, snippets: Readonly<Record<string, string>>): Liquid {
  const money = (given: unknown): string => moneyText(scope, Math.round((Number(given ?? 0) / 100) * unitOf(scope)))
  const engine = new Liquid({
    // What runs away ends.
    renderLimit: 2000,
    memoryLimit: 20_000_000,
    ownPropertyOnly: true,
    templates: { ...snippets },
  })
  engine.registerFilter('money', money)
  engine.registerFilter('money_without_trailing_zeros', money)
  engine.registerFilter('money_with_currency', (given: unknown) => `${money(given)} ${scope.store.currency}`)
  for (const name of ['image_url', 'img_url', 'product_img_url']) engine.registerFilter(name, pictureOf)
  for (const name of ['handle', 'handleize']) engine.registerFilter(name, handleOf)
  return engine
}

const textOf = (given: unknown): string => (typeof given === 'string' || typeof given === 'number' ? String(given) : '')
const pictureOf = (given: unknown): string =>
  typeof given === 'object' && given !== null && 'featured_image' in given
    ? textOf(given.featured_image)
    : textOf(given)
const handleOf = (given: unknown): string =>
  textOf(given)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')

const layoutNone = /\{%-?\s*layout\s+none\s*-?%\}/

/** Renders what an app answered. `hasLayout`: it stands within the theme. Throws where it is no Liquid. */
export async function renderLiquid(visit: Visit, text: string): Promise<{ html: string; hasLayout: boolean }> {
  const rendered: unknown = await engineOf(visit, {}).parseAndRender(
    text.replace(layoutNone, ''),
    objectsOf(visit, 'app'),
  )
  return { html: String(rendered), hasLayout: !layoutNone.test(text) }
}

/** A block of an extension, on a page that may be a product's. */
export function renderBlock(
  visit: Visit,
  { liquid, schema }: Block,
  snippets: Readonly<Record<string, string>>,
  page: { type: PageType; product: string | null },
): string {
  const known = page.product === null ? null : productJson(visit, page.product)
  const product = known && { ...known, selected_or_first_available_variant: chosenVariant(visit, known) }
  const defaults = schema.settings.flatMap(({ id, default: plain }) => (id === undefined ? [] : [[id, plain] as const]))
  const rendered: unknown = engineOf(visit, snippets).parseAndRenderSync(liquid, {
    ...objectsOf(visit, page.type),
    product,
    block: { settings: { ...Object.fromEntries(defaults), product }, shopify_attributes: '' },
  })
  return String(rendered)
}

/** What every file of a theme can read. */
function objectsOf(visit: Visit, pageType: PageType): Record<string, unknown> {
  const { scope, request, customer, at, language } = visit
  const cart = readCart(scope, request)
  const items = cartItems(scope, cart)
  return {
    shop: {
      name: scope.store.name,
      domain: scope.store.shop,
      permanent_domain: scope.store.shop,
      url: `${scope.publicUrl()}${at()}`,
      currency: scope.store.currency,
      money_format: moneyFormat(scope),
      locale: 'ja',
    },
    customer:
      customer === null
        ? null
        : {
            id: customer.id,
            email: customer.email,
            first_name: customer.first_name,
            last_name: customer.last_name,
            name: customerName(customer),
            accepts_marketing: customer.email_state === 'SUBSCRIBED',
            orders_count: customer.orders_count,
            tags: JSON.parse(customer.tags) as string[],
          },
    request: {
      locale: { iso_code: language },
      page_type: pageType,
      path: request.url.split('?', 1)[0],
      origin: scope.publicUrl(),
      design_mode: false,
    },
    localization: { language: { iso_code: language } },
    template: { name: pageType },
    routes: {
      root_url: at(),
      cart_url: at('/cart'),
      account_url: at('/account'),
      account_login_url: at('/account/login'),
      account_register_url: at('/account/register'),
      all_products_collection_url: at('/collections/all'),
      search_url: at('/search'),
    },
    cart: { item_count: cartCount(cart), total_price: hundredths(scope, cartTotal(items)) },
    all_products: new Proxy(
      {},
      {
        getOwnPropertyDescriptor: (_, handle) => ({ configurable: true, enumerable: true, value: handle }),
        get: (_, handle) =>
          typeof handle === 'string' && findProductByHandle(scope, handle) ? productJson(visit, handle) : undefined,
      },
    ),
  }
}
