import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { escapeHtml, languageOf, type Localized, page, type SandboxLanguage } from '../page.ts'
import { isShopDomain, type Platform, type StoreScope, shopSlug, storeUrl } from './platform.ts'
import { execute, findRow, transaction } from '../sql.ts'
import { findStore, openStore } from './stores.ts'
import { refused } from './refusal-page.ts'
import { refuseClosed, sendBroken, takeBreakage } from './fault-injection.ts'

// Token lives run on the machine's own clock: moving the sandbox's clock a month must not log the app out.
const codeLifeMs = 60_000
const accessLifeSeconds = 3600
const refreshLifeSeconds = 90 * 86_400

interface TokenRow {
  access_token: string
  store_id: number
  scope: string
  expires_ms: number | null
  refresh_token: string | null
  refresh_expires_ms: number | null
  parent_refresh_token: string | null
  refresh_revoked: number
}

/** Parameters as the platform signs them: all but hmac, sorted, percent-encoded (a space is %20). */
export function signQuery(parameters: Record<string, string>, secret: string): string {
  const signed = Object.entries(parameters)
    .filter(([key]) => key !== 'hmac' && key !== 'signature')
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join('&')
  return createHmac('sha256', secret).update(signed).digest('hex')
}

function signedUrl(platform: Platform, target: string, shop: string, extra: Record<string, string>): string {
  const parameters: Record<string, string> = {
    ...extra,
    host: Buffer.from(`admin.shopify.com/store/${shopSlug(shop)}`)
      .toString('base64')
      .replaceAll('=', ''),
    shop,
    timestamp: String(Math.floor(Date.now() / 1000)),
  }
  const url = new URL(target)
  for (const [key, value] of Object.entries({ ...parameters, hmac: signQuery(parameters, platform.apiSecret) }))
    url.searchParams.set(key, value)
  return url.href
}

export function appUrlOf(scope: StoreScope): string | null {
  return scope.appUrl ?? scope.store.app_url
}

/** The store's token and scopes, or null when the token is unknown, expired or from another store. */
export function findToken(scope: StoreScope, accessToken: string): { scopes: string[] } | null {
  const row = findRow<TokenRow>(scope.database)`SELECT * FROM store_token WHERE access_token = ${accessToken}`
  if (!row || row.store_id !== scope.store.id) return null
  if (row.expires_ms !== null && row.expires_ms <= Date.now()) return null
  if (row.parent_refresh_token !== null)
    // The refresh token before this one works until the new access token is first used (rules: since 2026-08-28).
    transaction(scope.database, () => {
      execute(scope.database)`UPDATE store_token SET refresh_revoked = 1
        WHERE refresh_token = ${row.parent_refresh_token}`
      execute(scope.database)`UPDATE store_token SET parent_refresh_token = NULL
        WHERE access_token = ${row.access_token}`
    })
  return { scopes: row.scope.split(',') }
}

/** The scopes of the newest grant; null while the app is not installed. */
export function installedScopes(scope: StoreScope): string[] | null {
  const row = findRow<{ scope: string }>(scope.database)`SELECT scope FROM store_token
    WHERE store_id = ${scope.store.id} ORDER BY rowid DESC LIMIT 1`
  return row ? row.scope.split(',') : null
}

function issueToken(scope: StoreScope, granted: string, kind: { expiring: boolean; parent: string | null }) {
  const accessToken = `shpat_${randomBytes(16).toString('hex')}`
  const refreshToken = kind.expiring ? `shprt_${randomBytes(16).toString('hex')}` : null
  const now = Date.now()
  execute(scope.database)`INSERT INTO store_token (access_token, store_id, scope, expires_ms, refresh_token,
    refresh_expires_ms, parent_refresh_token)
    VALUES (${accessToken}, ${scope.store.id}, ${granted}, ${kind.expiring ? now + accessLifeSeconds * 1000 : null},
    ${refreshToken}, ${kind.expiring ? now + refreshLifeSeconds * 1000 : null}, ${kind.parent})`
  return {
    access_token: accessToken,
    scope: granted,
    ...(refreshToken === null
      ? {}
      : {
          expires_in: accessLifeSeconds,
          refresh_token: refreshToken,
          refresh_token_expires_in: refreshLifeSeconds,
        }),
  }
}

interface Grant {
  clientId: string
  scope: string
  redirectUri: string
  state: string
  perUser: boolean
}

