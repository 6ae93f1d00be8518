import { createHmac } from 'node:crypto'
import { getCustomer, getTimeline, listCustomers } from '@okaeri/contract/customers/routes'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { aCustomer } from '../../../test/builders/customer.ts'
import { holdAnswersOf } from '../../../test/held-answers.ts'
import { holdRows } from '../../../test/locks.ts'
import {
  connectLine,
  deliverLineEvents,
  firstLineAccount,
  lineEvent,
  openLineAccount,
  type PlayedUser,
  playLine,
} from '../../../test/line-platform.ts'
import { account, withLineAccounts } from '../../../test/with-line.ts'
import { merchant, okaeri, sandbox } from '../../../test/with-okaeri.ts'
import { disconnectLine, setLineWebhook } from '@okaeri/contract/line-accounts/routes'
import { eraseCustomer } from '@okaeri/contract/privacy/routes'
import { createLine } from '../../integrations/line/index.ts'
import { getLineToken } from '../line-accounts/index.ts'
import {
  lineAddress,
  linkFriend,
  recordLoginPerson,
  readFollowersLater,
  unlinkFriend,
  whyNotReachableByLine,
} from './index.ts'

withLineAccounts('友だちの店')

const USER = `U${'1'.repeat(32)}`
const deliver = async (...events: Record<string, unknown>[]) => {
  const response = await deliverLineEvents(okaeri, merchant, account, events)
  return [response.status, ((await response.json()) as { stored?: number }).stored]
}
const friends = async () =>
  await okaeri.query<{ line_user_id: string; is_friend: boolean; blocked: boolean; customer_id: string | null }>`
      select line_user_id, is_friend, blocked_at is not null as blocked, customer_id from line_friends
      where merchant_id = ${merchant.id} order by line_user_id`

const connectedOf = async (id: string) => (await merchant.call(getCustomer, { params: { id } })).customer.line_connected
const people = async () => (await merchant.call(listCustomers, {})).data

test('who follows becomes a customer who is connected, and is not while they block', async () => {
  const at = Date.now()
  expect(await deliver(lineEvent(USER, 'follow', { at }))).toEqual([200, 1])
  expect(await friends()).toEqual([])
  await okaeri.settle()
  const [friend] = await friends()
  expect(friend).toMatchObject({ line_user_id: USER, is_friend: true, blocked: false })
  expect(await connectedOf(friend?.customer_id ?? '')).toBe(true)
  await deliver(lineEvent(USER, 'unfollow', { at: at + 1000 }))
  await okaeri.settle()
  expect(await friends()).toMatchObject([{ is_friend: false, blocked: true, customer_id: friend?.customer_id }])
  expect(await connectedOf(friend?.customer_id ?? '')).toBe(false)
  await deliver(lineEvent(USER, 'follow', { at: at + 2000 }))
  await okaeri.settle()
  expect(await friends()).toMatchObject([{ is_friend: true, blocked: false }])
  expect(await people()).toHaveLength(1)
})

test('an event that comes again, or late, changes nothing', async () => {
  const at = Date.now()
  const blocked = lineEvent(USER, 'unfollow', { at: at + 5000 })
  await deliver(blocked)
  await okaeri.settle()
  expect(await deliver(blocked, { ...blocked, deliveryContext: { isRedelivery: true } })).toEqual([200, 0])
  await deliver(lineEvent(USER, 'follow', { at }))
  await okaeri.settle()
  expect(await friends()).toMatchObject([{ is_friend: false, blocked: true }])
  expect(await people()).toEqual([])
})

test('events that come together in any order end as they happened', async () => {
  const at = Date.now()
  await deliver(
    lineEvent(USER, 'follow', { at: at + 3000 }),
    lineEvent(USER, 'unfollow', { at: at + 2000 }),
    lineEvent(USER, 'follow', { at }),
  )
  await okaeri.settle()
  expect(await friends()).toMatchObject([{ is_friend: true, blocked: false }])
})

