import { asStoreTrouble, getShopify, type StoreGrant, type StoreTrouble } from '../../integrations/shopify/index.ts'
import type { Context } from '../../kernel/context.ts'
import { conflict, IntegrationError } from '../../kernel/errors.ts'
import { type MerchantScope, merchantScope } from '../../kernel/merchant-scope.ts'
import { findTokens, markDisconnected, markTrouble, type SealedTokens, storeTokens, type TokenRow } from './queries.ts'

/** A token with less life than this is refreshed before it is used. */
const REFRESH_AHEAD_MS = 120_000

/** Runs operations of integrations/shopify/operations.ts in the merchant's store. */
export interface StoreClient {
  shopDomain: string
  /** Throws {@link IntegrationError}, or `store_not_connected` if the merchant revoked our access. */
  graphql<T>(operation: string, variables?: Record<string, unknown>): Promise<T>
}

/** Access to the merchant's store with a fresh token. Throws `store_not_connected` if there is none. */
export async function getStoreClient(scope: MerchantScope): Promise<StoreClient> {
  // Tokens are stored outside the caller's transaction: a refresh has happened even if the caller rolls back.
  const own = merchantScope(scope.context, scope.merchantId)
  let connection = await noting(own, null, () => getAccess(own))
  const shopify = getShopify(scope.context)
  return {
    shopDomain: connection.shopDomain,
    graphql: <T>(operation: string, variables?: Record<string, unknown>): Promise<T> =>
      noting(own, connection, async () => {
        try {
          return await shopify.graphql<T>(connection, operation, variables)
        } catch (error) {
          if (!(error instanceof IntegrationError) || error.detail !== 'unauthorized') throw error
          // It expired during a long sync, or another process refreshed it: one more try with the newest.
          connection = await getAccess(own, connection.accessToken)
          return shopify.graphql<T>(connection, operation, variables)
        }
      }),
  }
}

/** Records, for the pages, that the platform closed the whole store to us, and that it opened it again. */
async function noting<T>(scope: MerchantScope, connection: Access | null, call: () => Promise<T>): Promise<T> {
  const note = async (trouble: StoreTrouble | null): Promise<void> => {
    const shopDomain = connection?.shopDomain ?? (await findTokens(scope, { lock: false }))?.shop_domain
    if (shopDomain) await markTrouble(scope, shopDomain, trouble)
    if (connection) connection.trouble = trouble
  }
  try {
    const answer = await call()
    if (connection?.trouble) await note(null)
    return answer
  } catch (error) {
    const trouble = asStoreTrouble(error)
    if (trouble && trouble !== connection?.trouble) await note(trouble)
    throw error
  }
}

interface Access {
  shopDomain: string
  accessToken: string
  /** As last recorded. */
  trouble: StoreTrouble | null
}

/** `refused`: a token the platform refused, however young it seems. */
async function getAccess(scope: MerchantScope, refused?: string): Promise<Access> {
  const access = toAccess(scope, await findTokens(scope, { lock: false }))
  if (access && !needsRefresh(access, refused)) return access
  const refreshed = await scope.transaction((scope) => refreshUnderLock(scope, refused))
  if (!refreshed) throw conflict('store_not_connected', 'no store is connected')
  return refreshed
}

/** One refresh at a time: a caller that waited for the lock finds the other's fresh token. Null: not connected. */
async function refreshUnderLock(scope: MerchantScope, refused: string | undefined): Promise<Access | null> {
  const access = toAccess(scope, await findTokens(scope, { lock: true }))
  if (!access) return null
  if (!needsRefresh(access, refused)) return access
  const { context } = scope
  try {
    if (!access.refreshToken) throw new IntegrationError('shopify', false, 'refused')
    const grant = await getShopify(context).refresh(access.shopDomain, access.refreshToken)
    await storeTokens(scope, access.shopDomain, sealTokens(context, grant))
    return { shopDomain: access.shopDomain, accessToken: grant.accessToken, trouble: access.trouble }
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error
    if (error.detail === 'refused') {
      await markDisconnected(scope, 'refused')
      await context.publish(scope, 'store.disconnected', { shopDomain: access.shopDomain })
      return null
    }
    const stillGood = access.accessToken !== refused && (access.remainingMs ?? 0) > 0
    if (stillGood) return access
    throw error
  }
}

type StoredAccess = Access & { refreshToken: string | null; remainingMs: number | null }

function toAccess({ context }: MerchantScope, row: TokenRow | null): StoredAccess | null {
  if (!row?.access_token) return null
  return {
    shopDomain: row.shop_domain,
    trouble: row.trouble,
    accessToken: context.keyring.decrypt(row.access_token),
    refreshToken: row.refresh_token && context.keyring.decrypt(row.refresh_token),
    remainingMs:
      row.access_token_expires_at && row.access_token_expires_at.getTime() - context.clock.realNow().getTime(),
  }
}

const needsRefresh = ({ accessToken, remainingMs }: StoredAccess, refused: string | undefined): boolean =>
  accessToken === refused || (remainingMs !== null && remainingMs < REFRESH_AHEAD_MS)

export const sealTokens = ({ keyring }: Context, grant: StoreGrant): SealedTokens => ({
  accessToken: keyring.encrypt(grant.accessToken),
  expiresAt: grant.expiresAt,
  refreshToken: grant.refreshToken && keyring.encrypt(grant.refreshToken),
})
