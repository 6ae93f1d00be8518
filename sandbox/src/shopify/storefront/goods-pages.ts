import { escapeHtml } from '../../page.ts'
import { findProductByHandle } from '../goods/products.ts'
import type { StoreScope } from '../platform.ts'
import { findRow, listRows, type Parameter, type Part, part } from '../../sql.ts'
import { isForSale, isOnlyVariant, listVariants, optionsOf, valuesOf } from '../goods/variants.ts'
import { cardHeart, factsScript, heartPlace, restockPlace } from './places.ts'
import { moneyText, unitOf } from '../goods/money.ts'
import { collectionTitle, show } from './theme.ts'
import type { ThemePage, Visit } from './visit.ts'
import type { CollectionRow, ProductRow, VariantRow } from '../goods/rows.ts'

const perPage = 24
/** `?view=long`: all on one page, as themes that load more and more while one scrolls end up. */
const perLongPage = 1000

export function homePage(visit: Visit): Promise<string> {
  const { scope, t, at } = visit
  const newest = listProducts(scope, { sort: 'newest', limit: 8 })
  const collections = listRows<CollectionRow & { first: number }>(scope.database)`SELECT c.*,
    (SELECT min(p.product_id) FROM store_collection_product p
    WHERE p.store_id = c.store_id AND p.collection_id = c.id) AS first FROM store_collection c
    WHERE c.store_id = ${scope.store.id} AND first IS NOT NULL ORDER BY c.id LIMIT 6`
  const tiles = collections
    .map(
      (one) =>
        `<li><a href="${at(`/collections/${one.handle}`)}">${picture(visit, one.first)}<span>${escapeHtml(collectionTitle(visit, one))}</span></a></li>`,
    )
    .join('')
  const shown = newest
    .slice(0, 3)
    .map(({ id }) => picture(visit, id, '', 'eager'))
    .join('')
  const body = `<section class="hero"><div class="hero-text"><h1>${t('帰りたくなる、<br>毎日の道具。', 'Things to<br>come home to.')}</h1><p>${t('小さな工房でつくられた、台所と暮らしの品をお届けします。', 'For the kitchen and the home, made in small workshops.')}</p><a class="button primary" href="${at('/collections/all')}">${t('品物を見る', 'See everything')}</a></div><div class="hero-pictures" aria-hidden="true">${shown}</div></section>
<section><h2>${t('新しい品物', 'New arrivals')}</h2>${cards(visit, newest)}</section>
<section><h2>${t('棚から探す', 'Browse the shelves')}</h2><ul class="tiles">${tiles}</ul></section>`
  return show(visit, { type: 'index', title: scope.store.name, body })
}

export function collectionsPage(visit: Visit): Promise<string> {
  const { scope, t, at } = visit
  const rows = listRows<CollectionRow & { first: number | null; size: number }>(scope.database)`SELECT c.*,
    min(p.product_id) AS first, count(p.product_id) AS size FROM store_collection c LEFT
    JOIN store_collection_product p ON p.store_id = c.store_id AND p.collection_id = c.id
    WHERE c.store_id = ${scope.store.id} GROUP BY c.id ORDER BY c.id`
  const tiles = rows
    .map(
      (one) =>
        `<li><a href="${at(`/collections/${one.handle}`)}">${one.first === null ? '' : picture(visit, one.first)}<span>${escapeHtml(collectionTitle(visit, one))} <small>${one.size}</small></span></a></li>`,
    )
    .join('')
  const title = t('コレクション', 'Collections')
  return show(visit, { type: 'list-collections', title, body: `<h1>${title}</h1><ul class="tiles">${tiles}</ul>` })
}

export function collectionPage(visit: Visit, handle: string): Promise<string> {
  const { scope, t } = visit
  const collection =
    handle === 'all'
      ? null
      : findRow<CollectionRow>(scope.database)`SELECT * FROM store_collection
        WHERE store_id = ${scope.store.id} AND handle = ${handle}`
  // A real store's mails may lead to collections that are not here: they show the shop window.
  if (collection === undefined) return homePage(visit)
  const title = collection === null ? t('すべての商品', 'All products') : collectionTitle(visit, collection)
  return shelf(visit, { type: 'collection', title, body: '' }, { collectionId: collection?.id })
}

export function searchPage(visit: Visit): Promise<string> {
  const { t, at } = visit
  const q = asked(visit, 'q')
  const title = t('検索', 'Search')
  const form = `<form class="search" role="search" action="${at('/search')}"><label for="q">${t('商品を探す', 'Find a product')}</label><div class="joined"><input id="q" name="q" type="search" value="${escapeHtml(q)}"><button>${t('検索する', 'Search')}</button></div></form>`
  if (q === '') return show(visit, { type: 'search', title, body: `<h1>${title}</h1>${form}` })
  return shelf(visit, { type: 'search', title, body: form }, { q })
}

