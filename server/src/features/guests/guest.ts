import { stringify } from 'uuid'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { hashToken } from '../../kernel/keyring.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { deleteGuestsOf, deleteOldest, findGuestId, joinRow, moveGuests } from './queries.ts'

declare module '../../kernel/facts.ts' {
  interface Facts {
    /** A guest turned out to be this customer, so their data becomes the customer's. May be published twice; then nothing is left to move. */
    'guest.joined': { guestId: string; customerId: string }
  }
}

/**
 * The guest with this token. Writes nothing: the id follows from the token, and a row is made only at sign-in, so that guests who leave
 * nothing do not fill the table. Guests from before have a row, and the id in it.
 */
export async function guestOf(scope: MerchantScope, { token }: { token: string }): Promise<{ guestId: string }> {
  const hash = hashToken(token)
  return {
    guestId: (await findGuestId(scope, hash)) ?? idFrom(hashToken(`${scope.merchantId} ${hash.toString('hex')}`)),
  }
}
/** A UUID of version 8. */
const idFrom = (hash: Buffer): string => stringify(Uint8Array.from(hash.subarray(0, 16), marked))
const marked = (byte: number, place: number): number =>
  place === 6 ? (byte & 0x0f) | 0x80 : place === 8 ? (byte & 0x3f) | 0x80 : byte

/** More than anyone signs in with; so an account of a store cannot fill a table either. */
export const BROWSERS_OF_CUSTOMER = 100

/** The guest signed in as this customer, who exists. */
export function joinGuest(scope: MerchantScope, guestId: string, customerId: string): Promise<void> {
  // What they left may be added by the customer in another tab just then.
  return retriedTransaction(scope, async (scope) => {
    if (await joinRow(scope, guestId, customerId)) await deleteOldest(scope, customerId, BROWSERS_OF_CUSTOMER)
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
