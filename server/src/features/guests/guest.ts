import { retriedTransaction } from '../../kernel/deadlocks.ts'
import { notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { hashToken } from '../../kernel/keyring.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { deleteGuestsOf, moveGuests, lockGuest, markJoined, upsertGuest } from './queries.ts'

declare module '../../kernel/events.ts' {
  interface Facts {
    /** A guest turned out to be this customer, so their data becomes the customer's. May be published twice; then nothing is left to move. */
    'guest.joined': { guestId: string; customerId: string }
  }
}

/** Records a visit with this token, and creates a guest for a new one. `customerId`: the customer they last joined. */
export const seeGuest = (
  scope: MerchantScope,
  { token }: { token: string },
): Promise<{ guestId: string; customerId: string | null }> => upsertGuest(scope, newId(), hashToken(token))

/** The guest signed in as this customer, who exists. Throws 404 for a guest unknown here. */
export function joinGuest(scope: MerchantScope, guestId: string, customerId: string): Promise<void> {
  // What they left may be added by the customer in another tab just then.
  return retriedTransaction(scope, async (scope) => {
    const guest = await lockGuest(scope, guestId)
    if (!guest) throw notFound('there is no such guest')
    if (guest.customerId !== customerId) await markJoined(scope, guestId, customerId)
    await scope.context.publish(scope, 'guest.joined', { guestId, customerId })
  })
}

/** Their browser counts as unknown from now on. */
export const forgetGuests = (scope: MerchantScope, { customerId }: { customerId: string }): Promise<void> =>
  deleteGuestsOf(scope, customerId)

/** Two customers of the store were merged. */
export const mergeGuests = (
  scope: MerchantScope,
  { fromId, intoId }: { fromId: string; intoId: string },
): Promise<void> => moveGuests(scope, fromId, intoId)
