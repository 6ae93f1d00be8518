import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose'
import { execute, findRow, listRows, transaction } from '../sql.ts'
import { type AccountRow, type LinePlatform } from './platform.ts'
import { OauthRefusal } from './refusals.ts'

/** Tokens of a channel: of the console without end, short-lived, of a chosen life (v2.1), stateless (v3). Lives are the machine's own time. */

const monthSeconds = 30 * 86_400
const statelessSeconds = 15 * 60
/** Live tokens of a kind that a channel may have. */
const liveTokens = 30
const jwtBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

type Form = (name: string) => string
export const formOf = (request: FastifyRequest): Form => {
  const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '')
  return (name) => form.get(name) ?? ''
}

export const sameText = (one: string, other: string): boolean => {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}

export function mountChannelTokens(app: FastifyInstance, platform: LinePlatform): void {
  app.post('/v2/oauth/accessToken', async (request) => {
    const form = formOf(request)
    refuseGrant(form)
    const account = accountOfSecret(platform, form)
    return issue(platform, account, { kind: 'short', seconds: monthSeconds })
  })
  app.post('/v2/oauth/verify', async (request) => {
    const { account, secondsLeft } = liveToken(platform, formOf(request)('access_token'), ['short', 'long'])
    return { client_id: account.channel_id, expires_in: secondsLeft, scope: 'P CM' }
  })
  app.post('/v2/oauth/revoke', async (request) => {
    const token = formOf(request)('access_token')
    execute(platform.database)`UPDATE line_channel_token SET revoked = 1
      WHERE token = ${token} AND kind IN ('short', 'long')`
    return {}
  })

  app.post('/oauth2/v3/token', async (request) => {
    const form = formOf(request)
    refuseGrant(form)
    const account =
      form('client_assertion') === ''
        ? accountOfSecret(platform, form)
        : (await accountOfAssertion(platform, form)).account
    return issue(platform, account, { kind: 'stateless', seconds: statelessSeconds })
  })
  app.get<{ Querystring: Record<string, string> }>('/oauth2/v2.1/tokens/kid', async (request) => {
    const { account } = await accountOfAssertion(platform, (name) => request.query[name] ?? '')
    const rows = listRows<{ key_id: string }>(platform.database)`SELECT key_id FROM line_channel_token
      WHERE account_id = ${account.id} AND kind = 'v2.1' AND revoked = 0 AND expires_ms > ${Date.now()}
      ORDER BY number`
    return { kids: rows.map(({ key_id }) => key_id) }
  })
}

const refuseGrant = (form: Form): void => {
  if (form('grant_type') !== 'client_credentials')
    throw new OauthRefusal(400, 'unsupported_grant_type', 'unsupported grant_type')
}

/** Of `POST /oauth2/v2.1/token` the half that is a channel's; the other half is a person's. */
export async function issueForAssertion(platform: LinePlatform, form: Form): Promise<Record<string, unknown>> {
  const { account, seconds } = await accountOfAssertion(platform, form)
  return issue(platform, account, { kind: 'v2.1', seconds })
}

/** Of `GET /oauth2/v2.1/verify`: null where it is no token of a channel. */
export function verifyChannelToken(platform: LinePlatform, token: string): Record<string, unknown> | null {
  const known = findRow(platform.database)`SELECT token FROM line_channel_token WHERE token = ${token}`
  if (!known) return null
  const { account, secondsLeft } = liveToken(platform, token, ['v2.1', 'stateless'])
  return { client_id: account.channel_id, expires_in: secondsLeft, scope: 'profile chat_message.write' }
}

/** Of `POST /oauth2/v2.1/revoke`: answers whether it was a token of this channel. A stateless one cannot be taken back. */
export function revokeChannelToken(platform: LinePlatform, form: Form): boolean {
  const account = findAccountOf(platform, form('client_id'))
  if (!account || !sameText(form('client_secret'), account.channel_secret)) return false
  const { database } = platform
  return (
    execute(database)`UPDATE line_channel_token SET revoked = 1
      WHERE token = ${form('access_token')} AND account_id = ${account.id} AND kind = 'v2.1'` > 0
  )
}

const findAccountOf = ({ database }: LinePlatform, channelId: string): AccountRow | undefined =>
  findRow<AccountRow>(database)`SELECT * FROM line_account WHERE channel_id = ${channelId}`

