import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors, jwtVerify, SignJWT } from 'jose'
import { execute, findRow, transaction } from '../sql.ts'
import { formOf, issueForAssertion, revokeChannelToken, sameText, verifyChannelToken } from './channel-tokens.ts'
import {
  type AccountScope,
  findAccount,
  findUser,
  friendship,
  idAtProvider,
  type LinePlatform,
  type UserRow,
} from './platform.ts'
import { follow } from './people.ts'
import { LineRefusal, OauthRefusal } from './refusals.ts'

/** LINE Login v2.1 on the API's host; the pages a person sees are in login-pages.ts. Lives are the machine's own time. */

const codeMs = 10 * 60_000
const accessSeconds = 30 * 86_400
const refreshMs = 90 * 86_400_000
const idTokenSeconds = 3600
const issuer = 'https://access.line.me'

export interface LoginChannel {
  channel_id: string
  channel_secret: string
  provider: string
  account_id: number | null
  name: string
  callbacks: string
}

export const findLoginChannel = ({ database }: LinePlatform, id: string): LoginChannel | undefined =>
  findRow<LoginChannel>(database)`SELECT * FROM line_login_channel WHERE channel_id = ${id}`

/** A person's way through the consent page. */
export interface LoginRequest {
  channel: LoginChannel
  redirectUri: string
  state: string
  scope: string
  nonce: string | null
  challenge: string | null
  botPrompt: 'normal' | 'aggressive' | null
  prompt: string
}

/** What an address of the consent page asks for; a text says why it cannot be shown. Errors that go back to the app are `error`. */
export function readLoginRequest(
  platform: LinePlatform,
  query: Record<string, string | undefined>,
): LoginRequest | string {
  const channel = findLoginChannel(platform, query['client_id'] ?? '')
  if (!channel) return '400 Bad Request: invalid client_id'
  const redirectUri = query['redirect_uri'] ?? ''
  if (!isRegistered(channel, redirectUri)) return '400 Bad Request: invalid redirect_uri'
  if (query['response_type'] !== 'code') return '400 Bad Request: invalid response_type'
  if (!query['state']) return '400 Bad Request: state is required'
  const scopes = (query['scope'] ?? '').split(/[ +]/).filter((one) => one !== '')
  if (scopes.length === 0 || scopes.some((one) => !['profile', 'openid', 'email'].includes(one)))
    return '400 Bad Request: invalid scope'
  const challenge = query['code_challenge'] ?? null
  if (challenge !== null && query['code_challenge_method'] !== 'S256')
    return '400 Bad Request: invalid code_challenge_method'
  const botPrompt = query['bot_prompt']
  return {
    channel,
    redirectUri,
    state: query['state'],
    scope: scopes.join(' '),
    nonce: query['nonce'] ?? null,
    challenge,
    botPrompt: botPrompt === 'normal' || botPrompt === 'aggressive' ? botPrompt : null,
    prompt: query['prompt'] ?? '',
  }
}

/** Registered word for word; where nothing is registered yet, any address on this machine is. */
function isRegistered(channel: LoginChannel, redirectUri: string): boolean {
  const registered = JSON.parse(channel.callbacks) as string[]
  if (registered.length > 0) return registered.includes(redirectUri)
  const url = URL.parse(redirectUri)
  return url !== null && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
}

/** The address the person is sent back to. */
export function backTo(request: LoginRequest, answer: Record<string, string>): string {
  const url = new URL(request.redirectUri)
  for (const [name, value] of Object.entries({ ...answer, state: request.state })) url.searchParams.set(name, value)
  return url.href
}

/** The person agrees, and befriends the account where they were asked and said yes. */
export function approve(
  platform: LinePlatform,
  request: LoginRequest,
  { user, befriends }: { user: UserRow; befriends: boolean },
): string {
  const { channel } = request
  const account = channel.account_id === null ? undefined : findAccount(platform, channel.account_id)
  const code = randomBytes(15).toString('base64url')
  return transaction(platform.database, () => {
    const changed = account && befriends ? follow({ ...platform, account }, user) : false
    execute(platform.database)`INSERT INTO line_login_code (code, channel_id, user_id, redirect_uri, scope, nonce,
      challenge, expires_ms) VALUES (${code}, ${channel.channel_id}, ${user.id}, ${request.redirectUri},
      ${request.scope}, ${request.nonce}, ${request.challenge}, ${Date.now() + codeMs})`
    execute(platform.database)`INSERT OR REPLACE INTO line_consent (channel_id, user_id, scope)
      VALUES (${channel.channel_id}, ${user.id}, ${request.scope})`
    const parameters: Record<string, string> =
      request.botPrompt === null ? {} : { friendship_status_changed: String(changed) }
    return backTo(request, { code, ...parameters })
  })
}

