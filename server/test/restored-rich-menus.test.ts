import { deactivateRichMenu } from '@okaeri/contract/rich-menus/routes'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aSegment } from './builders/segment.ts'
import { dumpDatabase, restoreDatabase } from './dumps.ts'
import {
  befriend,
  connectLine,
  openLineAccount,
  ordinaryPeople,
  type PlayedAccount,
  type PlayedUser,
} from './line-platform.ts'
import { activateMenu, lineMenus, makeMenu, menusAt } from './rich-menu.ts'
import { eachWithMerchant, EMPTY, merchant, okaeri, withSandbox } from './with-okaeri.ts'
import { releaseSending } from '../src/app/sending-hold.ts'
import { readHold } from '../src/features/deliveries/index.ts'

withSandbox({ seed: EMPTY })
eachWithMerchant()

let account: PlayedAccount
let people: PlayedUser[]
let segmentId: string
beforeEach(async () => {
  account = await openLineAccount('戻された店')
  people = await ordinaryPeople(account, 4)
  await connectLine(merchant, account)
  await befriend(okaeri, merchant, account, people)
  const leaf = { id: 'row', category: 'customer', name: 'tags', operator: 'has', value: ['vip'] }
  segmentId = (await aSegment(merchant, { type: 'condition', ...leaf })).id
  await activateMenu(await makeMenu(undefined, { chat_bar_text: 'みんな' }))
})
let mend = (): void => {}
afterEach(() => mend())

/** Of these people only, as a change of the store would. */
async function tagOnly(who: readonly PlayedUser[]): Promise<void> {
  const rows = await okaeri.query<{ id: string }>`
    update customers c set tags = case when f.line_user_id = any(${who.map(({ user_id }) => user_id)}::text[])
      then array['vip'] else '{}' end from line_friends f
    where f.merchant_id = ${merchant.id} and c.merchant_id = ${merchant.id} and c.id = f.customer_id returning c.id`
  await okaeri.context.publish(merchant.scope(), 'customers.changed', { customerIds: rows.map(({ id }) => id) })
}
/** Changes of members are looked at together, after ten seconds. */
async function followed(): Promise<void> {
  await okaeri.settle()
  okaeri.advance(11_000)
  await okaeri.settle()
}
const vipMenu = (name: string) => makeMenu(undefined, { chat_bar_text: name, segment_id: segmentId })
async function seen(): Promise<(string | null)[]> {
  const { there, shown } = await menusAt(account)
  return Promise.all(
    people.map(async ({ user_id }) => {
      const own = await lineMenus().findLinked(account.access_token, user_id)
      return (own === null ? shown : there.find(({ richMenuId }) => richMenuId === own))?.chatBarText ?? null
    }),
  )
}
/** The names of what is called, with how many people it names. */
function watch(): string[] {
  const { line } = okaeri.context.integrations
  const real = line.menus
  const calls: string[] = []
  line.menus = new Proxy(real, {
    get: (target, name: keyof typeof real) => {
      const call = target[name] as (...given: unknown[]) => Promise<unknown>
      return (...given: unknown[]) => {
        calls.push(name)
        return call(...given)
      }
    },
  })
  mend = () => void (line.menus = real)
  return calls
}

test('a database of yesterday changes no one’s menu before an operator has looked; then everyone sees what it says', async () => {
  const [one, two, three, four] = people as [PlayedUser, PlayedUser, PlayedUser, PlayedUser]
  await activateMenu(await vipMenu('お得意様'))
  await tagOnly([one, two])
  await followed()
  expect(await seen()).toEqual(['お得意様', 'お得意様', 'みんな', 'みんな'])
  const dump = await dumpDatabase(okaeri.databaseUrl)

  // What the dump does not know: two went, three came, and a newer menu is there.
  await tagOnly([one, three])
  await followed()
  const sale = await vipMenu('セール')
  okaeri.advance(60_000)
  await activateMenu(sale)
  await tagOnly([one, three, four])
  await followed()
  const today = ['セール', 'みんな', 'セール', 'セール']
  expect(await seen()).toEqual(today)

  await restoreDatabase(okaeri.databaseUrl, dump)
  const calls = watch()
  okaeri.advance(2 * 86_400_000)
  await okaeri.settle()
  expect(await readHold(okaeri.context)).toMatchObject({ because: 'restored' })
  await activateMenu(await makeMenu(undefined, { chat_bar_text: '明日' }))
  await followed()
  expect(calls).toEqual([])
  mend()
  expect(await seen()).toEqual(today)

  expect(await releaseSending(okaeri.context, { uncertain: false })).toContain('Rich menus of')
  await followed()
  expect(await seen()).toEqual(['お得意様', 'お得意様', '明日', '明日'])
  expect((await menusAt(account)).there.map(({ chatBarText }) => chatBarText).sort()).toEqual(['お得意様', '明日'])
})

test('a menu that was taken back since the dump is made again, and what others made stays', async () => {
  const theirs = await lineMenus().create(account.access_token, {
    size: { width: 800, height: 540 },
    selected: false,
    name: '手作業のメニュー',
    chatBarText: '手作業',
    areas: [{ bounds: { x: 0, y: 0, width: 1, height: 1 }, action: { type: 'message', text: 'a' } }],
  })
  const vip = await vipMenu('お得意様')
  await activateMenu(vip)
  await tagOnly(people)
  await followed()
  const dump = await dumpDatabase(okaeri.databaseUrl)
  await merchant.call(deactivateRichMenu, { params: { id: vip } })
  await followed()
  expect(await seen()).toEqual(['みんな', 'みんな', 'みんな', 'みんな'])
  await restoreDatabase(okaeri.databaseUrl, dump)
  okaeri.advance(86_400_000)
  await okaeri.settle()
  await releaseSending(okaeri.context, { uncertain: false })
  await followed()
  expect(await seen()).toEqual(['お得意様', 'お得意様', 'お得意様', 'お得意様'])
  const { there } = await menusAt(account)
  expect(there.map(({ richMenuId }) => richMenuId)).toContain(theirs)
  expect(there).toHaveLength(3)
})