const sorts = {
  newest: ['新着順', 'Newest'],
  'price-ascending': ['価格の安い順', 'Price, low to high'],
  'price-descending': ['価格の高い順', 'Price, high to low'],
  title: ['名前順', 'Name'],
} as const
type Sort = keyof typeof sorts

/** A page of cards with their order and the pages before and after it. */
function shelf(visit: Visit, page: ThemePage, filter: { collectionId?: number; q?: string }): Promise<string> {
  const { t } = visit
  const sort = (Object.keys(sorts) as Sort[]).find((one) => one === asked(visit, 'sort_by')) ?? 'newest'
  const size = asked(visit, 'view') === 'long' ? perLongPage : perPage
  const number = Math.max(1, Math.min(9999, Math.trunc(Number(asked(visit, 'page')) || 1)))
  const found = listProducts(visit.scope, { ...filter, sort, limit: size + 1, offset: (number - 1) * size })
  const hasNext = found.length > size
  const rows = found.slice(0, size)
  const total = countProducts(visit.scope, filter)
  const link = (to: number, label: string, rel: string) => {
    const query = new URLSearchParams({ ...kept(visit), page: String(to) })
    return `<a class="button" rel="${rel}" href="?${escapeHtml(query.toString())}">${label}</a>`
  }
  const pager = `${number > 1 ? link(number - 1, t('前のページ', 'Previous page'), 'prev') : ''}${hasNext ? link(number + 1, t('次のページ', 'Next page'), 'next') : ''}`
  const choices = Object.entries(sorts)
    .map(([value, [ja, en]]) => `<option value="${value}"${value === sort ? ' selected' : ''}>${t(ja, en)}</option>`)
    .join('')
  const hidden = Object.entries(kept(visit))
    .filter(([name]) => name !== 'sort_by' && name !== 'page')
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('')
  const body =
    rows.length === 0
      ? `<p class="empty">${t('該当する商品はありません。', 'Nothing was found.')}</p>`
      : `<form class="shelf-bar"><p>${t(`${total}点`, total === 1 ? '1 product' : `${total} products`)}</p>${hidden}<label for="sort">${t('並び順', 'Sort by')}</label><select id="sort" name="sort_by" data-submits>${choices}</select><button>${t('並べ替える', 'Sort')}</button></form>${cards(visit, rows)}${pager === '' ? '' : `<nav class="pager" aria-label="${t('ページ', 'Pages')}">${pager}</nav>`}`
  return show(visit, { ...page, body: `<h1>${escapeHtml(page.title)}</h1>${page.body}${body}` })
}