function readGrant(platform: Platform, query: Record<string, unknown>): Grant | string {
  const text = (key: string) => (typeof query[key] === 'string' ? query[key] : '')
  const clientId = text('client_id')
  if (clientId !== platform.apiKey)
    return 'Oauth error application_cannot_be_found: no application with this API key (client_id).'
  const redirectUri = text('redirect_uri')
  if (!URL.canParse(redirectUri) || !/^https?:$/.test(new URL(redirectUri).protocol))
    return 'Oauth error invalid_request: The redirect_uri is missing or is no web address.'
  const options = query['grant_options[]']
  const scope = text('scope')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(',')
  return { clientId, scope, redirectUri, state: text('state'), perUser: options === 'per-user' }
}

function approve(scope: StoreScope, grant: Grant): string {
  const code = randomBytes(16).toString('hex')
  transaction(scope.database, () => {
    execute(scope.database)`INSERT INTO store_code (code, store_id, scope, expires_ms)
      VALUES (${code}, ${scope.store.id}, ${grant.scope}, ${Date.now() + codeLifeMs})`
    execute(scope.database)`UPDATE store SET app_url = ${new URL(grant.redirectUri).origin}
      WHERE id = ${scope.store.id}`
  })
  return signedUrl(scope, grant.redirectUri, scope.store.shop, { code, state: grant.state })
}

export function mountOauth(app: FastifyInstance, platform: Platform): void {
  app.get<{ Params: { shop: string }; Querystring: Record<string, unknown> }>(
    '/stores/:shop/admin/oauth/authorize',
    async (request, reply) => {
      const language = languageOf(request, reply)
      reply.type('text/html; charset=utf-8')
      const { shop } = request.params
      if (!isShopDomain(shop)) return reply.code(404).send(refused(language, 'There is no such store.'))
      const grant = readGrant(platform, request.query)
      if (typeof grant === 'string') return reply.code(400).send(refused(language, grant))
      const scope = openStore(platform, shop)
      const installed = scope.store.installed_at === null ? null : installedScopes(scope)
      // An app that has all it asks for is let through without the grant screen, as on the platform.
      if (installed && grant.scope.split(',').every((wanted) => installed.includes(wanted)))
        return reply.redirect(approve(scope, grant), 302)
      return grantPage(scope, grant, language)
    },
  )

  app.post<{ Params: { shop: string }; Body: Record<string, unknown> | null }>(
    '/stores/:shop/admin/oauth/authorize',
    async (request, reply) => {
      const scope = findStore(platform, request.params.shop)
      const grant = readGrant(platform, request.body ?? {})
      reply.type('text/html; charset=utf-8')
      if (!scope) return reply.code(404).send(refused('ja', 'There is no such store.'))
      if (typeof grant === 'string') return reply.code(400).send(refused('ja', grant))
      return reply.redirect(approve(scope, grant), 303)
    },
  )

  app.post<{ Params: { shop: string }; Body: unknown }>(
    '/stores/:shop/admin/oauth/access_token',
    async (request, reply) => {
      const body = (request.body ?? {}) as Record<string, unknown>
      const scope = findStore(platform, request.params.shop)
      if (!scope) return reply.code(404).send({ errors: 'Not Found' })
      if (refuseClosed(reply, scope)) return reply
      const { status, ...answer } = exchange(scope, (key) => textOf(body[key]))
      const breakage = takeBreakage(scope, 'calls')
      if (breakage) return sendBroken(reply, breakage, { text: JSON.stringify(answer), type: 'application/json' })
      return reply.code(status).send(answer)
    },
  )

  app.get<{ Params: { shop: string } }>('/stores/:shop/admin/launch-app', async (request, reply) => {
    if (!isShopDomain(request.params.shop)) return reply.code(404).send({ errors: 'Not Found' })
    const scope = openStore(platform, request.params.shop)
    const appUrl = appUrlOf(scope)
    if (appUrl === null) {
      reply.type('text/html; charset=utf-8').code(409)
      return refused(languageOf(request, reply), 'The app has never been here: install it from its own page first.')
    }
    return reply.redirect(signedUrl(platform, `${appUrl}/shopify`, scope.store.shop, {}), 302)
  })
}

