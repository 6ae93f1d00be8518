import { connectLine } from '@okaeri/contract/line-login/routes'
import type { Context } from '../../kernel/context.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findStore, proxiedAddress } from '../stores/index.ts'

const MAC_BYTES = 16
/** Behind it stands what no other signed address begins with. */
const signed = (merchantId: string, lineUserId: string): Buffer =>
  Buffer.from(`line chat ${merchantId} ${lineUserId}`, 'utf8')

/**
 * The address in the store by which a friend begins to link, for each of many; while no store is connected one of ours, where a page says that
 * this cannot be. It names the chat it was sent to and proves nothing of who opens it: the store and LINE do.
 */
export async function chatLinks(scope: MerchantScope): Promise<(lineUserId: string) => string> {
  const { context, merchantId } = scope
  const store = await findStore(scope)
  const { path } = connectLine
  const address = store ? proxiedAddress(context, store.shop_domain, path) : `${context.settings.publicUrl}${path}`
  return (lineUserId) =>
    `${address}?chat=${lineUserId}.${context.keyring.linkMac(signed(merchantId, lineUserId), MAC_BYTES)}`
}

/** Whose chat it was sent to; null where it is none of this merchant's. */
export function readChat({ keyring }: Context, merchantId: string, chat: string): string | null {
  const [lineUserId = '', mac = '', ...more] = chat.split('.')
  const isOurs = /^[0-9a-f]{32}$/.test(mac) && more.length === 0
  return isOurs && keyring.linkMacMatches(signed(merchantId, lineUserId), Buffer.from(mac, 'hex')) ? lineUserId : null
}