export async function productPage(visit: Visit, handle: string): Promise<string> {
  const { scope, t, at } = visit
  const product = findProductByHandle(scope, handle)
  if (!product || product.status !== 'ACTIVE') return missingPage(visit)
  const variants = listVariants(scope, product.id)
  const wanted = Number(asked(visit, 'variant'))
  const chosen = variants.find(({ id }) => id === wanted) ?? variants.find(isForSale) ?? variants[0]
  if (!chosen) return missingPage(visit)
  const problem = problemText(visit, asked(visit, 'problem'))
  const related = listProducts(scope, { beside: product.id, sort: 'newest', limit: 4 })
  const label = (variant: VariantRow) =>
    `${isOnlyVariant(variant) ? product.title : variant.title} – ${moneyText(scope, variant.price)}${isForSale(variant) ? '' : t('（在庫切れ）', ' (sold out)')}`
  const choices = variants
    .map(
      (variant) =>
        `<option value="${variant.id}"${variant.id === chosen.id ? ' selected' : ''}>${escapeHtml(label(variant))}</option>`,
    )
    .join('')
  const only = variants.every(isOnlyVariant)
  const body = `<article class="product" data-product>
<div class="product-picture">${picture(visit, product.id, product.title, 'eager')}${heartPlace(visit, product)}</div>
<div class="product-info"><p class="vendor">${escapeHtml(product.vendor)}</p><h1 lang="ja">${escapeHtml(product.title)}</h1>
<p class="price" data-price>${priceOf(visit, chosen)}</p><p class="tax">${t('税込。送料は購入手続きで計算されます。', 'Tax included. Shipping is calculated at checkout.')}</p>
${problem}<form class="product-form" method="post" action="${at('/cart/add')}">
${only ? '' : optionFields(visit, product, variants, chosen)}
<div class="field plain-choice"${only ? ' hidden' : ''}><label for="variant">${t('種類', 'Option')}</label><select id="variant" name="id" data-sold-text="${t('（在庫切れ）', ' (sold out)')}">${choices}</select></div>
<p class="stock" data-stock>${stockText(visit, chosen)}</p>
<div class="field"${isForSale(chosen) ? '' : ' hidden'}><label for="quantity">${t('数量', 'Quantity')}</label><input id="quantity" name="quantity" type="number" min="1" max="99" value="1" required></div>
<div class="buy" data-buy${isForSale(chosen) ? '' : ' hidden'}><button class="button" name="go" value="cart">${t('カートに入れる', 'Add to cart')}</button><button class="button primary" name="go" value="checkout">${t('今すぐ購入する', 'Buy it now')}</button></div>
<button class="button" type="button" data-sold-out disabled${isForSale(chosen) ? ' hidden' : ''}>${t('在庫切れ', 'Sold out')}</button>
</form>
${restockPlace(visit, product, chosen)}
<div class="description" lang="ja"><p>${escapeHtml(product.description)}</p></div>
<details><summary>${t('お届けについて', 'Delivery')}</summary><p>${t('ご注文から2〜3営業日で発送します。ギフト包装も承ります。', 'Sent within 2–3 working days. Gift wrapping on request.')}</p></details>
<details><summary>${t('返品・交換', 'Returns')}</summary><p>${t('未使用の品は、到着から8日以内にご連絡ください。', 'Unused goods within 8 days of arrival.')}</p></details>
</div></article>
${related.length === 0 ? '' : `<section><h2>${t('あわせて見られています', 'You may also like')}</h2>${cards(visit, related)}</section>`}
<script type="application/json" data-variants>${JSON.stringify(variants.map((variant) => ({ id: variant.id, values: valuesOf(variant), price: priceOf(visit, variant), stock: stockText(visit, variant), isForSale: isForSale(variant) }))).replaceAll('<', '\\u003c')}</script>`
  return show(visit, {
    type: 'product',
    title: product.title,
    body,
    product: { handle: product.handle, facts: factsScript(productFacts(visit, product, variants)) },
  })
}

/** What the app's script gets: what a theme knows of the product it shows. */
function productFacts({ scope, at }: Visit, product: ProductRow, variants: VariantRow[]) {
  return {
    id: product.id,
    title: product.title,
    handle: product.handle,
    url: at(`/products/${product.handle}`),
    variants: variants.map((variant) => ({
      id: variant.id,
      title: variant.title,
      price: variant.price / unitOf(scope),
      available: isForSale(variant),
    })),
  }
}

export function missingPage(visit: Visit): Promise<string> {
  const { t, at } = visit
  visit.reply.code(404)
  const title = t('ページが見つかりません', 'Page not found')
  return show(visit, {
    type: '404',
    title,
    body: `<section class="empty"><h1>${title}</h1><p>${t('アドレスが変わったか、商品の販売が終わったようです。', 'Its address has changed, or the product is no longer sold.')}</p><a class="button primary" href="${at('/collections/all')}">${t('品物を見る', 'See everything')}</a></section>`,
  })
}

function optionFields({ t }: Visit, product: ProductRow, variants: VariantRow[], chosen: VariantRow): string {
  const now = valuesOf(chosen)
  return optionsOf(product, variants)
    .map(({ name, values }, index) => {
      const inputs = values
        .map((value, place) => {
          const id = `option-${index}-${place}`
          // In what was chosen before it: a color is sold out in all sizes, a size in this color.
          const soldOut = !variants.some(
            (one) =>
              isForSale(one) &&
              valuesOf(one).every((part, at) => (at === index ? part === value : at > index || part === now[at])),
          )
          return `<input type="radio" class="choice" id="${id}" name="option-${index}" value="${escapeHtml(value)}"${value === now[index] ? ' checked' : ''}><label for="${id}" data-sold="${soldOut}">${escapeHtml(value)}<span class="hidden-text" data-sold-text>${soldOut ? t('（在庫切れ）', ' (sold out)') : ''}</span></label>`
        })
        .join('')
      return `<fieldset class="option" data-option="${index}"><legend>${escapeHtml(name)}</legend><div class="choices">${inputs}</div></fieldset>`
    })
    .join('')
}

export function problemText({ t }: Pick<Visit, 't'>, problem: string): string {
  const words: Record<string, string> = {
    sold_out: t('在庫がありません。', 'It is sold out.'),
    too_many: t('在庫の数を超えています。', 'There are not that many in stock.'),
    unknown: t('この商品は販売していません。', 'This product is not for sale.'),
  }
  const said = words[problem]
  return said === undefined ? '' : `<p class="problem" role="alert">${said}</p>`
}

const few = 5

