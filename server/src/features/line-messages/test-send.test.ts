import { disconnectLine } from '@okaeri/contract/line-accounts/routes'
import { addLineTester, findLineFriends, listLineTesters, removeLineTester } from '@okaeri/contract/line-friends/routes'
import { listLineHistories, testSendLineMessage } from '@okaeri/contract/line-messages/routes'
import { beforeEach, expect, test } from 'vitest'
import { aCustomer } from '../../../test/builders/customer.ts'
import { aLineMessage } from '../../../test/builders/line-message.ts'
import {
  befriend,
  connectLine,
  deliverLineEvents,
  lineEvent,
  openLineAccount,
  ordinaryPeople,
  type PlayedAccount,
  type PlayedUser,
  playLine,
} from '../../../test/line-platform.ts'
import { EMPTY, eachWithMerchant, merchant, okaeri, withSandbox } from '../../../test/with-okaeri.ts'
import { exampleCustomer } from '../email-rendering/index.ts'

withSandbox({ seed: EMPTY })
eachWithMerchant()

let account: PlayedAccount
let friends: PlayedUser[]
beforeEach(async () => {
  await okaeri.query`update messages set state = 'done' where merchant_id <> ${merchant.id}`
  account = await openLineAccount('試す店')
  await connectLine(merchant, account)
  friends = await ordinaryPeople(account, 12)
  await befriend(okaeri, merchant, account, friends)
})

const add = (friend: PlayedUser) => merchant.call(addLineTester, { params: { lineUserId: friend.user_id } })
const send = (id: string, to: readonly PlayedUser[], customer_id: string | null = null) =>
  merchant.call(testSendLineMessage, {
    params: { id },
    body: { line_user_ids: to.map(({ user_id }) => user_id), customer_id },
  })
const chatOf = async ({ user_id }: PlayedUser) =>
  JSON.stringify(await playLine(`users/${user_id}/chat.json?account=${account.id}`))
const at = (number: number) => friends[number] as PlayedUser

test('a test goes to the testers chosen, filled in for a customer, once to each', async () => {
  const { id } = await aLineMessage(merchant, [{ type: 'text', text: '{{ customer.last_name }}様へ' }])
  await add(at(0))
  await add(at(1))
  const customer = await aCustomer(merchant, 'sato@shop.test', { first_name: '太郎', last_name: '佐藤' })
  const { deliveries } = await send(id, [at(0), at(1), at(0)], customer.id)
  expect(deliveries.map(({ kind, channel }) => [kind, channel])).toEqual([
    ['test', 'line'],
    ['test', 'line'],
  ])
  await okaeri.settle()
  for (const friend of [at(0), at(1)]) expect((await chatOf(friend)).split('佐藤様へ')).toHaveLength(2)
  expect(await chatOf(at(2))).not.toContain('佐藤様へ')
  const { data } = await merchant.call(listLineHistories, { query: { line_message_id: id, kind: 'test' } })
  expect(new Set(data.map(({ recipient }) => recipient))).toEqual(new Set([at(0).name, at(1).name]))
  expect(data).toMatchObject([1, 2].map(() => ({ status: 'sent', subject: '佐藤様へ', customer_name: '佐藤 太郎' })))
})

test('a test without a chosen customer is filled in for an example', async () => {
  const { id } = await aLineMessage(merchant, [{ type: 'text', text: '{{ customer.last_name }}様へ' }])
  await add(at(0))
  await send(id, [at(0)])
  await okaeri.settle()
  expect(await chatOf(at(0))).toContain(`${exampleCustomer.ja.last_name}様へ`)
})

test('only testers get one, only while they are friends, and only by a channel that is connected', async () => {
  const { id } = await aLineMessage(merchant)
  await add(at(0))
  await expect(send(id, [at(0), at(1)])).rejects.toMatchObject({
    status: 400,
    fields: { 'line_user_ids.1': 'not_a_tester' },
  })
  await expect(send(id, [])).rejects.toMatchObject({ status: 400, fields: { line_user_ids: 'required' } })
  await deliverLineEvents(okaeri, merchant, account, [lineEvent(at(0).user_id, 'unfollow', { at: Date.now() + 1000 })])
  await okaeri.settle()
  await expect(send(id, [at(0)])).rejects.toMatchObject({ fields: { 'line_user_ids.0': 'not_a_tester' } })
  expect((await merchant.call(listLineTesters, {})).testers).toMatchObject([{ is_friend: false }])
  await deliverLineEvents(okaeri, merchant, account, [lineEvent(at(0).user_id, 'follow', { at: Date.now() + 2000 })])
  await okaeri.settle()
  await merchant.call(disconnectLine, {})
  await expect(send(id, [at(0)])).rejects.toMatchObject({ status: 409, reason: 'line_not_connected' })
})

test('friends are found by name and become testers, ten at most, also when pressed twice', async () => {
  const { friends: found } = await merchant.call(findLineFriends, { query: { q: at(3).name } })
  expect(found.map(({ line_user_id }) => line_user_id)).toContain(at(3).user_id)
  expect(found.length).toBeLessThan(4)
  expect((await merchant.call(findLineFriends, { query: { q: '%' } })).friends).toEqual([])
  await Promise.allSettled(friends.map(add))
  expect((await merchant.call(listLineTesters, {})).testers).toHaveLength(10)
  const [{ line_user_id } = { line_user_id: '' }] = (await merchant.call(listLineTesters, {})).testers
  const outside = friends.find(({ user_id }) => user_id !== line_user_id) as PlayedUser
  expect((await merchant.call(addLineTester, { params: { lineUserId: line_user_id } })).testers).toHaveLength(10)
  for (const _ of [1, 2]) await merchant.call(removeLineTester, { params: { lineUserId: line_user_id } })
  expect((await merchant.call(listLineTesters, {})).testers).toHaveLength(9)
  await expect(merchant.call(addLineTester, { params: { lineUserId: `U${'0'.repeat(32)}` } })).rejects.toMatchObject({
    status: 404,
  })
  await expect(merchant.as('viewer')(addLineTester, { params: { lineUserId: outside.user_id } })).rejects.toMatchObject(
    { status: 403 },
  )
})
