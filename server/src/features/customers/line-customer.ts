import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { displayNameOf } from './derived-fields.ts'
import {
  insertLocal,
  lockExisting,
  lockKnownByLineOnly,
  updateLocal,
  writeLineConnection,
  writeLineConnections,
} from './queries.ts'
import { searchTextOf } from './search-text.ts'

// Customers whom neither the store nor a mail address knows: friends of the official account.

/** Longer names are cut. */
const MAX_NAME = 100

/**
 * Somebody new, whose name is read later where it is not known. `isNews`: it happened now; a friend of long ago starts no scenario
 * (decision 56). Answers their id.
 */
export async function addLineCustomer(
  scope: MerchantScope,
  { name, isNews }: { name: string | null; isNews: boolean },
): Promise<string> {
  const id = newId()
  await insertLocal(scope, id, fieldsOf(name))
  await scope.context.publish(scope, 'customers.changed', { customerIds: [id] })
  if (isNews) await scope.context.publish(scope, 'customer.created', { customerId: id })
  return id
}

/** Called as the platform calls them. Whoever is known otherwise keeps their name. */
export async function nameLineCustomer(scope: MerchantScope, id: string, name: string): Promise<void> {
  if (!(await isKnownByLineOnly(scope, id))) return
  await updateLocal(scope, id, fieldsOf(name))
  await scope.context.publish(scope, 'customers.changed', { customerIds: [id] })
}

export const isKnownByLineOnly = (scope: MerchantScope, id: string): Promise<boolean> => lockKnownByLineOnly(scope, id)

/** Whether they are there, and stay so until the transaction ends. */
export const holdCustomer = (scope: MerchantScope, id: string): Promise<boolean> => lockExisting(scope, id)

/** Since when they are a friend; null: they are none. */
export async function setLineConnection(scope: MerchantScope, id: string, since: Date | null): Promise<void> {
  if (await writeLineConnection(scope, id, since))
    await scope.context.publish(scope, 'customers.changed', { customerIds: [id] })
}

/** The official account is another: these are its friends, as far as is known. That is nothing they did just now (decision 56). */
export async function replaceLineConnections(
  scope: MerchantScope,
  friends: readonly { customerId: string; since: Date | null }[],
): Promise<void> {
  await writeLineConnections(scope, friends)
  await scope.context.publish(scope, 'customers.changed_widely', { learned: true })
}

function fieldsOf(name: string | null) {
  const person = {
    email: null,
    firstName: name === null ? null : [...name].slice(0, MAX_NAME).join(''),
    lastName: null,
    phone: null,
    language: null,
    tags: [],
  }
  return {
    ...person,
    address: null,
    lastAddress: '',
    provinceCode: null,
    displayName: displayNameOf(person),
    searchText: searchTextOf(person),
  }
}
