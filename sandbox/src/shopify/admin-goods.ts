import { escapeHtml, formatTime } from '../page.ts'
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
import { customerName, findCustomer, findCustomerByEmail } from './customers.ts'
import { cancelOrder, fulfillOrder, landingPath, type OrderRow, placeOrder, refundOrder } from './orders.ts'
import { type StoreScope, storePath } from './platform.ts'
import {
  createProduct,
  deleteProduct,
  findProduct,
  type ProductRow,
  renameProduct,
  setPrice,
  setStock,
} from './products.ts'
import { listRows } from '../sql.ts'
import { yen } from './storefront.ts'
import { listVariants } from './variants.ts'

const paymentTone: Record<string, string> = {
  PAID: 'ok',
  PENDING: 'warn',
  VOIDED: 'bad',
  REFUNDED: 'bad',
  PARTIALLY_REFUNDED: 'warn',
}

export function paymentWord(view: AdminView, status: string): string {
  const words: Record<string, [string, string]> = {
    PAID: ['支払い済み', 'Paid'],
    PENDING: ['支払い待ち', 'Pending'],
    VOIDED: ['キャンセル', 'Cancelled'],
    REFUNDED: ['返金済み', 'Refunded'],
    PARTIALLY_REFUNDED: ['一部返金', 'Partly refunded'],
  }
  const word = words[status]
  return word ? view.t(...word) : status
}

function inStock(scope: StoreScope): [string, string][] {
  const rows = listRows<{ id: number; title: string; variant: string; price: number }>(
    scope.database,
    `SELECT v.id, p.title, v.title AS variant, v.price FROM store_variant v JOIN store_product p ON p.store_id = v.store_id AND p.id = v.product_id
     WHERE v.store_id = ? AND v.inventory_quantity > 0 AND p.status = 'ACTIVE' ORDER BY p.id, v.position LIMIT 400`,
    scope.store.id,
  )
  return rows.map(({ id, title, variant, price }) => [
    String(id),
    `${title}${variant === 'Default Title' ? '' : ` (${variant})`} ${yen(price)}`,
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
        : `<span class="muted">${t('ゲスト', 'Guest')}</span> ${escapeHtml(row.email ?? '')}`
      const open = row.cancelled_at === null && row.current_total > 0
      const sent = row.fulfillment_status === 'FULFILLED'
      const fulfil = sent
        ? `<span class="badge ok">${t('発送済み', 'Fulfilled')}</span>`
        : form(
            view,
            `/orders/${row.id}/fulfill`,
            `<button class="small">${t('発送', 'Fulfill')}</button>`,
            'class="inline"',
          )
      const actions = open
        ? `${fulfil} ${form(view, `/orders/${row.id}/cancel`, `<button class="small">${t('キャンセル', 'Cancel')}</button>`, 'class="inline"')} ${form(view, `/orders/${row.id}/refund`, `<button class="small">${t('返金', 'Refund')}</button>`, 'class="inline"')}`
        : ''
      return `<tr><td class="nowrap">${escapeHtml(row.name)}</td><td class="nowrap">${formatTime(new Date(row.processed_at * 1000), language)}</td><td class="nowrap">${who}</td>
<td><span class="badge ${paymentTone[row.financial_status] ?? ''}">${paymentWord(view, row.financial_status)}</span></td><td class="num">${yen(row.total)}</td>
<td class="small mono">${escapeHtml(row.landing_site ?? '')}</td><td class="nowrap">${actions}</td></tr>`
    })
    const heads = [
      t('注文', 'Order'),
      t('日時', 'Time'),
      t('顧客', 'Customer'),
      t('支払い', 'Payment'),
      `#${t('金額', 'Total')}`,
      t('入口ページ', 'Landing page'),
      '',
    ]
    const body = `<details class="card"${view.query.new === undefined ? '' : ' open'}><summary><b>${t('注文を入れる', 'Place an order')}</b></summary><div style="height:12px"></div>${form(
      view,
      '/orders',
      `<div class="grid"><div>${field('customer', t('顧客ID、またはメールアドレス（顧客になければゲスト注文）', 'Customer id or email (a guest order if unknown)'), { more: 'required' })}
${field('landing_site', t('入口ページのURL（任意、utm や ref も）', 'Landing page address (optional, with utm or ref)'), { more: 'placeholder="/?utm_source=okaeri&utm_medium=email"' })}
${field('referring_site', t('リファラー（任意）', 'Referrer (optional)'), { type: 'url' })}</div>
<div><div class="field"><label for="f-variant">${t('商品（複数選択可）', 'Products (one or more)')}</label><select id="f-variant" name="variant_id" multiple size="6" required>${options(inStock(scope), '')}</select></div>
${field('quantity', t('数量（各）', 'Quantity of each'), { type: 'number', value: '1', more: 'min="1" max="99"' })}</div></div><button class="primary">${t('注文する', 'Place order')}</button>`,
    )}</details>
${searchBar(view, '/orders', t('#1001、メール、financial_status:paid など', '#1001, email, financial_status:paid …'))}
${table(heads, rows, t('該当する注文はありません。', 'No order matches.'))}${pager(view, '/orders', found)}`
    return { title: t('注文', 'Orders'), body }
  })

  admin.submit('/orders', (view) => {
    const { scope, t } = view
    const who = view.form.customer?.trim() ?? ''
    const byId = /^\d{1,15}$/.test(who) ? findCustomer(scope, Number(who)) : null
    if (!byId && !who.includes('@'))
      return {
        to: '/orders?new=1',
        notice: t('!顧客IDかメールアドレスを入れてください。', '!Enter a customer ID or an email address.'),
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
    return { to: '/orders', notice: t(`注文 ${order.name} を入れました。`, `Order ${order.name} was placed.`) }
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
        typeof order === 'string' ? `!${order}` : t(`注文 ${order.name} ${ja}`, `Order ${order.name} ${en}`)
      return { to: '/orders', notice }
    })
}

