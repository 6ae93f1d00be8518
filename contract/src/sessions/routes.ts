import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { EmailAddress, line, nameLine } from '../fields.ts'
import { Locale, LocaleTag } from '../locale.ts'
import { Member } from '../merchants/merchant.ts'

const area = 'auth'

/** argon2id takes any length; the bounds keep out the empty and the absurd. */
export const Password = z.string('not_a_text').min(10, 'too_short').max(200, 'too_long')
const GivenPassword = z.string('not_a_text').min(1, 'required').max(1000, 'too_long')

/** `access_token` is a signed JWT of 15 minutes; `refresh_token` is used once and answered with the next one. */
export const Tokens = z
  .object({ access_token: z.string(), refresh_token: z.string(), token_type: z.literal('Bearer'), expires_in: z.int() })
  .meta({ id: 'Tokens' })
export type Tokens = z.output<typeof Tokens>

const SignIn = z.strictObject({
  email: z.string('not_an_email').trim().min(1, 'required').max(254, 'too_long'),
  password: GivenPassword,
  /** The session then lives 90 days without use instead of 7. */
  remember: z.boolean().default(false),
})

export const signIn = endpoint('POST', '/api/auth/login', {
  area,
  summary: 'Sign in by address and password',
  access: 'public',
  body: SignIn,
  reply: Tokens,
})
export const signInLegacy = endpoint('POST', '/user/login', {
  area,
  summary: 'Sign in by address and password (the older path)',
  access: 'public',
  body: SignIn,
  reply: Tokens,
})

export const signUp = endpoint('POST', '/users', {
  area,
  summary: 'Create a merchant with its first member; starts in test mode on the test plan',
  access: 'public',
  status: 201,
  body: z.strictObject({
    email: EmailAddress,
    password: Password,
    site_name: nameLine(100),
    name: line(0, 100).default(''),
    language: Locale.default('ja'),
    agreement: z.literal(true, 'required'),
    /** From the link an operator made; needed where sign-up is by invitation. */
    invitation: z.string('invalid').max(100, 'too_long').optional(),
  }),
  reply: z.object({ user: Member, ...Tokens.shape }),
})

/** Whether anyone may sign up, only people an operator invited, or no one. */
export const SignUpDoor = z.enum(['open', 'invite', 'closed'])
export type SignUpDoor = z.output<typeof SignUpDoor>

/** Addresses of the privacy policy and the terms of use of this installation; null where it has none. */
const Policies = z.object({ privacy: z.url().nullable(), terms: z.url().nullable() })
export type Policies = z.output<typeof Policies>

export const getSignUp = endpoint('GET', '/api/auth/sign-up', {
  area,
  summary: 'Whether one can sign up at this installation, and to what one agrees',
  access: 'public',
  /** `has_accounts`: false before the very first sign-up. */
  reply: z.object({ sign_up: SignUpDoor, has_accounts: z.boolean(), policies: Policies }),
})

export const issueToken = endpoint('POST', '/oauth/token', {
  area,
  summary: 'Tokens for a password, a one-time code of the store sign-in, or a refresh token (RFC 6749)',
  access: 'public',
  bodyKind: 'form',
  body: z.discriminatedUnion('grant_type', [
    z.object({ grant_type: z.literal('password'), username: z.string().min(1), password: GivenPassword }),
    z.object({ grant_type: z.literal('authorization_code'), code: z.string().min(1).max(500) }),
    z.object({ grant_type: z.literal('refresh_token'), refresh_token: z.string().min(1).max(500) }),
  ]),
  reply: Tokens,
})

export const refreshToken = endpoint('POST', '/oauth/token-refresh', {
  area,
  summary: 'Exchange a refresh token for the next access and refresh token',
  access: 'public',
  bodyKind: 'form',
  body: z.object({ refresh_token: z.string('required').min(1, 'required').max(500, 'too_long') }),
  reply: Tokens,
})

export const revokeToken = endpoint('POST', '/oauth/revoke', {
  area,
  summary: 'End the session a refresh token belongs to (sign out; RFC 7009: an unknown token is no error)',
  access: 'public',
  status: 204,
  bodyKind: 'form',
  replyKind: 'empty',
  body: z.object({ token: z.string('required').min(1, 'required').max(500, 'too_long') }),
})

export const jwks = endpoint('GET', '/oauth/.well-known/jwks.json', {
  area,
  summary: 'The public keys access tokens are signed with',
  access: 'public',
  reply: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
})

const Reminder = z.strictObject({ email: EmailAddress })
const Accepted = z.object({ accepted: z.literal(true) })

export const requestReset = endpoint('POST', '/api/auth/request-reset', {
  area,
  summary: 'Mail a link to set a new password; the answer is the same for an unknown address',
  access: 'public',
  body: Reminder,
  reply: Accepted,
})
export const requestReminder = endpoint('POST', '/user/reminder', {
  area,
  summary: 'Mail a link to set a new password (the older path)',
  access: 'public',
  body: Reminder,
  reply: Accepted,
})
export const setForgottenPassword = endpoint('POST', '/user/reminder/set', {
  area,
  summary: 'Set a new password by the token of the mailed link; ends all sessions',
  access: 'public',
  body: z.strictObject({ token: z.string().min(1, 'required').max(500, 'too_long'), password: Password }),
  reply: Accepted,
})

export const changePassword = endpoint('PUT', '/user/change_password', {
  area: 'settings',
  summary: 'Change one’s own password; ends the other sessions',
  access: 'member',
  body: z.strictObject({ current_password: GivenPassword, password: Password }),
  reply: Tokens,
})

export const rememberLanguage = endpoint('PATCH', '/api/users/language', {
  area,
  summary: 'Remember the language: in a cookie, and for the member when signed in',
  access: 'public',
  body: z.strictObject({ language: LocaleTag }),
  reply: z.object({ language: Locale }),
})
