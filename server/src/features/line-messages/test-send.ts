import type { DeliveryView } from '@okaeri/contract/deliveries/delivery'
import { AppError, conflict } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getKnownCustomer } from '../email-rendering/index.ts'
import { findLineAccount } from '../line-accounts/index.ts'
import { refuseUnlessTesters } from '../line-friends/index.ts'
import { findTestMails, refuseUnlessAccountConfirmed } from '../merchants/index.ts'
import { getRow } from './line-message.ts'
import type { LineMessageRow } from './queries.ts'

declare module '../../kernel/context.ts' {
  interface Ports {
    /** Writes test deliveries into the ledger, which sends them. */
    sendTestLine(
      scope: MerchantScope,
      message: LineMessageRow,
      to: { addresses: readonly string[]; customerId: string | null },
    ): Promise<DeliveryView[]>
  }
}

/** Through the ledger like everything that reaches people. `customer_id`: whose data fills the tags; null: an example's. */
export async function testSendLineMessage(
  scope: MerchantScope,
  id: string,
  to: { line_user_ids: readonly string[]; customer_id: string | null },
): Promise<DeliveryView[]> {
  const message = await getRow(scope, id)
  if (to.customer_id) await getKnownCustomer(scope, to.customer_id)
  await refuseUnlessAccountConfirmed(scope)
  await refuseUnlessTesters(scope, 'line_user_ids', to.line_user_ids)
  const account = await findLineAccount(scope)
  if (!account?.channel_id) throw conflict('line_not_connected', 'no LINE channel is connected')
  const addresses = [...new Set(to.line_user_ids)]
  const used = await findTestMails(scope)
  if (used + addresses.length > scope.context.settings.testMailsPerDay)
    throw new AppError('rate_limited', 'test_mails_used_up', `${used} tests went out today already`)
  return scope.context.ports.sendTestLine(scope, message, { addresses, customerId: to.customer_id })
}
