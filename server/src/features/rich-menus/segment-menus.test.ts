import { disconnectLine } from '@okaeri/contract/line-accounts/routes'
import {
  changeRichMenuPeriod,
  deactivateRichMenu,
  getRichMenuCalendar,
  getSeenRichMenus,
  listRichMenuOverlaps,
  listRichMenus,
  listSegmentRichMenus,
} from '@okaeri/contract/rich-menus/routes'
import { deleteSegment } from '@okaeri/contract/segments/routes'
import fc from 'fast-check'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { aCustomer } from '../../../test/builders/customer.ts'
import { aSegment } from '../../../test/builders/segment.ts'
import {
  connectLine,
  deliverLineEvents,
  lineEvent,
  openLineAccount,
  type PlayedAccount,
  playLine,
} from '../../../test/line-platform.ts'
import { activateMenu, addMenuPicture, lineMenus, makeMenu, menusAt, menuTab } from '../../../test/rich-menu.ts'
import { thorough } from '../../../test/thorough.ts'
import { eachWithMerchant, EMPTY, merchant, okaeri, withSandbox } from '../../../test/with-okaeri.ts'
import { LineError } from '../../integrations/line/index.ts'
import type { LineMenus } from '../../integrations/line/menus.ts'

withSandbox({ seed: EMPTY })
eachWithMerchant()

const DAY_MS = 86_400_000
const PEOPLE = 4
const TAGS = ['vip', 'new'] as const
type Tag = (typeof TAGS)[number]

let account: PlayedAccount
let people: string[]
let segments: Record<Tag, string>
beforeEach(async () => {
  account = await openLineAccount('メニューの店')
  await connectLine(merchant, account)
  const { data } = await playLine<{ data: { user_id: string }[] }>(`users.json?account=${account.id}&limit=${PEOPLE}`)
  people = data.map(({ user_id }) => user_id)
  for (const person of people) await befriend(person)
  segments = { vip: await segmentOf('vip'), new: await segmentOf('new') }
  await okaeri.settle()
})

const segmentOf = async (tag: Tag): Promise<string> => {
  const leaf = { id: 'row', category: 'customer', name: 'tags', operator: 'has', value: [tag] }
  return (await aSegment(merchant, { type: 'condition', ...leaf })).id
}
const tell = (person: string, type: 'follow' | 'unfollow') =>
  deliverLineEvents(okaeri, merchant, account, [lineEvent(person, type)])
async function befriend(person: string): Promise<void> {
  await playLine(`users/${person}/follow.json?account=${account.id}`, {})
  await tell(person, 'follow')
}
async function block(person: string): Promise<void> {
  await playLine(`users/${person}/block.json?account=${account.id}`, {})
  await tell(person, 'unfollow')
}
/** As a change of the store would. */
async function tag(person: string, tags: readonly Tag[]): Promise<void> {
  const rows = await okaeri.query<{ id: string }>`
    update customers c set tags = ${[...tags]}::text[] from line_friends f
    where f.merchant_id = ${merchant.id} and f.line_user_id = ${person} and c.merchant_id = ${merchant.id}
      and c.id = f.customer_id returning c.id`
  await okaeri.context.publish(merchant.scope(), 'customers.changed', { customerIds: rows.map(({ id }) => id) })
}
const pass = async (ms: number): Promise<void> => {
  okaeri.advance(ms)
  await okaeri.settle()
}
/** Changes of members are looked at together, after ten seconds. */
const followed = async (): Promise<void> => {
  await okaeri.settle()
  await pass(11_000)
}
const inMs = (ms: number): string => new Date(okaeri.clock.now().getTime() + ms).toISOString()
/** What each person sees by the platform's own word: the title in the menu's bar. */
async function seen(): Promise<(string | null)[]> {
  const { there, shown } = await menusAt(account)
  return Promise.all(
    people.map(async (person) => {
      const own = await lineMenus().findLinked(account.access_token, person)
      return (own === null ? shown : there.find(({ richMenuId }) => richMenuId === own))?.chatBarText ?? null
    }),
  )
}
const show = async (name: string, tagged: Tag | null, more: { starts_at?: string; ends_at?: string } = {}) => {
  const segment_id = tagged && segments[tagged]
  const id = await makeMenu(undefined, { chat_bar_text: name, segment_id, ...more })
  await activateMenu(id)
  return id
}

