import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../http.ts'
import { escapeHtml, languageOf, page, type SandboxLanguage } from '../../page.ts'
import { findRow, listRows } from '../../sql.ts'
import { spendLinkToken } from '../account-calls.ts'
import { lineNavigation, sendPage } from './frame.ts'
import { approve, backTo, type LoginRequest, personCookie, readLoginRequest, rememberedPerson } from '../login.ts'
import { findAccount, findUser, type LinePlatform, type UserRow } from '../platform.ts'
import { denied } from '../sandbox-api.ts'
import { publish } from '../webhooks.ts'

/** Pages of access.line.me: a person agrees to a login, or links an account. Who they are is this browser's, or chosen on the page. */
type Query = Record<string, string | undefined>

export function mountLoginPages(app: FastifyInstance, platform: LinePlatform): void {
  app.get<{ Querystring: Query }>('/line/access/oauth2/v2.1/authorize', async (request, reply) => {
    const language = languageOf(request, reply)
    const asked = readLoginRequest(platform, request.query)
    if (typeof asked === 'string') return sendPage(reply.code(400), refusalPage(asked, language))
    const user = chosenPerson(platform, request)
    if (asked.prompt === 'none') return reply.redirect(withoutAsking(platform, asked, user), 302)
    return sendPage(reply, consentPage(platform, { asked, user, language, query: request.query }))
  })

  app.post<{ Body: Query }>('/line/access/oauth2/v2.1/authorize', async (request, reply) => {
    const { answer, user_id = '', befriend, ...query } = request.body
    const asked = readLoginRequest(platform, query)
    if (typeof asked === 'string') throw refuse(400, 'login_invalid', asked)
    if (answer !== 'allow') return reply.redirect(backTo(asked, denied), 303)
    const user = findUser(platform, user_id)
    if (!user) throw refuse(404, 'line_user_not_found', 'There is no such LINE user.')
    remember(reply, user)
    return reply.redirect(approve(platform, asked, { user, befriends: befriend === 'true' }), 303)
  })

  app.get<{ Querystring: Query }>('/line/access/dialog/bot/accountLink', async (request, reply) => {
    const language = languageOf(request, reply)
    const { linkToken = '', nonce = '' } = request.query
    const user = chosenPerson(platform, request)
    return sendPage(reply, linkPage(platform, { linkToken, nonce, user, language }))
  })

  app.post<{ Body: Query }>('/line/access/dialog/bot/accountLink', async (request, reply) => {
    const language = languageOf(request, reply)
    const { linkToken = '', nonce = '', user_id = '' } = request.body
    const user = findUser(platform, user_id)
    if (!user) throw refuse(404, 'line_user_not_found', 'There is no such LINE user.')
    remember(reply, user)
    return sendPage(reply, linkedPage(platform, { linkToken, nonce, user, language }))
  })
}

export const remember = (reply: FastifyReply, user: UserRow): void =>
  void reply.header('set-cookie', `${personCookie}=${user.id}; Path=/line; Max-Age=31536000; SameSite=Lax; HttpOnly`)

function chosenPerson(platform: LinePlatform, request: FastifyRequest): UserRow | undefined {
  const { user_id } = request.query as Query
  return (user_id === undefined ? undefined : findUser(platform, user_id)) ?? rememberedPerson(platform, request)
}

/** `prompt=none`: at once, or an error, but no page. */
function withoutAsking(platform: LinePlatform, asked: LoginRequest, user: UserRow | undefined): string {
  if (!user) return backTo(asked, { error: 'LOGIN_REQUIRED', error_description: 'login required' })
  const agreed = findRow<{ scope: string }>(platform.database)`SELECT scope FROM line_consent
    WHERE channel_id = ${asked.channel.channel_id} AND user_id = ${user.id}`
  const has = agreed?.scope.split(' ') ?? []
  if (!asked.scope.split(' ').every((one) => has.includes(one)))
    return backTo(asked, { error: 'CONSENT_REQUIRED', error_description: 'consent required' })
  return approve(platform, asked, { user, befriends: false })
}

const hidden = (name: string, value: string): string =>
  `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`

function refusalPage(text: string, language: SandboxLanguage): string {
  const title = language === 'ja' ? 'ログインできません' : 'You cannot log in'
  const body = `<div class="card empty"><h1>${title}</h1><p class="mono">${escapeHtml(text)}</p></div>`
  return page({ title, body, lang: language, nav: lineNavigation(language) })
}

