import { escapeHtml, formatTime, type Localized } from '../../page.ts'
import {
  type AdminView,
  adminRoutes,
  field,
  form,
  listResource,
  options,
  pager,
  searchBar,
  table,
} from './admin-frame.ts'
import { customerName, findCustomer, findCustomerByEmail } from '../customers.ts'
import { cancelOrder, fulfillOrder, landingPath, placeOrder, refundOrder } from '../orders.ts'
import { type StoreScope, storePath } from '../platform.ts'
import { createProduct, deleteProduct, findProduct, renameProduct, setPrices } from '../goods/products.ts'
import { setStock } from '../goods/stock.ts'
import { listRows } from '../../sql.ts'
import { moneyText } from '../goods/money.ts'
import { listVariants } from '../goods/variants.ts'
import type { OrderRow } from '../rows.ts'
import type { ProductRow } from '../goods/rows.ts'

const paymentTone: Record<string, string> = {
  PAID: 'ok',
  PENDING: 'warn',
  VOIDED: 'bad',
  REFUNDED: 'bad',
  PARTIALLY_REFUNDED: 'warn',
}

export function paymentWord(view: AdminView, status: string): string {
  const words: Record<string, Localized> = {
    PAID: { ja: '支払い済み', en: 'Paid' },
    PENDING: { ja: '支払い待ち', en: 'Pending' },
    VOIDED: { ja: 'キャンセル', en: 'Cancelled' },
    REFUNDED: { ja: '返金済み', en: 'Refunded' },
    PARTIALLY_REFUNDED: { ja: '一部返金', en: 'Partly refunded' },
  }
  const word = words[status]
  return word ? view.t(word) : status
}

function inStock(scope: StoreScope): [string, string][] {
  const rows = listRows<{ id: number; title: string; variant: string; price: number }>(scope.database)`SELECT v.id,
    p.title, v.title AS variant, v.price FROM store_variant v
    JOIN store_product p ON p.store_id = v.store_id AND p.id = v.product_id
    WHERE v.store_id = ${scope.store.id} AND v.inventory_quantity > 0 AND p.status = 'ACTIVE'
    ORDER BY p.id, v.position LIMIT 400`
  return rows.map(({ id, title, variant, price }) => [
    String(id),
    `${title}${variant === 'Default Title' ? '' : ` (${variant})`} ${moneyText(scope, price)}`,
  ])
}

