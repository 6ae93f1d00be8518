import { sandboxUrl } from '../addresses.ts'
import { seriousProblems } from './accessible.ts'
import { beReadyToSend, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { addToStore } from './outside-world.ts'
import { type Language, wordsIn } from './words.ts'

for (const language of ['ja', 'en'] satisfies Language[])
  test(`a dead link is found in the review, mended from there, and found no more (${language})`, async ({
    page,
    request,
  }) => {
    const t = wordsIn(language)
    const once = `${Date.now().toString(36)}-${language}`
    const shop = `okaeri-links-${once}.myshopify.com`
    const home = `${sandboxUrl}/stores/${shop}`
    await speak(page, language)
    await addToStore(request, shop, {
      first_name: '花子',
      last_name: '佐藤',
      email: `hanako-${once}@customer.test`,
      tags: [],
      email_state: 'SUBSCRIBED',
    })
    const owner = { siteName: '木と布', email: `owner-${once}@links.test`, password: 'a long enough one' }
    const api = await beReadyToSend(page, owner, shop)
    const line = (address: string) => `<p><a href="${address}">新作の器を見る</a></p>`
    const content = [
      '<html><body><p>{{ customer.greeting }}、春の新作が届きました。手づくりの器を、ぜひご覧ください。</p>',
      line(`${home}/products/no-such-bowl`),
      '<p>{{ sender.name }}<br>{{ store.postal_address }}<br>{{ store.contact_email }}</p>',
      '<p><a href="{{ unsubscribe_url }}">配信停止</a></p></body></html>',
    ].join('\n')
    const { email } = await api.post<{ email: { id: string } }>('/emails', { name: '春', subject: '春の器', content })
    const { campaign } = await api.post<{ campaign: { id: string } }>('/campaigns', {
      name: '春のお知らせ',
      segment_type: 'all',
      send_type: 'immediate',
      email_id: email.id,
    })
    const checks = page.getByRole('region', { name: t('campaigns.review.checks') })
    const dead = checks.getByText(t('emails.finding.link_dead.title'))

    await test.step('Opening the review has the links looked at; it can be sent all the same', async () => {
      await page.goto(`campaigns/${campaign.id}/review`)
      await expect(dead).toBeVisible()
      await expect(page.locator('[data-save-bar]').getByRole('button')).not.toHaveAttribute('aria-disabled', 'true')
    })
    await test.step('All links are listed, with what came back', async () => {
      await checks.getByRole('link', { name: t('emails.links.all') }).click()
      const list = page.getByRole('region', { name: t('emails.links.title') })
      await expect(list.getByText(t('emails.links.state.gone'), { exact: true })).toBeVisible()
      await expect(list.getByText(t('emails.links.status', { status: 404 }))).toBeVisible()
      expect(await seriousProblems(page)).toEqual([])
      await page.getByRole('link', { name: t('emails.backToReview') }).click()
    })
    await test.step('The finding leads to its line, where it is mended, and back to the review', async () => {
      await checks.getByRole('link', { name: t('emails.findings.goToLine', { line: 2 }) }).click()
      const code = page.getByRole('textbox', { name: t('emails.editor.codeLabel') })
      await expect(code).toBeFocused()
      // The whole line, as CodeMirror selects it.
      await page.keyboard.press('Alt+l')
      await page.keyboard.insertText(`${line(home)}\n`)
      await page.keyboard.press('Control+S')
      await expect(page.getByText(t('emails.editor.saved'), { exact: true })).toBeVisible()
      await expect(page.getByRole('status').filter({ hasText: t('emails.links.total', { count: 1 }) })).toBeVisible()
      await page.getByRole('link', { name: t('emails.backToReview') }).click()
    })
    await test.step('Nothing is found any more', async () => {
      await expect(checks.getByText(t('emails.links.total', { count: 1 }))).toBeVisible()
      await expect(dead).toBeHidden()
    })
  })
