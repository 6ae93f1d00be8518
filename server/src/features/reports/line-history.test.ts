import { NO_PARAMETERS } from '@okaeri/contract/campaigns/campaign'
import { downloadLineHistories, type LineHistoryFilter, listLineHistories } from '@okaeri/contract/line-messages/routes'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { aLineMessage } from '../../../test/builders/line-message.ts'
import { befriend, connectLine, openLineAccount, ordinaryPeople, type PlayedUser } from '../../../test/line-platform.ts'
import { EMPTY, eachWithMerchant, merchant, okaeri, withSandbox } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { prepareLine } from '../channels/index.ts'
import { freezeAudience, freezeMessage, releaseMessage } from '../deliveries/index.ts'
import { findLineMessage } from '../line-messages/index.ts'
import { campaignProgram } from '../stats/index.ts'

withSandbox({ seed: EMPTY })
eachWithMerchant()

let friends: PlayedUser[]
let summer: string
let autumn: string
const DAY_MS = 86_400_000

/** To every customer, friends and others. */
async function send(lineMessageId: string): Promise<void> {
  const scope = merchant.scope()
  const campaignId = newId()
  const message = await findLineMessage(scope, lineMessageId)
  if (!message) throw new Error('there is no such LINE message')
  const tracking = { enabled: false, parameters: NO_PARAMETERS }
  const content = await prepareLine(scope, message, tracking)
  const messageId = await freezeMessage(scope, content, { program: campaignProgram(campaignId) })
  await freezeAudience(scope, { campaignId, messageId, where: sql`true`, sendToAll: false })
  await releaseMessage(scope, messageId)
  await okaeri.settle()
}
const history = (query: LineHistoryFilter & { limit?: number; offset?: number } = {}) =>
  merchant.call(listLineHistories, { query })

beforeEach(async () => {
  const account = await openLineAccount('履歴の店')
  await connectLine(merchant, account)
  friends = await ordinaryPeople(account, 3)
  await befriend(okaeri, merchant, account, friends)
  await okaeri.query`insert into customers (merchant_id, id, display_name, created_at, updated_at)
    values (${merchant.id}, ${newId()}, '連携 なし', now(), now())`
  summer = (await aLineMessage(merchant)).id
  autumn = (await aLineMessage(merchant, [{ type: 'text', text: '秋の新茶 {{ customer.greeting }}' }], '秋')).id
  await send(summer)
  okaeri.advance(DAY_MS)
  await send(autumn)
})

test('what was sent by LINE is listed newest first, with whom it went to, what they got and why not', async () => {
  const { data, total } = await history()
  expect(total).toBe(8)
  expect(data.map(({ id }) => id)).toEqual(
    data
      .map(({ id }) => id)
      .toSorted()
      .toReversed(),
  )
  expect(data[0]).toMatchObject({
    channel: 'line',
    line_message_id: autumn,
    line_message_name: '秋',
    line_message_deleted: false,
    email_id: null,
  })
  const [skipped] = (await history({ line_message_id: summer, status: 'skipped' })).data
  expect(skipped).toMatchObject({
    reason: 'not_linked',
    customer_name: '連携 なし',
    recipient: null,
    subject: '夏の新茶が届きました',
    sent_at: null,
  })
  const sent = (await history({ line_message_id: summer, status: 'sent', kind: 'campaign' })).data
  expect(new Set(sent.map(({ recipient }) => recipient))).toEqual(new Set(friends.map(({ name }) => name)))
  const personal = (await history({ line_message_id: autumn, status: 'sent' })).data
  for (const { subject, recipient } of personal) expect(subject).toBe(`秋の新茶 ${recipient} 様`)
  expect((await history({ kind: 'test' })).total).toBe(0)
  expect((await history({ limit: 2, offset: 2 })).data).toEqual(data.slice(2, 4))
})

test('names and days narrow it, a file holds the same, and another merchant sees nothing of it', async () => {
  const [friend] = friends as [PlayedUser]
  expect((await history({ q: friend.name })).data.map(({ recipient }) => recipient)).toEqual([friend.name, friend.name])
  expect((await history({ q: '連携' })).total).toBe(2)
  expect((await history({ q: '%' })).total).toBe(0)
  const days = (await history()).data.map(({ sent_at, created_at }) =>
    new Date(sent_at ?? created_at).toLocaleDateString('sv-SE', { timeZone: 'Asia/Tokyo' }),
  )
  const [last, first] = [days[0], days.at(-1)] as [string, string]
  expect((await history({ from: last })).total).toBe(4)
  expect((await history({ to: first })).total).toBe(4)
  expect((await history({ from: first, to: last })).total).toBe(8)
  await expect(history({ from: last, to: first })).rejects.toMatchObject({ status: 400, fields: { to: 'too_small' } })

  const file = await merchant.call(downloadLineHistories, { query: { status: 'sent', lang: 'ja' } })
  const lines = String(file).trim().split('\r\n')
  expect(lines).toHaveLength(7)
  expect(lines[0]).toContain('LINEの表示名')
  expect(lines[1]).toMatch(/,秋,.*,配信済み,/)

  const other = await okaeri.merchant()
  expect((await other.call(listLineHistories, {})).total).toBe(0)
})
