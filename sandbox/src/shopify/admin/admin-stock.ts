import { escapeHtml } from '../../page.ts'
import { type AdminView, type adminRoutes, form, options, pager, searchBar, table } from './admin-frame.ts'
import { listLevels, listLocations, type LocationRow } from '../goods/levels.ts'
import { listPage } from '../connection.ts'
import { storePath } from '../platform.ts'
import { findProduct, findVariant, setPrices } from '../goods/products.ts'
import { listingOf } from '../resources.ts'
import { planSearch } from '../graphql/search.ts'
import { listRows, part } from '../../sql.ts'
import { setLevels, setSellsOnline } from '../goods/stock.ts'
import { isOnlyVariant } from '../goods/variants.ts'
import type { VariantRow } from '../goods/rows.ts'

const most = 9_999_999
const wholeNumber = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,7}$/.test(text.trim()) && Number(text) <= most ? Number(text) : null

/** Stock at each location, and prices: of one variant, of a page of them, or of all that were searched for. */
export function mountAdminStock(admin: ReturnType<typeof adminRoutes>): void {
  admin.show('/stock', '/stock', (view) => {
    const { scope, t } = view
    const places = listLocations(scope)
    const { after, before } = view.query
    const place = before === undefined ? { first: 50, after: after ?? null } : { last: 50, before }
    const query = view.query.q ?? ''
    const { where, parameters, search } = searchOf(query)
    const found = listPage<VariantRow>(
      scope,
      listingOf('ProductVariant'),
      { ...place, query: search },
      { bulk: false, where, parameters },
    )
    const rows = found.rows.map((variant) => {
      const product = findProduct(scope, variant.product_id)
      const levels = listLevels(scope, variant.inventory_item_id)
      const cells = places.map(({ id, name }) => {
        const available = levels.find(({ location_id }) => location_id === id)?.available ?? 0
        return `<td class="num">${input(`level-${variant.id}-${id}`, available, `${name}: ${product?.title ?? ''} ${variant.title}`)}</td>`
      })
      const link = product ? storePath(scope, `/products/${product.handle}?variant=${variant.id}`) : ''
      return `<tr><td><a class="plain" href="${link}">${escapeHtml(product?.title ?? '')}</a>${isOnlyVariant(variant) ? '' : ` <b>${escapeHtml(variant.title)}</b>`}<div class="small mono">${variant.id}${variant.sku === null ? '' : ` · ${escapeHtml(variant.sku)}`}</div></td>${cells.join('')}
<td class="num">${variant.online_quantity}</td><td class="num">${input(`price-${variant.id}`, variant.price, t({ ja: '価格', en: 'Price' }))}</td><td class="num">${input(`before-${variant.id}`, variant.compare_at_price ?? '', t({ ja: '割引前の価格', en: 'Price before' }))}</td></tr>`
    })
    const heads = [
      t({ ja: '商品', en: 'Product' }),
      ...places.map((one) => `#${escapeHtml(one.name)}`),
      `#${t({ ja: '販売可能', en: 'For sale' })}`,
      `#${t({ ja: '価格', en: 'Price' })}`,
      `#${t({ ja: '割引前', en: 'Before' })}`,
    ]
    const kept = `<input type="hidden" name="q" value="${escapeHtml(query)}">`
    const list = form(
      view,
      '/stock',
      `${kept}${table(heads, rows, t({ ja: '該当するバリエーションはありません。', en: 'No variant matches.' }))}<div class="toolbar"><button class="primary">${t({ ja: 'この一覧を保存', en: 'Save this list' })}</button><span class="muted small">${t({ ja: '変わった在庫だけが Webhook で知らされます。', en: 'Only what changes is reported by webhooks.' })}</span></div>`,
    )
    const total = countFound(view, query)
    const bulk = form(
      view,
      '/stock/bulk',
      `${kept}<div class="row"><label for="f-location" class="small">${t({ ja: '場所', en: 'Location' })}</label><select id="f-location" name="location_id">${options(
        places.map(({ id, name }) => [String(id), name]),
        '',
      )}</select><label for="f-available" class="small">${t({ ja: '在庫', en: 'Stock' })}</label><input id="f-available" name="available" type="number" min="0" max="${most}" value="0" required><button>${t({ ja: `${total}件をまとめて変更`, en: `Set all ${total}` })}</button></div>`,
      `data-confirm="${t({ ja: `${total}件の在庫を変更しますか？`, en: `Change the stock of ${total} variants?` })}"`,
    )
    const body = `${searchBar(view, '/stock', t({ ja: '商品名、SKU、product_id:… など', en: 'Product, SKU, product_id:… …' }))}
<section class="card"><h2>${t({ ja: '検索した全件の在庫', en: 'Stock of everything found' })}</h2>${bulk}</section>${list}${pager(view, '/stock', found)}
<section class="card"><h2>${t({ ja: '場所', en: 'Locations' })}</h2>${places.map((one) => locationRow(view, one)).join('')}</section>`
    return { title: t({ ja: '在庫', en: 'Stock' }), body }
  })

  admin.submit('/stock', (view) => {
    const { scope, t, form: given } = view
    const to = `/stock${given.q ? `?q=${encodeURIComponent(given.q)}` : ''}`
    const levels: Parameters<typeof setLevels>[1] = []
    const prices: Parameters<typeof setPrices>[1] = []
    for (const [name, text] of Object.entries(given)) {
      const [, variantId, locationId] = /^level-(\d+)-(\d+)$/.exec(name) ?? []
      if (locationId !== undefined) {
        const [variant, available] = [findVariant(scope, Number(variantId)), wholeNumber(text)]
        if (available === null)
          return { to, notice: t({ ja: '!在庫は0以上の整数です。', en: '!Stock is a whole number from 0.' }) }
        if (variant) levels.push({ variant, locationId: Number(locationId), available })
      }
      const [, pricedId] = /^price-(\d+)$/.exec(name) ?? []
      if (pricedId === undefined) continue
      const variant = findVariant(scope, Number(pricedId))
      const [price, asked] = [wholeNumber(text), given[`before-${pricedId}`]?.trim() ?? '']
      const compareAtPrice = asked === '' ? null : wholeNumber(asked)
      if (price === null || (asked !== '' && compareAtPrice === null))
        return { to, notice: t({ ja: '!価格は0以上の整数です。', en: '!A price is a whole number from 0.' }) }
      if (variant && (variant.price !== price || variant.compare_at_price !== compareAtPrice))
        prices.push({ variantId: variant.id, price, compareAtPrice })
    }
    const known = new Set(listLocations(scope).map(({ id }) => id))
    // A level that is not there yet is none until something lies there.
    const changed = setLevels(
      scope,
      levels.filter(
        ({ locationId, available, variant }) =>
          known.has(locationId) && (available > 0 || hasLevel(view, variant, locationId)),
      ),
    )
    setPrices(scope, prices)
    const parts = {
      ja: `在庫${changed}件、価格${prices.length}件を変更しました。`,
      en: `Changed: ${changed} stock, ${prices.length} prices.`,
    }
    return { to, notice: t(parts) }
  })

  admin.submit('/stock/bulk', (view) => {
    const { scope, t, form: given } = view
    const to = `/stock${given.q ? `?q=${encodeURIComponent(given.q)}` : ''}`
    const [available, locationId] = [wholeNumber(given.available), Number(given.location_id)]
    if (available === null || !listLocations(scope).some(({ id }) => id === locationId))
      return { to, notice: t({ ja: '!在庫は0以上の整数です。', en: '!Stock is a whole number from 0.' }) }
    const changes = listFound(view, given.q ?? '').map((variant) => ({ variant, locationId, available }))
    const changed = setLevels(scope, changes)
    return { to, notice: t({ ja: `在庫${changed}件を変更しました。`, en: `The stock of ${changed} was changed.` }) }
  })

  admin.submit('/stock/locations/:id', (view) => {
    setSellsOnline(view.scope, view.id, view.form.sells_online === '1')
    return { to: '/stock', notice: view.t({ ja: '設定しました。', en: 'Set.' }) }
  })
}

