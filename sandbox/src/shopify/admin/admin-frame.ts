import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml, languageOf, type Localized, page, type SandboxLanguage } from '../../page.ts'
import { listPage } from '../connection.ts'
import { type Platform, type StoreScope, storePath } from '../platform.ts'
import { refuseShop } from '../refusal-page.ts'
import { type Kind, listed, listingOf } from '../resources.ts'
import { openStore } from '../stores.ts'

/** One look at an admin page: the store, the reader's language and what the address or form says. */
export interface AdminView {
  scope: StoreScope
  language: SandboxLanguage
  /** Picks the text of the reader's language. */
  t: (text: Localized) => string
  query: Record<string, string | undefined>
  form: Record<string, string | undefined>
  id: number
  reply: FastifyReply
}

/** By the path of the page it leads to. */
export type AdminTab =
  | ''
  | '/customers'
  | '/orders'
  | '/products'
  | '/discounts'
  | '/segments'
  | '/stock'
  | '/theme'
  | '/webhooks'
  | '/switches'

/** Shows a page at GET, or does what a form asks at POST and leads back with a notice. */
export function adminRoutes(app: FastifyInstance, platform: Platform) {
  const viewOf = (request: FastifyRequest, reply: FastifyReply): AdminView => {
    const params = request.params as { shop: string; id?: string }
    refuseShop(params.shop)
    const language = languageOf(request, reply)
    return {
      scope: openStore(platform, params.shop),
      language,
      t: (text) => text[language],
      query: (request.query ?? {}) as AdminView['query'],
      form: (request.body ?? {}) as AdminView['form'],
      id: Number(params.id ?? 0),
      reply,
    }
  }
  return {
    show(path: string, tab: AdminTab, draw: (view: AdminView) => { title: string; body: string }) {
      app.get(`/stores/:shop/admin${path}`, async (request, reply) => {
        const view = viewOf(request, reply)
        const { title, body } = draw(view)
        reply.type('text/html; charset=utf-8')
        return frame(view, tab, { title, body })
      })
    },
    /** `act` returns where to go and what to say; a notice of a failure starts with `!`. */
    submit(path: string, act: (view: AdminView) => { to: string; notice: string }) {
      app.post(`/stores/:shop/admin${path}`, async (request, reply) => {
        const view = viewOf(request, reply)
        const { to, notice } = act(view)
        const target = `${storePath(view.scope, `/admin${to}`)}${to.includes('?') ? '&' : '?'}notice=${encodeURIComponent(notice)}`
        return reply.redirect(target, 303)
      })
    },
  }
}

function frame(view: AdminView, tab: AdminTab, content: { title: string; body: string }): string {
  const { scope, t, query, language } = view
  const tabs: [path: string, label: string][] = [
    ['', t({ ja: '概要', en: 'Overview' })],
    ...listed.flatMap(([, { page }]): [string, string][] => (page ? [[page.path, t(page)]] : [])),
    ['/stock', t({ ja: '在庫', en: 'Stock' })],
    ['/theme', t({ ja: 'オンラインストア', en: 'Online store' })],
    ['/webhooks', t({ ja: 'Webhook', en: 'Webhooks' })],
    ['/switches', t({ ja: 'スイッチ', en: 'Switches' })],
  ]
  const links = tabs
    .map(
      ([path, label]) =>
        `<a href="${storePath(scope, `/admin${path}`)}"${path === tab ? ' aria-current="page"' : ''}>${escapeHtml(label)}</a>`,
    )
    .join('')
  const notice = query.notice ?? ''
  const flash =
    notice === ''
      ? ''
      : `<p class="flash ${notice.startsWith('!') ? 'bad' : 'ok'}" role="status">${escapeHtml(notice.replace(/^!/, ''))}</p>`
  const nav = [
    { href: '/', label: t({ ja: 'サンドボックス', en: 'Sandbox' }) },
    { href: storePath(scope, '/admin'), label: t({ ja: 'ストア管理', en: 'Store admin' }), active: true },
    { href: storePath(scope), label: t({ ja: 'ストア', en: 'Storefront' }) },
    { href: '/mail', label: t({ ja: 'メールボックス', en: 'Mailbox' }) },
    { href: '/line', label: 'LINE' },
  ]
  const body = `<p class="muted small">${escapeHtml(scope.store.name)} · ${escapeHtml(scope.store.shop)}</p><h1>${escapeHtml(content.title)}</h1>
<nav class="tabs" aria-label="${t({ ja: 'ストア管理', en: 'Store admin' })}">${links}</nav>${flash}${content.body}`
  return page({ title: `${content.title} · ${scope.store.name}`, body, lang: language, nav })
}

