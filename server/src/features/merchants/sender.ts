import type { MerchantRow } from './queries.ts'

/** Who a mail is from. */
export interface Sender {
  name: string
  /** Empty where neither the email nor the settings name one: then nothing can be sent. */
  email: string
  replyTo: string | null
}

/** What an email says of its sender counts, else the settings; an empty name or address says nothing. Answers always go to the settings' address. */
export const senderOf = (
  email: { from_name: string | null; from_email: string | null },
  merchant: Pick<MerchantRow, 'sender_name' | 'sender_email' | 'reply_to'>,
): Sender => ({
  name: email.from_name || merchant.sender_name,
  email: email.from_email || merchant.sender_email,
  replyTo: merchant.reply_to,
})
