import { expect, type Page, test } from '@playwright/test'
import { asDemo, beSignedIn, speak } from './account.ts'
import { addToStore, placeOrder, tagCustomer } from './outside-world.ts'
import { choose, field } from './sending.ts'
import { languages, type Say, wordsIn } from './words.ts'

const SHOP = 'okaeri-sandbox.myshopify.com'

/** What conditions and their choices are called comes from the contract, which journeys do not know. */
const called = {
  ja: {
    now: '現在のシナリオ',
    ended: 'シナリオの終了',
    bought: '購入した',
    inIt: (name: string) => `シナリオ「${name}」に参加中`,
    endedSo: (name: string) => `シナリオ「${name}」の終了（理由：「購入した」）が1回以上`,
  },
  en: {
    now: 'Scenario now',
    ended: 'Scenario ended',
    bought: 'Bought',
    inIt: (name: string) => `in scenario “${name}”`,
    endedSo: (name: string) => `Scenario “${name}” ended (“Bought”) at least 1 time`,
  },
} as const

for (const language of languages)
  test(`who is in a scenario, and who left it by buying, is chosen, counted, explained and followed (${language})`, async ({
    page,
    request,
  }) => {
    const t = wordsIn(language)
    const say = called[language]
    const once = `${language}-${Date.now().toString(36)}`
    const aoi = { first_name: '葵', last_name: '青木', email: `aoki-${once}@customer.test` }
    const ren = { first_name: '蓮', last_name: '蓮見', email: `hasumi-${once}@customer.test` }
    const scenario = `お礼の3日 ${once}`
    const inIt = `参加中 ${once}`
    const leftIt = `購入で終了 ${once}`
    const demo = await asDemo(request)
    await speak(page, language)

    const enter = await test.step('A scenario that waits three days, and one of two customers in it', async () => {
      await addToStore(request, SHOP, { ...aoi, tags: [once], email_state: 'SUBSCRIBED' })
      await addToStore(request, SHOP, { ...ren, tags: [], email_state: 'SUBSCRIBED' })
      for (const { email } of [aoi, ren]) await untilKnown(demo, email)
      const scenarioId = await makeScenario(demo, scenario, once)
      const enter = (people_seen: number) => demo.post(`/actions/${scenarioId}/enter_segment`, { people_seen })
      await enter(1)
      await untilRunning(demo, scenarioId, 1)
      return async () => {
        await tagCustomer(request, SHOP, ren.email, [once])
        await expect
          .poll(async () => (await tagsOf(demo, ren.email)).includes(once), { message: 'the tag is known' })
          .toBe(true)
        await enter(2)
        await untilRunning(demo, scenarioId, 2)
      }
    })

    await beSignedIn(page)
    await test.step('The condition is chosen by its words, reads as a sentence, and is counted with the customer it finds', async () => {
      await page.goto('segments/new')
      await field(page, t('segments.name')).fill(inIt)
      await choose(page, inRow(t, 'field'), say.now, say.now)
      await choose(page, part(t, 'segments.editor.pick.scenarios'), t('segments.editor.someScenarios'))
      await expect(counted(page, t).getByText(t('segments.editor.fixFirst'))).toBeVisible()
      await choose(page, part(t, 'segments.editor.scenarios'), scenario, scenario)
      await page.keyboard.press('Escape')
      await expect(page.getByText(say.inIt(scenario), { exact: false }).first()).toBeVisible()
      await expect(people(page, t, 1)).toBeVisible()
      await expect(counted(page, t).getByText(aoi.email)).toBeVisible()
      await expect(counted(page, t).getByText(ren.email)).toBeHidden()
    })

    await test.step('Why one is in it and the other is not is told before it is saved', async () => {
      const why = page.getByRole('region', { name: t('segments.why.title') })
      await askAbout(page, t, why, aoi)
      await expect(why.getByText(t('segments.why.in'), { exact: true })).toBeVisible()
      await expect(why.getByText(t('segments.why.found', { count: 1, total: 1 }), { exact: false })).toBeVisible()
      await askAbout(page, t, why, ren)
      await expect(why.getByText(t('segments.why.out'), { exact: true })).toBeVisible()
    })

    const inItPage = await test.step('It is saved, and its page shows who is in it', async () => {
      await page.getByRole('button', { name: t('segments.create'), exact: true }).click()
      await expect(page.getByRole('heading', { name: inIt, level: 1 })).toBeVisible()
      await expect(members(page, t).getByText(aoi.email)).toBeVisible({ timeout: 60_000 })
      return page.url()
    })

    const leftItPage = await test.step('Another of those whose way ended because they bought: nobody yet', async () => {
      await page.goto('segments/new')
      await field(page, t('segments.name')).fill(leftIt)
      await choose(page, inRow(t, 'field'), say.ended, say.ended)
      await choose(page, part(t, 'segments.editor.pick.scenarios'), t('segments.editor.someScenarios'))
      await choose(page, part(t, 'segments.editor.scenarios'), scenario, scenario)
      await page.keyboard.press('Escape')
      await choose(page, part(t, 'segments.editor.pick.reasons'), t('segments.editor.someReasons'))
      await choose(page, part(t, 'segments.editor.reasons'), say.bought)
      await page.keyboard.press('Escape')
      await expect(page.getByText(say.endedSo(scenario), { exact: false }).first()).toBeVisible()
      await expect(counted(page, t).getByText(t('segments.count.nobody'))).toBeVisible()
      await page.getByRole('button', { name: t('segments.create'), exact: true }).click()
      await expect(page.getByRole('heading', { name: leftIt, level: 1 })).toBeVisible()
      await expect(page.getByText(t('segments.status.ready'), { exact: true })).toBeVisible({ timeout: 60_000 })
      await expect(members(page, t).getByText(t('segments.table.empty'))).toBeVisible()
      return page.url()
    })

    await test.step('Whoever enters comes into the segment by themselves', async () => {
      await page.goto(inItPage)
      await expect(members(page, t).getByText(aoi.email)).toBeVisible()
      await enter()
      await expect(members(page, t).getByText(ren.email)).toBeVisible(BY_ITSELF)
      await expect(members(page, t).getByText(aoi.email)).toBeVisible()
    })

    await test.step('Whoever buys leaves the one for the other', async () => {
      await page.goto(leftItPage)
      await placeOrder(request, SHOP, aoi.email)
      await expect(members(page, t).getByText(aoi.email)).toBeVisible(BY_ITSELF)
      await expect(members(page, t).getByText(ren.email)).toBeHidden()
      await page.goto(inItPage)
      await expect(members(page, t).getByText(ren.email)).toBeVisible()
      await expect(members(page, t).getByText(aoi.email)).toBeHidden(BY_ITSELF)
    })
  })