function accountOfSecret(platform: LinePlatform, form: Form): AccountRow {
  const account = findAccountOf(platform, form('client_id'))
  if (!account || !sameText(form('client_secret'), account.channel_secret))
    throw new OauthRefusal(400, 'invalid_client', 'invalid client_secret')
  return account
}

/** A JWT signed with a key whose public half the channel's owner registered (page of the account, or `keys.json`). */
async function accountOfAssertion(
  platform: LinePlatform,
  form: Form,
): Promise<{ account: AccountRow; seconds: number }> {
  const refused = (why: string) => new OauthRefusal(400, 'invalid_client', why)
  if (form('client_assertion_type') !== jwtBearer)
    throw new OauthRefusal(400, 'invalid_request', 'client_assertion_type is invalid')
  const account = findAccountOf(platform, issuerOf(form('client_assertion')))
  if (!account) throw refused('Invalid client_assertion')
  const keys = listRows<{ jwk: string }>(platform.database)`SELECT jwk FROM line_assertion_key
    WHERE account_id = ${account.id}`.map(({ jwk }) => JSON.parse(jwk) as JSONWebKeySet['keys'][number])
  try {
    const { payload } = await jwtVerify(form('client_assertion'), createLocalJWKSet({ keys }), {
      algorithms: ['RS256'],
      subject: account.channel_id,
      audience: 'https://api.line.me/',
      maxTokenAge: '30m',
      requiredClaims: ['exp'],
    })
    const seconds = Number(payload['token_exp'] ?? monthSeconds)
    if (!Number.isInteger(seconds) || seconds < 1 || seconds > monthSeconds) throw refused('Invalid token_exp')
    return { account, seconds }
  } catch (error) {
    if (error instanceof errors.JOSEError) throw refused('Invalid client_assertion')
    throw error
  }
}

function issuerOf(assertion: string): string {
  try {
    const part = Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString('utf8')
    return String((JSON.parse(part) as { iss?: unknown }).iss)
  } catch (error) {
    if (error instanceof SyntaxError) return ''
    throw error
  }
}

type Kind = 'short' | 'long' | 'v2.1' | 'stateless'

function issue(
  { database }: LinePlatform,
  account: AccountRow,
  { kind, seconds }: { kind: Kind; seconds: number },
): Record<string, unknown> {
  const token =
    kind === 'short'
      ? randomBytes(96).toString('base64')
      : `eyJhbGciOiJIUzI1NiJ9.${randomBytes(90).toString('base64url')}`
  const keyId = kind === 'v2.1' ? randomBytes(16).toString('base64url') : null
  transaction(database, () => {
    const live = listRows<{ token: string }>(database)`SELECT token FROM line_channel_token
      WHERE account_id = ${account.id} AND kind = ${kind} AND revoked = 0 AND expires_ms > ${Date.now()}
      ORDER BY number`
    if (kind === 'v2.1' && live.length >= liveTokens)
      throw new OauthRefusal(400, 'invalid_request', 'the number of tokens has reached its limit')
    // The thirty-first short-lived one takes the place of the oldest.
    if (kind === 'short' && live.length >= liveTokens)
      execute(database)`UPDATE line_channel_token SET revoked = 1 WHERE token = ${live[0]?.token ?? ''}`
    execute(database)`INSERT INTO line_channel_token (token, number, account_id, kind, key_id, expires_ms)
      VALUES (${token}, (SELECT coalesce(max(number), 0) + 1
      FROM line_channel_token), ${account.id}, ${kind}, ${keyId}, ${Date.now() + seconds * 1000})`
  })
  return {
    token_type: 'Bearer',
    access_token: token,
    expires_in: kind === 'stateless' ? seconds - 1 : seconds,
    ...(keyId === null ? {} : { key_id: keyId }),
  }
}

function liveToken(platform: LinePlatform, token: string, kinds: Kind[]): { account: AccountRow; secondsLeft: number } {
  const row = findRow<AccountRow & { kind: Kind; expires_ms: number | null; revoked: number }>(
    platform.database,
  )`SELECT line_account.*,
    kind, expires_ms, revoked FROM line_channel_token JOIN line_account ON line_account.id = account_id
    WHERE token = ${token}`
  const endsMs = row?.expires_ms ?? Number.MAX_SAFE_INTEGER
  if (!row || !kinds.includes(row.kind) || row.revoked === 1 || endsMs <= Date.now())
    throw new OauthRefusal(400, 'invalid_request', 'access token expired')
  return { account: row, secondsLeft: Math.min(3_138_007_490, Math.floor((endsMs - Date.now()) / 1000)) }
}
