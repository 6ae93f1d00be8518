import { notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { hashToken } from '../../kernel/keyring.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { deleteGuestsOf, moveGuests, lockGuest, markJoined, upsertGuest } from './queries.ts'

declare module '../../kernel/events.ts' {
  interface Facts {
    /** A guest turned out to be this customer: what they left belongs to the customer. May come twice; then nothing is left to move. */
    'guest.joined': { guestId: string; customerId: string }
  }
}

/** Notes that the holder of this token is here, and makes them a guest when they are new. `customerId`: whom they last joined. */
export const seeGuest = (
  scope: MerchantScope,
  { token }: { token: string },
): Promise<{ guestId: string; customerId: string | null }> => upsertGuest(scope, newId(), hashToken(token))

/** The guest signed in as this customer, who exists. Throws 404 for a guest unknown here. */
export function joinGuest(scope: MerchantScope, guestId: string, customerId: string): Promise<void> {
  return scope.transaction(async (scope) => {
    const guest = await lockGuest(scope, guestId)
    if (!guest) throw notFound('there is no such guest')
    if (guest.customerId !== customerId) await markJoined(scope, guestId, customerId)
    await scope.context.publish(scope, 'guest.joined', { guestId, customerId })
  })
}

/** Their browser is a stranger's from now on. */
export const forgetGuests = (scope: MerchantScope, { customerId }: { customerId: string }): Promise<void> =>
  deleteGuestsOf(scope, customerId)

/** Two customers of the store became one. */
export const mergeGuests = (
  scope: MerchantScope,
  { fromId, intoId }: { fromId: string; intoId: string },
): Promise<void> => moveGuests(scope, fromId, intoId)