type Demo = Awaited<ReturnType<typeof asDemo>>

/** A page that nobody touches follows by itself, twice a minute. */
const BY_ITSELF = { timeout: 90_000 }

async function customerOf(demo: Demo, email: string): Promise<string | null> {
  return (await demo.get<{ customer_id: string | null }>(`/customers/check?email=${email}`)).customer_id
}
const untilKnown = (demo: Demo, email: string) =>
  expect.poll(() => customerOf(demo, email), { message: `${email} came from the store` }).not.toBeNull()
async function tagsOf(demo: Demo, email: string): Promise<string[]> {
  const id = await customerOf(demo, email)
  return (await demo.get<{ customer: { tags: string[] } }>(`/customers/${id}`)).customer.tags
}

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
async function untilRunning(demo: Demo, scenarioId: string, count: number): Promise<void> {
  const running = async () =>
    (await demo.get<{ total: number }>(`/executions/?action_id=${scenarioId}&status=running`)).total
  await expect.poll(running, { message: `${count} are in it` }).toBe(count)
}

const row = (t: Say) => t('segments.editor.row', { place: '1' })
const inRow = (t: Say, of: 'field') => `${row(t)}: ${t(`segments.editor.${of}`)}`
const part = (
  t: Say,
  of:
    | 'segments.editor.pick.scenarios'
    | 'segments.editor.pick.reasons'
    | 'segments.editor.scenarios'
    | 'segments.editor.reasons',
) => `${row(t)}: ${t(of)}`
const counted = (page: Page, t: Say) => page.getByRole('region', { name: t('segments.count.title') })
const people = (page: Page, t: Say, count: number) =>
  counted(page, t)
    .getByText(t('segments.count.people', { count, total: count }), { exact: true })
    .first()
const members = (page: Page, t: Say) => page.getByRole('region', { name: t('segments.table.title') })

async function askAbout(
  page: Page,
  t: Say,
  why: ReturnType<Page['getByRole']>,
  { email }: { email: string },
): Promise<void> {
  const picker = why.getByRole('combobox', { name: t('segments.why.pick') })
  await picker.click()
  await picker.fill(email)
  await page.getByRole('option').filter({ hasText: email }).click()
}
