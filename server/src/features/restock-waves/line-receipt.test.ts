import { listRestocks } from '@okaeri/contract/restocks/routes'
import { beforeAll, expect, test } from 'vitest'
import {
  befriend,
  connectLine,
  openLineAccount,
  type PlayedAccount,
  type PlayedUser,
  playLine,
} from '../../../test/line-platform.ts'
import { SHOP } from '../../../test/sandbox-store.ts'
import { merchant, okaeri, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { setOnlineStock } from '../catalog/index.ts'
import { linkFriend } from '../line-friends/index.ts'
import { sealAccessToken } from '../visitors/token.ts'
import { LINE_RECEIPTS_A_DAY } from './registration.ts'
import { changeRestockSettings } from './settings.ts'

withSandboxStore({ seed: { customers: 0, products: 4, orders: 0 } })

let account: PlayedAccount
let people: PlayedUser[]
let product = 0
let title = ''
const VARIANT = 'M / 藍'
const variants: number[] = []
beforeAll(async () => {
  await okaeri.settle()
  account = await openLineAccount('再入荷の店')
  await connectLine(merchant, account)
  people = (await playLine<{ data: PlayedUser[] }>(`users.json?limit=50&account=${account.id}`)).data.filter(
    ({ sentinel }) => sentinel === null,
  )
  const rows = await okaeri.query<{ product: number; variant: number; title: string }>`
    select v.store_product_id as product, v.store_variant_id as variant, p.title from product_variants v
    join products p on p.merchant_id = v.merchant_id and p.store_product_id = v.store_product_id and p.status = 'ACTIVE'
    where v.merchant_id = ${merchant.id} order by 1, 2`
  product = rows[0]?.product ?? 0
  title = rows[0]?.title ?? ''
  variants.push(...rows.filter((row) => row.product === product).map(({ variant }) => variant))
  await okaeri.query`update product_variants set title = ${VARIANT} where merchant_id = ${merchant.id} and store_variant_id = ${variants[0] ?? 0}`
  await setOnlineStock(
    merchant.scope(),
    variants.map((storeVariantId) => ({ storeVariantId, quantity: 0 })),
  )
})

let number = 0
/** A customer who is a friend on LINE, on a page of the shop. */
async function aFriend(): Promise<{ token: string; user: PlayedUser; customerId: string }> {
  const email = `friend-${(number += 1)}@example.jp`
  await play('customers.json', { first_name: '花子', email })
  await okaeri.settle()
  const rows = await okaeri.query<{ id: string }>`
    select id from customers where merchant_id = ${merchant.id} and email_key = ${email}`
  const customerId = rows[0]?.id ?? ''
  const user = people[number] as PlayedUser
  await befriend(okaeri, merchant, account, [user])
  await linkFriend(merchant.scope(), user.user_id, customerId, { moves: true })
  const token = sealAccessToken(okaeri.context, {
    merchantId: merchant.id,
    shopDomain: SHOP,
    origin: new URL(sandbox.url).origin,
    storeCustomerId: null,
    holder: { customerId },
  })
  return { token, user, customerId }
}
const register = async (token: string): Promise<number> =>
  (
    await fetch(`${okaeri.url}/frontend/line/restock/?shop=${SHOP}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        origin: new URL(sandbox.url).origin,
      },
      body: JSON.stringify({ product_id: String(product), variant_id: String(variants[0]) }),
    })
  ).status
/** The receipts in a person's chat. */
async function textsTo({ user_id }: PlayedUser): Promise<string[]> {
  const chat = await playLine<unknown>(`users/${user_id}/chat.json?account=${account.id}`)
  return JSON.stringify(chat).match(/[^"]*再入荷したら、登録した順にLINEで[^"]*/g) ?? []
}
const registrations = async (customerId: string): Promise<string[]> =>
  (
    await okaeri.query<{ status: string }>`
      select status from restock_requests where merchant_id = ${merchant.id} and customer_id = ${customerId} order by id`
  ).map(({ status }) => status)

test('who registers by LINE reads there that they are registered, once however often they press, and can cancel by its link', async () => {
  const { token, user, customerId } = await aFriend()
  expect(await Promise.all([register(token), register(token)])).toEqual([200, 200])
  expect(await register(token)).toBe(200)
  await okaeri.settle()
  await okaeri.settle()
  const [text = '', ...more] = await textsTo(user)
  expect(more).toEqual([])
  expect(text).toContain(`「${title} / ${VARIANT}」`)
  const link = new URL(/https?:[^\s"\\]+\/r\/[\w-]+/.exec(text)?.[0] ?? 'none:')
  const opened = await fetch(`${okaeri.url}${link.pathname}`, { redirect: 'manual' })
  const page = new URL(opened.headers.get('location') ?? 'none:')
  const shown = await fetch(`${okaeri.url}${page.pathname}${page.search}`)
  expect(await shown.text()).toContain('登録を取り消す')
  expect(await registrations(customerId)).toEqual(['active'])
  const { data } = await merchant.call(listRestocks, { query: { customer_id: customerId } })
  expect(data).toMatchObject([{ restock_type: 'line', line_customer_id: user.user_id }])
  await fetch(`${okaeri.url}/pages/restock`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ token: page.searchParams.get('token') ?? '', choice: 'cancel' }),
  })
  expect(await registrations(customerId)).toEqual(['deleted'])
  // Registered once more they read it once more.
  okaeri.advance(60_000)
  await setOnlineStock(merchant.scope(), [{ storeVariantId: variants[0] ?? 0, quantity: 0 }])
  expect(await register(token)).toBe(200)
  await okaeri.settle()
  expect(await textsTo(user)).toHaveLength(2)
})

test('it goes through the ledger: a person who blocked the account meanwhile is skipped', async () => {
  const { token, customerId } = await aFriend()
  await register(token)
  await okaeri.query`update line_friends set is_friend = false where merchant_id = ${merchant.id} and customer_id = ${customerId}`
  await okaeri.settle()
  const rows = await okaeri.query`
    select kind, channel, status from deliveries where merchant_id = ${merchant.id} and customer_id = ${customerId}`
  expect(rows).toEqual([{ kind: 'receipt', channel: 'line', status: 'skipped' }])
})

test('where the merchant wants none, nothing is sent by LINE, and the mail is another matter', async () => {
  const { token, user, customerId } = await aFriend()
  await changeRestockSettings(merchant.scope(), { sends_line_receipt: false })
  expect(await register(token)).toBe(200)
  await okaeri.settle()
  expect([await textsTo(user), await registrations(customerId)]).toEqual([[], ['active']])
  await changeRestockSettings(merchant.scope(), { sends_line_receipt: true })
})

test('who registers and takes it back all day does not use up the merchant’s messages of the month', async () => {
  const { token, customerId } = await aFriend()
  for (let times = 0; times < LINE_RECEIPTS_A_DAY + 3; times += 1) {
    okaeri.advance(1000)
    expect(await register(token)).toBe(200)
    await okaeri.query`update restock_requests set status = 'deleted' where merchant_id = ${merchant.id} and customer_id = ${customerId}`
  }
  expect(await registrations(customerId)).toHaveLength(LINE_RECEIPTS_A_DAY + 3)
  const rows =
    await okaeri.query`select from deliveries where merchant_id = ${merchant.id} and customer_id = ${customerId}
    and kind = 'receipt'`
  expect(rows).toHaveLength(LINE_RECEIPTS_A_DAY)
})
