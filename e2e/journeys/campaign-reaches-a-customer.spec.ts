import type { Page } from '@playwright/test'
import { expect, test } from './journey.ts'
import { beReadyToSend, speak } from './account.ts'
import {
  addToStore,
  buySomething,
  follow,
  letter,
  mailAbout,
  mailsTo,
  moveTheClock,
  openMail,
} from './outside-world.ts'
import { choose, draftCampaign, makeTagSegment, preview, sendNow, waitUntilSent, writeEmail } from './sending.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')
const say = {
  segment: '珈琲の会',
  email: '秋の新豆',
  subject: '秋の新豆が届きました',
  text: '新しい豆が焼き上がりました。',
  first: '秋の新豆のお知らせ',
  second: '秋の新豆のお知らせ、ふたたび',
}
/** A hit is judged when its neighbours are all there. */
const JUDGED_AFTER_MS = 5000

test('a campaign reaches a customer, who opens it, buys, and leaves', async ({ page, request }) => {
  // Journeys may be repeated in the same world.
  const once = Date.now().toString(36)
  const shop = `okaeri-e2e-${once}.myshopify.com`
  const owner = { siteName: 'くも珈琲', email: `owner-${once}@kumo-coffee.test`, password: 'a long enough one' }
  const hanako = { first_name: '花子', last_name: '佐藤', email: `hanako-${once}@customer.test` }
  const jiro = { first_name: '次郎', last_name: '鈴木', email: `jiro-${once}@customer.test` }
  const silent = { first_name: '静', last_name: '高橋', email: `shizuka-${once}@customer.test` }
  const tags = ['circle']
  await speak(page, 'ja')

  for (const person of [hanako, jiro]) await addToStore(request, shop, { ...person, tags, email_state: 'SUBSCRIBED' })
  await addToStore(request, shop, { ...silent, tags, email_state: 'NOT_SUBSCRIBED' })
  await beReadyToSend(page, owner, shop)

  await test.step('A segment is made with the condition editor, which counts while one edits', () =>
    makeTagSegment(page, t, { name: say.segment, tag: 'circle', people: 3 }))

  await test.step('A mail is written, looked at as a customer, and found to be in order', async () => {
    await writeEmail(page, t, { name: say.email, subject: say.subject, text: say.text })
    await expect(preview(page).getByText(say.text)).toBeVisible()
    await choose(page, t('emails.editor.previewAs'), new RegExp(hanako.email), hanako.email)
    await expect(preview(page).getByText(`${say.text} 佐藤`)).toBeVisible()
    await expect(page.getByText(t('emails.findings.none'))).toBeVisible()
    await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
    await expect(page.getByText(t('emails.editor.saved'), { exact: true })).toBeVisible()
  })

  await test.step('The review says whom it reaches and who is left out; then it is sent', async () => {
    await draftCampaign(page, t, { name: say.first, segment: say.segment, email: say.email })
    const reach = page.getByRole('region', { name: t('campaigns.review.willReach'), exact: true })
    await expect(reach.getByText(t('campaigns.review.people', { count: 2, n: 2 }), { exact: true })).toBeVisible()
    await expect(
      reach.getByRole('row', { name: new RegExp(`^${t('campaigns.review.reason.no_consent')} 1$`) }),
    ).toBeVisible()
    await sendNow(page, t, 2)
    await waitUntilSent(page, t)
    await expect(row(page, hanako.email)).toContainText(t('deliveries.status.sent'))
    await expect(row(page, jiro.email)).toContainText(t('deliveries.status.sent'))
  })

  const mailbox = await page.context().newPage()
  await test.step('The customer opens the mail, follows its link and buys', async () => {
    const mail = await mailAbout(request, hanako.email, say.subject)
    expect(await mailsTo(request, silent.email)).toEqual([])
    await openMail(mailbox, mail)
    await expect(letter(mailbox).getByText(`${say.text} 佐藤`)).toBeVisible()
    const storefront = await follow(mailbox, /ストアを見る/)
    await buySomething(storefront, hanako.email)
    await storefront.close()
  })

  await test.step('The report shows the open, the click, the order and the revenue', async () => {
    // A tab behind another draws about once a second, and each click waits for that.
    await page.bringToFront()
    await moveTheClock(request, JUDGED_AFTER_MS)
    await page
      .getByRole('main')
      .getByRole('link', { name: t('campaigns.do.report'), exact: true })
      .click()
    await expect(figure(page, t('campaigns.report.openRate'))).toContainText('50')
    await expect(figure(page, t('campaigns.report.clickRate'))).toContainText('50')
    await expect(figure(page, t('campaigns.report.orders'))).toContainText('1')
    await expect(figure(page, t('campaigns.report.revenue'))).toContainText(/[¥￥][1-9]/)
    const links = page.getByRole('table', { name: t('campaigns.clickMap.table'), exact: true })
    await expect(links.getByRole('row', { name: /ストアを見る .* 1 100\.0% 0$/ })).toBeVisible()
    const drawn = preview(page).getByRole('link', { name: /ストアを見る/ })
    await expect(drawn).toHaveAttribute('href', /^#link-/)
    const said = await drawn.evaluate((link) => getComputedStyle(link, '::after').content)
    expect(said).toBe(`"${t('campaigns.clickMap.clicks', { count: 1, n: 1 })} · 100.0%"`)
  })

  await test.step('The customer unsubscribes by the link in the mail: the page asks first', async () => {
    const asking = await follow(mailbox, /配信を停止できます/)
    await asking.getByRole('button', { name: /^配信を停止する$/ }).click()
    await expect(asking.getByRole('heading', { name: /停止しました/ })).toBeVisible()
    await asking.close()
    await mailbox.close()
  })

  await test.step('The next campaign leaves that person out and says why, here and on the customer’s page', async () => {
    await draftCampaign(page, t, { name: say.second, segment: say.segment, email: say.email })
    await sendNow(page, t, 1)
    await waitUntilSent(page, t)
    await expect(row(page, jiro.email)).toContainText(t('deliveries.status.sent'))
    await expect(row(page, hanako.email)).toContainText(t('deliveries.skip.no_consent'))
    await row(page, hanako.email).getByRole('link').first().click()
    const messages = page.getByRole('list').filter({ hasText: say.second })
    await expect(messages).toContainText(t('customers.whyNot', { reason: t('deliveries.skip.no_consent') }))
    await expect(messages).toContainText(t('customers.source.unsubscribe_link'))
    expect(await mailsTo(request, hanako.email)).toHaveLength(1)
    expect(await mailsTo(request, jiro.email)).toHaveLength(2)
  })
})

const row = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email })
const figure = (page: Page, label: string) => page.getByRole('group', { name: label, exact: true })
