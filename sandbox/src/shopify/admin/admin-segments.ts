import { escapeHtml, formatTime } from '../../page.ts'
import { type AdminView, adminRoutes, field, form, table } from './admin-frame.ts'
import { customerName } from '../customers.ts'
import { storePath } from '../platform.ts'
import { SegmentQueryError } from '../segment-query.ts'
import {
  checkQuery,
  countMembers,
  createSegment,
  deleteSegment,
  findMembers,
  findSegment,
  listCustomers,
  listSegments,
  type SegmentRow,
  updateSegment,
} from '../segments.ts'

const shownMembers = 50

/** The merchant's own segments at the platform, with the customers each finds now. */
export function mountAdminSegments(admin: ReturnType<typeof adminRoutes>): void {
  admin.show('/segments', '/segments', (view) => {
    const { scope, t, language } = view
    const rows = listSegments(scope).map(
      (row) => `<tr><td><a href="${storePath(scope, `/admin/segments/${row.id}`)}">${escapeHtml(row.name)}</a></td>
<td class="mono small">${escapeHtml(row.query)}</td><td class="num">${countOf(view, row)}</td>
<td class="nowrap small">${formatTime(new Date(row.updated_at * 1000), language)}</td></tr>`,
    )
    const heads = [
      t({ ja: '名前', en: 'Name' }),
      t({ ja: '条件', en: 'Query' }),
      `#${t({ ja: '現在の人数', en: 'Members now' })}`,
      t({ ja: '変更', en: 'Changed' }),
    ]
    const body = `${table(heads, rows, t({ ja: 'セグメントはありません。', en: 'There are no segments.' }))}
<section class="card"><h2>${t({ ja: 'セグメントを追加', en: 'Add a segment' })}</h2>${form(view, '/segments', fields(view, { name: '', query: '' }))}
<p class="muted small">${t({ ja: '使える項目', en: 'Attributes' })}: <span class="mono">email_subscription_status, number_of_orders, amount_spent, customer_tags, customer_countries, customer_language, customer_email_domain, customer_added_date, last_order_date</span> · AND OR NOT ( ) · = != &lt; &gt; BETWEEN IN CONTAINS IS NULL · -30d</p></section>`
    return { title: t({ ja: 'セグメント', en: 'Segments' }), body }
  })

  admin.show('/segments/:id', '/segments', (view) => {
    const { scope, t } = view
    const segment = findSegment(scope, view.id)
    if (!segment) return { title: t({ ja: '見つかりません', en: 'Not found' }), body: '' }
    const rows = membersOf(view, segment).map(
      (row) =>
        `<tr><td><a href="${storePath(scope, `/admin/customers/${row.id}`)}">${escapeHtml(customerName(row)) || '—'}</a></td><td>${escapeHtml(row.email ?? '—')}</td><td class="num">${row.orders_count}</td></tr>`,
    )
    const heads = [
      t({ ja: '名前', en: 'Name' }),
      t({ ja: 'メール', en: 'Email' }),
      `#${t({ ja: '注文', en: 'Orders' })}`,
    ]
    const body = `<section class="card">${form(view, `/segments/${segment.id}`, fields(view, segment))}${form(view, `/segments/${segment.id}/delete`, `<button class="danger">${t({ ja: '削除', en: 'Delete' })}</button>`, `data-confirm="${t({ ja: '削除しますか？', en: 'Delete?' })}"`)}</section>
<h2>${t({ ja: '現在のメンバー', en: 'Members now' })} · ${countOf(view, segment)}</h2>${table(heads, rows, t({ ja: '該当する顧客はいません。', en: 'No customer matches.' }))}`
    return { title: segment.name, body }
  })

  const given = (view: AdminView) => ({ name: view.form.name?.trim() ?? '', query: view.form.query?.trim() ?? '' })
  const problemOf = (view: AdminView): string | null => {
    const { name, query } = given(view)
    if (name === '') return view.t({ ja: '名前を入れてください。', en: 'Enter a name.' })
    return checkQuery(view.scope, query)
  }
  admin.submit('/segments', (view) => {
    const problem = problemOf(view)
    if (problem !== null) return { to: '/segments', notice: `!${problem}` }
    const { name, query } = given(view)
    const { id } = createSegment(view.scope, name, query)
    return { to: `/segments/${id}`, notice: view.t({ ja: '追加しました。', en: 'Added.' }) }
  })
  admin.submit('/segments/:id', (view) => {
    const problem = problemOf(view)
    if (problem === null) updateSegment(view.scope, view.id, given(view))
    return {
      to: `/segments/${view.id}`,
      notice: problem === null ? view.t({ ja: '変更しました。', en: 'Changed.' }) : `!${problem}`,
    }
  })
  admin.submit('/segments/:id/delete', (view) => {
    deleteSegment(view.scope, view.id)
    return { to: '/segments', notice: view.t({ ja: '削除しました。', en: 'Deleted.' }) }
  })
}

function fields(view: AdminView, { name, query }: { name: string; query: string }): string {
  return `${field('name', view.t({ ja: '名前', en: 'Name' }), { value: name })}${field('query', view.t({ ja: '条件', en: 'Query' }), { value: query, more: 'class="mono"' })}<button class="primary">${view.t({ ja: '保存', en: 'Save' })}</button>`
}

/** A query that was not entered on the page may be wrong. */
function countOf({ scope, t }: AdminView, { query }: SegmentRow): string {
  try {
    return countMembers(scope, query).toLocaleString('en')
  } catch (error) {
    if (error instanceof SegmentQueryError)
      return `<span class="badge bad">${escapeHtml(t({ ja: '条件の誤り', en: 'Invalid query' }))}</span>`
    throw error
  }
}

function membersOf({ scope }: AdminView, { query }: SegmentRow) {
  try {
    return listCustomers(scope, findMembers(scope, query).slice(0, shownMembers))
  } catch (error) {
    if (error instanceof SegmentQueryError) return []
    throw error
  }
}
