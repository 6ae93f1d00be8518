import { consentBody, customerBody, customerDeletedBody, tagsBody } from './webhooks/payloads.ts'
import { findMetafield, type MetafieldRow, type Owner } from './metafield-rows.ts'
import { gid, nextId, nowSeconds, type StoreScope } from './platform.ts'
import { findResource } from './resources.ts'
import type { Address, CustomerRow, EmailState } from './rows.ts'
import { execute, findRow, part, transaction } from '../sql.ts'
import { publish } from './webhooks/webhooks.ts'

export const findCustomer = (scope: StoreScope, id: number): CustomerRow | null => findResource(scope, 'Customer', id)

/** The oldest with this address, ignoring letter case. */
export function findCustomerByEmail(scope: StoreScope, email: string): CustomerRow | null {
  return (
    findRow<CustomerRow>(scope.database)`SELECT * FROM store_customer
      WHERE store_id = ${scope.store.id} AND email = ${email} COLLATE NOCASE ORDER BY id LIMIT 1` ?? null
  )
}

export function getCustomer(scope: StoreScope, id: number): CustomerRow {
  const row = findCustomer(scope, id)
  if (!row) throw new Error(`customer ${id} is gone`)
  return row
}

export function customerName(row: CustomerRow): string {
  const inOrder = row.locale.startsWith('ja') ? [row.last_name, row.first_name] : [row.first_name, row.last_name]
  return inOrder.filter(Boolean).join(' ') || (row.email ?? row.phone ?? '')
}

export interface CustomerFields {
  firstName?: string | null
  lastName?: string | null
  email?: string | null
  phone?: string | null
  locale?: string | null
  note?: string | null
  tags?: string[] | null
  address?: Omit<Address, 'id'> | null
}

export interface UserError {
  field: string[] | null
  message: string
  code?: string
}

/** What the platform refuses, in its words. `id` is the customer being changed, if there is one. */
export function checkCustomer(scope: StoreScope, fields: CustomerFields, id: number | null): UserError[] {
  const errors: UserError[] = []
  if (id === null && [fields.email, fields.phone, fields.firstName, fields.lastName].every((part) => !part?.trim()))
    errors.push({ field: null, message: 'A name, phone number, or email address must be present' })
  if (fields.email && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(fields.email))
    errors.push({ field: ['email'], message: 'Email is invalid' })
  else if (fields.email) {
    const holder = findCustomerByEmail(scope, fields.email)
    if (
      holder &&
      holder.id !== id &&
      holder.email?.toLowerCase() !== (id === null ? null : findCustomer(scope, id)?.email?.toLowerCase())
    )
      errors.push({ field: ['email'], message: 'Email has already been taken' })
  }
  if (fields.phone && !/^\+[1-9]\d{6,14}$/.test(fields.phone))
    errors.push({ field: ['phone'], message: 'Phone is invalid' })
  else if (fields.phone) {
    const holder = findRow<{ id: number }>(scope.database)`SELECT id FROM store_customer
      WHERE store_id = ${scope.store.id} AND phone = ${fields.phone} LIMIT 1`
    if (holder && holder.id !== id) errors.push({ field: ['phone'], message: 'Phone has already been taken' })
  }
  return errors
}

export function createCustomer(
  scope: StoreScope,
  fields: CustomerFields,
  consent?: { state: EmailState; level: string | null; at: number },
): CustomerRow {
  return transaction(scope.database, () => {
    const id = nextId(scope, 'customer')
    const now = nowSeconds(scope)
    const address = fields.address ? JSON.stringify({ id: nextId(scope, 'address'), ...fields.address }) : null
    execute(scope.database)`INSERT INTO store_customer VALUES (${scope.store.id}, ${id}, ${fields.firstName ?? null},
      ${fields.lastName ?? null}, ${fields.email?.trim() || null}, ${fields.phone || null}, ${fields.locale ?? 'ja'},
      ${fields.note ?? null}, 'DISABLED', ${JSON.stringify(tidyTags(fields.tags ?? []))},
      ${consent?.state ?? 'NOT_SUBSCRIBED'}, ${consent?.level ?? null}, ${consent?.at ?? null}, 'NOT_SUBSCRIBED',
      ${address}, 0, 0, NULL, ${now}, ${now})`
    const row = getCustomer(scope, id)
    publish(scope, 'CUSTOMERS_CREATE', () => customerBody(scope, row))
    const tags = JSON.parse(row.tags) as string[]
    if (tags.length > 0) publish(scope, 'CUSTOMER_TAGS_ADDED', () => tagsBody(id, tags, scope.clock.now()))
    if (consent) publish(scope, 'CUSTOMERS_EMAIL_MARKETING_CONSENT_UPDATE', () => consentBody(row))
    return row
  })
}

