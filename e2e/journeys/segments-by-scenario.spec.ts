import type { Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import { asDemo, beSignedIn, speak } from './account.ts'
import { addToStore, lookAgain, placeOrder, settle, tagCustomer } from './outside-world.ts'
import { choose, field } from './sending.ts'
import { wordsIn } from './words.ts'

const SHOP = 'okaeri-sandbox.myshopify.com'

/** What conditions and their choices are called comes from the contract, which journeys do not know. */
const say = {
  now: '現在のシナリオ',
  ended: 'シナリオの終了',
  bought: '購入した',
  inIt: (name: string) => `シナリオ「${name}」に参加中`,
  endedSo: (name: string) => `シナリオ「${name}」の終了（理由：「購入した」）が1回以上`,
}
const t = wordsIn('ja')

test('who is in a scenario, and who left it by buying, is chosen, counted, explained and followed', async ({
  page,
  request,
}) => {
  const once = Date.now().toString(36)
  const aoi = { first_name: '葵', last_name: '青木', email: `aoki-${once}@customer.test` }
  const ren = { first_name: '蓮', last_name: '蓮見', email: `hasumi-${once}@customer.test` }
  const scenario = `お礼の3日 ${once}`
  const inIt = `参加中 ${once}`
  const leftIt = `購入で終了 ${once}`
  const demo = await asDemo(request)
  await speak(page, 'ja')

  const enter = await test.step('A scenario that waits three days, and one of two customers in it', async () => {
    await addToStore(request, SHOP, { ...aoi, tags: [once], email_state: 'SUBSCRIBED' })
    await addToStore(request, SHOP, { ...ren, tags: [], email_state: 'SUBSCRIBED' })
    await settle(request)
    const scenarioId = await makeScenario(demo, scenario, once)
    const enter = async (people_seen: number) => {
      await demo.post(`/actions/${scenarioId}/enter_segment`, { people_seen })
      await settle(request)
      expect(await countRunning(demo, scenarioId)).toBe(people_seen)
    }
    await enter(1)
    return async () => {
      await tagCustomer(request, SHOP, ren.email, [once])
      await settle(request)
      await enter(2)
    }
  })

  await beSignedIn(page)
  await test.step('The condition is chosen by its words, reads as a sentence, and is counted with the customer it finds', async () => {
    await page.goto('segments/new')
    await field(page, t('segments.name')).fill(inIt)
    await choose(page, inRow('field'), say.now, say.now)
    await choose(page, part('segments.editor.pick.scenarios'), t('segments.editor.someScenarios'))
    await expect(counted(page).getByText(t('segments.editor.fixFirst'))).toBeVisible()
    await choose(page, part('segments.editor.scenarios'), scenario, scenario)
    await page.keyboard.press('Escape')
    await expect(page.getByText(say.inIt(scenario), { exact: false }).first()).toBeVisible()
    await expect(people(page, 1)).toBeVisible()
    await expect(counted(page).getByText(aoi.email)).toBeVisible()
    await expect(counted(page).getByText(ren.email)).toBeHidden()
  })

  await test.step('Why one is in it and the other is not is shown before it is saved', async () => {
    const why = page.getByRole('region', { name: t('segments.why.title') })
    await askAbout(page, why, aoi)
    await expect(why.getByText(t('segments.why.in'), { exact: true })).toBeVisible()
    await expect(why.getByText(t('segments.why.found', { count: 1, total: 1 }), { exact: false })).toBeVisible()
    await askAbout(page, why, ren)
    await expect(why.getByText(t('segments.why.out'), { exact: true })).toBeVisible()
  })

  const inItPage = await test.step('It is saved, and its page shows who is in it', async () => {
    await page.getByRole('button', { name: t('segments.create'), exact: true }).click()
    await expect(page.getByRole('heading', { name: inIt, level: 1 })).toBeVisible()
    await lookAgain(page)
    await expect(members(page).getByText(aoi.email)).toBeVisible()
    return page.url()
  })

  const leftItPage =
    await test.step('Another of those whose execution ended because they bought: no one yet', async () => {
      await page.goto('segments/new')
      await field(page, t('segments.name')).fill(leftIt)
      await choose(page, inRow('field'), say.ended, say.ended)
      await choose(page, part('segments.editor.pick.scenarios'), t('segments.editor.someScenarios'))
      await choose(page, part('segments.editor.scenarios'), scenario, scenario)
      await page.keyboard.press('Escape')
      await choose(page, part('segments.editor.pick.reasons'), t('segments.editor.someReasons'))
      await choose(page, part('segments.editor.reasons'), say.bought)
      await page.keyboard.press('Escape')
      await expect(page.getByText(say.endedSo(scenario), { exact: false }).first()).toBeVisible()
      await expect(counted(page).getByText(t('segments.count.nobody'))).toBeVisible()
      await page.getByRole('button', { name: t('segments.create'), exact: true }).click()
      await expect(page.getByRole('heading', { name: leftIt, level: 1 })).toBeVisible()
      await lookAgain(page)
      await expect(page.getByText(t('segments.status.ready'), { exact: true })).toBeVisible()
      await expect(members(page).getByText(t('segments.table.empty'))).toBeVisible()
      return page.url()
    })

  await test.step('Customers who enter come into the segment automatically', async () => {
    await page.goto(inItPage)
    await expect(members(page).getByText(aoi.email)).toBeVisible()
    await enter()
    await lookAgain(page)
    await expect(members(page).getByText(ren.email)).toBeVisible()
    await expect(members(page).getByText(aoi.email)).toBeVisible()
  })

  await test.step('Customers who buy move from one segment to the other', async () => {
    await page.goto(leftItPage)
    await placeOrder(request, SHOP, aoi.email)
    await lookAgain(page)
    await expect(members(page).getByText(aoi.email)).toBeVisible()
    await expect(members(page).getByText(ren.email)).toBeHidden()
    await page.goto(inItPage)
    await expect(members(page).getByText(ren.email)).toBeVisible()
    await expect(members(page).getByText(aoi.email)).toBeHidden()
  })
})

type Demo = Awaited<ReturnType<typeof asDemo>>

/** Enabled; a person starts it for everyone with the tag, it waits three days, and ends for those who buy. */
async function makeScenario(demo: Demo, name: string, tag: string): Promise<string> {
  const tagged = { type: 'condition', id: 't', category: 'customer', name: 'tags', operator: 'has', value: [tag] }
  const { customer_segment } = await demo.post<{ customer_segment: { id: string } }>('/customer_segments', {
    name: `対象 ${tag}`,
    conditions: { type: 'group', id: 'g', operator: 'and', children: [tagged] },
  })
  const { action } = await demo.post<{ action: { id: string } }>('/actions', { name })
  const wait = { mode: 'for', amount: 3, unit: 'days' }
  await demo.put(`/actions/${action.id}/nodes`, {
    flow: {
      trigger: { kind: 'manual', segment_id: customer_segment.id },
      condition: null,
      reentry: { mode: 'once' },
      ends_on: ['bought'],
      start: 'wait',
      nodes: [
        { id: 'wait', name: '', position: { x: 0, y: 0 }, kind: 'wait', settings: { wait }, next: { next: null } },
      ],
    },
  })
  await demo.post(`/actions/${action.id}/enable`, {})
  return action.id
}
const countRunning = async (demo: Demo, scenarioId: string): Promise<number> =>
  (await demo.get<{ total: number }>(`/executions/?action_id=${scenarioId}&status=running`)).total

const row = t('segments.editor.row', { place: '1' })
const inRow = (of: 'field') => `${row}: ${t(`segments.editor.${of}`)}`
const part = (
  of:
    | 'segments.editor.pick.scenarios'
    | 'segments.editor.pick.reasons'
    | 'segments.editor.scenarios'
    | 'segments.editor.reasons',
) => `${row}: ${t(of)}`
const counted = (page: Page) => page.getByRole('region', { name: t('segments.count.title') })
const people = (page: Page, count: number) =>
  counted(page)
    .getByText(t('segments.count.people', { count, total: count }), { exact: true })
    .first()
const members = (page: Page) => page.getByRole('region', { name: t('segments.table.title') })

async function askAbout(page: Page, why: ReturnType<Page['getByRole']>, { email }: { email: string }): Promise<void> {
  const picker = why.getByRole('combobox', { name: t('segments.why.pick') })
  await picker.click()
  await picker.fill(email)
  await page.getByRole('option').filter({ hasText: email }).click()
}
