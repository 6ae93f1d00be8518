import { describe, expect, test, vi } from 'vitest'
import { sandboxStore } from '../../../test/sandbox-store.ts'
import { okaeri, sandbox, withSandbox } from '../../../test/with-okaeri.ts'
import { SHOP_INFO, type ShopInfoResult } from '../../integrations/shopify/operations.ts'
import { addEncryptionKey, readOrMakeSecrets } from '../../kernel/secrets-file.ts'
import { createKeyring } from '../../kernel/keyring.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import {
  connectSandboxStore,
  disconnectStore,
  findMerchantByShop,
  findStore,
  getStoreClient,
  presentStore,
  reencryptStoreTokens,
} from './index.ts'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

withSandbox()

let made = 0
async function connected() {
  made += 1
  const merchant = await okaeri.merchant()
  const shop = `store-${made}.myshopify.com`
  await connectSandboxStore(merchant.scope(), shop)
  return { merchant, shop, scope: merchant.scope() }
}
const tokensOf = ({ context, merchantId }: MerchantScope) =>
  context.db.selectFrom('store_connections').selectAll().where('merchant_id', '=', merchantId).executeTakeFirstOrThrow()
const age = ({ context, merchantId }: MerchantScope, expiresAt: Date) =>
  context.db
    .updateTable('store_connections')
    .set({ access_token_expires_at: expiresAt })
    .where('merchant_id', '=', merchantId)
    .execute()

