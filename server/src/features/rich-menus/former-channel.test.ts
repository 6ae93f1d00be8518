import { disconnectLine } from '@okaeri/contract/line-accounts/routes'
import { listRichMenus } from '@okaeri/contract/rich-menus/routes'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aSegment } from '../../../test/builders/segment.ts'
import {
  befriend,
  connectLine,
  openLineAccount,
  ordinaryPeople,
  type PlayedAccount,
  type PlayedUser,
} from '../../../test/line-platform.ts'
import { activateMenu, addMenuPicture, lineMenus, makeMenu, menusAt, menuTab } from '../../../test/rich-menu.ts'
import { eachWithMerchant, EMPTY, merchant, okaeri, withSandbox } from '../../../test/with-okaeri.ts'
import { LineError } from '../../integrations/line/index.ts'
import type { LineMenus } from '../../integrations/line/menus.ts'

withSandbox({ seed: EMPTY })
eachWithMerchant()

let [former, next]: PlayedAccount[] = []
let people: PlayedUser[]
beforeEach(async () => {
  former = await openLineAccount('前のアカウント')
  next = await openLineAccount('次のアカウント')
  people = await ordinaryPeople(at(former), 3)
  await connect(at(former))
  await befriend(okaeri, merchant, at(former), people)
  await tagAll(['vip'])
  const segment_id = (await aSegment(merchant, hasTag('vip'))).id
  const tabs = [menuTab(await addMenuPicture()), menuTab(await addMenuPicture())]
  await activateMenu(await makeMenu(tabs, { chat_bar_text: 'みんな' }))
  await activateMenu(await makeMenu(undefined, { chat_bar_text: 'お得意様', segment_id }))
  await followed()
  expect(await seenAt(at(former))).toEqual(['お得意様', 'お得意様', 'お得意様'])
})

const at = (account: PlayedAccount | undefined): PlayedAccount => account as PlayedAccount
const hasTag = (tag: string) => ({
  type: 'condition' as const,
  id: 'row',
  category: 'customer' as const,
  name: 'tags',
  operator: 'has',
  value: [tag],
})
async function connect(account: PlayedAccount): Promise<void> {
  await connectLine(merchant, account)
  await okaeri.settle()
}
const disconnect = () => merchant.call(disconnectLine, {})
/** As a change of the store would. */
async function tagAll(tags: readonly string[]): Promise<void> {
  const rows = await okaeri.query<{ id: string }>`update customers set tags = ${[...tags]}::text[]
    where merchant_id = ${merchant.id} returning id`
  await okaeri.context.publish(merchant.scope(), 'customers.changed', { customerIds: rows.map(({ id }) => id) })
}
/** Changes of members are looked at together, after ten seconds. */
async function followed(): Promise<void> {
  await okaeri.settle()
  okaeri.advance(11_000)
  await okaeri.settle()
}
async function later(ms: number): Promise<void> {
  okaeri.advance(ms)
  await okaeri.settle()
}
async function seenAt(account: PlayedAccount): Promise<(string | null)[]> {
  const { there, shown } = await menusAt(account)
  return Promise.all(
    people.map(async ({ user_id }) => {
      const own = await lineMenus().findLinked(account.access_token, user_id)
      return (own === null ? shown : there.find(({ richMenuId }) => richMenuId === own))?.chatBarText ?? null
    }),
  )
}
const idsAt = async (account: PlayedAccount) => (await menusAt(account)).there.map(({ richMenuId }) => richMenuId)
const uploads = async (): Promise<string[]> => {
  const rows = await okaeri.query<{ line_menu_id: string }>`select line_menu_id from rich_menu_uploads
    where merchant_id = ${merchant.id}`
  return rows.map(({ line_menu_id }) => line_menu_id).sort()
}
const troubleNow = async () => (await merchant.call(listRichMenus, {})).trouble

type Given = { name: keyof LineMenus; given: readonly unknown[] }
let mend = (): void => {}
afterEach(() => mend())
/** Every call of the platform passes here, and may be kept from it by an error, until it is mended. */
function watch(on: (call: Given) => Promise<void> | void): void {
  const { line } = okaeri.context.integrations
  const real = line.menus
  mend = () => void (line.menus = real)
  line.menus = new Proxy(real, {
    get: (target, name: keyof LineMenus) => {
      const call = target[name] as (...given: unknown[]) => Promise<unknown>
      return async (...given: unknown[]) => {
        await on({ name, given })
        return call(...given)
      }
    },
  })
}