function stockText({ t }: Visit, { online_quantity: left, inventory_policy: policy }: VariantRow): string {
  if (left > few) return t('在庫あり', 'In stock')
  if (left > 0) return t(`残りわずか（あと${left}点）`, `Only ${left} left`)
  return policy === 'CONTINUE' ? t('予約受付中', 'On order') : t('在庫切れ', 'Sold out')
}

function priceOf({ scope, t }: Visit, { price, compare_at_price: before }: VariantRow): string {
  if (before === null || before <= price) return moneyText(scope, price)
  return `<ins>${moneyText(scope, price)}</ins> <del><span class="hidden-text">${t('通常価格', 'Regular price')} </span>${moneyText(scope, before)}</del> <span class="badge">${t('セール', 'Sale')}</span>`
}

export const picture = ({ at }: Visit, productId: number, alt = '', loading: 'lazy' | 'eager' = 'lazy'): string =>
  `<img src="${at(`/cdn/products/${productId}.png`)}" alt="${escapeHtml(alt)}" width="480" height="480" loading="${loading}">`

interface CardRow extends ProductRow {
  lowest: number
  highest: number
  before: number | null
  for_sale: number
}

function cards(visit: Visit, rows: CardRow[]): string {
  const { t, at } = visit
  const items = rows.map((row) => {
    const price = `${moneyText(visit.scope, row.lowest)}${row.highest > row.lowest ? '〜' : ''}`
    const badge =
      row.for_sale === 0
        ? `<span class="badge sold">${t('在庫切れ', 'Sold out')}</span>`
        : row.before !== null && row.before > row.lowest
          ? `<span class="badge">${t('セール', 'Sale')}</span>`
          : ''
    return `<li class="card"><a href="${at(`/products/${row.handle}`)}">${picture(visit, row.id)}<span class="card-title" lang="ja">${escapeHtml(row.title)}</span><span class="card-price">${price}</span>${badge}</a>${cardHeart(visit, row.id)}</li>`
  })
  return `<ul class="shelf">${items.join('')}</ul>`
}

interface Filter {
  collectionId?: number
  q?: string
  /** In a collection with this product. */
  beside?: number
}

function where({ collectionId, q, beside }: Filter): Part {
  const parts = ["p.status = 'ACTIVE'"]
  const parameters: Parameter[] = []
  if (collectionId !== undefined) {
    parts.push(
      'p.id IN (SELECT product_id FROM store_collection_product l WHERE l.store_id = p.store_id AND l.collection_id = ?)',
    )
    parameters.push(collectionId)
  }
  if (q !== undefined) {
    parts.push(`(instr(lower(p.title), lower(?)) > 0 OR instr(p.handle, lower(?)) > 0)`)
    parameters.push(q, q)
  }
  if (beside !== undefined) {
    parts.push(`p.id <> ? AND p.id IN (SELECT o.product_id FROM store_collection_product l JOIN store_collection_product o
      ON o.store_id = l.store_id AND o.collection_id = l.collection_id WHERE l.store_id = p.store_id AND l.product_id = ?)`)
    parameters.push(beside, beside)
  }
  return part(parts.join(' AND '), ...parameters)
}

const orders: Record<Sort, string> = {
  newest: 'p.created_at DESC, p.id DESC',
  'price-ascending': 'lowest, p.id',
  'price-descending': 'lowest DESC, p.id',
  title: 'p.title, p.id',
}

function listProducts(
  scope: StoreScope,
  { sort, limit, offset = 0, ...filter }: Filter & { sort: Sort; limit: number; offset?: number },
): CardRow[] {
  return listRows<CardRow>(scope.database)`SELECT p.*, min(v.price) AS lowest, max(v.price) AS highest,
      max(v.compare_at_price) AS before, max(v.online_quantity > 0 OR v.inventory_policy = 'CONTINUE') AS for_sale
    FROM store_product p JOIN store_variant v ON v.store_id = p.store_id AND v.product_id = p.id
    WHERE p.store_id = ${scope.store.id} AND ${where(filter)} GROUP BY p.id ORDER BY ${part(orders[sort])}
    LIMIT ${limit} OFFSET ${offset}`
}

function countProducts(scope: StoreScope, filter: Filter): number {
  const row = findRow<{ n: number }>(scope.database)`SELECT count(*) AS n FROM store_product p
    WHERE p.store_id = ${scope.store.id} AND ${where(filter)}`
  return row?.n ?? 0
}

export function asked({ request }: Visit, name: string): string {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' ? value.slice(0, 200) : ''
}

/** What stays in the address from page to page. */
function kept(visit: Visit): Record<string, string> {
  return Object.fromEntries(
    ['q', 'sort_by', 'view'].flatMap((name) => (asked(visit, name) === '' ? [] : [[name, asked(visit, name)]])),
  )
}