test('what is unknown, in standby or from a group is kept without effect', async () => {
  const events = [
    lineEvent(USER, 'somethingNew'),
    { ...lineEvent(USER, 'follow'), mode: 'standby' },
    { ...lineEvent(USER, 'message'), source: { type: 'group', groupId: 'C1', userId: USER } },
  ]
  expect(await deliver(...events)).toEqual([200, 3])
  expect(await deliver()).toEqual([200, 0])
  await okaeri.settle()
  expect(await friends()).toEqual([])
  const rows =
    await okaeri.query`select from line_events where merchant_id = ${merchant.id} and processed_at is not null
    and error is null`
  expect(rows).toHaveLength(3)
})

test('a person who writes is a friend, also where no event said so', async () => {
  await deliver(lineEvent(USER, 'message', { message: { type: 'text', id: '1', text: 'こんにちは' }, replyToken: 'r' }))
  await okaeri.settle()
  expect(await friends()).toMatchObject([{ is_friend: true }])
})

test.each<[string, (body: string) => { body?: string; headers?: Record<string, string> }]>([
  ['nothing', () => ({ headers: { 'x-line-signature': '' } })],
  [
    'another secret',
    (body) => ({ headers: { 'x-line-signature': createHmac('sha256', 'x').update(body).digest('base64') } }),
  ],
  ['other bytes', (body) => ({ body: `${body} ` })],
])('what is signed by %s is refused, and nothing is stored', async (_, forge) => {
  const body = JSON.stringify({ destination: account.bot_user_id, events: [lineEvent(USER, 'follow')] })
  const signature = createHmac('sha256', account.channel_secret).update(body).digest('base64')
  const forged = forge(body)
  const response = await fetch(`${okaeri.url}/line/webhook/${merchant.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-line-signature': signature, ...forged.headers },
    body: forged.body ?? body,
  })
  expect(response.status).toBe(401)
  await okaeri.settle()
  expect(await friends()).toEqual([])
})

test('a merchant without LINE, and one that does not exist, answer alike', async () => {
  const other = await okaeri.merchant()
  const received = async (id: string) => {
    const response = await deliverLineEvents(okaeri, { ...other, id }, account, [lineEvent(USER, 'follow')])
    return [response.status, await response.text()]
  }
  expect(await received(other.id)).toEqual(await received('01890000-0000-7000-8000-000000000000'))
})

test.each([
  ['no JSON', '{', 400],
  ['no events', '{"destination":"U1"}', 400],
  ['events that are none', '{"events":[1,null,"x",{},{"webhookEventId":"a","type":"follow","timestamp":-1}]}', 200],
  [
    'a NUL',
    '{"events":[{"webhookEventId":"a\\u0000b","type":"follow","timestamp":1,"source":{"type":"user","userId":"U\\u0000"}}]}',
    200,
  ],
  ['nested deep', `{"events":[${'['.repeat(20_000)}${']'.repeat(20_000)}]}`, 200],
  [
    'an event nested deep',
    `{"events":[{"webhookEventId":"a","type":"follow","timestamp":1,"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}]}`,
    400,
  ],
])('%s has a clear answer', async (_, body, status) => {
  const response = await fetch(`${okaeri.url}/line/webhook/${merchant.id}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-line-signature': createHmac('sha256', account.channel_secret).update(body).digest('base64'),
    },
    body,
  })
  expect(response.status).toBe(status)
  await okaeri.settle()
})

test('webhooks that come at once share commits, and each has an answer of its own', async () => {
  const send = async (events: readonly Record<string, unknown>[], secret = account.channel_secret) => {
    const signedBy = { ...account, channel_secret: secret }
    const response = await deliverLineEvents(okaeri, merchant, signedBy, events)
    return [response.status, ((await response.json()) as { stored?: number }).stored]
  }
  const received = lineEvent(USER, 'somethingNew')
  const answers = await Promise.all([
    send([received, lineEvent(USER, 'follow')]),
    send([received]),
    send([lineEvent(USER, 'follow')], 'another secret'),
    send([]),
    ...Array.from({ length: 200 }, () => send([lineEvent(USER, 'message')])),
  ])
  const [first, second, ...others] = answers
  expect([first[0], second[0], Number(first[1]) + Number(second[1])]).toEqual([200, 200, 2])
  expect(others.slice(0, 2)).toEqual([
    [401, undefined],
    [200, 0],
  ])
  expect(others.slice(2)).toEqual(Array.from({ length: 200 }, () => [200, 1]))
  const rows = await okaeri.query<{ events: number; commits: number }>`
    select count(*)::int as events, count(distinct xmin::text)::int as commits from line_events
    where merchant_id = ${merchant.id} and processed_at is null`
  expect(rows[0]?.events).toBe(202)
  expect(rows[0]?.commits).toBeLessThan(100)
})

test('what claims to be from the future holds nothing off', async () => {
  await deliver(lineEvent(USER, 'unfollow', { at: Date.now() + 365 * 86_400_000 }))
  await okaeri.settle()
  const rows = await okaeri.query<{
    ahead: boolean
  }>`select changed_at > now() + interval '10 minutes' as ahead from line_friends
    where merchant_id = ${merchant.id}`
  expect(rows).toEqual([{ ahead: false }])
})

test('hundreds of new friends of one morning, more than two batches, are all taken in', async () => {
  const ids = Array.from({ length: 250 }, (_, n) => `U${String(n).padStart(32, '0')}`)
  expect(await deliver(...ids.map((id) => lineEvent(id, 'follow')))).toEqual([200, 250])
  await okaeri.settle()
  expect((await friends()).filter(({ is_friend }) => is_friend)).toHaveLength(250)
})

test('the platform’s own friends: those of before are read, names come, and a block on the phone arrives', async () => {
  const first = await firstLineAccount()
  const owner = await okaeri.merchant()
  await connectLine(owner, first)
  await owner.call(setLineWebhook, {})
  await okaeri.settle()
  const { data } = await playLine<{ data: PlayedUser[] }>('users.json?limit=1000')
  const played = data.filter(({ friendship }) => friendship === 'friend')
  const known = async () =>
    await okaeri.query<{ line_user_id: string; display_name: string | null; name: string }>`
        select f.line_user_id, f.display_name, c.display_name as name from line_friends f
        join customers c on c.merchant_id = f.merchant_id and c.id = f.customer_id
        where f.merchant_id = ${owner.id} and f.is_friend order by 1`

  expect((await known()).map(({ line_user_id }) => line_user_id)).toEqual(
    played.map(({ user_id }) => user_id).toSorted(),
  )
  expect((await known()).every(({ display_name, name }) => display_name !== null && display_name === name)).toBe(true)
  const person = played.find(({ sentinel }) => !sentinel) as PlayedUser
  await playLine(`users/${person.user_id}/block.json`, {})
  await okaeri.settle()
  expect((await known()).map(({ line_user_id }) => line_user_id)).not.toContain(person.user_id)
})

test('a revoked token is noticed when names are read, and renewed', async () => {
  const old = await getLineToken(merchant.scope())
  await playLine(`accounts/${account.id}/settings.json`, { revoke_tokens: true })
  await deliver(lineEvent(USER, 'follow'))
  await okaeri.settle()
  expect(await getLineToken(merchant.scope())).not.toBe(old)
})

test('a friend who turns out to be a customer of the store becomes one with them', async () => {
  await deliver(lineEvent(USER, 'follow'))
  await okaeri.settle()
  const [friend] = await friends()
  const { id: customer } = await aCustomer(merchant, 'hanako@line.test')
  await linkFriend(merchant.scope(), USER, customer)
  await linkFriend(merchant.scope(), USER, customer)
  expect(await friends()).toMatchObject([{ customer_id: customer }])
  expect((await people()).map(({ id }) => id)).toEqual([customer])
  expect(await connectedOf(customer)).toBe(true)
  expect(friend?.customer_id).not.toBe(customer)

  const { id: other } = await aCustomer(merchant, 'jiro@line.test')
  await expect(linkFriend(merchant.scope(), USER, other)).rejects.toMatchObject({ reason: 'line_account_taken' })
  const second = `U${'2'.repeat(32)}`
  await deliver(lineEvent(second, 'follow'))
  await okaeri.settle()
  await expect(linkFriend(merchant.scope(), second, customer)).rejects.toMatchObject({ reason: 'line_account_taken' })
  expect((await friends()).map(({ customer_id }) => customer_id)).toEqual([
    customer,
    expect.not.stringMatching(customer),
  ])
})

test('linking that meets the search index, which is written in another order, is tried again', async () => {
  await deliver(lineEvent(USER, 'follow'))
  await okaeri.settle()
  const former = (await friends())[0]?.customer_id
  const { id: customer } = await aCustomer(merchant, 'hanako@line.test')
  const lock = `select from customer_search where merchant_id = $1 and customer_id = $2 for update`
  const index = await holdRows(okaeri, lock, [merchant.id, former])
  const linked = linkFriend(merchant.scope(), USER, customer)
  await index.wanted()
  // Each has what the other wants: PostgreSQL ends the one that has waited longer.
  await Promise.allSettled([index.run(lock, [merchant.id, customer])])
  await index.release()
  expect(await linked).toBe(true)
  expect((await people()).map(({ id }) => id)).toEqual([customer])
})

test('a LINE account that moves to another customer leaves its holder, and the account they had is free', async () => {
  const second = `U${'2'.repeat(32)}`
  await deliver(lineEvent(USER, 'follow'), lineEvent(second, 'follow'))
  await okaeri.settle()
  const { id: hanako } = await aCustomer(merchant, 'hanako@line.test')
  const { id: jiro } = await aCustomer(merchant, 'jiro@line.test')
  await linkFriend(merchant.scope(), USER, hanako)
  await linkFriend(merchant.scope(), second, jiro)
  await linkFriend(merchant.scope(), USER, jiro, { moves: true })
  const held = new Map((await friends()).map(({ line_user_id, customer_id }) => [line_user_id, customer_id]))
  expect(held.get(USER)).toBe(jiro)
  expect([hanako, jiro, null]).not.toContain(held.get(second))
  expect(await connectedOf(hanako)).toBe(false)
  expect(await connectedOf(jiro)).toBe(true)
  expect(await connectedOf(held.get(second) as string)).toBe(true)
  const kinds = async (id: string) =>
    (await merchant.call(getTimeline, { params: { id }, query: { part: 'permissions' } })).data.map(({ kind }) => kind)
  expect((await kinds(hanako)).toSorted()).toEqual(['line_linked', 'line_unlinked'])
})

test('who unlinks stays a friend, as a customer known by LINE only; linking again makes them one again', async () => {
  await deliver(lineEvent(USER, 'follow'))
  await okaeri.settle()
  const { id: customer } = await aCustomer(merchant, 'hanako@line.test')
  await linkFriend(merchant.scope(), USER, customer)
  expect(await unlinkFriend(merchant.scope(), customer)).toBe(true)
  expect(await unlinkFriend(merchant.scope(), customer)).toBe(false)
  const [friend] = await friends()
  expect(friend).toMatchObject({ is_friend: true, customer_id: expect.not.stringMatching(customer) })
  expect(await connectedOf(customer)).toBe(false)
  expect(await unlinkFriend(merchant.scope(), friend?.customer_id as string)).toBe(false)
  await linkFriend(merchant.scope(), USER, customer)
  expect((await people()).map(({ id }) => id)).toEqual([customer])
})

test('a person who logged in and is no friend may not be written to', async () => {
  const { id: customer } = await aCustomer(merchant, 'hanako@line.test')
  await recordLoginPerson(merchant.scope(), USER, { displayName: 'はなこ', pictureUrl: null })
  await linkFriend(merchant.scope(), USER, customer)
  expect(await friends()).toMatchObject([{ customer_id: customer, is_friend: false }])
  expect(await connectedOf(customer)).toBe(false)
  await unlinkFriend(merchant.scope(), customer)
  expect(await friends()).toMatchObject([{ customer_id: null }])
})

test('what people do is published once, with what they wrote or tapped', async () => {
  const publish = vi.spyOn(okaeri.context, 'publish')
  const received = () =>
    publish.mock.calls
      .map(([, name, fact]) => ({ name, ...fact }))
      .filter(({ name }) => name.startsWith('line.') && name !== 'line.received') as Record<string, unknown>[]
  const at = Date.now()
  const events = [
    lineEvent(USER, 'follow', { at }),
    lineEvent(USER, 'message', { at: at + 1, message: { type: 'text', id: '1', text: 'クーポン' } }),
    lineEvent(USER, 'message', { at: at + 2, message: { type: 'sticker', id: '2' } }),
    lineEvent(USER, 'postback', { at: at + 3, postback: { data: 'menu=1' } }),
    lineEvent(USER, 'unfollow', { at: at + 4 }),
    lineEvent(USER, 'follow', { at: at + 1 }),
  ]
  await deliver(...events)
  await deliver(...events)
  await okaeri.settle()
  const customerId = (await friends())[0]?.customer_id
  expect(received().toSorted((one, other) => Number(one['at']) - Number(other['at']))).toMatchObject([
    { name: 'line.followed', customerId, lineUserId: USER },
    { name: 'line.message', customerId, text: 'クーポン' },
    { name: 'line.message', customerId, text: null },
    { name: 'line.postback', customerId, data: 'menu=1' },
    { name: 'line.blocked', customerId },
  ])
  publish.mockRestore()
})

test('friends of one account are none of another that takes its place, and are again when it comes back', async () => {
  const at = Date.now()
  const [stays, comes] = [USER, `U${'2'.repeat(32)}`]
  await deliver(lineEvent(stays, 'follow', { at }))
  await okaeri.settle()
  const [friend] = await friends()
  const other = await openLineAccount('次の店')
  await connectLine(merchant, other)
  await okaeri.settle()
  expect(await friends()).toMatchObject([{ line_user_id: stays, is_friend: false, blocked: false }])
  expect(await connectedOf(friend?.customer_id ?? '')).toBe(false)
  await deliverLineEvents(okaeri, merchant, other, [lineEvent(comes, 'follow', { at: at + 1000 })])
  await okaeri.settle()
  await connectLine(merchant, account)
  await okaeri.settle()
  expect(await friends()).toMatchObject([
    { line_user_id: stays, is_friend: true },
    { line_user_id: comes, is_friend: false },
  ])
  expect(await connectedOf(friend?.customer_id ?? '')).toBe(true)
  // What only ends and begins again is the same account.
  await merchant.call(disconnectLine, {})
  await connectLine(merchant, account)
  await okaeri.settle()
  expect(await friends()).toMatchObject([{ is_friend: true }, { is_friend: false }])
})

test('who may be written to on LINE is their friendship alone', async () => {
  const users = ['1', '2', '3'].map((digit) => `U${digit.repeat(32)}`) as [string, string, string]
  await deliver(...users.map((user) => lineEvent(user, 'follow', { at: Date.now() })))
  await deliver(lineEvent(users[1], 'unfollow', { at: Date.now() + 1 }))
  await okaeri.settle()
  const { db } = okaeri.context
  await sql`update line_friends set is_friend = false where merchant_id = ${merchant.id} and line_user_id = ${users[2]}`.execute(
    db,
  )
  const stranger = (await aCustomer(merchant, 'stranger@line.test')).id
  const reach = async (ofMany: boolean) =>
    (
      await sql<{ id: string; address: string | null; reason: string | null }>`
        select c.id, ${lineAddress(merchant.id)} as address, ${whyNotReachableByLine(merchant.id, { ofMany })} as reason
        from customers c where c.merchant_id = ${merchant.id} order by c.id`.execute(db)
    ).rows
  const of = new Map((await reach(false)).map(({ id, address, reason }) => [id, [address, reason]]))
  const ids = new Map((await friends()).map(({ line_user_id, customer_id }) => [line_user_id, customer_id]))
  expect([...users.map((user) => of.get(ids.get(user) ?? '')), of.get(stranger)]).toEqual([
    [users[0], null],
    [null, 'blocked'],
    [null, 'not_a_friend'],
    [null, 'not_linked'],
  ])
  expect(await reach(true)).toEqual(await reach(false))
})

test('the page of a customer shows their LINE account and what they did there', async () => {
  const at = Date.now() - 10_000
  const say = (text: string | null, later: number) =>
    lineEvent(USER, 'message', {
      at: at + later,
      message: text === null ? { type: 'sticker', id: '1' } : { type: 'text', id: '1', text },
    })
  await deliver(lineEvent(USER, 'follow', { at }), say('在庫は\nありますか', 1), say(null, 2))
  await deliver(lineEvent(USER, 'postback', { at: at + 3, postback: { data: 'a=1' } }))
  await deliver({ ...say('返事は人がする', 4), mode: 'standby' }, lineEvent(USER, 'unfollow', { at: at + 5 }))
  await okaeri.settle()
  const id = (await friends())[0]?.customer_id ?? ''
  expect((await merchant.call(getCustomer, { params: { id } })).line).toMatchObject({
    is_friend: false,
    friend_since: new Date(at).toISOString(),
    blocked_at: new Date(at + 5).toISOString(),
    last_contact_at: new Date(at + 3).toISOString(),
  })
  const { data } = await merchant.call(getTimeline, { params: { id }, query: { part: 'line' } })
  expect(data).toMatchObject([
    { kind: 'line_blocked' },
    { kind: 'line_tapped', data: 'a=1' },
    { kind: 'line_wrote', text: null },
    { kind: 'line_wrote', text: '在庫は\nありますか' },
    { kind: 'line_followed' },
  ])
  const { id: stranger } = await aCustomer(merchant, 'nobody@line.test')
  expect((await merchant.call(getCustomer, { params: { id: stranger } })).line).toBeNull()
})

test('who was forgotten comes back by what they do afterwards only', async () => {
  const at = Date.now() - 60_000
  const said = lineEvent(USER, 'message', { at, message: { type: 'text', id: '1', text: '内緒です' } })
  await deliver(lineEvent(USER, 'follow', { at }), said)
  await okaeri.settle()
  const customerId = (await friends())[0]?.customer_id ?? ''
  await merchant.call(eraseCustomer, { params: { id: customerId }, body: { confirm: true } })
  await okaeri.settle()
  expect(await friends()).toEqual([])
  await deliver(said)
  await okaeri.settle()
  const rows = await okaeri.query`select from line_events where merchant_id = ${merchant.id}`
  expect([await friends(), rows]).toEqual([[], []])
  await deliver(
    lineEvent(USER, 'message', { at: Date.now() + 1000, message: { type: 'text', id: '2', text: 'また来ました' } }),
  )
  await okaeri.settle()
  expect(await friends()).toMatchObject([{ is_friend: true }])
})

test('events of the former account, stored or just arriving, make no friends of the new one', async () => {
  await okaeri.settle()
  const others = (await playLine<{ data: PlayedUser[] }>(`users.json?limit=3&account=${account.id}`)).data
  for (const { user_id } of others) await playLine(`users/${user_id}/follow.json?account=${account.id}`, {})
  const { line } = okaeri.context.integrations
  const held = await holdAnswersOf(`${sandbox.url}/line/api`)
  const slow = createLine({ apiUrl: held.url, dataApiUrl: held.url, accessUrl: held.url })
  okaeri.context.integrations.line = { ...line, account: slow.account }
  try {
    await readFollowersLater(merchant.scope())
    const asked = held.hold('/v2/bot/followers/ids')
    const read = okaeri.settle()
    const letGo = await asked
    await deliver(lineEvent(USER, 'follow'))
    await connectLine(merchant, await openLineAccount('次の店'))
    letGo()
    await read
  } finally {
    okaeri.context.integrations.line = line
    await slow.close()
    await held.close()
  }
  await okaeri.settle()
  expect((await friends()).filter(({ is_friend }) => is_friend)).toEqual([])
})
