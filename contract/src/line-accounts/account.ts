import { z } from 'zod'
import { line } from '../fields.ts'

/** The LINE channels of a merchant as pages show them. Secrets are never answered, only whether they are there. */
export const LineAccount = z
  .object({
    /** Whether messages can be sent: a Messaging API channel whose token the platform took last. */
    connected: z.boolean(),
    channel_id: z.string().nullable(),
    channel_secret_set: z.boolean(),
    /** `issued`: made from id and secret, and renewed by Okaeri. `given`: a token the merchant made. */
    access_token: z.enum(['none', 'given', 'issued']),
    bot: z.object({ basic_id: z.string(), name: z.string(), picture_url: z.string().nullable() }).nullable(),
    /** Where the platform is to send what happens: set in the channel's settings. */
    webhook_url: z.string(),
    login_channel_id: z.string().nullable(),
    login_channel_secret_set: z.boolean(),
    login_enabled: z.boolean(),
    multipass_secret_set: z.boolean(),
    /** Why the platform does not let us in; null while it does. */
    trouble: z.enum(['unauthorized', 'refused']).nullable(),
    trouble_since: z.iso.datetime().nullable(),
    checked_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'LineAccount' })
export type LineAccount = z.output<typeof LineAccount>

/** Channel ids are digits. */
const ChannelId = z
  .string('not_a_text')
  .trim()
  .regex(/^\d{1,20}$/, 'invalid')
/** 32 hex digits today; other forms are left to the platform to judge. */
const Secret = line(1, 200).refine((text) => /^[\x21-\x7e]+$/.test(text), 'invalid')
const Token = line(1, 1000).refine((text) => /^[\w.~+/-]+=*$/.test(text), 'invalid')

/** A change names only what it changes; null takes it away. */
export const LineAccountChange = z
  .strictObject({
    channel_id: ChannelId.nullable(),
    channel_secret: Secret.nullable(),
    /** Null: tokens are made from id and secret. */
    access_token: Token.nullable(),
    login_channel_id: ChannelId.nullable(),
    login_channel_secret: Secret.nullable(),
    login_enabled: z.boolean('not_a_boolean'),
    multipass_secret: Secret.nullable(),
  })
  .partial()
export type LineAccountChange = z.output<typeof LineAccountChange>

/** What a look at the platform found, one line each; `detail` is the value found. */
export const lineFindingCodes = [
  'token_works',
  'token_refused',
  'webhook_ours',
  'webhook_elsewhere',
  'webhook_missing',
  'webhook_off',
  'webhook_answers',
  'webhook_fails',
  'quota',
  'quota_unlimited',
  'friends',
  'friends_unready',
  'friends_unavailable',
  'login_missing',
  'login_secret_right',
  'login_secret_wrong',
  'login_secret_unproved',
  'login_unproved',
  'login_same',
  'login_elsewhere',
  'login_unlinked',
] as const
export const LineFinding = z.object({
  code: z.enum(lineFindingCodes),
  level: z.enum(['fine', 'note', 'problem']),
  /** Of `webhook_elsewhere` the address, of `webhook_fails` the platform's words, of `quota` "used/limit", of `friends` how many. */
  detail: z.string().nullable(),
})
export type LineFinding = z.output<typeof LineFinding>