test('members of a segment see its menu, the others that of all friends; it follows who comes and goes', async () => {
  await show('みんな', null)
  const vip = await show('お得意様', 'vip')
  await tag(people[0] ?? '', ['vip'])
  await followed()
  expect(await seen()).toEqual(['お得意様', 'みんな', 'みんな', 'みんな'])
  const list = async () => (await merchant.call(listSegmentRichMenus, {})).data
  expect(await list()).toMatchObject([{ id: vip, people: 1, is_shown: true, segment: { id: segments.vip } }])
  expect((await merchant.call(listRichMenus, {})).data).toMatchObject([{ chat_bar_text: 'みんな', people: null }])
  await tag(people[0] ?? '', [])
  await tag(people[1] ?? '', ['vip'])
  await followed()
  expect(await seen()).toEqual(['みんな', 'お得意様', 'みんな', 'みんな'])
  await merchant.call(deactivateRichMenu, { params: { id: vip } })
  await okaeri.settle()
  expect(await seen()).toEqual(['みんな', 'みんな', 'みんな', 'みんな'])
  expect((await menusAt(account)).there).toHaveLength(1)
})

test('who is in several segments sees the menu with the nearest start, and the other when that is over', async () => {
  await show('お得意様', 'vip', { starts_at: inMs(-DAY_MS) })
  await show('はじめまして', 'new', { starts_at: inMs(DAY_MS), ends_at: inMs(2 * DAY_MS) })
  await tag(people[0] ?? '', ['vip', 'new'])
  await tag(people[1] ?? '', ['new'])
  await followed()
  expect(await seen()).toEqual(['お得意様', null, null, null])
  await pass(DAY_MS)
  expect(await seen()).toEqual(['はじめまして', 'はじめまして', null, null])
  await pass(DAY_MS)
  expect(await seen()).toEqual(['お得意様', null, null, null])
})

test('who blocked the account and comes back sees what is theirs by then', async () => {
  await show('お得意様', 'vip')
  await tag(people[0] ?? '', ['vip'])
  await followed()
  await block(people[0] ?? '')
  await tag(people[0] ?? '', [])
  await followed()
  await befriend(people[0] ?? '')
  await followed()
  expect((await seen())[0]).toBeNull()
  expect(await linksKept()).toBe(0)
})
const linksKept = async (): Promise<number> => {
  const rows = await okaeri.query`select from rich_menu_links where merchant_id = ${merchant.id}`
  return rows.length
}

test('what a customer sees now is shown with what it hides, and whether the platform knows it', async () => {
  const all = await show('みんな', null, { starts_at: inMs(-DAY_MS), ends_at: inMs(3 * DAY_MS) })
  const customers = await customersOf(people)
  const seenBy = async (id = '') => {
    const { seen } = await merchant.call(getSeenRichMenus, { params: { id } })
    return [seen.why_not, seen.menus.map(({ id }) => id), seen.state]
  }
  expect(await seenBy(customers[0])).toEqual([null, [all], 'pending'])
  await okaeri.settle()
  expect(await seenBy(customers[0])).toEqual([null, [all], 'applied'])
  const vip = await show('お得意様', 'vip', { starts_at: inMs(-2 * DAY_MS) })
  await tag(people[0] ?? '', ['vip'])
  await okaeri.settle()
  expect(await seenBy(customers[0])).toEqual([null, [vip, all], 'pending'])
  await pass(11_000)
  expect(await seenBy(customers[0])).toEqual([null, [vip, all], 'applied'])
  expect(await seenBy(customers[1])).toEqual([null, [all], 'applied'])
  await block(people[1] ?? '')
  await okaeri.settle()
  expect((await seenBy(customers[1])).slice(0, 2)).toEqual(['blocked', [all]])
  const unlinked = await aCustomer(merchant, 'unlinked@menu.test')
  expect((await seenBy(unlinked.id)).slice(0, 2)).toEqual(['not_linked', [all]])
})

