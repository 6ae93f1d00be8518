import { whyNotMailable } from '../../consent/index.ts'
import type { Channel } from '../../deliveries/index.ts'
import { unconfirmedOf } from '../../merchants/index.ts'
import { recordBounces } from './bounces.ts'
import { openMail } from './open-mail.ts'

/** Mail over SMTP. A server that took a body and did not answer may have delivered it, and nothing can be asked of it: never again. */
export const emailChannel: Channel = {
  name: 'email',
  batchSize: 1,
  retryIsSafe: false,
  whyNotReachable: whyNotMailable,
  testAddresses: (merchant) => merchant.confirmed_test_emails,
  routeOf: ({ integrations }, merchant) => integrations.mailers.forProvider(merchant.email_provider),
  whyNotFrom: async (scope, { from_email }) =>
    (await unconfirmedOf(scope, 'sender', [from_email])).length > 0 ? 'sender_unconfirmed' : null,
  openContent: (outgoing) =>
    openMail(outgoing, outgoing.scope.context.integrations.mailers.forProvider(outgoing.merchant.email_provider)),
  recordBounces,
}