/** A form that posts to the admin, with the fields inside. */
export function form(view: AdminView, action: string, inner: string, extra = ''): string {
  return `<form method="post" action="${storePath(view.scope, `/admin${action}`)}" ${extra}>${inner}</form>`
}

export function field(
  name: string,
  label: string,
  input: { value?: string; type?: string; more?: string } = {},
): string {
  const { value = '', type = 'text', more = '' } = input
  return `<div class="field"><label for="f-${name}">${escapeHtml(label)}</label><input id="f-${name}" name="${name}" type="${type}" value="${escapeHtml(value)}" ${more}></div>`
}

export function options(items: [string, string][], chosen: string): string {
  return items
    .map(
      ([value, label]) =>
        `<option value="${escapeHtml(value)}"${value === chosen ? ' selected' : ''}>${escapeHtml(label)}</option>`,
    )
    .join('')
}

export function table(heads: string[], rows: string[], empty: string): string {
  if (rows.length === 0) return `<div class="card empty"><p>${escapeHtml(empty)}</p></div>`
  const head = heads.map((text) =>
    text.startsWith('#') ? `<th class="num">${text.slice(1)}</th>` : `<th>${text}</th>`,
  )
  return `<div class="table-wrap"><table style="min-width:${heads.length * 120}px"><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

/** Previous and next by cursor, keeping what was searched for. */
export function pager(
  view: AdminView,
  path: string,
  found: { cursors: string[]; hasNextPage: boolean; hasPreviousPage: boolean },
): string {
  const link = (name: 'after' | 'before', cursor: string | undefined, label: string) => {
    if (cursor === undefined) return ''
    const query = new URLSearchParams({ ...(view.query.q ? { q: view.query.q } : {}), [name]: cursor })
    return `<a class="button small" href="${storePath(view.scope, `/admin${path}`)}?${escapeHtml(query.toString())}">${label}</a>`
  }
  const before = found.hasPreviousPage ? link('before', found.cursors[0], view.t({ ja: '前へ', en: 'Previous' })) : ''
  const after = found.hasNextPage ? link('after', found.cursors.at(-1), view.t({ ja: '次へ', en: 'Next' })) : ''
  return before === '' && after === '' ? '' : `<div class="pager">${before}${after}</div>`
}

/** The page of a resource that the address asks for, the last in this order first. */
export function listResource<Row extends { id: number }>(view: AdminView, kind: Kind, sortKey: string) {
  const { after, before, q: query = '' } = view.query
  const place = before === undefined ? { first: 50, after: after ?? null } : { last: 50, before }
  return listPage<Row>(view.scope, listingOf(kind), { ...place, query, sortKey, reverse: true }, { bulk: false })
}

export function searchBar(view: AdminView, path: string, placeholder: string): string {
  return `<form method="get" action="${storePath(view.scope, `/admin${path}`)}" class="toolbar" role="search"><input type="search" name="q" value="${escapeHtml(view.query.q ?? '')}" placeholder="${escapeHtml(placeholder)}" aria-label="${view.t({ ja: '検索', en: 'Search' })}" size="40"><button>${view.t({ ja: '検索', en: 'Search' })}</button></form>`
}
