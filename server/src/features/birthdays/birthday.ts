import type { OwnBirthday } from '@okaeri/contract/birthdays/routes'
import { judgeBirthday } from '@okaeri/contract/metafields/birthday'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { conflict, invalid, unauthorized } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findStoreCustomers, getSignedInCustomer, setOwnBirthday } from '../customers/index.ts'
import { todayOf } from '../metafields/index.ts'
import { getStorefrontSettings } from '../storefront-settings/index.ts'
import type { Shopper } from '../stores/index.ts'
import { countChange, deleteEntries, findStoredBirthday, joinEntries } from './queries.ts'

export async function getOwnBirthday({ scope, storeCustomerId }: Shopper): Promise<OwnBirthday> {
  if (storeCustomerId === null) throw unauthorized('customer_not_signed_in', 'no one is signed in at the store')
  return presentBirthday(scope, (await findStoreCustomers(scope, [storeCustomerId])).get(storeCustomerId) ?? null)
}

/**
 * The customer's own birthday, in our copy and, by a job, in the metafield of the customer settings. The first is free; the changes after
 * it are counted. The same again changes nothing.
 */
export async function enterBirthday({ scope, storeCustomerId }: Shopper, text: string): Promise<OwnBirthday> {
  const birthday = await dayIn(scope, text)
  return write(scope, await getSignedInCustomer(scope, storeCustomerId), birthday)
}

/** As {@link enterBirthday}, of a customer who is known here. */
export async function enterBirthdayOf(scope: MerchantScope, customerId: string, text: string): Promise<OwnBirthday> {
  return write(scope, customerId, await dayIn(scope, text))
}

async function dayIn(scope: MerchantScope, text: string): Promise<string> {
  const judged = judgeBirthday(text, await todayOf(scope))
  if ('wrong' in judged) throw invalid({ birthday: judged.wrong })
  return judged.day
}

function write(scope: MerchantScope, customerId: string, birthday: string): Promise<OwnBirthday> {
  return retriedTransaction(scope, async (scope) => {
    const { birthday_changes: allowed } = await getStorefrontSettings(scope)
    await setOwnBirthday(scope, customerId, {
      birthday,
      async mayChange() {
        if (!(await countChange(scope, customerId, allowed)))
          throw conflict('birthday_changes_used_up', 'the birthday was changed as often as the store allows')
      },
    })
    return presentBirthday(scope, customerId)
  })
}

/** `customerId` null: not known here yet. */
export async function presentBirthday(scope: MerchantScope, customerId: string | null): Promise<OwnBirthday> {
  const [{ birthday_changes: allowed }, known] = await Promise.all([
    getStorefrontSettings(scope),
    customerId === null ? null : findStoredBirthday(scope, customerId),
  ])
  return { birthday: known?.birthday ?? null, changes_left: Math.max(0, allowed - (known?.changes ?? 0)) }
}

/** A customer was deleted. */
export const forgetBirthdayEntries = (scope: MerchantScope, { customerId }: { customerId: string }): Promise<void> =>
  deleteEntries(scope, customerId)

/** Two customers of the store were merged. */
export const mergeBirthdayEntries = (
  scope: MerchantScope,
  { fromId, intoId }: { fromId: string; intoId: string },
): Promise<void> => joinEntries(scope, fromId, intoId)
