import { newId } from '../../kernel/ids.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { displayNameOf } from './derived-fields.ts'
import { insertLocal, lockKnownByLineOnly, updateLocal, writeLineConnection, writeLineConnections } from './queries.ts'
import { searchTextOf } from './list/search-text.ts'

// Customers without a number of the store and without an address: friends of the official account.

/** Longer names are cut. */
const MAX_NAME = 100

/**
 * Adds a customer; an unknown name is read later. `isNews`: they became a friend now; an older friend starts no scenario (decision 56).
 * Returns their id.
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

/** Sets the platform's name. A customer who is also known by the store or an address keeps theirs. */
export async function nameLineCustomer(scope: MerchantScope, id: string, name: string): Promise<void> {
  if (!(await isKnownByLineOnly(scope, id))) return
  await updateLocal(scope, id, fieldsOf(name))
  await scope.context.publish(scope, 'customers.changed', { customerIds: [id] })
}

export const isKnownByLineOnly = (scope: MerchantScope, id: string): Promise<boolean> => lockKnownByLineOnly(scope, id)

/** Since when they are a friend; null: not a friend. */
export async function setLineConnection(scope: MerchantScope, id: string, since: Date | null): Promise<void> {
  if (await writeLineConnection(scope, id, since))
    await scope.context.publish(scope, 'customers.changed', { customerIds: [id] })
}

/** The official account was exchanged: these are its known friends. They did nothing just now (decision 56). */
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
