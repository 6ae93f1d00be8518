import { escapeHtml, formatTime } from '../page.ts'
import { type AdminView, adminRoutes, field, form, table } from './admin-frame.ts'
import { customerName } from './customers.ts'
import { storePath } from './platform.ts'
import { SegmentQueryError } from './segment-query.ts'
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
} from './segments.ts'

const shownMembers = 50

/** The merchant's own segments at the platform, with whom each finds right now. */
export function mountAdminSegments(admin: ReturnType<typeof adminRoutes>): void {
  admin.show('/segments', '/segments', (view) => {
    const { scope, t, language } = view
    const rows = listSegments(scope).map(
      (row) => `<tr><td><a href="${storePath(scope, `/admin/segments/${row.id}`)}">${escapeHtml(row.name)}</a></td>
<td class="mono small">${escapeHtml(row.query)}</td><td class="num">${countOf(view, row)}</td>
<td class="nowrap small">${formatTime(new Date(row.updated_at * 1000), language)}</td></tr>`,
    )
    const heads = [t('名前', 'Name'), t('条件', 'Query'), `#${t('現在の人数', 'Members now')}`, t('変更', 'Changed')]
    const body = `${table(heads, rows, t('セグメントはありません。', 'There are no segments.'))}
<section class="card"><h2>${t('セグメントを追加', 'Add a segment')}</h2>${form(view, '/segments', fields(view, { name: '', query: '' }))}
<p class="muted small">${t('使える項目', 'Attributes')}: <span class="mono">email_subscription_status, number_of_orders, amount_spent, customer_tags, customer_countries, customer_language, customer_email_domain, customer_added_date, last_order_date</span> · AND OR NOT ( ) · = != &lt; &gt; BETWEEN IN CONTAINS IS NULL · -30d</p></section>`
    return { title: t('セグメント', 'Segments'), body }
  })

  admin.show('/segments/:id', '/segments', (view) => {
    const { scope, t } = view
    const segment = findSegment(scope, view.id)
    if (!segment) return { title: t('見つかりません', 'Not found'), body: '' }
    const rows = membersOf(view, segment).map(
      (row) =>
        `<tr><td><a href="${storePath(scope, `/admin/customers/${row.id}`)}">${escapeHtml(customerName(row)) || '—'}</a></td><td>${escapeHtml(row.email ?? '—')}</td><td class="num">${row.orders_count}</td></tr>`,
    )
    const heads = [t('名前', 'Name'), t('メール', 'Email'), `#${t('注文', 'Orders')}`]
    const body = `<section class="card">${form(view, `/segments/${segment.id}`, fields(view, segment))}${form(view, `/segments/${segment.id}/delete`, `<button class="danger">${t('削除', 'Delete')}</button>`, `data-confirm="${t('削除しますか？', 'Delete?')}"`)}</section>
<h2>${t('現在のメンバー', 'Members now')} · ${countOf(view, segment)}</h2>${table(heads, rows, t('該当する顧客はいません。', 'No customer matches.'))}`
    return { title: segment.name, body }
  })

  const given = (view: AdminView) => ({ name: view.form.name?.trim() ?? '', query: view.form.query?.trim() ?? '' })
  const problemOf = (view: AdminView): string | null => {
    const { name, query } = given(view)
    if (name === '') return view.t('名前を入れてください。', 'Enter a name.')
    return checkQuery(view.scope, query)
  }
  admin.submit('/segments', (view) => {
    const problem = problemOf(view)
    if (problem !== null) return { to: '/segments', notice: `!${problem}` }
    const { name, query } = given(view)
    const { id } = createSegment(view.scope, name, query)
    return { to: `/segments/${id}`, notice: view.t('追加しました。', 'Added.') }
  })
  admin.submit('/segments/:id', (view) => {
    const problem = problemOf(view)
    if (problem === null) updateSegment(view.scope, view.id, given(view))
    return {
      to: `/segments/${view.id}`,
      notice: problem === null ? view.t('変更しました。', 'Changed.') : `!${problem}`,
    }
  })
  admin.submit('/segments/:id/delete', (view) => {
    deleteSegment(view.scope, view.id)
    return { to: '/segments', notice: view.t('削除しました。', 'Deleted.') }
  })
}

function fields(view: AdminView, { name, query }: { name: string; query: string }): string {
  return `${field('name', view.t('名前', 'Name'), { value: name })}${field('query', view.t('条件', 'Query'), { value: query, more: 'class="mono"' })}<button class="primary">${view.t('保存', 'Save')}</button>`
}

/** A query that was put in past the page may be wrong. */
function countOf({ scope, t }: AdminView, { query }: SegmentRow): string {
  try {
    return countMembers(scope, query).toLocaleString('en')
  } catch (error) {
    if (error instanceof SegmentQueryError)
      return `<span class="badge bad">${escapeHtml(t('条件の誤り', 'Invalid query'))}</span>`
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