/** Changes what is given and leaves the rest. */
export function updateCustomer(scope: StoreScope, id: number, fields: CustomerFields): CustomerRow {
  return transaction(scope.database, () => {
    const before = getCustomer(scope, id)
    const address =
      fields.address === undefined || fields.address === null
        ? before.address
        : JSON.stringify({
            id: before.address ? (JSON.parse(before.address) as Address).id : nextId(scope, 'address'),
            ...fields.address,
          })
    const given = <Value>(value: Value | undefined, old: Value) => (value === undefined ? old : value)
    const email = given(fields.email, before.email)?.trim() || null
    execute(scope.database)`UPDATE store_customer SET first_name = ${given(fields.firstName, before.first_name)},
      last_name = ${given(fields.lastName, before.last_name)}, email = ${email},
      phone = ${given(fields.phone, before.phone) || null}, locale = ${fields.locale ?? before.locale},
      note = ${given(fields.note, before.note)}, address = ${address}, updated_at = ${nowSeconds(scope)}
      WHERE store_id = ${scope.store.id} AND id = ${id}`
    if (fields.tags) setTags(scope, id, fields.tags)
    const row = getCustomer(scope, id)
    publish(scope, 'CUSTOMERS_UPDATE', () => customerBody(scope, row))
    return row
  })
}

export function setTags(scope: StoreScope, id: number, wanted: string[]): CustomerRow {
  return transaction(scope.database, () => {
    const before = JSON.parse(getCustomer(scope, id).tags) as string[]
    const after = tidyTags(wanted)
    const has = (list: string[], tag: string) => list.some((other) => other.toLowerCase() === tag.toLowerCase())
    const added = after.filter((tag) => !has(before, tag))
    const removed = before.filter((tag) => !has(after, tag))
    if (added.length > 0 || removed.length > 0)
      execute(scope.database)`UPDATE store_customer SET tags = ${JSON.stringify(after)},
        updated_at = ${nowSeconds(scope)} WHERE store_id = ${scope.store.id} AND id = ${id}`
    if (added.length > 0) publish(scope, 'CUSTOMER_TAGS_ADDED', () => tagsBody(id, added, scope.clock.now()))
    if (removed.length > 0) publish(scope, 'CUSTOMER_TAGS_REMOVED', () => tagsBody(id, removed, scope.clock.now()))
    return getCustomer(scope, id)
  })
}

/** Tags are compared without letter case; the spelling that came first stays. */
function tidyTags(tags: string[]): string[] {
  const kept = new Map<string, string>()
  for (const tag of tags.flatMap((text) => text.split(',')).map((text) => text.trim()))
    if (tag !== '' && !kept.has(tag.toLowerCase())) kept.set(tag.toLowerCase(), tag)
  return [...kept.values()]
}

export function updateConsent(
  scope: StoreScope,
  id: number,
  consent: { state: EmailState; level?: string | null; at?: number | null },
): CustomerRow {
  return transaction(scope.database, () => {
    const now = nowSeconds(scope)
    execute(scope.database)`UPDATE store_customer SET email_state = ${consent.state},
      email_opt_in_level = ${consent.level ?? (consent.state === 'SUBSCRIBED' ? 'SINGLE_OPT_IN' : null)},
      email_consent_at = ${consent.at ?? now}, updated_at = ${now} WHERE store_id = ${scope.store.id} AND id = ${id}`
    const row = getCustomer(scope, id)
    publish(scope, 'CUSTOMERS_EMAIL_MARKETING_CONSENT_UPDATE', () => consentBody(row))
    publish(scope, 'CUSTOMERS_UPDATE', () => customerBody(scope, row))
    return row
  })
}

