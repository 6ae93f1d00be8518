import { expect, test } from './journey.ts'
import { beReadyToSend, speak } from './account.ts'
import { addToStore, settle } from './outside-world.ts'
import { draftCampaign, field, makeTagSegment, sendNow, waitUntilSent, writeEmail } from './sending.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')
const say = {
  segment: '便りの会',
  email: '冬の便り',
  subject: '冬の便りをお届けします',
  text: '温かいお茶の季節です。',
  first: '冬の便り、一通目',
  second: '冬の便り、二通目',
  reason: 'ご本人からアドレスを確認した',
}

test('a mail comes back, its address is suppressed with proof, the next campaign leaves the person out, and a member undoes it', async ({
  page,
  request,
}) => {
  const once = Date.now().toString(36)
  const shop = `okaeri-e2e-${once}.myshopify.com`
  const owner = { siteName: 'ゆき茶舗', email: `owner-${once}@yuki-tea.test`, password: 'a long enough one' }
  // The sandbox's mail server takes the mail, and returns it later.
  const gone = { first_name: '花子', last_name: '佐藤', email: `bounce-${once}@customer.test` }
  const fine = { first_name: '次郎', last_name: '鈴木', email: `jiro-${once}@customer.test` }
  const tags = ['winter']
  await speak(page, 'ja')
  for (const person of [gone, fine]) await addToStore(request, shop, { ...person, tags, email_state: 'SUBSCRIBED' })
  await beReadyToSend(page, owner, shop)
  await makeTagSegment(page, t, { name: say.segment, tag: 'winter', people: 2 })
  await writeEmail(page, t, { name: say.email, subject: say.subject, text: say.text })
  await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
  await expect(page.getByText(t('emails.editor.saved'), { exact: true })).toBeVisible()

  await test.step('Both mails are taken; one of them comes back', async () => {
    await draftCampaign(page, t, { name: say.first, segment: say.segment, email: say.email })
    await sendNow(page, t, 2)
    await waitUntilSent(page, t)
    await settle(request)
  })

  await test.step('The report says that it came back, and of which kind', async () => {
    await page
      .getByRole('main')
      .getByRole('link', { name: t('campaigns.do.report'), exact: true })
      .click()
    // Among the figures, and again for its receiver.
    await expect(
      page.getByText(t('campaigns.report.bounceKinds.hard', { n: '1' }), { exact: true }).first(),
    ).toBeVisible()
  })

  await test.step('The customer’s page says why nothing more is sent, with the server’s words', async () => {
    await page.goto(`customers?q=${gone.email}`)
    await page.getByRole('main').getByRole('link', { name: /佐藤/ }).first().click()
    await expect(page.getByRole('alert')).toContainText(t('customers.suppressed.hard_bounce'))
    await expect(page.getByRole('alert')).toContainText('550 5.1.1 Recipient address rejected: User unknown')
    await page.getByText(t('customers.bounces.evidence')).click()
    await expect(page.getByText('Reporting-MTA: dns; mx.sandbox.okaeri.test')).toBeVisible()
  })

  await test.step('The next campaign leaves the person out', async () => {
    await draftCampaign(page, t, { name: say.second, segment: say.segment, email: say.email })
    const reach = page.getByRole('region', { name: t('campaigns.review.willReach'), exact: true })
    await expect(reach.getByText(t('campaigns.review.people', { count: 1, n: 1 }), { exact: true })).toBeVisible()
    await expect(
      reach.getByRole('row', { name: new RegExp(`^${t('campaigns.review.reason.suppressed')} 1$`) }),
    ).toBeVisible()
  })

  await test.step('A member lets mail go there again, and says why', async () => {
    await page.goto(`customers?q=${gone.email}`)
    await page.getByRole('main').getByRole('link', { name: /佐藤/ }).first().click()
    await page
      .getByRole('alert')
      .getByRole('button', { name: t('customers.allowAgain') })
      .click()
    const dialog = page.getByRole('dialog')
    await field(page, t('customers.suppressions.liftReason')).fill(say.reason)
    await dialog.getByRole('button', { name: t('customers.suppressions.lift'), exact: true }).click()
    await expect(page.getByText(t('customers.suppressedTitle'), { exact: true })).toBeHidden()
    await expect(page.getByText(t('customers.bounces.title'), { exact: true })).toBeVisible()
  })
})