const hasLevel = ({ scope }: AdminView, variant: VariantRow, locationId: number): boolean =>
  listLevels(scope, variant.inventory_item_id).some(({ location_id }) => location_id === locationId)

/** Plain words look for the product; with a colon it is the platform's language for variants. */
function searchOf(query: string): { where: string; parameters: string[]; search: string } {
  if (query.trim() === '' || query.includes(':')) return { where: '1', parameters: [], search: query }
  const where = `(instr(lower(coalesce(sku, '')), lower(?)) > 0 OR product_id IN (
    SELECT p.id FROM store_product p WHERE p.store_id = store_variant.store_id AND instr(lower(p.title), lower(?)) > 0))`
  return { where, parameters: [query.trim(), query.trim()], search: '' }
}

function listFound({ scope }: AdminView, query: string): VariantRow[] {
  const { fields, words } = listingOf('ProductVariant')
  const wanted = searchOf(query)
  const plan = planSearch(wanted.search, fields, words)
  return listRows<VariantRow>(scope.database)`SELECT * FROM store_variant WHERE store_id = ${scope.store.id}
    AND ${part(wanted.where, ...wanted.parameters)} AND ${part(plan.sql, ...plan.parameters)} ORDER BY id`
}

const countFound = (view: AdminView, query: string): number => listFound(view, query).length

const input = (name: string, value: number | string, label: string): string =>
  `<input name="${name}" type="number" min="0" max="${most}" value="${value}" aria-label="${escapeHtml(label)}" class="figure">`

function locationRow(view: AdminView, { id, name, sells_online }: LocationRow): string {
  const { t } = view
  const on = sells_online === 1
  return `<div class="row" style="margin-bottom:8px"><b>${escapeHtml(name)}</b><span class="badge ${on ? 'ok' : 'warn'}">${on ? t({ ja: 'オンラインで販売', en: 'Sells online' }) : t({ ja: 'オンラインでは販売しない', en: 'Does not sell online' })}</span><span class="mono small">${id}</span>${form(view, `/stock/locations/${id}`, `<button class="small" name="sells_online" value="${on ? '0' : '1'}">${on ? t({ ja: '販売をやめる', en: 'Stop selling' }) : t({ ja: '販売する', en: 'Sell from here' })}</button>`, 'class="inline"')}</div>`
}
