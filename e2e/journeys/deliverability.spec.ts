import { expect, test } from './journey.ts'
import { seriousProblems } from './accessible.ts'
import { beReadyToSend, speak } from './account.ts'
import { addToStore, moveTheClock, settle } from './outside-world.ts'
import { draftCampaign, makeTagSegment, sendNow, waitUntilSent, writeEmail } from './sending.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')
const english = wordsIn('en')
const say = {
  segment: '新茶の会',
  email: '新茶の便り',
  subject: '新茶が届きました',
  text: '今年の新茶をお届けします。',
  campaign: '新茶の便り、一通目',
}
const SIX_MINUTES = 6 * 60_000

test('a campaign’s report and the page of deliverability say what docomo took and what it refused, in both languages', async ({
  page,
  request,
}) => {
  const once = Date.now().toString(36)
  const shop = `okaeri-e2e-${once}.myshopify.com`
  const owner = { siteName: 'もり茶舗', email: `owner-${once}@mori-tea.test`, password: 'a long enough one' }
  const people = [
    { first_name: '花子', last_name: '佐藤', email: `hanako-${once}@docomo.ne.jp` },
    // The sandbox's mail server refuses it, and says what it thinks of the mail.
    { first_name: '次郎', last_name: '鈴木', email: `spam-${once}@docomo.ne.jp` },
    { first_name: '三郎', last_name: '田中', email: `saburo-${once}@gmail.com` },
    { first_name: '四郎', last_name: '山本', email: `shiro-${once}@example.jp` },
  ]
  await speak(page, 'ja')
  for (const person of people) await addToStore(request, shop, { ...person, tags: ['tea'], email_state: 'SUBSCRIBED' })
  await beReadyToSend(page, owner, shop)
  await makeTagSegment(page, t, { name: say.segment, tag: 'tea', people: people.length })
  await writeEmail(page, t, { name: say.email, subject: say.subject, text: say.text })
  await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
  await expect(page.getByText(t('emails.editor.saved'), { exact: true })).toBeVisible()
  await draftCampaign(page, t, { name: say.campaign, segment: say.segment, email: say.email })
  await sendNow(page, t, people.length)
  await waitUntilSent(page, t)
  await settle(request)

  await test.step('The report has a line for each receiver, and what the server said without the address', async () => {
    await page
      .getByRole('main')
      .getByRole('link', { name: t('campaigns.do.report'), exact: true })
      .click()
    const section = page.getByRole('region', { name: t('deliverability.byReceiver'), exact: true })
    await expect(
      section.getByRole('row', { name: new RegExp(`^${t('deliveries.receiver.docomo')} 1 1`) }),
    ).toBeVisible()
    await expect(section.getByRole('row', { name: /^Gmail 1 0/ })).toBeVisible()
    await expect(section.getByRole('row', { name: new RegExp(`^${t('deliverability.others')} 1 0`) })).toBeVisible()
    await expect(section.getByText('554 5.7.1 Message refused as spam')).toBeVisible()
    await expect(page.getByText(`spam-${once}`)).toBeHidden()
    const download = page.waitForEvent('download')
    await section.getByRole('button', { name: t('deliverability.csv') }).click()
    expect((await download).suggestedFilename()).toContain('.csv')
  })

  await test.step('The page of deliverability has the same over the last days', async () => {
    await moveTheClock(request, SIX_MINUTES)
    await page.getByRole('link', { name: t('shell.nav.deliverability'), exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: t('deliverability.title') })).toBeVisible()
    await expect(page.getByRole('row', { name: new RegExp(`^${t('deliveries.receiver.docomo')} 1 1`) })).toBeVisible()
    const sent = page.getByRole('group', { name: t('deliverability.sent'), exact: true })
    await expect(sent).toContainText('3')
    await page.getByText(t('deliverability.days.d7'), { exact: true }).click()
    await expect(page).toHaveURL(/days=7/)
    await expect(sent).toContainText('3')
    // There were no complaints: no chart that looks like a measurement, and a table of days for those who want it.
    const trend = page.getByRole('region', { name: t('deliverability.trend.title'), exact: true })
    await expect(trend.getByText(t('deliverability.trend.empty'))).toBeVisible()
    await trend.getByText(t('ui.report.table'), { exact: true }).click()
    await expect(trend.getByRole('row')).toHaveCount(8)
    expect(await seriousProblems(page)).toEqual([])
  })

  await test.step('And in English', async () => {
    await page.evaluate(() => localStorage.setItem('language', 'en'))
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: english('deliverability.title') })).toBeVisible()
    await expect(page.getByRole('row', { name: /^docomo 1 1/ })).toBeVisible()
    await expect(page.getByText('554 5.7.1 Message refused as spam')).toBeVisible()
  })
})