test('the calendar opens at the merchant’s month by the product’s clock, and shows the menus of each month', async () => {
  // In Tokyo it is the first of the next month.
  okaeri.advance(Date.parse('2031-01-31T15:30:00Z') - okaeri.clock.now().getTime())
  const calendar = async (query: { month?: string }) => {
    const { month, today, menus } = await merchant.call(getRichMenuCalendar, { query })
    return [month, today, ...menus.map(({ title }) => title)]
  }
  const show = async (title: string, starts_at: string, ends_at: string) =>
    activateMenu(await makeMenu(undefined, { title, starts_at, ends_at }))
  await show('三月まで', '2031-02-20T00:00:00.000Z', '2031-02-28T15:00:00.001Z')
  await show('二月だけ', '2031-01-31T15:00:00.000Z', '2031-02-28T15:00:00.000Z')
  expect(await calendar({})).toEqual(['2031-02', '2031-02-01', '三月まで', '二月だけ'])
  expect(await calendar({ month: '2031-03' })).toEqual(['2031-03', '2031-02-01', '三月まで'])
  expect(await calendar({ month: '2031-01' })).toEqual(['2031-01', '2031-02-01'])
  await expect(calendar({ month: '2031-13' })).rejects.toMatchObject({ fields: { month: 'not_a_date' } })
})

test('what a period would overlap is shown, with when, and which of the two is seen meanwhile', async () => {
  const [begun, soon, over] = [inMs(-DAY_MS), inMs(DAY_MS), inMs(3 * DAY_MS)]
  const all = await show('みんな', null, { starts_at: begun, ends_at: over })
  const vip = await show('お得意様', 'vip', { starts_at: inMs(-2 * DAY_MS) })
  await show('はじめまして', 'new')
  const overlapping = async (query: object) => {
    const { overlaps, of_other_segments } = await merchant.call(listRichMenuOverlaps, { query })
    return { overlaps: overlaps.map(({ id, from, to, comes_first }) => [id, from, to, comes_first]), of_other_segments }
  }
  // For all friends: the nearest start; members of a segment see their own in any case.
  const firstOf = async (query: object) => (await overlapping(query)).overlaps[0]
  expect(await firstOf({ starts_at: soon })).toEqual([all, soon, over, false])
  expect(await firstOf({ starts_at: inMs(-2 * DAY_MS), ends_at: soon })).toEqual([all, null, soon, true])
  expect((await merchant.call(listRichMenuOverlaps, { query: { id: all } })).overlaps).toMatchObject([
    { title: '夏のメニュー', segment: { name: expect.any(String) }, comes_first: true },
    { id: vip, segment: { id: segments.vip }, to: null, comes_first: true },
  ])
  // For a segment: its own, then those for all friends, which it hides; of other segments the number.
  expect(await overlapping({ segment_id: segments.vip })).toEqual({
    overlaps: [
      [vip, null, null, false],
      [all, null, over, false],
    ],
    of_other_segments: 1,
  })
  expect((await overlapping({ segment_id: segments.vip, starts_at: over })).overlaps).toEqual([
    [vip, over, null, false],
  ])
  // What is over, or ends before it begins, overlaps nothing.
  const nothing = { overlaps: [], of_other_segments: 0 }
  expect(await overlapping({ starts_at: begun, ends_at: inMs(-1) })).toEqual(nothing)
  expect(await overlapping({ starts_at: over, ends_at: soon })).toEqual(nothing)
})

async function customersOf(persons: readonly string[]): Promise<string[]> {
  const rows = await okaeri.query<{ id: string }>`
    select f.customer_id as id from line_friends f join unnest(${[...persons]}::text[]) with ordinality as p (person, place)
      on p.person = f.line_user_id where f.merchant_id = ${merchant.id} order by p.place`
  return rows.map(({ id }) => id)
}

test('one id that the platform does not take keeps no one else from their menu', async () => {
  await show('お得意様', 'vip')
  for (const person of people) await tag(person, ['vip'])
  const [, bad = ''] = people
  const mend = instead({
    link: async (real, token, id, userIds) => {
      if (userIds.includes(bad)) throw new LineError({ kind: 'bad_request', message: 'invalid', problems: [] })
      await real.link(token, id, userIds)
    },
  })
  await followed()
  mend()
  expect(await seen()).toEqual(['お得意様', null, 'お得意様', 'お得意様'])
})

test('a menu deleted on the platform is linked to no one until it is made again', async () => {
  await show('お得意様', 'vip')
  await tag(people[0] ?? '', ['vip'])
  await followed()
  const [gone] = (await menusAt(account)).there
  await lineMenus().delete(account.access_token, gone?.richMenuId ?? '')
  const linked: string[] = []
  const mend = instead({
    create: async () => {
      throw new LineError({ kind: 'rate_limited' })
    },
    link: async (real, token, id, userIds) => {
      linked.push(id)
      await real.link(token, id, userIds)
    },
  })
  await pass(DAY_MS)
  await tag(people[1] ?? '', ['vip'])
  await followed()
  mend()
  expect(linked).toEqual([])
  await pass(3_600_000)
  expect(await seen()).toEqual(['お得意様', 'お得意様', null, null])
})

