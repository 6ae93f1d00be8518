import type { Page } from '@playwright/test'
import { beReadyToSend, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { addToStore, allMails, follow, lookAgain, mailAbout, moveTheClock, openMail, settle } from './outside-world.ts'
import { choose, field, makeTagSegment, sendNow, waitUntilUndoIsOver, writeEmail } from './sending.ts'
import { type Language, type Say, wordsIn } from './words.ts'

const HOUR_MS = 3_600_000
/** A hit is judged when its neighbours are all there. */
const JUDGED_AFTER_MS = 5000
const PEOPLE = 100
const say = {
  ja: {
    segment: '読者',
    email: '新茶の便り',
    a: '新茶が届きました',
    b: '本日から新茶の先行販売',
    text: '今年の新茶です。',
    link: /ストアを見る/,
  },
  en: {
    segment: 'Readers',
    email: 'New tea',
    a: 'The new tea is here',
    b: 'From today: new tea',
    text: 'This year’s new tea.',
    link: /store|shop/i,
  },
}

/** A shop with a hundred customers who may be mailed, and an email. */
async function beShopWithReaders(page: Page, language: Language, t: Say) {
  const once = `${language}${Date.now().toString(36)}`
  const shop = `okaeri-e2e-${once}.myshopify.com`
  const owner = { siteName: 'みどり茶園', email: `owner-${once}@midori.test`, password: 'a long enough one' }
  const readers = Array.from({ length: PEOPLE }, (_, at) => `reader${at}-${once}@customer.test`)
  await speak(page, language)
  for (const email of readers)
    await addToStore(page.request, shop, {
      first_name: '葉',
      last_name: '森',
      email,
      tags: ['readers'],
      email_state: 'SUBSCRIBED',
    })
  await beReadyToSend(page, owner, shop)
  const { segment, email: name, a: subject, text } = say[language]
  // A new shop has customers of its own.
  await makeTagSegment(page, t, { name: segment, tag: 'readers', people: PEOPLE })
  await writeEmail(page, t, { name, subject: `${subject} ${once}`, text })
  await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
  await expect(page.getByText(t('emails.editor.saved'), { exact: true })).toBeVisible()
  return { subjects: { a: `${subject} ${once}`, b: `${say[language].b} ${once}` } }
}

/** Half of the readers, a quarter for each subject; up to the review. */
async function draftTest(page: Page, language: Language, t: Say, b: string, measure: 'clicks' | 'person') {
  await page.goto('campaigns/new')
  await field(page, t('campaigns.name')).fill(say[language].email)
  await choose(page, t('campaigns.form.segment'), new RegExp(`^${say[language].segment}`), say[language].segment)
  await choose(page, t('campaigns.email'), new RegExp(`^${say[language].email}`), say[language].email)
  await page.getByRole('switch', { name: t('campaigns.ab.form.on') }).click()
  await field(page, t('campaigns.ab.form.subjectOfB')).fill(b)
  const share = page.getByRole('slider', { name: t('campaigns.ab.form.share') })
  await share.press('End')
  await expect(share).toHaveAttribute('aria-valuenow', '50')
  await page.getByRole('radio', { name: t(`campaigns.ab.form.measure.${measure}`) }).click()
  await field(page, t('campaigns.ab.form.hours')).fill('2')
  await page.getByRole('button', { name: t('campaigns.form.saveAndReview') }).click()
  await expect(page.getByRole('heading', { name: t('campaigns.review.title'), level: 1 })).toBeVisible()
}

/** How many the review promises to each group. */
async function groupsOf(page: Page, t: Say) {
  const section = page.getByRole('region', { name: t('campaigns.ab.title'), exact: true })
  const of = async (row: string) => {
    const text = await section
      .getByRole('row', { name: new RegExp(`^${row}`) })
      .first()
      .getByRole('cell')
      .innerText()
    return Number(/\d+/.exec(text)?.[0])
  }
  return { a: await of('A'), b: await of('B'), rest: await of(t('campaigns.ab.group.rest')) }
}

async function sendToGroups(page: Page, t: Say): Promise<void> {
  await sendNow(page, t, PEOPLE)
  await waitUntilUndoIsOver(page)
  await settle(page.request)
}

const sent = async (page: Page, subject: string): Promise<string[]> =>
  (await allMails(page.request, subject)).flatMap(({ to }) => to)

test('half of the customers test two subjects, and the rest gets the one that was clicked more', async ({ page }) => {
  const t = wordsIn('ja')
  const { subjects } = await beShopWithReaders(page, 'ja', t)

  const groups =
    await test.step('The review says how many get A, how many B, how many wait, and what decides', async () => {
      await draftTest(page, 'ja', t, subjects.b, 'clicks')
      const counted = await groupsOf(page, t)
      expect(counted.a + counted.b + counted.rest).toBe(PEOPLE)
      const decides = t('campaigns.ab.review.decides.clicks', { hours: 2, rest: counted.rest })
      await expect(page.getByText(decides)).toBeVisible()
      return counted
    })

  await test.step('Only the two groups get it; the page says until when the rest waits', async () => {
    await sendToGroups(page, t)
    await expect(page.getByText(t('campaigns.ab.badge'), { exact: true }).first()).toBeVisible()
    expect(await sent(page, subjects.a)).toHaveLength(groups.a)
    expect(await sent(page, subjects.b)).toHaveLength(groups.b)
    await page.goto('campaigns')
    const [before = ''] = t('campaigns.ab.short.testing', { time: '|' }).split('|')
    await expect(page.getByRole('row').filter({ hasText: before })).toHaveCount(1)
  })

  await test.step('A customer of group B follows the link', async () => {
    const mailbox = await page.context().newPage()
    const [reader = ''] = await sent(page, subjects.b)
    await openMail(mailbox, await mailAbout(page.request, reader, subjects.b))
    await (await follow(mailbox, say.ja.link)).close()
    await mailbox.close()
    await page.bringToFront()
    await moveTheClock(page.request, JUDGED_AFTER_MS)
    await settle(page.request)
  })

  await test.step('After two hours B goes to the rest, and no one got two', async () => {
    await moveTheClock(page.request, 2 * HOUR_MS)
    await settle(page.request)
    const [a, b] = [await sent(page, subjects.a), await sent(page, subjects.b)]
    expect([a.length, b.length]).toEqual([groups.a, groups.b + groups.rest])
    expect(new Set([...a, ...b]).size).toBe(PEOPLE)
  })

  await test.step('The report sets the groups side by side, and says which won and why', async () => {
    await page.getByRole('main').getByRole('link', { name: say.ja.email, exact: true }).click()
    await expect(page.getByText(t('campaigns.ab.result.more.clicks', { winner: 'B' }))).toBeVisible()
    await page
      .getByRole('main')
      .getByRole('link', { name: t('campaigns.do.report'), exact: true })
      .click()
    const table = page.getByRole('table', { name: t('campaigns.ab.table.label') })
    const delivered = table.getByRole('row', { name: new RegExp(`^${t('campaigns.report.delivered')}`) })
    await expect(delivered.getByRole('cell')).toHaveText([groups.a, groups.b, groups.rest].map(String))
    await expect(table.getByText(t('campaigns.ab.result.won'), { exact: true })).toBeVisible()
    await expect(table.getByText(t('campaigns.ab.group.restGot', { content: 'B' }))).toBeVisible()
  })
})

test('where a person decides nothing more goes out until they chose, with the figures before their eyes', async ({
  page,
}) => {
  const t = wordsIn('en')
  const { subjects } = await beShopWithReaders(page, 'en', t)
  await draftTest(page, 'en', t, subjects.b, 'person')
  const groups = await groupsOf(page, t)
  await sendToGroups(page, t)

  await test.step('When the time is over the page asks, and the rest still waits', async () => {
    await moveTheClock(page.request, 3 * HOUR_MS)
    await lookAgain(page)
    await expect(page.getByText(t('campaigns.ab.asksTitle'), { exact: true })).toBeVisible()
    await expect(page.getByRole('table', { name: t('campaigns.ab.table.label') })).toBeVisible()
    expect((await sent(page, subjects.a)).length + (await sent(page, subjects.b)).length).toBe(groups.a + groups.b)
  })

  await test.step('A person sends A to the rest', async () => {
    await page.getByRole('button', { name: t('campaigns.ab.choose.a'), exact: true }).click()
    const people = t('campaigns.review.people', { count: groups.rest, n: groups.rest })
    const dialog = page.getByRole('dialog', { name: t('campaigns.ab.choose.askTitle', { winner: 'A', people }) })
    await dialog.getByRole('button', { name: t('campaigns.ab.choose.a'), exact: true }).click()
    await expect(page.getByText(t('campaigns.ab.asksTitle'), { exact: true })).toBeHidden()
    await lookAgain(page)
    await expect(page.getByText(t('campaigns.status.sent'), { exact: true }).first()).toBeVisible()
    expect(await sent(page, subjects.a)).toHaveLength(groups.a + groups.rest)
    expect(await sent(page, subjects.b)).toHaveLength(groups.b)
    await expect(page.getByText(/chose A/)).toBeVisible()
  })
})
