import { type ClaimedRow, makeLinkToken } from '../../deliveries/index.ts'
import {
  customerData,
  type EventData,
  eventData,
  exampleVariables,
  NO_EVENT,
  type RecipientData,
} from '../../email-rendering/index.ts'
import type { OpenMail } from './open-mail.ts'

/** What a mail says to one recipient alone. */
export interface RecipientPart {
  token: string
  data: RecipientData
}

export function recipientPart(open: OpenMail, row: ClaimedRow): RecipientPart {
  const { merchantId, context } = open.outgoing.scope
  const token = makeLinkToken(context.keyring, { merchantId, deliveryId: row.id })
  const data = {
    ...variablesFor(row, open),
    customer: customerData(row, open.language),
    unsubscribe_url: `${context.settings.publicUrl}/u/${token}`,
  }
  return { token, data }
}

/** The event and the coupon of a scenario's mail; a test of an email shows examples. */
function variablesFor(row: ClaimedRow, { language: locale, mail, outgoing }: OpenMail): EventData {
  const { merchant, message, scope } = outgoing
  const { timezone } = merchant
  if (row.variables) return eventData(row.variables, { locale, timezone })
  if (row.kind !== 'test' || message.for_tests) return NO_EVENT
  return eventData(exampleVariables(locale, mail.shared.store.url, scope.now), { locale, timezone })
}
