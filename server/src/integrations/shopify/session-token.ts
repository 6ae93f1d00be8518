import { isShopDomain } from '@okaeri/contract/store/shop-domain'
import { errors, type JWTPayload, jwtVerify } from 'jose'

/** A session token's claims. Extensions on customer pages get one, and so does what the admin embeds: `subject` distinguishes them. */
export interface SessionClaims {
  shopDomain: string
  /** `gid://shopify/Customer/…` of a signed-in customer; a number of a member of the store's staff; null: no one is signed in. */
  subject: string | null
  /** Unlike that of any other token. */
  id: string
  expiresAt: Date
}

/** Those of the platform have less than half of it. */
const LONGEST_TOKEN = 4000
/** As the platform's own library allows. */
const CLOCKS_APART_SECONDS = 10

export async function readSessionToken(
  token: string,
  { apiKey, secrets, now }: { apiKey: string; secrets: readonly string[]; now: Date },
): Promise<SessionClaims | null> {
  if (token.length > LONGEST_TOKEN) return null
  for (const secret of secrets)
    try {
      const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), {
        algorithms: ['HS256'],
        audience: apiKey,
        clockTolerance: CLOCKS_APART_SECONDS,
        currentDate: now,
        requiredClaims: ['exp', 'nbf', 'jti'],
      })
      return claimsOf(payload)
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error
    }
  return null
}

/**
 * Null where it does not say what all of them say. Of checkout and account pages they name the shop alone, those of the admin also who issued
 * them, which then has to be the same shop: the platform's library does not look.
 */
function claimsOf({ dest, iss, sub, jti, exp }: JWTPayload): SessionClaims | null {
  const shopDomain = hostOf(dest)
  if (shopDomain === null || !isShopDomain(shopDomain) || (iss !== undefined && hostOf(iss) !== shopDomain)) return null
  if (jti === undefined || jti === '' || exp === undefined) return null
  return { shopDomain, subject: sub ?? null, id: jti, expiresAt: new Date(exp * 1000) }
}

/** The host of an address, or of a bare name: the platform writes both. */
function hostOf(place: unknown): string | null {
  if (typeof place !== 'string') return null
  const address = place.includes('://') ? place : `https://${place}`
  return URL.canParse(address) ? new URL(address).hostname : null
}