export function mountAdminProducts(admin: ReturnType<typeof adminRoutes>): void {
  admin.show('/products', '/products', (view) => {
    const { scope, t } = view
    const found = listResource<ProductRow>(view, 'Product', 'UPDATED_AT')
    const rows = found.rows.map((row) => {
      const figure = (variantId: number, what: 'stock' | 'price', label: string, value: number) =>
        form(
          view,
          `/products/${variantId}/${what}`,
          `<label class="small" for="${what}-${variantId}">${escapeHtml(label)}</label><input id="${what}-${variantId}" name="value" type="number" min="0" value="${value}" style="width:5.5em;min-height:30px;padding:3px 8px"><button class="small">${t('変更', 'Set')}</button>`,
          'class="inline" style="align-items:center;margin:0 0 6px"',
        )
      const stock = listVariants(scope, row.id).map(({ id, title, inventory_quantity, price }) => {
        const option = title === 'Default Title' ? '' : `${title} `
        return `${figure(id, 'stock', `${option}${t('在庫', 'Stock')}`, inventory_quantity)}${figure(id, 'price', `${option}${t('価格', 'Price')}`, price)}`
      })
      return `<tr><td>${form(view, `/products/${row.id}/title`, `<input name="title" value="${escapeHtml(row.title)}" aria-label="${t('商品名', 'Title')}" required size="22"><button class="small">${t('変更', 'Set')}</button>`, 'class="inline"')}
<div class="small"><a href="${storePath(scope, `/products/${row.handle}`)}">${t('商品ページ', 'Product page')}</a> · <span class="mono">${row.id}</span></div></td>
<td><span class="badge ${row.status === 'ACTIVE' ? 'ok' : ''}">${row.status === 'ACTIVE' ? t('公開', 'Active') : t('下書き', 'Draft')}</span></td><td>${stock.join('<br>')}</td>
<td>${form(view, `/products/${row.id}/delete`, `<button class="small danger">${t('削除', 'Delete')}</button>`, `class="inline" data-confirm="${t('削除しますか？', 'Delete?')}"`)}</td></tr>`
    })
    const body = `${searchBar(view, '/products', t('商品名、tag:定番 など', 'Title, tag:定番 …'))}
${table([t('商品', 'Product'), t('ステータス', 'Status'), t('在庫と価格', 'Stock and price'), ''], rows, t('該当する商品はありません。', 'No product matches.'))}${pager(view, '/products', found)}
<section class="card"><h2>${t('商品を追加', 'Add a product')}</h2>${form(view, '/products', `${field('title', t('商品名', 'Title'), { more: 'required' })}${field('price', t('価格（円）', 'Price in yen'), { type: 'number', value: '1000', more: 'min="1"' })}<button class="primary">${t('追加', 'Add')}</button>`)}</section>`
    return { title: t('商品', 'Products'), body }
  })

  admin.submit('/products', (view) => {
    const [title, price] = [view.form.title?.trim() ?? '', Number(view.form.price)]
    if (title === '' || !Number.isInteger(price) || price < 1)
      return { to: '/products', notice: view.t('!商品名と価格を入れてください。', '!Give a title and a price.') }
    createProduct(view.scope, title, price)
    return { to: '/products', notice: view.t('商品を追加しました。', 'The product was added.') }
  })
  const figures = [
    { figure: 'stock', set: setStock, ja: '在庫', en: ['The stock', 'Stock'] },
    { figure: 'price', set: setPrice, ja: '価格', en: ['The price', 'A price'] },
  ] as const
  for (const { figure, set, ja, en } of figures)
    admin.submit(`/products/:id/${figure}`, ({ scope, id, form, t }) => {
      const value = Number(form.value)
      const isSet = Number.isInteger(value) && value >= 0 && set(scope, id, value)
      return {
        to: '/products',
        notice: isSet
          ? t(`${ja}を変更しました。`, `${en[0]} was changed.`)
          : t(`!${ja}は0以上の整数です。`, `!${en[1]} is a whole number from 0.`),
      }
    })
  admin.submit('/products/:id/title', (view) => {
    const title = view.form.title?.trim() ?? ''
    if (title === '' || !findProduct(view.scope, view.id))
      return { to: '/products', notice: view.t('!商品名を入れてください。', '!Give a title.') }
    renameProduct(view.scope, view.id, title)
    return { to: '/products', notice: view.t('商品名を変更しました。', 'The title was changed.') }
  })
  admin.submit('/products/:id/delete', (view) => {
    deleteProduct(view.scope, view.id)
    return { to: '/products', notice: view.t('商品を削除しました。', 'The product was deleted.') }
  })
}
