import { normalizeEmail } from '@okaeri/contract/fields'
import type { MerchantRow } from './queries.ts'

/** Who a mail is from. */
export interface Sender {
  name: string
  /** Empty where neither the email nor the settings name one: then nothing can be sent. */
  email: string
  replyTo: string | null
}

/**
 * What an email says of its sender counts, else the settings; an empty name or address says nothing. Returns go where the saved sender of that
 * address says, else where the settings say.
 */
export function senderOf(
  email: { from_name: string | null; from_email: string | null },
  merchant: Pick<MerchantRow, 'sender_name' | 'sender_email' | 'reply_to' | 'senders'>,
): Sender {
  const address = email.from_email || merchant.sender_email
  const isDefault = normalizeEmail(address) === normalizeEmail(merchant.sender_email)
  const saved = isDefault
    ? undefined
    : merchant.senders.find((sender) => normalizeEmail(sender.email) === normalizeEmail(address))
  return {
    name: email.from_name || saved?.name || merchant.sender_name,
    email: address,
    replyTo: saved ? saved.reply_to : merchant.reply_to,
  }
}
