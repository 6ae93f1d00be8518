import { lineLoginCallback } from '@okaeri/contract/line-login/routes'
import { type ChannelSecret, LineError, type SecretProof } from '../../integrations/line/index.ts'
import { AppError, forbidden } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findLineAccount, type LineAccountRow, type LoginShown, markLoginShown } from './queries.ts'
import { getLineToken } from './token.ts'

/** The merchant's Login channel with its secret. Throws `line_login_off` where it is not set up, or its owner does not use it. */
export async function getLoginChannel(scope: MerchantScope): Promise<ChannelSecret> {
  const account = await findLineAccount(scope)
  if (!account?.login_enabled || !account.login_channel_id || !account.login_channel_secret)
    throw forbidden('line_login_off', 'linking LINE accounts is not offered')
  return {
    channelId: account.login_channel_id,
    channelSecret: scope.context.keyring.decrypt(account.login_channel_secret),
  }
}

/** Asks the platform whether id and secret of the Login channel belong together; null where one of them is missing. */
export async function proveLoginSecret(
  { context }: MerchantScope,
  account: Pick<LineAccountRow, 'login_channel_id' | 'login_channel_secret'>,
): Promise<SecretProof | null> {
  const { login_channel_id: channelId, login_channel_secret } = account
  if (!channelId || !login_channel_secret) return null
  const channelSecret = context.keyring.decrypt(login_channel_secret)
  const redirectUri = `${context.settings.publicUrl}${lineLoginCallback.path}`
  return context.integrations.line.login.proveSecret({ channelId, channelSecret }, redirectUri)
}

/** What the Login channel says of the person who logged in: a friend of the account linked to it or not; `unlinked`: no account is linked. */
export type LoginFriendship = 'friend' | 'none' | 'unlinked'

/**
 * What a login shows of the two channels. Ids are the same only within one provider: who is known to the Messaging API channel by the id of
 * the login proves that they are. A friend who is not known has befriended another account. Null: neither this login nor one before has shown
 * anything.
 */
export async function recordLogin(
  scope: MerchantScope,
  lineUserId: string,
  friendship: LoginFriendship,
): Promise<LoginShown | null> {
  const isKnown = await isKnownToMessaging(scope, lineUserId)
  const unknown = friendship === 'none' ? null : friendship === 'friend' ? 'elsewhere' : friendship
  const shown = isKnown ? 'same' : isKnown === false ? unknown : null
  if (shown === null) return (await findLineAccount(scope))?.login_shown ?? null
  await markLoginShown(scope, shown)
  return shown
}

/** Null: the platform cannot be asked now. */
async function isKnownToMessaging(scope: MerchantScope, lineUserId: string): Promise<boolean | null> {
  try {
    const token = await getLineToken(scope)
    return (await scope.context.integrations.line.account.findProfile(token, lineUserId)) !== null
  } catch (error) {
    if (error instanceof LineError || (error instanceof AppError && error.reason === 'line_not_connected')) return null
    throw error
  }
}