export function mountAdminOrders(admin: ReturnType<typeof adminRoutes>): void {
  admin.show('/orders', '/orders', (view) => {
    const { scope, t, language } = view
    const found = listResource<OrderRow>(view, 'Order', 'PROCESSED_AT')
    const rows = found.rows.map((row) => {
      const customer = row.customer_id === null ? null : findCustomer(scope, row.customer_id)
      const who = customer
        ? `<a href="${storePath(scope, `/admin/customers/${customer.id}`)}">${escapeHtml(customerName(customer))}</a>`
        : `<span class="muted">${t({ ja: 'ゲスト', en: 'Guest' })}</span> ${escapeHtml(row.email ?? '')}`
      const open = row.cancelled_at === null && row.current_total > 0
      const sent = row.fulfillment_status === 'FULFILLED'
      const fulfil = sent
        ? `<span class="badge ok">${t({ ja: '発送済み', en: 'Fulfilled' })}</span>`
        : form(
            view,
            `/orders/${row.id}/fulfill`,
            `<button class="small">${t({ ja: '発送', en: 'Fulfill' })}</button>`,
            'class="inline"',
          )
      const actions = open
        ? `${fulfil} ${form(view, `/orders/${row.id}/cancel`, `<button class="small">${t({ ja: 'キャンセル', en: 'Cancel' })}</button>`, 'class="inline"')} ${form(view, `/orders/${row.id}/refund`, `<button class="small">${t({ ja: '返金', en: 'Refund' })}</button>`, 'class="inline"')}`
        : ''
      return `<tr><td class="nowrap">${escapeHtml(row.name)}</td><td class="nowrap">${formatTime(new Date(row.processed_at * 1000), language)}</td><td class="nowrap">${who}</td>
<td><span class="badge ${paymentTone[row.financial_status] ?? ''}">${paymentWord(view, row.financial_status)}</span></td><td class="num">${moneyText(scope, row.total)}</td>
<td class="small mono">${escapeHtml(row.landing_site ?? '')}</td><td class="nowrap">${actions}</td></tr>`
    })
    const heads = [
      t({ ja: '注文', en: 'Order' }),
      t({ ja: '日時', en: 'Time' }),
      t({ ja: '顧客', en: 'Customer' }),
      t({ ja: '支払い', en: 'Payment' }),
      `#${t({ ja: '金額', en: 'Total' })}`,
      t({ ja: '入口ページ', en: 'Landing page' }),
      '',
    ]
    const body = `<details class="card"${view.query.new === undefined ? '' : ' open'}><summary><b>${t({ ja: '注文を入れる', en: 'Place an order' })}</b></summary><div style="height:12px"></div>${form(
      view,
      '/orders',
      `<div class="grid"><div>${field('customer', t({ ja: '顧客ID、またはメールアドレス（顧客になければゲスト注文）', en: 'Customer id or email (a guest order if unknown)' }), { more: 'required' })}
${field('landing_site', t({ ja: '入口ページのURL（任意、utm や ref も）', en: 'Landing page address (optional, with utm or ref)' }), { more: 'placeholder="/?utm_source=okaeri&utm_medium=email"' })}
${field('referring_site', t({ ja: 'リファラー（任意）', en: 'Referrer (optional)' }), { type: 'url' })}</div>
<div><div class="field"><label for="f-variant">${t({ ja: '商品（複数選択可）', en: 'Products (one or more)' })}</label><select id="f-variant" name="variant_id" multiple size="6" required>${options(inStock(scope), '')}</select></div>
${field('quantity', t({ ja: '数量（各）', en: 'Quantity of each' }), { type: 'number', value: '1', more: 'min="1" max="99"' })}</div></div><button class="primary">${t({ ja: '注文する', en: 'Place order' })}</button>`,
    )}</details>
${searchBar(view, '/orders', t({ ja: '#1001、メール、financial_status:paid など', en: '#1001, email, financial_status:paid …' }))}
${table(heads, rows, t({ ja: '該当する注文はありません。', en: 'No order matches.' }))}${pager(view, '/orders', found)}`
    return { title: t({ ja: '注文', en: 'Orders' }), body }
  })

  admin.submit('/orders', (view) => {
    const { scope, t } = view
    const who = view.form.customer?.trim() ?? ''
    const byId = /^\d{1,15}$/.test(who) ? findCustomer(scope, Number(who)) : null
    if (!byId && !who.includes('@'))
      return {
        to: '/orders?new=1',
        notice: t({ ja: '!顧客IDかメールアドレスを入れてください。', en: '!Enter a customer ID or an email address.' }),
      }
    const chosen: unknown = view.form.variant_id
    const order = placeOrder(scope, {
      customerId: byId?.id ?? findCustomerByEmail(scope, who)?.id ?? null,
      email: byId ? null : who,
      items: (Array.isArray(chosen) ? chosen : [chosen]).map((id) => ({
        variantId: Number(id),
        quantity: Number(view.form.quantity ?? 1),
      })),
      landingSite: landingPath(scope, view.form.landing_site?.trim()),
      referringSite: view.form.referring_site?.trim() || null,
    })
    if (typeof order === 'string') return { to: '/orders?new=1', notice: `!${order}` }
    return {
      to: '/orders',
      notice: t({ ja: `注文 ${order.name} を入れました。`, en: `Order ${order.name} was placed.` }),
    }
  })
  const acts = [
    { verb: 'cancel', act: cancelOrder, ja: 'をキャンセルしました。', en: 'was cancelled.' },
    { verb: 'fulfill', act: fulfillOrder, ja: 'を発送しました。', en: 'was fulfilled.' },
    { verb: 'refund', act: refundOrder, ja: 'を返金しました。', en: 'was refunded.' },
  ]
  for (const { verb, act, ja, en } of acts)
    admin.submit(`/orders/:id/${verb}`, ({ scope, id, t }) => {
      const order = act(scope, id, null)
      const notice =
        typeof order === 'string' ? `!${order}` : t({ ja: `注文 ${order.name} ${ja}`, en: `Order ${order.name} ${en}` })
      return { to: '/orders', notice }
    })
}

/** Prices are typed as they are kept. */
const priceLabel = ({ scope, t }: AdminView): string =>
  scope.store.currency === 'JPY'
    ? t({ ja: '価格（円）', en: 'Price in yen' })
    : t({ ja: `価格（${scope.store.currency}の1/100）`, en: `Price in hundredths of ${scope.store.currency}` })

const changePrice = (scope: StoreScope, variantId: number, price: number): boolean =>
  setPrices(scope, [{ variantId, price }]).length > 0

