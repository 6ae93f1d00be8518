import { expect, test } from 'vitest'
import { releaseSending, reportHold } from '../src/app/sending-hold.ts'
import { readHold } from '../src/features/deliveries/index.ts'
import { merchant, okaeri, play, sandbox, withSandboxStore } from './with-okaeri.ts'

withSandboxStore()

const MINUTE = 60_000
const stateOf = async (email: string): Promise<string | undefined> => {
  const rows = await okaeri.query<{ state: string }>`
    select marketing_state as state from customers where merchant_id = ${merchant.id} and email = ${email}`
  return rows[0]?.state
}
const pass = (ms: number): void => {
  sandbox.clock.advance(ms)
  okaeri.advance(ms)
}

test('after a restore nothing is sent before it is known again who opted out in the store meanwhile', async () => {
  const email = 'opted-out-since@example.com'
  const { customer } = await play<{ customer: { id: number } }>('customers.json', { email, email_state: 'SUBSCRIBED' })
  await okaeri.settle()
  expect(await stateOf(email)).toBe('granted')
  pass(2 * MINUTE)
  // What the store reported since is not in the backup.
  await play('switches.json', { lose_webhooks: true })
  await play('consent.json', { customer_id: customer.id, state: 'UNSUBSCRIBED' })
  await play('switches.json', { lose_webhooks: false })
  await okaeri.query`update ledger_state set held_since = now(), held_because = 'restored'`

  expect(await reportHold(okaeri.context)).toContain(`merchant ${merchant.id}`)
  await expect(releaseSending(okaeri.context, { uncertain: false })).rejects.toThrow('--without-stores')
  expect(await readHold(okaeri.context)).not.toBeNull()

  pass(2 * MINUTE)
  await okaeri.settle()
  expect(await stateOf(email)).toBe('withdrawn')
  await okaeri.query`update ledger_state set held_since = held_since - interval '3 minutes'`
  expect(await reportHold(okaeri.context)).not.toContain(`merchant ${merchant.id}`)
  expect(await releaseSending(okaeri.context, { uncertain: false })).toContain('Sending goes on.')
  expect(await readHold(okaeri.context)).toBeNull()

  // A store that cannot be reached does not hold sending for ever.
  await okaeri.query`update ledger_state set held_since = now() + interval '1 hour', held_because = 'restored'`
  expect(await releaseSending(okaeri.context, { uncertain: false, needsStores: false })).toContain('Sending goes on.')
})