function exchange(scope: StoreScope, text: (key: string) => string): { status: number } & Record<string, unknown> {
  const error = (status: number, code: string, description: string) => ({
    status,
    error: code,
    error_description: description,
  })
  if (text('client_id') !== scope.apiKey)
    return error(400, 'application_cannot_be_found', 'The application could not be found.')
  if (!sameText(text('client_secret'), scope.apiSecret))
    return error(401, 'invalid_client', 'Client authentication failed: the client secret is not valid.')
  const { database } = scope
  return transaction(database, () => {
    if (text('grant_type') === 'refresh_token') {
      const row = findRow<TokenRow>(database)`SELECT * FROM store_token WHERE refresh_token = ${text('refresh_token')}
        AND store_id = ${scope.store.id}`
      if (!row || row.refresh_revoked === 1 || (row.refresh_expires_ms ?? 0) <= Date.now())
        // Never found, replaced by a newer one that was used, run out, or of an app that was taken out: all the same.
        return error(401, 'invalid_request', 'This request requires an active refresh_token')
      return { status: 200, ...issueToken(scope, row.scope, { expiring: true, parent: row.refresh_token }) }
    }
    if (text('grant_type') !== '' && text('grant_type') !== 'authorization_code')
      return error(400, 'unsupported_grant_type', 'This grant type is not played by the sandbox.')
    const spent = execute(database)`UPDATE store_code SET used = 1
      WHERE code = ${text('code')} AND store_id = ${scope.store.id} AND used = 0 AND expires_ms > ${Date.now()}`
    if (spent === 0) return error(400, 'invalid_request', 'The authorization code was not found or was already used')
    const code = findRow<{ scope: string }>(database)`SELECT scope FROM store_code WHERE code = ${text('code')}`
    execute(database)`UPDATE store SET installed_at = coalesce(installed_at,
      ${Math.floor(scope.clock.now().getTime() / 1000)}) WHERE id = ${scope.store.id}`
    const expiring = text('expiring') === '1' || text('expiring') === 'true'
    return { status: 200, ...issueToken(scope, code?.scope ?? '', { expiring, parent: null }) }
  })
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

function sameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}

function grantPage(scope: StoreScope, grant: Grant, language: SandboxLanguage): string {
  const title = { ja: 'アプリをインストール', en: 'Install app' }[language]
  const asks = {
    ja: `「Okaeri」が ${scope.store.name} の次のデータへのアクセスを求めています。`,
    en: `“Okaeri” asks for access to this data of ${scope.store.name}.`,
  }[language]
  const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`
  const body = `<h1>${title}</h1>
<section class="card"><p>${escapeHtml(asks)}</p>
<ul>${grant.scope
    .split(',')
    .filter((part) => part !== '')
    .map(
      (part) =>
        `<li><code>${escapeHtml(part)}</code> <span class="muted">${escapeHtml(scopeMeaning(part, language))}</span></li>`,
    )
    .join('')}</ul>
<p class="muted small">${{ ja: '戻り先', en: 'Returns to' }[language]}: <code>${escapeHtml(grant.redirectUri)}</code></p>
<form method="post" class="row">${hidden('client_id', grant.clientId)}${hidden('scope', grant.scope)}${hidden('redirect_uri', grant.redirectUri)}${hidden('state', grant.state)}${hidden('grant_options[]', grant.perUser ? 'per-user' : '')}
<button class="primary" type="submit">Install / インストール</button>
<a class="button" href="${escapeHtml(storeUrl(scope, '/admin'))}">Cancel / キャンセル</a></form></section>`
  return page({ title: `${title} · ${scope.store.name}`, body, lang: language })
}

const scopeNouns: Record<string, Localized> = {
  customers: { ja: '顧客', en: 'customers' },
  orders: { ja: '注文', en: 'orders' },
  products: { ja: '商品', en: 'products' },
  inventory: { ja: '在庫', en: 'inventory' },
  locations: { ja: 'ロケーション', en: 'locations' },
  discounts: { ja: 'ディスカウント', en: 'discounts' },
  marketing_events: { ja: 'マーケティング', en: 'marketing' },
  locales: { ja: '言語', en: 'languages' },
  app_proxy: { ja: 'アプリプロキシ', en: 'app proxy' },
  all_orders: { ja: 'すべての過去の注文', en: 'all past orders' },
  customer_merge: { ja: '顧客の統合', en: 'merged customers' },
}

function scopeMeaning(scope: string, language: SandboxLanguage): string {
  const [, verb, rest = ''] = /^(read|write)_(.+)$/.exec(scope) ?? []
  const noun = scopeNouns[rest]
  if (verb === undefined || noun === undefined) return ''
  const reads = verb === 'read'
  return { ja: `${noun.ja}の${reads ? '閲覧' : '編集'}`, en: `${reads ? 'view' : 'edit'} ${noun.en}` }[language]
}
