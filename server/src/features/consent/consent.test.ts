import { expect, test } from 'vitest'
import { merchant, okaeri, withOneMerchant } from '../../../test/with-okaeri.ts'
import { aCustomer } from '../../../test/builders/customer.ts'
import { changeCustomer, listCustomers } from '@okaeri/contract/customers/routes'
import {
  changeConsent,
  changeConsents,
  liftSuppression,
  listConsentChanges,
  suppress,
  withdrawByAddress,
} from './index.ts'

withOneMerchant()

const add = async (email: string, by = merchant): Promise<string> => (await aCustomer(by, email)).id
const stateOf = async (id: string, by = merchant) =>
  (await by.call(listCustomers, { query: {} })).data.find((customer) => customer.id === id)

test('a member’s change of permission is recorded with its source, once', async () => {
  const id = await add('kept@example.com')
  for (let times = 0; times < 2; times += 1)
    await merchant.call(changeCustomer, {
      params: { id },
      body: { accepts_marketing: true, accepts_transactions: true },
    })
  expect(await stateOf(id)).toMatchObject({ accepts_marketing: true, accepts_transactions: true })
  const changes = await listConsentChanges(merchant.scope(), id)
  expect(changes.map(({ kind, from, to, source }) => ({ kind, from, to, source }))).toEqual([
    { kind: 'notification', from: 'unknown', to: 'granted', source: 'member' },
    { kind: 'marketing', from: 'unknown', to: 'granted', source: 'member' },
  ])
})

test('an import adds permission where nothing is known, and leaves an opt-out alone', async () => {
  const [fresh, gone] = [await add('fresh@example.com'), await add('gone@example.com')]
  await changeConsent(merchant.scope(), { customerId: gone, kind: 'marketing', to: 'withdrawn', source: 'one_click' })
  const changed = await changeConsents(
    merchant.scope(),
    [
      { customerId: fresh, to: 'granted' },
      { customerId: gone, to: 'granted' },
    ],
    { kind: 'marketing', source: 'import', wording: 'メルマガを希望する', page: 'customers.csv' },
  )
  expect(changed).toEqual([fresh])
  expect((await stateOf(gone))?.marketing_state).toBe('withdrawn')
  expect(await listConsentChanges(merchant.scope(), fresh)).toMatchObject([
    { source: 'import', wording: 'メルマガを希望する', page: 'customers.csv' },
  ])
})

test('permission the store dates into the future does not outlive an opt-out reported now', async () => {
  const id = await add('future@example.com')
  const report = (to: 'granted' | 'withdrawn', occurredAt: Date) =>
    changeConsent(merchant.scope(), { customerId: id, kind: 'marketing', to, source: 'store', occurredAt })
  expect(await report('granted', new Date('2099-01-01T00:00:00Z'))).toBe(true)
  expect(await report('withdrawn', merchant.scope().now)).toBe(true)
  expect(await report('granted', new Date(merchant.scope().now.getTime() - 1000))).toBe(false)
  expect((await stateOf(id))?.marketing_state).toBe('withdrawn')
})

test('an opt-out in the store counts also where the permission was given here while the clock was ahead', async () => {
  const [optedOut, stays] = [await add('clock@example.com'), await add('clock-kept@example.com')]
  okaeri.advance(3_600_000)
  await changeConsent(merchant.scope(), { customerId: optedOut, kind: 'marketing', to: 'granted', source: 'member' })
  await changeConsent(merchant.scope(), { customerId: stays, kind: 'marketing', to: 'withdrawn', source: 'one_click' })
  okaeri.advance(-3_600_000)
  const before = (seconds: number): Date => new Date(merchant.scope().now.getTime() - seconds * 1000)
  const reportByStore = (customerId: string, to: 'granted' | 'withdrawn', occurredAt: Date) =>
    changeConsent(merchant.scope(), { customerId, kind: 'marketing', to, source: 'store', occurredAt })
  expect(await reportByStore(optedOut, 'withdrawn', before(5))).toBe(true)
  expect(await reportByStore(stays, 'granted', before(5))).toBe(false)
  // From then on the newer side wins again.
  expect(await reportByStore(optedOut, 'granted', before(3))).toBe(true)
})

test('an unsubscribe link speaks for every customer of the merchant with that address, and for no other merchant’s', async () => {
  const other = await okaeri.merchant()
  const theirs = await add('shared@example.com', other)
  await changeConsent(other.scope(), { customerId: theirs, kind: 'marketing', to: 'granted', source: 'member' })
  const one = await add('shared@example.com')
  const two = await add('second@example.com')
  await merchant.call(changeCustomer, { params: { id: two }, body: { email: 'Shared@Example.com' } })
  for (const id of [one, two])
    await changeConsent(merchant.scope(), { customerId: id, kind: 'marketing', to: 'granted', source: 'member' })
  const changed = await withdrawByAddress(merchant.scope(), {
    addressKey: 'shared@example.com',
    source: 'unsubscribe_link',
  })
  expect(new Set(changed)).toEqual(new Set([one, two]))
  expect((await stateOf(theirs, other))?.accepts_marketing).toBe(true)
})

test('no one changes the permission of another merchant’s customer', async () => {
  const other = await okaeri.merchant()
  const id = await add('mine@example.com')
  expect(
    await changeConsent(other.scope(), { customerId: id, kind: 'marketing', to: 'granted', source: 'member' }),
  ).toBe(false)
  expect((await stateOf(id))?.marketing_state).toBe('unknown')
})

test('permission to mail needs an address', async () => {
  const id = await add('leaving@example.com')
  await merchant.call(changeCustomer, { params: { id }, body: { email: null } })
  await expect(
    merchant.call(changeCustomer, { params: { id }, body: { accepts_marketing: true } }),
  ).rejects.toMatchObject({ reason: 'customer_has_no_email' })
})

test('a suppressed address is shown as such until it is lifted; the first reason stays', async () => {
  const id = await add('bounced@example.com')
  expect(
    await suppress(merchant.scope(), { address: 'Bounced@example.com', reason: 'hard_bounce', detail: '550' }),
  ).toBe(true)
  expect(await suppress(merchant.scope(), { address: 'bounced@example.com', reason: 'complaint' })).toBe(false)
  expect((await stateOf(id))?.suppressed).toBe('hard_bounce')
  expect(await liftSuppression(merchant.scope(), { address: 'bounced@example.com' })).toBe(true)
  expect((await stateOf(id))?.suppressed).toBeNull()
})
