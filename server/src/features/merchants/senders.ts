import { MAX_SENDERS, type SavedSender } from '@okaeri/contract/merchants/senders'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { askForNewAddresses } from './confirmation.ts'
import { senderDomainIsPublic } from './public-mail-domains.ts'
import { findMerchantRow } from './queries.ts'
import { deleteSenderRow, selectSenders, upsertSender } from './sender-queries.ts'

/** The owner of a new address is asked, as for that of the settings. */
export async function putSender(
  scope: MerchantScope,
  memberId: string,
  sender: Omit<SavedSender, 'id'>,
): Promise<SavedSender[]> {
  if (senderDomainIsPublic(sender.email))
    throw invalid({ 'sender.email': 'public_mail_domain' }, 'sender_domain_public')
  const senders = await scope.transaction(async (scope) => {
    // Two members who add at once wait for each other, so that the number holds.
    await findMerchantRow(scope, { lock: true })
    await upsertSender(scope, sender)
    const senders = await selectSenders(scope)
    if (senders.length > MAX_SENDERS) throw conflict('too_many_senders', `${MAX_SENDERS} senders at most`)
    return senders
  })
  await askForNewAddresses(scope, memberId, { sender: sender.email })
  return senders
}

export async function removeSender(scope: MerchantScope, id: string): Promise<SavedSender[]> {
  if (!(await deleteSenderRow(scope, id))) throw notFound('there is no such sender')
  return selectSenders(scope)
}