const refuse = (message: string): never => {
  throw new LineError({ kind: 'bad_request', message, problems: [{ message: 'too wide', property: 'areas[0]' }] })
}

test('a menu that the platform refuses is in no other’s way, says why, and is tried again', async () => {
  const before = await show('前から', null, { starts_at: inMs(-DAY_MS) })
  await okaeri.settle()
  const refused = new Set(['新しい', '新顔'])
  const create: Instead['create'] = (real, token, menu) =>
    refused.has(menu.chatBarText) ? refuse('The request body is invalid') : real.create(token, menu)
  const mend = instead({ create })
  const all = await show('新しい', null)
  const fresh = await show('新顔', 'new', { ends_at: inMs(DAY_MS) })
  const vip = await show('お得意様', 'vip')
  await tag(people[0] ?? '', ['vip', 'new'])
  await tag(people[1] ?? '', ['new'])
  await followed()
  expect(await seen()).toEqual(['お得意様', '前から', '前から', '前から'])
  const words = 'The request body is invalid / areas[0]: too wide'
  const refusals = async () => {
    const menus = [await merchant.call(listRichMenus, {}), await merchant.call(listSegmentRichMenus, {})]
    expect(menus.map(({ trouble }) => trouble)).toEqual([null, null])
    return new Map(menus.flatMap(({ data }) => data.map(({ id, refusal }) => [id, refusal?.words])))
  }
  const all4 = (of: Map<string, string | undefined>) => [before, all, fresh, vip].map((id) => of.get(id))
  expect(all4(await refusals())).toEqual([undefined, words, words, undefined])
  const [first] = await customersOf(people)
  const { seen: last } = await merchant.call(getSeenRichMenus, { params: { id: first ?? '' } })
  expect([last.state, last.menus.map(({ id }) => id)]).toEqual(['applied', [vip, before, fresh, all]])
  // Others are unlinked too, and made.
  await merchant.call(deactivateRichMenu, { params: { id: vip } })
  await okaeri.settle()
  expect(await seen()).toEqual(['前から', '前から', '前から', '前から'])
  // What is activated again is tried at once.
  refused.delete('新しい')
  await merchant.call(deactivateRichMenu, { params: { id: all } })
  await activateMenu(all)
  await okaeri.settle()
  expect(await seen()).toEqual(['新しい', '新しい', '新しい', '新しい'])
  refused.clear()
  await pass(10 * 60_000)
  expect(await seen()).toEqual(['新顔', '新顔', '新しい', '新しい'])
  expect(all4(await refusals())).toEqual([undefined, undefined, undefined, undefined])
  mend()
  expect((await menusAt(account)).there).toHaveLength(2)
})

test('a menu whose links the platform refuses does not stop other menus', async () => {
  await show('いつも', 'vip', { starts_at: inMs(-DAY_MS) })
  const tabs = await Promise.all([1, 2].map(async () => menuTab(await addMenuPicture())))
  const id = await makeMenu(tabs, { chat_bar_text: 'だめ', segment_id: segments.vip })
  await activateMenu(id)
  await show('はじめまして', 'new', { starts_at: inMs(-DAY_MS) })
  await tag(people[0] ?? '', ['vip'])
  await tag(people[1] ?? '', ['new'])
  const mend = instead({
    link: async (real, token, lineMenuId, userIds) => {
      const menu = (await real.list(token)).find(({ richMenuId }) => richMenuId === lineMenuId)
      if (menu?.chatBarText === 'だめ') throw new LineError({ kind: 'refused', status: 404, message: 'Not found' })
      await real.link(token, lineMenuId, userIds)
    },
  })
  await followed()
  expect(await seen()).toEqual(['いつも', 'はじめまして', null, null])
  const [menu] = (await merchant.call(listSegmentRichMenus, { query: { q: '夏' } })).data.filter((one) => one.id === id)
  expect(menu).toMatchObject({ people: 0, is_shown: false, refusal: { words: 'Not found' } })
  const { there, aliases } = await menusAt(account)
  expect([there.length, aliases]).toEqual([2, []])
  mend()
  await pass(10 * 60_000)
  expect(await seen()).toEqual(['だめ', 'はじめまして', null, null])
})

