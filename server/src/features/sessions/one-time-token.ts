import { unauthorized } from '../../kernel/errors.ts'
import type { Context } from '../../kernel/context.ts'
import { newId } from '../../kernel/ids.ts'
import { hashToken } from '../../kernel/keyring.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { holdMember } from '../merchants/index.ts'
import { makeSecretToken, readSecretToken } from './secret-token.ts'
import { findGoodOneTimeToken, insertOneTimeToken, type OneTimePurpose, useOneTimeToken } from './queries.ts'

const LIFE_MS: Record<OneTimePurpose, number> = {
  // The mail says one hour.
  password_reset: 3_600_000,
  // From the platform's callback to our page.
  store_sign_in: 120_000,
}

export async function makeOneTimeToken(
  scope: MerchantScope,
  { memberId, purpose, boundTo }: { memberId: string; purpose: OneTimePurpose; boundTo?: string },
): Promise<string> {
  const id = newId()
  const at = scope.context.clock.realNow()
  const { text, hash } = makeSecretToken(scope.merchantId, id)
  await insertOneTimeToken(scope, {
    id,
    purpose,
    memberId,
    hash: boundTo === undefined ? hash : bind(text, boundTo),
    at,
    expiresAt: new Date(at.getTime() + LIFE_MS[purpose]),
  })
  return text
}

const bind = (text: string, boundTo: string): Buffer => hashToken(`${text}|${boundTo}`)

/** A code that signs the member in once, within two minutes, and only in the browser that holds `browserKey`: in another browser it opens nothing. */
export const makeSignInCode = (scope: MerchantScope, memberId: string, browserKey: string): Promise<string> =>
  makeOneTimeToken(scope, { memberId, purpose: 'store_sign_in', boundTo: browserKey })

/** Signs in whom the code is for, while it is used up. Throws `token_invalid`. */
export async function useSignInCode<T>(
  context: Context,
  { code, browserKey }: { code: string; browserKey: string },
  signIn: (scope: MerchantScope, memberId: string) => Promise<T>,
): Promise<T> {
  const given = readSecretToken(code)
  if (!given) throw unauthorized('token_invalid')
  const hash = bind(code, browserKey)
  const wanted = { id: given.rowId, purpose: 'store_sign_in', hash, at: context.clock.realNow() } as const
  const scope = merchantScope(context, given.merchantId)
  const memberId = await findGoodOneTimeToken(scope, wanted)
  if (!memberId) throw unauthorized('token_invalid')
  return scope.transaction(async (scope) => {
    await holdMember(scope, memberId)
    if (!(await useOneTimeToken(scope, wanted))) throw unauthorized('token_invalid')
    return signIn(scope, memberId)
  })
}
