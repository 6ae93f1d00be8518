import { createHash, randomBytes } from 'node:crypto'
import { errors, jwtVerify } from 'jose'
import { z } from 'zod'
import { createClock } from '../../kernel/clock.ts'
import { IntegrationError } from '../../kernel/errors.ts'
import type { LineConnection } from './connection.ts'
import { type LineProfile, Profile } from './account.ts'
import type { ChannelSecret } from './tokens.ts'

const ISSUER = 'https://access.line.me'
/** Our clock and the platform's need not agree to the second. */
const CLOCK_TOLERANCE_SECONDS = 60

/** What is kept between sending a person to the platform and their coming back. */
export interface LoginSecrets {
  state: string
  nonce: string
  /** PKCE (RFC 7636); only its challenge leaves. */
  verifier: string
}

export interface LoginGrant {
  accessToken: string
  idToken: string
  /** The machine's own time. */
  expiresAt: Date
}

export interface LoginPerson {
  /** The same as in the Messaging API only where both channels are of one provider. */
  userId: string
  name: string | null
  pictureUrl: string | null
}

/** What is known of id and secret of a Login channel before a first login; `unproved`: the platform's answer did not say, or not in words we know. */
export type SecretProof = 'right' | 'wrong' | 'unproved'

/** LINE Login v2.1. Every function that reaches out throws {@link LineError}. */
export interface LineLogin {
  /** Where the person agrees; `aggressive` asks on a page of its own whether they befriend the account. */
  authorizeUrl(
    channelId: string,
    secrets: LoginSecrets,
    options: { redirectUri: string; botPrompt: 'normal' | 'aggressive' | null; language: 'ja' | 'en' },
  ): string
  /** Trades the code of the callback; a code is good once, for ten minutes. */
  exchangeCode(
    channel: ChannelSecret,
    code: string,
    asked: { redirectUri: string; verifier: string },
  ): Promise<LoginGrant>
  /**
   * Who logged in. Throws {@link IntegrationError} (`id_token …`, not retryable) for a token that is not this channel's, not of this login,
   * too old or not signed by the platform.
   */
  readIdToken(channel: ChannelSecret, idToken: string, nonce: string): Promise<LoginPerson>
  profile(accessToken: string): Promise<LineProfile>
  /** Whether the person is a friend of the account that is linked to the Login channel. */
  isFriend(accessToken: string): Promise<boolean>
  /** Whether id and secret belong together. Never throws. */
  proveSecret(channel: ChannelSecret, redirectUri: string): Promise<SecretProof>
  /** Ends the person's token. */
  revoke(channel: ChannelSecret, accessToken: string): Promise<void>
}

export const newLoginSecrets = (): LoginSecrets => ({
  state: randomBytes(24).toString('base64url'),
  nonce: randomBytes(24).toString('base64url'),
  verifier: randomBytes(48).toString('base64url'),
})

/** RFC 7636, S256. */
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

const Granted = z.object({ access_token: z.string(), expires_in: z.number(), id_token: z.string() })
const Friendship = z.object({ friendFlag: z.boolean() })
const OauthError = z.object({ error: z.string() })

export function lineLogin({ call, ask, tell, hosts }: LineConnection): LineLogin {
  const clock = createClock()
  return {
    authorizeUrl(channelId, { state, nonce, verifier }, { redirectUri, botPrompt, language }) {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: channelId,
        redirect_uri: redirectUri,
        state,
        scope: 'profile openid',
        nonce,
        code_challenge: challengeOf(verifier),
        code_challenge_method: 'S256',
        ui_locales: language,
        ...(botPrompt === null ? {} : { bot_prompt: botPrompt }),
      })
      return `${hosts.accessUrl}/oauth2/v2.1/authorize?${query.toString()}`
    },
    async exchangeCode({ channelId, channelSecret }, code, { redirectUri, verifier }) {
      const form = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        client_id: channelId,
        client_secret: channelSecret,
        code_verifier: verifier,
      }
      const answer = await ask({ method: 'POST', path: '/oauth2/v2.1/token', token: null, form }, Granted)
      const expiresAt = new Date(clock.realNow().getTime() + answer.expires_in * 1000)
      return { accessToken: answer.access_token, idToken: answer.id_token, expiresAt }
    },
    readIdToken,
    /**
     * No call is made for it. A code that is none is traded: RFC 6749 §5.2 has `invalid_client` for the secret and `invalid_grant` for the code,
     * and LINE's reference neither lists them nor says which is looked at first. So it is asked a second time with a secret that is wrong
     * for certain: only where the two answers differ has the first one said that the secret is right.
     */
    async proveSecret({ channelId, channelSecret }, redirectUri) {
      const errorWith = async (secret: string): Promise<unknown> => {
        const form = {
          grant_type: 'authorization_code',
          code: randomBytes(15).toString('base64url'),
          redirect_uri: redirectUri,
          client_id: channelId,
          client_secret: secret,
        }
        const answer = await call({ method: 'POST', path: '/oauth2/v2.1/token', token: null, form })
        return OauthError.safeParse(answer.kind === 'answered' ? answer.body : null).data?.error
      }
      const said = await errorWith(channelSecret)
      if (said === 'invalid_client') return 'wrong'
      if (said !== 'invalid_grant') return 'unproved'
      return (await errorWith(randomBytes(16).toString('hex'))) === 'invalid_client' ? 'right' : 'unproved'
    },
    profile: (accessToken) => ask({ method: 'GET', path: '/v2/profile', token: accessToken }, Profile),
    async isFriend(accessToken) {
      const path = '/friendship/v1/status'
      return (await ask({ method: 'GET', path, token: accessToken }, Friendship)).friendFlag
    },
    async revoke({ channelId, channelSecret }, accessToken) {
      const form = { access_token: accessToken, client_id: channelId, client_secret: channelSecret }
      await tell({ method: 'POST', path: '/oauth2/v2.1/revoke', token: null, form })
    },
  }
}

/** On the web the platform signs with the channel's secret (HS256); anything else, `none` above all, is refused. */
async function readIdToken(
  { channelId, channelSecret }: ChannelSecret,
  idToken: string,
  nonce: string,
): Promise<LoginPerson> {
  const refused = (why: string, cause?: unknown) => new IntegrationError('line', false, `id_token ${why}`, { cause })
  try {
    const { payload } = await jwtVerify(idToken, Buffer.from(channelSecret), {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience: channelId,
      requiredClaims: ['sub', 'exp'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    })
    if (payload['nonce'] !== nonce) throw refused('of another login')
    const textOf = (name: string): string | null => (typeof payload[name] === 'string' ? payload[name] : null)
    return { userId: String(payload.sub), name: textOf('name'), pictureUrl: textOf('picture') }
  } catch (error) {
    if (error instanceof errors.JOSEError) throw refused(error.code, error)
    throw error
  }
}
