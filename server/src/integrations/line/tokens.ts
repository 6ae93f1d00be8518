import { z } from 'zod'
import { createClock } from '../../kernel/clock.ts'
import { type LineConnection, LineError } from './connection.ts'

export interface ChannelSecret {
  channelId: string
  channelSecret: string
}
export interface ChannelToken {
  token: string
  /** The machine's own time. */
  expiresAt: Date
}

/** Tokens of a Messaging API channel, made from its id and secret. Every function throws {@link LineError}. */
export interface LineTokens {
  /** For 30 days. A channel has 30 of them; the next one ends the oldest. */
  issueShortLived(channel: ChannelSecret): Promise<ChannelToken>
  /** For 15 minutes; as many as one likes, and none can be taken back. */
  issueStateless(channel: ChannelSecret): Promise<ChannelToken>
  /** The channel of a long-lived or short-lived token and its end; null for one that is invalid or expired. */
  findChannel(token: string): Promise<{ channelId: string; expiresAt: Date } | null>
  /** Ends a long-lived or short-lived token; one that ended before is no error. */
  revoke(token: string): Promise<void>
}

const Token = z.object({ access_token: z.string(), expires_in: z.number() })
const Verified = z.object({ client_id: z.string(), expires_in: z.number() })

export function lineTokens({ ask, tell }: LineConnection): LineTokens {
  const clock = createClock()
  const inSeconds = (seconds: number): Date => new Date(clock.realNow().getTime() + seconds * 1000)
  const issue = async (path: string, { channelId, channelSecret }: ChannelSecret): Promise<ChannelToken> => {
    const form = { grant_type: 'client_credentials', client_id: channelId, client_secret: channelSecret }
    const { access_token, expires_in } = await ask({ method: 'POST', path, token: null, form }, Token)
    return { token: access_token, expiresAt: inSeconds(expires_in) }
  }
  return {
    issueShortLived: (channel) => issue('/v2/oauth/accessToken', channel),
    issueStateless: (channel) => issue('/oauth2/v3/token', channel),
    async findChannel(token) {
      try {
        const { client_id, expires_in } = await ask(
          { method: 'POST', path: '/v2/oauth/verify', token: null, form: { access_token: token } },
          Verified,
        )
        return { channelId: client_id, expiresAt: inSeconds(expires_in) }
      } catch (error) {
        if (error instanceof LineError && error.outcome.kind === 'bad_request') return null
        throw error
      }
    },
    revoke: (token) => tell({ method: 'POST', path: '/v2/oauth/revoke', token: null, form: { access_token: token } }),
  }
}