/** Some calls of the platform done otherwise, until it is mended. */
function instead(calls: Instead): () => void {
  const { line } = okaeri.context.integrations
  const real = line.menus
  line.menus = {
    ...real,
    create: async (...given) => (calls.create ? calls.create(real, ...given) : real.create(...given)),
    link: (...given) => (calls.link ? calls.link(real, ...given) : real.link(...given)),
  }
  return () => void (line.menus = real)
}
interface Instead {
  create?: (real: LineMenus, ...given: Parameters<LineMenus['create']>) => Promise<string>
  link?: (real: LineMenus, ...given: Parameters<LineMenus['link']>) => Promise<void>
}

test('a segment that a menu is for is not deleted; a menu of a deleted one is not activated', async () => {
  const id = await makeMenu(undefined, { segment_id: segments.vip })
  await expect(merchant.call(deleteSegment, { params: { id: segments.vip } })).rejects.toMatchObject({
    reason: 'segment_in_use',
  })
  await activateMenu(id)
  await merchant.call(deactivateRichMenu, { params: { id } })
  await merchant.call(deleteSegment, { params: { id: segments.vip } })
  await expect(activateMenu(id)).rejects.toMatchObject({ fields: { segment_id: 'not_found' } })
  await expect(makeMenu(undefined, { segment_id: segments.vip })).rejects.toMatchObject({
    fields: { 'richmenu.segment_id': 'not_found' },
  })
})

/** As a death at that call: nothing after it is done, and the lock stays until others may take over. */
class Death extends Error {}

/**
 * Ends the work at the nth call that changes something at the platform, before or after it took effect: by an answer that was lost, or the
 * death of the process.
 */
function endAt(nth: number, { isAfter, isDeath }: { isAfter: boolean; isDeath: boolean }): () => void {
  const { line } = okaeri.context.integrations
  const real = line.menus
  let calls = 0
  const reading = new Set(['list', 'findDefault', 'findLinked', 'listAliases', 'validate'])
  line.menus = new Proxy(real, {
    get: (target, key: string) => {
      const call = target[key as keyof typeof real] as (...given: unknown[]) => Promise<unknown>
      if (reading.has(key)) return call
      return async (...given: unknown[]) => {
        const isLast = (calls += 1) === nth
        const end = isDeath ? new Death() : new LineError({ kind: 'unknown', detail: 'cut off' })
        // Who is dead calls nothing more.
        if ((isLast && !isAfter) || (isDeath && calls > nth)) throw end
        const answer = await call(...given)
        if (isLast) throw end
        return answer
      }
    },
  })
  return () => void (line.menus = real)
}
const settleUntilDeath = (): Promise<void> =>
  okaeri.settle().catch((error: unknown) => {
    if (!(error instanceof Death)) throw error
  })

const refusable = ['create', 'uploadPicture', 'createAlias', 'setDefault'] as const
type Refusable = (typeof refusable)[number]

interface ModelMenu {
  /** Which call the platform refuses for it. */
  refusedAt: Refusable | null
  id: string
  name: string
  from: number
  to: number
  isOn: boolean
  tag: Tag | null
}

const aPerson = fc.nat(PEOPLE - 1)
const step = fc.oneof(
  fc.record({
    kind: fc.constant('make' as const),
    tag: fc.constantFrom(null, ...TAGS),
    tabs: fc.constantFrom(1, 2, 3),
    from: fc.integer({ min: -3, max: 3 }),
    days: fc.integer({ min: 1, max: 4 }),
    refusedAt: fc.option(fc.constantFrom(...refusable), { freq: 2 }),
  }),
  fc.record({ kind: fc.constant('accept' as const), which: fc.nat(5) }),
  fc.record({ kind: fc.constant('off' as const), which: fc.nat(5) }),
  fc.record({ kind: fc.constant('move' as const), which: fc.nat(5), from: fc.integer({ min: -3, max: 3 }) }),
  fc.record({ kind: fc.constant('tag' as const), who: aPerson, tags: fc.subarray([...TAGS]) }),
  fc.record({ kind: fc.constant('block' as const), who: aPerson }),
  fc.record({ kind: fc.constant('befriend' as const), who: aPerson }),
  fc.record({ kind: fc.constant('channel' as const), which: fc.nat(1) }),
  fc.record({ kind: fc.constant('reconnect' as const) }),
  fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 48 }) }),
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never
const end = fc.record({ at: fc.integer({ min: 1, max: 12 }), isAfter: fc.boolean(), isDeath: fc.boolean() })