export function deleteCustomer(scope: StoreScope, id: number): void {
  transaction(scope.database, () => {
    execute(scope.database)`DELETE FROM store_customer WHERE store_id = ${scope.store.id} AND id = ${id}`
    execute(scope.database)`DELETE FROM store_metafield WHERE store_id = ${scope.store.id} AND owner_type = 'Customer'
      AND owner_id = ${id}`
    publish(scope, 'CUSTOMERS_DELETE', () => customerDeletedBody(id))
  })
}

/** Orders, money spent and last order, counted again from the orders. */
export function recountCustomer(scope: StoreScope, id: number): void {
  execute(scope.database)`UPDATE store_customer SET orders_count = (SELECT count(*) FROM store_order o
    WHERE o.store_id = ${scope.store.id} AND o.customer_id = ${id}
    AND o.cancelled_at IS NULL), total_spent = (SELECT coalesce(sum(current_total), 0) FROM store_order o
    WHERE o.store_id = ${scope.store.id} AND o.customer_id = ${id}), last_order_id = (SELECT o.id FROM store_order o
    WHERE o.store_id = ${scope.store.id} AND o.customer_id = ${id}
    ORDER BY processed_at DESC, o.id DESC LIMIT 1), updated_at = ${nowSeconds(scope)}
    WHERE store_id = ${scope.store.id} AND id = ${id}`
}

export function setMetafield(
  scope: StoreScope,
  owner: Owner,
  field: { namespace: string; key: string; type: string; value: string },
): MetafieldRow {
  const now = nowSeconds(scope)
  const known = findMetafield(scope, owner, field)
  if (known)
    execute(scope.database)`UPDATE store_metafield SET type = ${field.type}, value = ${field.value},
      updated_at = ${now} WHERE store_id = ${scope.store.id} AND id = ${known.id}`
  else
    execute(scope.database)`INSERT INTO store_metafield VALUES (${scope.store.id}, ${nextId(scope, 'metafield')},
      ${owner.type}, ${owner.id}, ${field.namespace}, ${field.key}, ${field.type}, ${field.value}, ${now}, ${now})`
  if (owner.type === 'Customer') touchCustomer(scope, owner.id)
  const row = findMetafield(scope, owner, field)
  if (!row) throw new Error('metafield vanished')
  return row
}

/** Data that belongs to the customer changed: it counts as a change of the customer, and is reported as one. */
export function touchCustomer(scope: StoreScope, id: number): void {
  execute(scope.database)`UPDATE store_customer SET updated_at = ${nowSeconds(scope)}
    WHERE store_id = ${scope.store.id} AND id = ${id}`
  const customer = findCustomer(scope, id)
  if (customer) publish(scope, 'CUSTOMERS_UPDATE', () => customerBody(scope, customer))
}

/** Makes two customers one, as the merge button of the platform does. */
export function mergeCustomers(scope: StoreScope, keptId: number, deletedId: number): string | null {
  const kept = findCustomer(scope, keptId)
  const gone = findCustomer(scope, deletedId)
  if (!kept || !gone || keptId === deletedId) return 'A merge needs two customers.'
  transaction(scope.database, () => {
    for (const table of ['store_order', 'store_checkout'])
      execute(scope.database)`UPDATE ${part(table)} SET customer_id = ${keptId}
        WHERE store_id = ${scope.store.id} AND customer_id = ${deletedId}`
    execute(scope.database)`DELETE FROM store_customer WHERE store_id = ${scope.store.id} AND id = ${deletedId}`
    recountCustomer(scope, keptId)
    const row = getCustomer(scope, keptId)
    publish(scope, 'CUSTOMERS_UPDATE', () => customerBody(scope, row))
    publish(scope, 'CUSTOMERS_MERGE', () => ({
      admin_graphql_api_customer_kept_id: gid('Customer', keptId),
      admin_graphql_api_customer_deleted_id: gid('Customer', deletedId),
      admin_graphql_api_job_id: null,
      status: 'completed',
      errors: [],
    }))
  })
  return null
}
