import {
  customerData,
  type EventData,
  eventData,
  exampleVariables,
  NO_EVENT,
  type RecipientData,
} from '../email-rendering/index.ts'
import type { ClaimedRow } from './lease-queries.ts'
import { makeLinkToken } from './link-token.ts'
import type { Turn } from './turn.ts'

/** What a mail says to one recipient alone. */
export interface RecipientPart {
  token: string
  data: RecipientData
}

export function recipientPart(turn: Turn, row: ClaimedRow): RecipientPart {
  const { merchantId, context } = turn.scope
  const token = makeLinkToken(context.keyring, { merchantId, deliveryId: row.id })
  const data = {
    ...variablesFor(row, turn),
    customer: customerData(row, turn.language),
    unsubscribe_url: `${context.settings.publicUrl}/u/${token}`,
  }
  return { token, data }
}

/** The event and the coupon of a scenario's mail; a test of an email shows examples. */
function variablesFor(row: ClaimedRow, turn: Turn): EventData {
  const { language: locale, merchant, mail, scope } = turn
  const { timezone } = merchant
  if (row.variables) return eventData(row.variables, { locale, timezone })
  if (row.kind !== 'test' || turn.message.for_tests) return NO_EVENT
  return eventData(exampleVariables(locale, mail.shared.store.url, scope.now), { locale, timezone })
}

/**
 * In test mode nothing reaches anyone but the test addresses (domain.md §5), a test send neither: the subject names who it was for.
 * A row marked as test when it was reserved stays one after test mode was left.
 */
export const isRedirected = (row: ClaimedRow, { merchant, message }: Pick<Turn, 'merchant' | 'message'>): boolean => {
  if (message.for_tests) return true
  return row.kind === 'test'
    ? merchant.test_mode && !merchant.confirmed_test_emails.includes(row.address)
    : row.test_mode
}