export function mountLogin(app: FastifyInstance, platform: LinePlatform): void {
  app.post('/oauth2/v2.1/token', async (request) => {
    const form = formOf(request)
    if (form('grant_type') === 'client_credentials') return issueForAssertion(platform, form)
    if (form('grant_type') === 'authorization_code') return tradeCode(platform, form)
    if (form('grant_type') === 'refresh_token') return refresh(platform, form)
    throw new OauthRefusal(400, 'unsupported_grant_type', 'unsupported grant_type')
  })
  app.get<{ Querystring: Record<string, string> }>('/oauth2/v2.1/verify', async (request) => {
    const token = request.query['access_token'] ?? ''
    const ofChannel = verifyChannelToken(platform, token)
    if (ofChannel) return ofChannel
    const row = liveLogin(platform, token)
    return {
      scope: row.scope.replace(/ ?email/, ''),
      client_id: row.channel_id,
      expires_in: Math.floor((row.expires_ms - Date.now()) / 1000),
    }
  })
  app.post('/oauth2/v2.1/verify', async (request) => verifyIdToken(platform, formOf(request)))
  app.post('/oauth2/v2.1/revoke', async (request) => {
    const form = formOf(request)
    if (revokeChannelToken(platform, form)) return {}
    const channel = findLoginChannel(platform, form('client_id'))
    if (!channel || (form('client_secret') !== '' && !sameText(form('client_secret'), channel.channel_secret)))
      throw new OauthRefusal(400, 'invalid_request', 'invalid client_id or client_secret')
    execute(platform.database)`UPDATE line_login_token SET revoked = 1
      WHERE access_token = ${form('access_token')} AND channel_id = ${channel.channel_id}`
    return {}
  })
  app.route({
    method: ['GET', 'POST'],
    url: '/oauth2/v2.1/userinfo',
    handler: async (request) => {
      const { user, sub } = personOf(platform, request)
      return { sub, name: user.name, picture: pictureOf(platform, user) }
    },
  })
  app.get('/v2/profile', async (request) => {
    const { user, sub } = personOf(platform, request)
    return {
      userId: sub,
      displayName: user.name,
      pictureUrl: pictureOf(platform, user),
      ...(user.status_message === null ? {} : { statusMessage: user.status_message }),
    }
  })
  app.get('/friendship/v1/status', async (request) => {
    const { user, channel } = personOf(platform, request)
    const account = channel.account_id === null ? undefined : findAccount(platform, channel.account_id)
    if (!account) throw new LineRefusal(400, 'The LINE Login channel has no linked LINE official account')
    const scope: AccountScope = { ...platform, account }
    return { friendFlag: friendship(scope, user.id).state === 'friend' }
  })
  app.get('/oauth2/v2.1/certs', async () => ({ keys: [] }))
}

const pictureOf = (platform: LinePlatform, user: UserRow): string =>
  `${platform.publicUrl()}/line/pictures/${user.id}.png`

type Form = (name: string) => string

function channelOfSecret(platform: LinePlatform, form: Form): LoginChannel {
  const channel = findLoginChannel(platform, form('client_id'))
  if (!channel || !sameText(form('client_secret'), channel.channel_secret))
    throw new OauthRefusal(400, 'invalid_client', 'invalid client_secret')
  return channel
}

interface CodeRow {
  channel_id: string
  user_id: string
  redirect_uri: string
  scope: string
  nonce: string | null
  challenge: string | null
}

async function tradeCode(platform: LinePlatform, form: Form): Promise<Record<string, unknown>> {
  const channel = channelOfSecret(platform, form)
  // Used up by this try, right or wrong.
  const row = findRow<CodeRow>(platform.database)`UPDATE line_login_code SET used = 1
    WHERE code = ${form('code')} AND channel_id = ${channel.channel_id} AND used = 0
    AND expires_ms > ${Date.now()} RETURNING *`
  if (!row) throw new OauthRefusal(400, 'invalid_grant', 'invalid authorization code')
  if (row.redirect_uri !== form('redirect_uri'))
    throw new OauthRefusal(400, 'invalid_grant', 'redirect_uri does not match')
  if (row.challenge !== null && challengeOf(form('code_verifier')) !== row.challenge)
    throw new OauthRefusal(400, 'invalid_grant', 'invalid code_verifier')
  const token = newLogin(platform, { channel, userId: row.user_id, scope: row.scope })
  return row.scope.split(' ').includes('openid')
    ? { ...token, id_token: await idToken(platform, { channel, code: row }) }
    : token
}

export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