class Model {
  readonly menus: ModelMenu[] = []
  readonly tags = new Map<string, readonly Tag[]>()
  /** Of each account: who has added it and not blocked it since. */
  readonly friends = new Map<PlayedAccount, Set<string>>()
  readonly picture: string
  readonly accounts: readonly PlayedAccount[]
  constructor(picture: string, accounts: readonly PlayedAccount[]) {
    this.picture = picture
    this.accounts = accounts
    for (const one of accounts) this.friends.set(one, new Set())
  }

  async take(one: Step): Promise<void> {
    const nowMs = okaeri.clock.now().getTime()
    if (one.kind === 'make') return this.make(one, nowMs)
    if (one.kind === 'wait') return okaeri.advance(one.hours * 3_600_000)
    if (one.kind === 'accept') return this.accept(one.which)
    if (one.kind === 'off' || one.kind === 'move') return this.change(one, nowMs)
    if (one.kind === 'channel') return this.connect(this.accounts[one.which] ?? account)
    if (one.kind === 'reconnect') {
      await merchant.call(disconnectLine, {})
      return this.connect(account)
    }
    const person = people[one.who] ?? ''
    if (one.kind === 'block') {
      this.friends.get(account)?.delete(person)
      return block(person)
    }
    if (one.kind === 'befriend') return this.befriend(person)
    this.tags.set(person, one.tags)
    await tag(person, one.tags)
  }

  async connect(to: PlayedAccount): Promise<void> {
    account = to
    await connectLine(merchant, to)
  }

  async befriend(person: string): Promise<void> {
    this.friends.get(account)?.add(person)
    await befriend(person)
  }

  /** What the platform refused it takes from now on. */
  private accept(which: number): void {
    const menu = this.menus[which % Math.max(1, this.menus.length)]
    if (menu) menu.refusedAt = null
  }

  /** The platform as it is for these menus; a menu's names are those of its tabs too. */
  refusing(real: LineMenus): LineMenus {
    const names = new Map<string, string>()
    const refuseAt = (at: Refusable, name: string | undefined): void => {
      if (this.menus.some((menu) => menu.refusedAt === at && menu.name === name)) refuse(`${at} of ${name}`)
    }
    return {
      ...real,
      create: async (token, menu) => {
        refuseAt('create', menu.chatBarText)
        const id = await real.create(token, menu)
        names.set(id, menu.chatBarText)
        return id
      },
      uploadPicture: async (token, id, picture) => {
        refuseAt('uploadPicture', names.get(id))
        await real.uploadPicture(token, id, picture)
      },
      createAlias: async (token, alias) => {
        refuseAt('createAlias', names.get(alias.richMenuId))
        await real.createAlias(token, alias)
      },
      setDefault: async (token, id) => {
        refuseAt('setDefault', names.get(id ?? ''))
        await real.setDefault(token, id)
      },
    }
  }

  private async make(one: Extract<Step, { kind: 'make' }>, nowMs: number): Promise<void> {
    const [from, to] = [nowMs + one.from * DAY_MS, nowMs + one.days * DAY_MS]
    if (to <= from) return
    const name = `${this.menus.length + 1}番`
    const tabs = Array.from({ length: one.tabs }, () => menuTab(this.picture))
    const segment_id = one.tag && segments[one.tag]
    const id = await makeMenu(tabs, { chat_bar_text: name, segment_id, ...periodOf(from, to) })
    await activateMenu(id)
    const isRefused =
      one.refusedAt !== null &&
      (one.refusedAt !== 'createAlias' || one.tabs > 1) &&
      (one.refusedAt !== 'setDefault' || one.tag === null)
    this.menus.push({ id, name, from, to, isOn: true, tag: one.tag, refusedAt: isRefused ? one.refusedAt : null })
  }