export function mountAdminProducts(admin: ReturnType<typeof adminRoutes>): void {
  admin.show('/products', '/products', (view) => {
    const { scope, t } = view
    const found = listResource<ProductRow>(view, 'Product', 'UPDATED_AT')
    const rows = found.rows.map((row) => {
      const figure = (variantId: number, what: 'stock' | 'price', label: string, value: number) =>
        form(
          view,
          `/products/${variantId}/${what}`,
          `<label class="small" for="${what}-${variantId}">${escapeHtml(label)}</label><input id="${what}-${variantId}" name="value" type="number" min="0" value="${value}" style="width:5.5em;min-height:30px;padding:3px 8px"><button class="small">${t({ ja: '変更', en: 'Set' })}</button>`,
          'class="inline" style="align-items:center;margin:0 0 6px"',
        )
      const stock = listVariants(scope, row.id).map(({ id, title, inventory_quantity, price }) => {
        const option = title === 'Default Title' ? '' : `${title} `
        return `${figure(id, 'stock', `${option}${t({ ja: '在庫', en: 'Stock' })}`, inventory_quantity)}${figure(id, 'price', `${option}${t({ ja: '価格', en: 'Price' })}`, price)}`
      })
      return `<tr><td>${form(view, `/products/${row.id}/title`, `<input name="title" value="${escapeHtml(row.title)}" aria-label="${t({ ja: '商品名', en: 'Title' })}" required size="22"><button class="small">${t({ ja: '変更', en: 'Set' })}</button>`, 'class="inline"')}
<div class="small"><a href="${storePath(scope, `/products/${row.handle}`)}">${t({ ja: '商品ページ', en: 'Product page' })}</a> · <span class="mono">${row.id}</span></div></td>
<td><span class="badge ${row.status === 'ACTIVE' ? 'ok' : ''}">${row.status === 'ACTIVE' ? t({ ja: '公開', en: 'Active' }) : t({ ja: '下書き', en: 'Draft' })}</span></td><td>${stock.join('<br>')}</td>
<td>${form(view, `/products/${row.id}/delete`, `<button class="small danger">${t({ ja: '削除', en: 'Delete' })}</button>`, `class="inline" data-confirm="${t({ ja: '削除しますか？', en: 'Delete?' })}"`)}</td></tr>`
    })
    const body = `${searchBar(view, '/products', t({ ja: '商品名、tag:定番 など', en: 'Title, tag:定番 …' }))}
${table([t({ ja: '商品', en: 'Product' }), t({ ja: 'ステータス', en: 'Status' }), t({ ja: '在庫と価格', en: 'Stock and price' }), ''], rows, t({ ja: '該当する商品はありません。', en: 'No product matches.' }))}${pager(view, '/products', found)}
<section class="card"><h2>${t({ ja: '商品を追加', en: 'Add a product' })}</h2>${form(view, '/products', `${field('title', t({ ja: '商品名', en: 'Title' }), { more: 'required' })}${field('price', priceLabel(view), { type: 'number', value: '1000', more: 'min="1"' })}<button class="primary">${t({ ja: '追加', en: 'Add' })}</button>`)}</section>`
    return { title: t({ ja: '商品', en: 'Products' }), body }
  })

  admin.submit('/products', (view) => {
    const [title, price] = [view.form.title?.trim() ?? '', Number(view.form.price)]
    if (title === '' || !Number.isInteger(price) || price < 1)
      return {
        to: '/products',
        notice: view.t({ ja: '!商品名と価格を入れてください。', en: '!Give a title and a price.' }),
      }
    createProduct(view.scope, { title, variants: [{ price, available: 10 }] })
    return { to: '/products', notice: view.t({ ja: '商品を追加しました。', en: 'The product was added.' }) }
  })
  const figures = [
    { figure: 'stock', set: setStock, ja: '在庫', en: ['The stock', 'Stock'] },
    { figure: 'price', set: changePrice, ja: '価格', en: ['The price', 'A price'] },
  ] as const
  for (const { figure, set, ja, en } of figures)
    admin.submit(`/products/:id/${figure}`, ({ scope, id, form, t }) => {
      const value = Number(form.value)
      const isSet = Number.isInteger(value) && value >= 0 && Boolean(set(scope, id, value))
      return {
        to: '/products',
        notice: isSet
          ? t({ ja: `${ja}を変更しました。`, en: `${en[0]} was changed.` })
          : t({ ja: `!${ja}は0以上の整数です。`, en: `!${en[1]} is a whole number from 0.` }),
      }
    })
  admin.submit('/products/:id/title', (view) => {
    const title = view.form.title?.trim() ?? ''
    if (title === '' || !findProduct(view.scope, view.id))
      return { to: '/products', notice: view.t({ ja: '!商品名を入れてください。', en: '!Give a title.' }) }
    renameProduct(view.scope, view.id, title)
    return { to: '/products', notice: view.t({ ja: '商品名を変更しました。', en: 'The title was changed.' }) }
  })
  admin.submit('/products/:id/delete', (view) => {
    deleteProduct(view.scope, view.id)
    return { to: '/products', notice: view.t({ ja: '商品を削除しました。', en: 'The product was deleted.' }) }
  })
}
