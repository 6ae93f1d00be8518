import { connectLine } from '@okaeri/contract/line-login/routes'
import type { Context } from '../../kernel/context.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findStore, proxiedAddress } from '../stores/index.ts'

const purposeOf = (merchantId: string): string => `line chat ${merchantId}`

/**
 * The address in the store by which a friend begins to link, for each of many; while no store is connected one of ours, where a page says that
 * this cannot be. It names the chat it was sent to, which the store and what counts its visitors cannot read from it, and proves nothing of who
 * opens it: the store and LINE do.
 */
export async function chatLinks(scope: MerchantScope): Promise<(lineUserId: string) => string> {
  const { context, merchantId } = scope
  const store = await findStore(scope)
  const { path } = connectLine
  const address = store ? proxiedAddress(context, store.shop_domain, path) : `${context.settings.publicUrl}${path}`
  return (lineUserId) => `${address}?chat=${context.keyring.sealForLink(purposeOf(merchantId), lineUserId)}`
}

/** The person whose chat it was sent to; null where it is none of this merchant's. */
export const readChat = ({ keyring }: Context, merchantId: string, chat: string): string | null =>
  keyring.openFromLink(purposeOf(merchantId), chat)
