import { listExecutions } from '@okaeri/contract/scenarios/execution'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { beforeEach, expect, test } from 'vitest'
import {
  connectLine,
  deliverLineEvents,
  lineEvent,
  openLineAccount,
  type PlayedAccount,
} from '../../../test/line-platform.ts'
import { addScenario, asleep, flowOf } from '../../../test/scenarios.ts'
import { eachWithMerchant, EMPTY, merchant, okaeri, withSandbox } from '../../../test/with-okaeri.ts'

withSandbox({ seed: EMPTY })
eachWithMerchant()

const USER = `U${'7'.repeat(32)}`
let account: PlayedAccount
beforeEach(async () => {
  account = await openLineAccount('合図の店')
  await connectLine(merchant, account)
})

const scenario = (trigger: Flow['trigger']): Promise<string> =>
  addScenario(merchant.scope(), flowOf([asleep], { trigger }))
const tell = async (...events: Record<string, unknown>[]): Promise<void> => {
  await deliverLineEvents(okaeri, merchant, account, events)
  await okaeri.settle()
}
const writes = (text: string) => lineEvent(USER, 'message', { message: { type: 'text', id: '1', text } })
const entries = async (id: string) =>
  (await merchant.call(listExecutions, { query: { action_id: id } })).data.map(({ event }) => event?.subject.line_text)

test('adding the official account starts a scenario, once each time', async () => {
  const id = await scenario({ kind: 'line_followed' })
  const at = Date.now()
  const followed = lineEvent(USER, 'follow', { at })
  await tell(followed)
  await tell({ ...followed, deliveryContext: { isRedelivery: true } })
  expect(await entries(id)).toHaveLength(1)
  await tell(lineEvent(USER, 'unfollow', { at: at + 1 }), lineEvent(USER, 'follow', { at: at + 2 }))
  expect(await entries(id)).toHaveLength(2)
})

test.each([
  ['whole', 'クーポン', ['クーポン', ' ｸｰﾎﾟﾝ\n'], ['クーポンください', 'coupon']],
  ['part', 'Coupon', ['クーポン・COUPON', 'ｃｏｕｐｏｎをください'], ['クーポン', 'cou pon']],
] as const)(
  'a message that is, or holds, the keyword starts a scenario (%s)',
  async (match, keyword, meant, others) => {
    const id = await scenario({ kind: 'line_message', keyword, match })
    await tell(...[...others, ...meant].map(writes))
    await tell(lineEvent(USER, 'message', { message: { type: 'sticker', id: '2' } }))
    const started = await entries(id)
    expect(started).toHaveLength(meant.length)
    expect(new Set(started)).toEqual(new Set(meant))
  },
)

test('a scenario without a keyword is started by no message', async () => {
  const id = await scenario({ kind: 'line_message', keyword: '', match: 'part' })
  await tell(writes('何でも'), writes(''))
  expect(await entries(id)).toEqual([])
})