  private async change(one: Extract<Step, { kind: 'off' | 'move' }>, nowMs: number): Promise<void> {
    const menu = this.menus[one.which % Math.max(1, this.menus.length)]
    if (!menu?.isOn) return
    if (one.kind === 'off') {
      await merchant.call(deactivateRichMenu, { params: { id: menu.id } })
      menu.isOn = false
      return
    }
    menu.from = nowMs + one.from * DAY_MS
    menu.to = menu.from + 2 * DAY_MS
    await merchant.call(changeRichMenuPeriod, {
      params: { id: menu.id },
      body: { period: periodOf(menu.from, menu.to) },
    })
  }

  private ofNow(): ModelMenu[] {
    const nowMs = okaeri.clock.now().getTime()
    return this.menus
      .filter(({ isOn, from, to, refusedAt }) => isOn && !refusedAt && from <= nowMs && nowMs < to)
      .sort((one, other) => other.from - one.from || (one.id < other.id ? 1 : -1))
  }

  /** What this person should see. */
  of(person: string): string | null {
    const menus = this.ofNow()
    const own = menus.find((menu) => menu.tag && this.tags.get(person)?.includes(menu.tag))
    return (own ?? menus.find((menu) => menu.tag === null))?.name ?? null
  }

  /** Names of what may stand at the platform. */
  there(): Set<string> {
    const menus = this.ofNow()
    return new Set(menus.filter((menu) => menu.tag || menu === menus.find((one) => !one.tag)).map(({ name }) => name))
  }
}
/** The aliases that the tabs of these menus switch to, each once. */
const switchesOf = (menus: Awaited<ReturnType<typeof menusAt>>['there']): string[] => [
  ...new Set(
    menus.flatMap(({ areas }) =>
      areas.flatMap(({ action }) => (action.type === 'richmenuswitch' ? String(action['richMenuAliasId']) : [])),
    ),
  ),
]
const uploadsKept = async (): Promise<string[]> => {
  const rows = await okaeri.query<{ id: string }>`select line_menu_id as id from rich_menu_uploads
    where merchant_id = ${merchant.id}`
  return rows.map(({ id }) => id).sort()
}
const periodOf = (from: number, to: number) => ({
  starts_at: new Date(from).toISOString(),
  ends_at: new Date(to).toISOString(),
})

test('whatever is done to menus and people, and wherever it dies, everyone ends with the menu they should see', async () => {
  const { line } = okaeri.context.integrations
  const real = line.menus
  onTestFinished(() => void (line.menus = real))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, end), { minLength: 4, maxLength: 10 }), async (steps) => {
      await okaeri.query`delete from rich_menus where merchant_id = ${merchant.id}`
      const accounts = [await openLineAccount('模型の店'), await openLineAccount('模型の店の次')]
      const model = new Model(await addMenuPicture(), accounts)
      line.menus = model.refusing(real)
      await model.connect(accounts[0] as PlayedAccount)
      for (const person of people) {
        await model.befriend(person)
        await tag(person, [])
      }
      await okaeri.settle()
      for (const [one, { at, ...how }] of steps) {
        await model.take(one)
        const mend = endAt(at, how)
        await settleUntilDeath()
        okaeri.advance(11_000)
        await settleUntilDeath()
        mend()
      }
      // What was cut off is tried again within minutes, what was refused within a day.
      await followed()
      await pass(10 * 60_000)
      await pass(DAY_MS)
      const friends = (of: readonly (string | null)[]) =>
        of.filter((_, index) => model.friends.get(account)?.has(people[index] ?? ''))
      expect(friends(await seen())).toEqual(friends(people.map((person) => model.of(person))))
      // Who blocked the account, or has not added this one, sees what is theirs once they do.
      for (const person of people) await model.befriend(person)
      await followed()
      expect(await seen()).toEqual(people.map((person) => model.of(person)))
      const { there, aliases } = await menusAt(account)
      expect(new Set(there.map(({ chatBarText }) => chatBarText))).toEqual(model.there())
      expect(await uploadsKept()).toEqual(there.map(({ richMenuId }) => richMenuId).sort())
      expect(aliases.map(({ richMenuAliasId }) => richMenuAliasId).sort()).toEqual(switchesOf(there).sort())
      for (const menu of there)
        for (const switched of switchesOf([menu])) {
          const to = aliases.find(({ richMenuAliasId }) => richMenuAliasId === switched)
          expect(there.find(({ richMenuId }) => richMenuId === to?.richMenuId)?.chatBarText).toBe(menu.chatBarText)
        }
    }),
    { numRuns: thorough ? 100 : 6 },
  )
})
