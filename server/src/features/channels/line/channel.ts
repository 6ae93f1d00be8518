import { type Channel } from '../../deliveries/index.ts'
import { isLineConnected } from '../../line-accounts/index.ts'
import { lineAddress, whyNotReachableByLine } from '../../line-friends/index.ts'
import { findLineState, prepareLineOfStep } from './content.ts'
import { copyLine, deleteLine, isFriend, listTesters } from './content-queries.ts'
import { nameOnLine, wordsGot } from './content-sql.ts'
import { openLine } from './open-line.ts'
import { connectionsOf } from './pace.ts'

/**
 * Messages of the merchant's official account. The platform takes a send once under its retry key, which it keeps for a day, so an unknown
 * outcome is asked for again.
 */
export const lineChannel: Channel = {
  name: 'line',
  safeRetryMs: 24 * 3_600_000,
  address: lineAddress,
  addressKey: lineAddress,
  takesTests: isFriend,
  whyNotReachable: (merchantId, { ofMany }) => whyNotReachableByLine(merchantId, { ofMany: ofMany ?? false }),
  unknownCustomerReason: 'not_linked',
  testAddresses: listTesters,
  routeOf: (context, { id }) => ({ name: 'line', connections: connectionsOf(context, id) }),
  async findMissingSender(scope) {
    return (await isLineConnected(scope)) ? null : 'line_not_connected'
  },
  steps: { gone: 'line_message_gone', findState: findLineState, prepareForStep: prepareLineOfStep },
  deleteContent: deleteLine,
  copyContent: copyLine,
  recipient: nameOnLine,
  title: wordsGot,
  openContent: openLine,
  // Friendships are changed by what the platform tells alone.
  recordBounces: () => Promise.resolve(),
}
