import { whyNotMailable } from '../../consent/index.ts'
import { ownRoute } from '../../../integrations/mail/mailer.ts'
import type { Channel } from '../../deliveries/index.ts'
import { unconfirmedOf } from '../../merchants/index.ts'
import { recordBounces } from './bounces.ts'
import { findMailState, prepareMailOfStep } from './content.ts'
import { copyMail, deleteMail, findSenderAddress, mailAddress, mailAddressKey, mayBeTested } from './content-queries.ts'
import { addressSentTo, subjectGot } from './content-sql.ts'
import { openMail } from './open-mail.ts'

/** Mail over SMTP. A server that took a body and did not answer may have delivered it, and nothing can be asked of it: never again. */
export const emailChannel: Channel = {
  name: 'email',
  safeRetryMs: 0,
  address: () => mailAddress,
  addressKey: () => mailAddressKey,
  takesTests: mayBeTested,
  whyNotReachable: whyNotMailable,
  unknownCustomerReason: 'no_address',
  testAddresses: (_, merchant) => Promise.resolve(merchant.confirmed_test_emails),
  routeOf: ({ integrations }, { own_mailer_id: own, own_mailer_connections: connections, email_provider: provider }) =>
    own === null ? integrations.mailers.forProvider(provider) : { name: ownRoute(own), connections: connections ?? 1 },
  async findMissingSender(scope, { id }) {
    const address = await findSenderAddress(scope, id)
    const unconfirmed = address === null ? [] : await unconfirmedOf(scope, 'sender', [address])
    return unconfirmed.length > 0 ? 'sender_unconfirmed' : null
  },
  steps: { gone: 'email_gone', findState: findMailState, prepareForStep: prepareMailOfStep },
  deleteContent: deleteMail,
  copyContent: copyMail,
  recipient: () => addressSentTo,
  title: subjectGot,
  openContent: openMail,
  recordBounces,
}