describe('a connected store', () => {
  test('answers, and its tokens are encrypted in the database', async () => {
    const { scope, shop } = await connected()
    const client = await getStoreClient(scope)
    expect((await client.graphql<ShopInfoResult>(SHOP_INFO)).shop.myshopifyDomain).toBe(shop)
    const row = await tokensOf(scope)
    expect(row.access_token).toMatch(/^v1\./)
    expect(JSON.stringify(row)).not.toMatch(/shpat_|shprt_/)
    expect(await presentStore(scope)).toMatchObject({ shop_domain: shop, status: 'connected', under_review: false })
    expect(await findMerchantByShop(scope.context, shop)).toBe(scope.merchantId)
  })

  test('is refreshed once, however many calls need it at the same moment', async () => {
    const { scope } = await connected()
    await age(scope, okaeri.clock.realNow())
    const refresh = vi.spyOn(okaeri.context.integrations.shopify ?? ({} as never), 'refresh')
    const clients = await Promise.all(Array.from({ length: 8 }, () => getStoreClient(scope)))
    expect(refresh).toHaveBeenCalledTimes(1)
    refresh.mockRestore()
    for (const client of clients) await client.graphql(SHOP_INFO)
  })

  test('is refreshed when the platform refuses a token that seemed young', async () => {
    const { scope } = await connected()
    const { keyring } = okaeri.context
    await okaeri.context.db
      .updateTable('store_connections')
      .set({ access_token: keyring.encrypt('shpat_gone') })
      .where('merchant_id', '=', scope.merchantId)
      .execute()
    const client = await getStoreClient(scope)
    await client.graphql(SHOP_INFO)
    expect(keyring.decrypt((await tokensOf(scope)).access_token ?? '')).not.toBe('shpat_gone')
  })

  test('whose access was revoked is disconnected, once, and says so', async () => {
    const { scope } = await connected()
    await okaeri.context.db
      .updateTable('store_connections')
      .set({
        access_token_expires_at: okaeri.clock.realNow(),
        refresh_token: okaeri.context.keyring.encrypt('shprt_gone'),
      })
      .where('merchant_id', '=', scope.merchantId)
      .execute()
    const publish = vi.spyOn(okaeri.context, 'publish')
    await expect(getStoreClient(scope)).rejects.toMatchObject({ reason: 'store_not_connected' })
    await expect(getStoreClient(scope)).rejects.toMatchObject({ reason: 'store_not_connected' })
    expect(publish.mock.calls.map(([, name]) => name)).toEqual(['store.disconnected'])
    publish.mockRestore()
    expect(await findStore(scope)).toMatchObject({ status: 'disconnected' })
    expect(await tokensOf(scope)).toMatchObject({ access_token: null, refresh_token: null })
  })

  test('is no longer called after the platform’s answer about a dead refresh token', async () => {
    const { scope } = await connected()
    await okaeri.context.db
      .updateTable('store_connections')
      .set({ refresh_token: okaeri.context.keyring.encrypt('shprt_dead'), access_token_expires_at: new Date(0) })
      .where('merchant_id', '=', scope.merchantId)
      .execute()
    const refresh = vi.spyOn(okaeri.context.integrations.shopify ?? ({} as never), 'refresh')
    for (let tries = 0; tries < 5; tries += 1)
      await expect(getStoreClient(scope)).rejects.toMatchObject({ reason: 'store_not_connected' })
    expect(refresh).toHaveBeenCalledTimes(1)
    refresh.mockRestore()
    expect(await presentStore(scope)).toMatchObject({ status: 'disconnected', disconnected_reason: 'refused' })
  })

  test('says why and since when the platform closes it, and nothing once it is open again', async () => {
    const { scope, shop } = await connected()
    const play = sandboxStore(() => sandbox, shop)
    const client = await getStoreClient(scope)
    const troubles: unknown[] = []
    for (const state of ['frozen', 'locked', 'forbidden', 'gone']) {
      await play('switches.json', { state })
      await expect(client.graphql(SHOP_INFO)).rejects.toMatchObject({ retryable: true, detail: state })
      troubles.push((await presentStore(scope))?.trouble)
      okaeri.advance(60_000)
    }
    const since = (troubles[0] as { since: string }).since
    expect(troubles).toEqual(['frozen', 'locked', 'forbidden', 'gone'].map((reason) => ({ reason, since })))
    await play('switches.json', { state: 'open' })
    await client.graphql(SHOP_INFO)
    expect(await presentStore(scope)).toMatchObject({ status: 'connected', trouble: null })
  })

  test('connected with fewer scopes says which are missing', async () => {
    const { scope } = await connected()
    expect((await presentStore(scope))?.missing_scopes).toEqual([])
    await okaeri.context.db
      .updateTable('store_connections')
      .set({ scopes: 'write_customers,read_orders,read_products,read_inventory' })
      .where('merchant_id', '=', scope.merchantId)
      .execute()
    expect((await presentStore(scope))?.missing_scopes).toEqual([
      'read_customer_merge',
      'read_all_orders',
      'read_locales',
      'write_discounts',
      'write_app_proxy',
    ])
  })

  test('stays connected while the platform is unreachable, and its last token is used until it expires', async () => {
    const { scope } = await connected()
    const refresh = vi.spyOn(okaeri.context.integrations.shopify ?? ({} as never), 'refresh')
    const { IntegrationError } = await import('../../kernel/errors.ts')
    refresh.mockRejectedValue(new IntegrationError('shopify', true, 'unreachable'))
    await age(scope, new Date(okaeri.clock.realNow().getTime() + 60_000))
    await (await getStoreClient(scope)).graphql(SHOP_INFO)
    await age(scope, okaeri.clock.realNow())
    await expect(getStoreClient(scope)).rejects.toMatchObject({ retryable: true })
    refresh.mockRestore()
    expect(await findStore(scope)).toMatchObject({ status: 'connected' })
  })

  test('cannot belong to two merchants, and a merchant has one', async () => {
    const { scope, shop } = await connected()
    const other = (await okaeri.merchant()).scope()
    await expect(connectSandboxStore(other, shop)).rejects.toMatchObject({ reason: 'store_connected_elsewhere' })
    expect(await findStore(other)).toBeNull()
    await expect(connectSandboxStore(scope, 'second.myshopify.com')).rejects.toMatchObject({
      reason: 'store_connected_elsewhere',
    })
    expect(await findMerchantByShop(scope.context, 'second.myshopify.com')).toBeNull()
  })

  test('once disconnected has no token and still belongs to its merchant', async () => {
    const { scope, shop } = await connected()
    await disconnectStore(scope)
    await disconnectStore(scope)
    expect(await tokensOf(scope)).toMatchObject({ access_token: null, refresh_token: null, status: 'disconnected' })
    expect(await findMerchantByShop(scope.context, shop)).toBe(scope.merchantId)
    await connectSandboxStore(scope, shop)
    expect(await findStore(scope)).toMatchObject({ status: 'connected', disconnected_at: null })
  })

  test('has its tokens encrypted again when the key is replaced', async () => {
    const { scope } = await connected()
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'okaeri-keys-'))
    const file = path.join(folder, 'secrets.json')
    readOrMakeSecrets(file)
    const before = createKeyring(readOrMakeSecrets(file))
    const plain = scope.context.keyring.decrypt((await tokensOf(scope)).access_token ?? '')
    await scope.context.db
      .updateTable('store_connections')
      .set({ access_token: before.encrypt(plain), refresh_token: before.encrypt('r') })
      .where('merchant_id', '=', scope.merchantId)
      .execute()
    await scope.context.db.deleteFrom('store_connections').where('merchant_id', '<>', scope.merchantId).execute()
    addEncryptionKey(file)
    const keyring = createKeyring(readOrMakeSecrets(file))
    expect(await reencryptStoreTokens({ ...scope.context, keyring })).toBe(1)
    expect(await reencryptStoreTokens({ ...scope.context, keyring })).toBe(0)
    const after = (await tokensOf(scope)).access_token ?? ''
    expect(after.split('.')[1]).toBe('k2')
    expect(keyring.decrypt(after)).toBe(plain)
    fs.rmSync(folder, { recursive: true })
  })
})

test('a merchant without a store gets that reason', async () => {
  const scope = (await okaeri.merchant()).scope()
  await expect(getStoreClient(scope)).rejects.toMatchObject({ code: 'conflict', reason: 'store_not_connected' })
  expect(await presentStore(scope)).toBeNull()
})