function personChoice(platform: LinePlatform, user: UserRow | undefined, language: SandboxLanguage): string {
  const people = listRows<UserRow>(platform.database)`SELECT * FROM line_user WHERE kind = 'person'
    ORDER BY number LIMIT 1000`
  const choices = people.map(
    ({ id, name, email }) =>
      `<option value="${id}"${id === user?.id ? ' selected' : ''}>${escapeHtml(email === null ? name : `${name} (${email})`)}</option>`,
  )
  return `<div class="field"><label for="person">${language === 'ja' ? 'LINE を使っている人' : 'Whose LINE this is'}</label><select id="person" name="user_id" required><option value=""></option>${choices.join('')}</select></div>`
}

const scopeNames: Record<string, { ja: string; en: string }> = {
  profile: { ja: 'プロフィール情報（名前、画像）', en: 'Profile (name, picture)' },
  openid: { ja: '内部識別子', en: 'Your internal identifier' },
  email: { ja: 'メールアドレス', en: 'Email address' },
}

function consentPage(
  platform: LinePlatform,
  {
    asked,
    user,
    language,
    query,
  }: { asked: LoginRequest; user: UserRow | undefined; language: SandboxLanguage; query: Query },
): string {
  const t = (ja: string, en: string): string => (language === 'ja' ? ja : en)
  const { channel, botPrompt } = asked
  const account = channel.account_id === null ? undefined : findAccount(platform, channel.account_id)
  // Also to a friend, for the person may be chosen on this page.
  const addsFriend = botPrompt !== null && account
  const kept = Object.entries(query).filter(([name]) => !['user_id', 'lang'].includes(name))
  const title = t('LINE ログイン', 'LINE Login')
  const body = `<h1>${title}</h1><section class="card"><p>${escapeHtml(t(`「${channel.name}」に次の情報を渡すことを許可しますか？`, `Allow “${channel.name}” to have this?`))}</p>
<ul>${asked.scope
    .split(' ')
    .map((one) => `<li>${scopeNames[one]?.[language] ?? escapeHtml(one)}</li>`)
    .join('')}</ul>
<form method="post" action="/line/access/oauth2/v2.1/authorize">${kept.map(([name, value]) => hidden(name, value ?? '')).join('')}${personChoice(platform, user, language)}
${addsFriend ? `<label class="check"><input type="checkbox" name="befriend" value="true"${botPrompt === 'aggressive' ? ' checked' : ''}> ${escapeHtml(t(`「${account.name}」を友だち追加する`, `Add “${account.name}” as a friend`))}</label>` : ''}
<div class="row"><button class="primary" name="answer" value="allow">${t('許可する', 'Allow')}</button><button name="answer" value="deny" formnovalidate>${t('キャンセル', 'Cancel')}</button></div></form>
<p class="muted small">${t('戻り先', 'Returns to')}: <code>${escapeHtml(asked.redirectUri)}</code></p></section>`
  return page({ title, body, lang: language, nav: lineNavigation(language) })
}

interface Link {
  linkToken: string
  nonce: string
  language: SandboxLanguage
}

function linkPage(
  platform: LinePlatform,
  { linkToken, nonce, user, language }: Link & { user: UserRow | undefined },
): string {
  const t = (ja: string, en: string): string => (language === 'ja' ? ja : en)
  const title = t('アカウントを連携', 'Link your account')
  const body = `<h1>${title}</h1><section class="card"><p>${t('ストアのアカウントと LINE を連携します。', 'Links your account at the store with LINE.')}</p><form method="post" action="/line/access/dialog/bot/accountLink">${hidden('linkToken', linkToken)}${hidden('nonce', nonce)}${personChoice(platform, user, language)}<button class="primary">${t('連携する', 'Link')}</button></form></section>`
  return page({ title, body, lang: language, nav: lineNavigation(language) })
}

/** The account hears `ok`, or `failed` where the token is spent, too old or another person's. A nonce is 10 to 255 characters. */
function linkedPage(platform: LinePlatform, { linkToken, nonce, user, language }: Link & { user: UserRow }): string {
  const t = (ja: string, en: string): string => (language === 'ja' ? ja : en)
  const issued = findRow<{ account_id: number }>(platform.database)`SELECT account_id FROM line_link_token
    WHERE token = ${linkToken}`
  const account = issued && findAccount(platform, issued.account_id)
  if (!account || nonce.length < 10 || nonce.length > 255)
    return refusalPage('400 Bad Request: invalid linkToken or nonce', language)
  const scope = { ...platform, account }
  const isLinked = spendLinkToken(scope, linkToken, user.id)
  publish(
    scope,
    user.id,
    { type: 'accountLink', link: { result: isLinked ? 'ok' : 'failed', nonce } },
    { canReply: isLinked },
  )
  const title = isLinked
    ? t('連携しました', 'Your account is linked')
    : t('連携できませんでした', 'Your account could not be linked')
  const body = `<div class="card empty"><h1>${title}</h1></div>`
  return page({ title, body, lang: language, nav: lineNavigation(language) })
}
