import { MemberRole } from '@okaeri/contract/merchants/merchant'
import { decodeJwt, decodeProtectedHeader, importJWK, type JWK, jwtVerify, SignJWT } from 'jose'
import { JOSEError } from 'jose/errors'
import type { Context } from '../../kernel/context.ts'
import type { Identity } from '../../kernel/http/http.ts'
import type { Keyring } from '../../kernel/keyring.ts'

/** Spec §7 keeps it in a cookie of 7 days; what it opens ends sooner. */
export const ACCESS_TOKEN_SECONDS = 900
const AUDIENCE = 'okaeri'
const ALGORITHM = 'EdDSA'

type Key = Awaited<ReturnType<typeof importJWK>>
interface Keys {
  signing: { kid: string; key: Key }
  byKid: Map<string, Key>
}
const imported = new WeakMap<Keyring, Promise<Keys>>()

const publicPart = ({ kty, crv, x, kid, alg, use }: JWK): JWK => ({ kty, crv, x, kid, alg, use }) as JWK

function keysOf(keyring: Keyring): Promise<Keys> {
  const known = imported.get(keyring)
  if (known) return known
  const reading = (async () => {
    const jwks = keyring.signingKeys() as JWK[]
    const byKid = new Map<string, Key>()
    for (const jwk of jwks) byKid.set(String(jwk.kid), await importJWK(publicPart(jwk), ALGORITHM))
    const last = jwks.at(-1)
    if (!last) throw new Error('the secrets hold no signing key')
    return { signing: { kid: String(last.kid), key: await importJWK(last, ALGORITHM) }, byKid }
  })()
  imported.set(keyring, reading)
  return reading
}

/** The public keys, for `/oauth/.well-known/jwks.json`. */
export const publicKeys = ({ keyring }: Context): Record<string, unknown>[] =>
  (keyring.signingKeys() as JWK[]).map((jwk) => ({ ...publicPart(jwk) }))

export async function signAccessToken(context: Context, identity: Identity): Promise<string> {
  const { signing } = await keysOf(context.keyring)
  const issuedAt = Math.floor(context.clock.realNow().getTime() / 1000)
  return new SignJWT({ mid: identity.merchantId, sid: identity.sessionId, role: identity.role })
    .setProtectedHeader({ alg: ALGORITHM, kid: signing.kid, typ: 'JWT' })
    .setSubject(identity.memberId)
    .setIssuer(context.settings.publicUrl)
    .setAudience(AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
    .sign(signing.key)
}

/**
 * What a token of ours says; null when it is not ours or has run out. The issuer is not compared: the same installation may be
 * reached, and moved, under several names.
 */
export async function readAccessToken(context: Context, token: string): Promise<Identity | null> {
  const { byKid } = await keysOf(context.keyring)
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const key = byKid.get(kid ?? '')
        if (!key) throw new JOSEError('unknown key')
        return key
      },
      {
        algorithms: [ALGORITHM],
        audience: AUDIENCE,
        currentDate: context.clock.realNow(),
        requiredClaims: ['exp', 'sub'],
      },
    )
    const { sub, mid, sid } = payload
    const role = MemberRole.safeParse(payload['role'])
    if (typeof sub !== 'string' || typeof mid !== 'string' || typeof sid !== 'string' || !role.success) return null
    return { merchantId: mid, memberId: sub, sessionId: sid, role: role.data }
  } catch (error) {
    if (error instanceof JOSEError) return null
    throw error
  }
}

/** For the operator: what is written in a token, ours or not. */
export async function inspectToken(
  context: Context,
  token: string,
): Promise<{ valid: boolean; header: Record<string, unknown>; claims: Record<string, unknown> }> {
  try {
    return {
      valid: (await readAccessToken(context, token)) !== null,
      header: { ...decodeProtectedHeader(token) },
      claims: { ...decodeJwt(token) },
    }
  } catch (error) {
    if (error instanceof JOSEError || error instanceof TypeError) return { valid: false, header: {}, claims: {} }
    throw error
  }
}
