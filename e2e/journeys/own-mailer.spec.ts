import { expect } from '@playwright/test'
import { seriousProblems } from './accessible.ts'
import { beReadyToSend, operate, speak } from './account.ts'
import { okaeriUrl } from '../addresses.ts'
import { test } from './journey.ts'
import { addToStore, moveTheClock } from './outside-world.ts'
import { draftCampaign, makeTagSegment, sendNow, waitUntilUndoIsOver, writeEmail } from './sending.ts'
import { languages, wordsIn } from './words.ts'

for (const language of languages) {
  const t = wordsIn(language)

  test(`a merchant sends by an own mail server; a receiving service that accepts fewer makes only its mail wait (${language})`, async ({
    page,
    request,
  }) => {
    const once = Date.now().toString(36)
    const shop = `okaeri-e2e-${language}-${once}.myshopify.com`
    const owner = { siteName: 'はな茶舗', email: `owner-${once}@${language}.hana.test`, password: 'a long enough one' }
    const tags = ['spring']
    // Gmail, played by the sandbox, defers the first mail it is offered.
    const busy = { first_name: '花子', last_name: '佐藤', email: `busy-once-${once}@gmail.com` }
    const fine = { first_name: '次郎', last_name: '鈴木', email: `jiro-${once}@customer.test` }
    await speak(page, language)
    for (const person of [busy, fine]) await addToStore(request, shop, { ...person, tags, email_state: 'SUBSCRIBED' })
    await beReadyToSend(page, owner, shop)
    await operate('set-plan', owner.email, 'enterprise')
    const section = page.getByRole('region', { name: t('ownMailers.title'), exact: true })
    const press = (name: string) => section.getByRole('button', { name, exact: true }).click()

    await test.step('A server that is not there says so, and nothing is saved', async () => {
      await page.goto('settings?tab=mail')
      await press(t('ownMailers.setUp'))
      await section.getByLabel(t('ownMailers.host'), { exact: true }).fill('127.0.0.1')
      await section.getByLabel(t('ownMailers.port'), { exact: true }).fill('9')
      await section.getByLabel(t('ownMailers.username'), { exact: true }).fill('shop')
      await section.getByLabel(t('ownMailers.password'), { exact: true }).fill('secret')
      await press(t('ownMailers.save'))
      await expect(section.getByRole('alert')).toContainText(t('ownMailers.failed'))
    })

    await test.step('The right one is kept, tried by a mail to oneself, and put to use', async () => {
      await section
        .getByLabel(t('ownMailers.port'), { exact: true })
        // The sandbox's mail server (README.md, "Ports").
        .fill(String(Number(new URL(okaeriUrl).port) + 2))
      await press(t('ownMailers.save'))
      await expect(section.getByText(t('ownMailers.notInUse'), { exact: true })).toBeVisible()
      await expect(section.getByRole('button', { name: t('ownMailers.use'), exact: true })).toBeDisabled()
      await press(t('ownMailers.test'))
      await expect(page.getByText(t('ownMailers.tested', { email: owner.email }))).toBeVisible()
      await press(t('ownMailers.use'))
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('ownMailers.use'), exact: true })
        .click()
      await expect(section.getByText(t('ownMailers.inUse'), { exact: true })).toBeVisible()
      expect(await seriousProblems(page)).toEqual([])
    })

    await test.step('Of a campaign the mail to the slow service waits, and the page says so', async () => {
      await makeTagSegment(page, t, { name: '春の会', tag: 'spring', people: 2 })
      await writeEmail(page, t, { name: '春の便り', subject: '春の便りです', text: '桜の季節です。' })
      await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
      await expect(page.getByText(t('emails.editor.saved'), { exact: true })).toBeVisible()
      await draftCampaign(page, t, { name: '春の便り、一通目', segment: '春の会', email: '春の便り' })
      await sendNow(page, t, 2)
      await waitUntilUndoIsOver(page)
      const notice = page.getByRole('main').getByText(t('deliveries.paces.title'), { exact: true })
      await expect(notice).toBeVisible()
      const slow = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Gmail' })
      await expect(slow).toContainText('421 4.7.0')
      expect(await seriousProblems(page)).toEqual([])
    })

    await test.step('After a while it is taken, too', async () => {
      await moveTheClock(request, 10 * 60_000)
      await page.reload()
      await expect(page.getByText(t('campaigns.status.sent'), { exact: true }).first()).toBeVisible()
    })
  })
}
