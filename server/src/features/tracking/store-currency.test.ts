import { getSettings } from '@okaeri/contract/merchants/routes'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { TestMerchant } from '../../../test/harness.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { connectStore, disconnectStore } from '../stores/index.ts'

withOkaeri()

const connect = (merchant: TestMerchant, name: string, currency: string): Promise<void> =>
  connectStore(
    merchant.scope(),
    {
      shopDomain: `${name}-${merchant.id}.myshopify.com`,
      accessToken: 'a',
      scopes: '',
      expiresAt: null,
      refreshToken: null,
    },
    {
      name,
      email: 'a@shop.test',
      storefrontUrl: 'https://shop.test',
      timezone: 'America/New_York',
      currency,
      language: 'en',
    },
  )
const currencyOf = async (merchant: TestMerchant): Promise<string | undefined> =>
  (await merchant.call(getSettings, {})).store?.currency

test('who signed up by an address gets the currency of the store they connect, and of another one', async () => {
  const merchant = await okaeri.merchant()
  await connect(merchant, 'first', 'USD')
  expect(await currencyOf(merchant)).toBe('USD')
  await disconnectStore(merchant.scope())
  await connect(merchant, 'second', 'EUR')
  expect(await currencyOf(merchant)).toBe('EUR')
})

test('once an order was credited it stays: sums are in one currency', async () => {
  const merchant = await okaeri.merchant()
  const now = okaeri.clock.now()
  await sql`insert into conversions (merchant_id, order_id, delivery_id, campaign_id, customer_id, credited_by, amount, currency, ordered_at)
    values (${merchant.id}, ${newId()}, ${newId()}, ${newId()}, ${newId()}, 'click', 1000, 'JPY', ${now})`.execute(
    okaeri.context.db,
  )
  await connect(merchant, 'first', 'USD')
  expect(await currencyOf(merchant)).toBe('JPY')
})
