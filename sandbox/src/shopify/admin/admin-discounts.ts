import { escapeHtml, formatTime } from '../../page.ts'
import { adminRoutes, table } from './admin-frame.ts'
import { findDiscount, type Items, listCodes, listDiscounts, type Minimum } from '../goods/discounts.ts'
import { moneyText } from '../goods/money.ts'
import { storePath } from '../platform.ts'

const shown = 200

/** Discounts apps have made, their codes, and which have been used. */
export function mountAdminDiscounts(admin: ReturnType<typeof adminRoutes>): void {
  admin.show('/discounts', '/discounts', ({ scope, t, language }) => {
    const time = (seconds: number | null) => (seconds === null ? '—' : formatTime(new Date(seconds * 1000), language))
    const rows = listDiscounts(scope, shown).map(
      (row) => `<tr><td><a href="${storePath(scope, `/admin/discounts/${row.id}`)}">${escapeHtml(row.title)}</a></td>
<td class="num">${Math.round(row.share * 100)}%</td><td class="nowrap small">${time(row.starts_at)} – ${time(row.ends_at)}</td>
<td class="num">${row.codes}</td><td class="num">${row.used}</td></tr>`,
    )
    const heads = [
      t({ ja: '名前', en: 'Title' }),
      `#${t({ ja: '割引率', en: 'Share' })}`,
      t({ ja: '期間', en: 'Valid' }),
      `#${t({ ja: 'コード数', en: 'Codes' })}`,
      `#${t({ ja: '使用', en: 'Used' })}`,
    ]
    return {
      title: t({ ja: 'ディスカウント', en: 'Discounts' }),
      body: table(heads, rows, t({ ja: 'ディスカウントはまだありません。', en: 'There are no discounts yet.' })),
    }
  })

  admin.show('/discounts/:id', '/discounts', ({ scope, t, id }) => {
    const discount = findDiscount(scope, id)
    if (!discount) return { title: t({ ja: '見つかりません', en: 'Not found' }), body: '' }
    const minimum = JSON.parse(discount.minimum) as Minimum
    const items = JSON.parse(discount.items) as Items
    const of = items.products
      ? `${t({ ja: '商品', en: 'Products' })}: ${items.products.join(', ')}`
      : items.collections
        ? `${t({ ja: 'コレクション', en: 'Collections' })}: ${items.collections.join(', ')}`
        : t({ ja: 'すべての商品', en: 'All products' })
    const least =
      minimum.subtotal !== null
        ? `${t({ ja: '最低金額', en: 'Subtotal from' })} ${moneyText(scope, minimum.subtotal)}`
        : minimum.quantity !== null
          ? `${t({ ja: '最低数量', en: 'Quantity from' })} ${minimum.quantity}`
          : t({ ja: '条件なし', en: 'No minimum' })
    const rows = listCodes(scope, discount.id, shown).map(
      ({ code, used }) =>
        `<tr><td class="mono">${escapeHtml(code)}</td><td>${used > 0 ? `<span class="badge ok">${t({ ja: '使用済み', en: 'Used' })}</span>` : ''}</td></tr>`,
    )
    const body = `<section class="card"><p>${Math.round(discount.share * 100)}% · ${escapeHtml(of)} · ${escapeHtml(least)}</p></section>
${table([t({ ja: 'コード', en: 'Code' }), t({ ja: 'ステータス', en: 'Status' })], rows, t({ ja: 'コードはありません。', en: 'There are no codes.' }))}`
    return { title: discount.title, body }
  })
}