function newLogin(
  { database }: LinePlatform,
  { channel, userId, scope }: { channel: LoginChannel; userId: string; scope: string },
): Record<string, unknown> {
  const accessToken = `eyJhbGciOiJIUzI1NiJ9.${randomBytes(64).toString('base64url')}`
  const refreshToken = randomBytes(15).toString('base64url')
  execute(database)`INSERT INTO line_login_token (access_token, refresh_token, channel_id, user_id, scope, expires_ms,
    refresh_expires_ms) VALUES (${accessToken}, ${refreshToken}, ${channel.channel_id}, ${userId}, ${scope},
    ${Date.now() + accessSeconds * 1000}, ${Date.now() + refreshMs})`
  return {
    access_token: accessToken,
    expires_in: accessSeconds,
    refresh_token: refreshToken,
    // Never lists email.
    scope: scope.replace(/ ?email/, ''),
    token_type: 'Bearer',
  }
}

async function idToken(
  platform: LinePlatform,
  { channel, code }: { channel: LoginChannel; code: CodeRow },
): Promise<string> {
  const user = findUser(platform, code.user_id)
  const scopes = code.scope.split(' ')
  const claims = {
    amr: ['linesso'],
    ...(code.nonce === null ? {} : { nonce: code.nonce }),
    ...(scopes.includes('profile') && user ? { name: user.name, picture: pictureOf(platform, user) } : {}),
    ...(scopes.includes('email') && user?.email ? { email: user.email } : {}),
  }
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(issuer)
    .setSubject(idAtProvider(code.user_id, channel.provider))
    .setAudience(channel.channel_id)
    .setIssuedAt()
    .setExpirationTime(`${idTokenSeconds}s`)
    .sign(Buffer.from(channel.channel_secret))
}

function refresh(platform: LinePlatform, form: Form): Record<string, unknown> {
  const channel = channelOfSecret(platform, form)
  const row = findRow<{ user_id: string; scope: string }>(platform.database)`UPDATE line_login_token SET revoked = 1
    WHERE refresh_token = ${form('refresh_token')} AND channel_id = ${channel.channel_id} AND revoked = 0
    AND refresh_expires_ms > ${Date.now()} RETURNING user_id, scope`
  if (!row) throw new OauthRefusal(400, 'invalid_grant', 'invalid refresh token')
  return newLogin(platform, { channel, userId: row.user_id, scope: row.scope })
}

interface LoginRow {
  channel_id: string
  user_id: string
  scope: string
  expires_ms: number
  revoked: number
}

function liveLogin({ database }: LinePlatform, token: string): LoginRow {
  const row = findRow<LoginRow>(database)`SELECT * FROM line_login_token WHERE access_token = ${token}`
  if (!row) throw new OauthRefusal(400, 'invalid_request', 'The access token not JWS')
  if (row.revoked === 1) throw new OauthRefusal(400, 'invalid_request', 'The access token revoked')
  if (row.expires_ms <= Date.now()) throw new OauthRefusal(400, 'invalid_request', 'The access token expired')
  return row
}

/** The user whose access token came with a request. */
function personOf(
  platform: LinePlatform,
  request: FastifyRequest,
): { user: UserRow; sub: string; channel: LoginChannel } {
  const [, token = ''] = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const row = findRow<LoginRow>(platform.database)`SELECT * FROM line_login_token
    WHERE access_token = ${token} AND revoked = 0 AND expires_ms > ${Date.now()}`
  const user = row && findUser(platform, row.user_id)
  const channel = row && findLoginChannel(platform, row.channel_id)
  if (!row?.scope.split(' ').includes('profile') || !user || !channel)
    throw new LineRefusal(401, 'The access token expired')
  return { user, channel, sub: idAtProvider(user.id, channel.provider) }
}

async function verifyIdToken(platform: LinePlatform, form: Form): Promise<unknown> {
  const refused = (why: string) => new OauthRefusal(400, 'invalid_request', why)
  const channel = findLoginChannel(platform, form('client_id'))
  if (!channel) throw refused('Invalid IdToken Audience.')
  try {
    const { payload } = await jwtVerify(form('id_token'), Buffer.from(channel.channel_secret), {
      algorithms: ['HS256'],
    })
    if (payload.iss !== issuer) throw refused('Invalid IdToken Issuer.')
    if (payload.aud !== channel.channel_id) throw refused('Invalid IdToken Audience.')
    if (form('nonce') !== '' && payload['nonce'] !== form('nonce')) throw refused('Invalid IdToken Nonce.')
    if (form('user_id') !== '' && payload.sub !== form('user_id')) throw refused('Invalid IdToken Subject Identifier.')
    return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw refused('IdToken expired.')
    if (error instanceof errors.JOSEError) throw refused('Invalid IdToken.')
    throw error
  }
}

/** Keeps who is using this browser's LINE, so that the consent page need not ask again. */
export const personCookie = 'sandbox_line_user'
export function rememberedPerson(platform: LinePlatform, request: FastifyRequest): UserRow | undefined {
  const id = new RegExp(`(?:^|;\\s*)${personCookie}=(U[0-9a-f]{32})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1]
  return id === undefined ? undefined : findUser(platform, id)
}