test('on another channel menus, tabs and links are made again, and no id of the former one is sent to it', async () => {
  const before = await idsAt(at(former))
  expect(before).toHaveLength(3)
  const calls: string[] = []
  watch((call) => void calls.push(JSON.stringify(call)))
  await connect(at(next))
  await befriend(okaeri, merchant, at(next), people)
  await followed()
  mend()
  expect(calls.some((call) => call.includes('link'))).toBe(true)
  for (const id of before) expect(calls.filter((call) => call.includes(id))).toEqual([])
  const { there, aliases } = await menusAt(at(next))
  expect(there).toHaveLength(3)
  expect(aliases.map(({ richMenuId }) => there.some((menu) => menu.richMenuId === richMenuId))).toEqual([true, true])
  expect(await seenAt(at(next))).toEqual(['お得意様', 'お得意様', 'お得意様'])
  expect(await uploads()).toEqual((await idsAt(at(next))).sort())
})

test('while the new channel takes no menus, a change of members tells it nothing of the former one', async () => {
  const before = await idsAt(at(former))
  const calls: string[] = []
  watch(({ name, given }) => {
    if (name === 'create') throw new LineError({ kind: 'rate_limited' })
    calls.push(JSON.stringify(given))
  })
  await connectLine(merchant, at(next))
  await befriend(okaeri, merchant, at(next), people)
  await tagAll([])
  await okaeri.settle()
  await tagAll(['vip'])
  await followed()
  for (const id of before) expect(calls.filter((call) => call.includes(id))).toEqual([])
  mend()
  await later(3_600_000)
  expect(await troubleNow()).toBeNull()
  expect(await seenAt(at(next))).toEqual(['お得意様', 'お得意様', 'お得意様'])
})

test('a worker that was at the former channel when it was replaced records nothing of it', async () => {
  await activateMenu(await makeMenu(undefined, { chat_bar_text: '新しい' }))
  let isReplaced = false
  watch(async ({ name }) => {
    if (name !== 'uploadPicture' || isReplaced) return
    isReplaced = true
    await connectLine(merchant, at(next))
  })
  await okaeri.settle()
  mend()
  expect(isReplaced).toBe(true)
  await befriend(okaeri, merchant, at(next), people)
  await followed()
  const { there, shown } = await menusAt(at(next))
  expect(await uploads()).toEqual(there.map(({ richMenuId }) => richMenuId).sort())
  expect(shown?.chatBarText).toBe('新しい')
  expect(await seenAt(at(next))).toEqual(['お得意様', 'お得意様', 'お得意様'])
})

test('the channel of before is taken up again with what should be there now, and nothing twice', async () => {
  const before = await idsAt(at(former))
  await connect(at(next))
  await tagAll([])
  await followed()
  const calls: string[] = []
  watch((call) => void calls.push(JSON.stringify(call)))
  const ofNext = await idsAt(at(next))
  await connect(at(former))
  await followed()
  mend()
  for (const id of ofNext) expect(calls.filter((call) => call.includes(id))).toEqual([])
  const { there, shown, aliases } = await menusAt(at(former))
  expect(there).toHaveLength(3)
  expect(there.some(({ richMenuId }) => before.includes(richMenuId))).toBe(false)
  expect(shown?.chatBarText).toBe('みんな')
  expect(aliases.every(({ richMenuId }) => there.some((menu) => menu.richMenuId === richMenuId))).toBe(true)
  expect(await seenAt(at(former))).toEqual(['みんな', 'みんな', 'みんな'])
})

test('disconnected it is said so at once, nothing is called; connected again everyone sees what is theirs by then', async () => {
  const calls: string[] = []
  watch(({ name }) => void calls.push(name))
  await disconnect()
  await okaeri.settle()
  expect(await troubleNow()).toBe('not_connected')
  await tagAll([])
  await followed()
  await later(2 * 3_600_000)
  expect(calls).toEqual([])
  mend()
  await connect(at(former))
  await followed()
  expect(await troubleNow()).toBeNull()
  expect(await seenAt(at(former))).toEqual(['みんな', 'みんな', 'みんな'])
  expect(await idsAt(at(former))).toHaveLength(3)
})
