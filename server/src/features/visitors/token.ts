import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { unauthorized } from '../../kernel/errors.ts'

// Both kinds are sealed: what they say can neither be changed nor read outside. They live in real time.

/** As long as a page is looked at; who was away longer asks again. */
export const PAGE_TOKEN_SECONDS = 1800
/** A customer who signs out is known no longer than this to a page that stays open. */
export const ACCESS_TOKEN_SECONDS = 600

const Bound = z.object({ merchantId: z.string(), shopDomain: z.string(), origin: z.string(), expires: z.number() })
const PageClaims = Bound.extend({ storeCustomerId: z.number().nullable() })
const AccessClaims = PageClaims.extend({
  holder: z.union([z.strictObject({ customerId: z.string() }), z.strictObject({ guestId: z.string() })]),
})
/** Who a page of a shop is shown to, as the platform said. */
export type PageClaims = z.output<typeof PageClaims>
/** The visitor a short token speaks for. */
export type AccessClaims = z.output<typeof AccessClaims>

const secondsNow = (context: Context): number => Math.floor(context.clock.realNow().getTime() / 1000)

const PAGE = 'page of a shop'
const ACCESS = 'visitor of a shop'
/** Another purpose: such a token opens nothing of a shop's pages, and theirs nothing here. */
const EXTENSION = 'customer on a page of the platform'

export const sealPageToken = (context: Context, claims: Omit<PageClaims, 'expires'>): string =>
  context.keyring.sealToken(
    PAGE,
    JSON.stringify({ ...claims, expires: secondsNow(context) + PAGE_TOKEN_SECONDS } satisfies PageClaims),
  )

export const sealAccessToken = (context: Context, claims: Omit<AccessClaims, 'expires'>): string =>
  context.keyring.sealToken(
    ACCESS,
    JSON.stringify({ ...claims, expires: secondsNow(context) + ACCESS_TOKEN_SECONDS } satisfies AccessClaims),
  )

export const sealExtensionToken = (context: Context, claims: Omit<AccessClaims, 'expires'>): string =>
  context.keyring.sealToken(
    EXTENSION,
    JSON.stringify({ ...claims, expires: secondsNow(context) + ACCESS_TOKEN_SECONDS } satisfies AccessClaims),
  )

export const openPageToken = (context: Context, token: string | null): PageClaims =>
  open(context, { token, purpose: PAGE, seconds: PAGE_TOKEN_SECONDS }) as PageClaims

export const openAccessToken = (context: Context, token: string | null): AccessClaims =>
  open(context, { token, purpose: ACCESS, seconds: ACCESS_TOKEN_SECONDS }) as AccessClaims

export const openExtensionToken = (context: Context, token: string | null): AccessClaims =>
  open(context, { token, purpose: EXTENSION, seconds: ACCESS_TOKEN_SECONDS }) as AccessClaims

/** Longer ones are none of ours, and need no reading. */
const MAX_LENGTH = 1000

/** What only we can have sealed. Throws 401. */
function open(
  context: Context,
  { token, purpose, seconds }: { token: string | null; purpose: string; seconds: number },
): z.output<typeof Bound> {
  if (token === null) throw unauthorized('sign_in_required')
  const text = token.length > MAX_LENGTH ? null : context.keyring.openToken(purpose, token)
  const claims = text === null ? null : (JSON.parse(text) as z.output<typeof Bound>)
  const now = secondsNow(context)
  // One from the future was made before the clock was set back.
  if (!claims || claims.expires <= now || claims.expires > now + seconds) throw unauthorized('token_invalid')
  return claims
}
