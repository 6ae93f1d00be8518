import { type APIRequestContext, expect, type Locator, type Page } from '@playwright/test'
import { sandboxUrl } from '../addresses.ts'
import { seriousProblems } from './accessible.ts'
import { beNewMerchant, speak } from './account.ts'
import { test } from './journey.ts'
import { languages, wordsIn } from './words.ts'

async function publish(request: APIRequestContext, record: Locator): Promise<void> {
  const [type, name, value] = await record.locator('code').allInnerTexts()
  const answer = await request.post(`${sandboxUrl}/dns.json`, { data: { type, name, value } })
  expect(answer.status(), await answer.text()).toBe(200)
}

for (const language of languages) {
  const t = wordsIn(language)
  const recordOf = (page: Page, kind: 'ownership' | 'dkim' | 'dmarc' | 'tracking'): Locator =>
    page.getByRole('listitem').filter({ has: page.getByText(t(`senderDomains.record.${kind}`), { exact: true }) })

  test(`a merchant proves a sender domain by its DNS, and sends from any of its addresses (${language})`, async ({
    page,
    request,
  }) => {
    const once = Date.now().toString(36)
    const name = `shop-${language}-${once}.test`
    await speak(page, language)
    const email = `owner-${once}@${language}.kumo-coffee.test`
    const api = await beNewMerchant(page, { siteName: 'くも珈琲', email, password: 'a long enough one' })
    const check = () => page.getByRole('button', { name: t('senderDomains.check'), exact: true }).click()
    const status = (word: 'pending' | 'verified') =>
      expect(page.getByText(t(`senderDomains.status.${word}`), { exact: true })).toBeVisible()

    await test.step('A public mail service is refused at the field; the own domain shows its records', async () => {
      await page.goto('settings?tab=mail')
      const field = page.getByLabel(t('senderDomains.name'), { exact: true })
      await field.fill('gmail.com')
      await page.getByRole('button', { name: t('senderDomains.add'), exact: true }).click()
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await field.fill(name)
      await page.getByRole('button', { name: t('senderDomains.add'), exact: true }).click()
      await expect(page.getByRole('heading', { name })).toBeVisible()
      await status('pending')
    })

    await test.step('Looked up too soon, it says so', async () => {
      await check()
      await expect(page.getByText(t('senderDomains.failure'))).toBeVisible()
      await expect(recordOf(page, 'dkim').getByText(t('senderDomains.state.missing'), { exact: true })).toBeVisible()
    })

    await test.step('With proof and key published it is verified', async () => {
      await publish(request, recordOf(page, 'ownership'))
      await publish(request, recordOf(page, 'dkim'))
      await check()
      await expect(page.getByText(t('senderDomains.success'))).toBeVisible()
      await status('verified')
      await expect(recordOf(page, 'dkim').getByText(t('senderDomains.state.found'), { exact: true })).toBeVisible()
      expect(await seriousProblems(page)).toEqual([])
    })

    await test.step('Any of its addresses is a confirmed sender', async () => {
      const sender_email = `news@${name}`
      const settings = await api.put<{ confirmations: { purpose: string; email: string; status: string }[] }>(
        '/user/me/settings',
        { userSetting: { sender_email } },
      )
      expect(settings.confirmations).toContainEqual({
        purpose: 'sender',
        email: sender_email,
        status: 'confirmed',
        asked_at: null,
        mail: null,
      })
    })

    await test.step('Links and pictures can use a host of its own, once its record is found', async () => {
      const host = `mail.${name}`
      const field = page.getByLabel(t('senderDomains.links.host'), { exact: true })
      const set = () => page.getByRole('button', { name: t('senderDomains.links.save'), exact: true }).click()
      await field.fill('mail.other.test')
      await set()
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await field.fill(host)
      await set()
      await expect(page.getByRole('button', { name: t('senderDomains.links.remove') })).toBeVisible()
      await publish(request, recordOf(page, 'tracking'))
      await check()
      await expect(page.getByText(t('senderDomains.links.verified', { host }))).toBeVisible()
      expect(await seriousProblems(page)).toEqual([])
      // By it there is no page to sign in at.
      const { port } = new URL(page.url())
      const answer = await request.get(new URL('/_app/', page.url()).href, { headers: { host: `${host}:${port}` } })
      expect(answer.status()).toBe(404)
    })
  })
}
