import { getSettings } from '@okaeri/contract/merchants/routes'
import { expect, test } from 'vitest'
import { aSegment } from '../../../test/builders/segment.ts'
import { EMPTY, merchant, okaeri, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'

withSandboxStore({ seed: EMPTY })

const nextComparison = async (): Promise<void> => {
  sandbox.clock.advance(2 * 3_600_000)
  okaeri.advance(2 * 3_600_000)
  await okaeri.settle()
}
const currencies = async () => {
  const { store, currency } = await merchant.call(getSettings, {})
  return { account: currency, store: store?.sells_in }
}

test('what a store sells in is learned at the next comparison, where it was connected before that was stored', async () => {
  await okaeri.settle()
  await okaeri.query`update store_connections set currency = null where merchant_id = ${merchant.id}`
  await nextComparison()
  expect(await currencies()).toEqual({ account: 'JPY', store: 'JPY' })
})

test('a store that changed its currency changes that of the account, while no amount was typed', async () => {
  await play('switches.json', { currency: 'USD' })
  await nextComparison()
  expect(await currencies()).toEqual({ account: 'USD', store: 'USD' })
})

test('where amounts were typed the account keeps its currency, and every page can say that they differ', async () => {
  const conditions = { type: 'condition' as const, id: 'spent', category: 'orders', name: 'orders_amount' }
  await aSegment(merchant, { ...conditions, operator: 'greater', value: 100 })
  await play('switches.json', { currency: 'JPY' })
  await nextComparison()
  expect(await currencies()).toEqual({ account: 'USD', store: 'JPY' })
})
