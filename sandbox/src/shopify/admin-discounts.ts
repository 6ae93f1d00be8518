import { escapeHtml, formatTime } from '../page.ts'
import { adminRoutes, table } from './admin-frame.ts'
import { findDiscount, type Items, listCodes, listDiscounts, type Minimum } from './discounts.ts'
import { storePath } from './platform.ts'

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
      t('名前', 'Title'),
      `#${t('割引率', 'Share')}`,
      t('期間', 'Valid'),
      `#${t('コード数', 'Codes')}`,
      `#${t('使用', 'Used')}`,
    ]
    return {
      title: t('ディスカウント', 'Discounts'),
      body: table(heads, rows, t('ディスカウントはまだありません。', 'There are no discounts yet.')),
    }
  })

  admin.show('/discounts/:id', '/discounts', ({ scope, t, id }) => {
    const discount = findDiscount(scope, id)
    if (!discount) return { title: t('見つかりません', 'Not found'), body: '' }
    const minimum = JSON.parse(discount.minimum) as Minimum
    const items = JSON.parse(discount.items) as Items
    const of = items.products
      ? `${t('商品', 'Products')}: ${items.products.join(', ')}`
      : items.collections
        ? `${t('コレクション', 'Collections')}: ${items.collections.join(', ')}`
        : t('すべての商品', 'All products')
    const least =
      minimum.subtotal !== null
        ? `${t('最低金額', 'Subtotal from')} ¥${minimum.subtotal}`
        : minimum.quantity !== null
          ? `${t('最低数量', 'Quantity from')} ${minimum.quantity}`
          : t('条件なし', 'No minimum')
    const rows = listCodes(scope, discount.id, shown).map(
      ({ code, used }) =>
        `<tr><td class="mono">${escapeHtml(code)}</td><td>${used > 0 ? `<span class="badge ok">${t('使用済み', 'Used')}</span>` : ''}</td></tr>`,
    )
    const body = `<section class="card"><p>${Math.round(discount.share * 100)}% · ${escapeHtml(of)} · ${escapeHtml(least)}</p></section>
${table([t('コード', 'Code'), t('ステータス', 'Status')], rows, t('コードはありません。', 'There are no codes.'))}`
    return { title: discount.title, body }
  })
}
