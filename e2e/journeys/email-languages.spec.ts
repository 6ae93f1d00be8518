import { seriousProblems } from './accessible.ts'
import { beReadyToSend, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { addToStore, letter, mailAbout, mailsTo, openMail } from './outside-world.ts'
import { choose, draftCampaign, field, makeTagSegment, sendNow, waitUntilSent } from './sending.ts'
import { type Language, wordsIn } from './words.ts'

for (const language of ['ja', 'en'] as const satisfies readonly Language[])
  test(`a mail is written in two languages with a plain text of its own, and each customer gets theirs (${language})`, async ({
    page,
    request,
  }) => {
    const t = wordsIn(language)
    const once = `${Date.now().toString(36)}-${language}`
    const shop = `okaeri-e2e-${once}.myshopify.com`
    const hanako = { first_name: '花子', last_name: '佐藤', email: `hanako-${once}@customer.test`, locale: 'ja' }
    const kate = { first_name: 'Kate', last_name: 'Hill', email: `kate-${once}@customer.test`, locale: 'en-GB' }
    await page.setViewportSize({ width: 1600, height: 1300 })
    await speak(page, language)
    for (const person of [hanako, kate])
      await addToStore(request, shop, { ...person, tags: ['beans'], email_state: 'SUBSCRIBED' })
    const api = await beReadyToSend(
      page,
      { siteName: 'くも珈琲', email: `owner-${once}@kumo-coffee.test`, password: 'a long enough one' },
      shop,
    )
    const { email } = await api.post<{ email: { id: string } }>('/emails', {
      name: '秋の新豆',
      subject: '秋の新豆が届きました',
      language: 'ja',
    })
    // Each language is called what its speakers call it.
    const english = 'English'
    const base = t('emails.languages.base', { language: '日本語' })
    const languages = page.getByRole('group', { name: t('emails.languages.title') })
    const saved = page.getByText(t('emails.editor.saved'), { exact: true })
    const save = page.getByRole('button', { name: t('ui.save'), exact: true })
    const findings = page.getByRole('region', { name: t('emails.findings.title') })
    const plain = page.getByRole('region', { name: t('emails.plainText.title') })
    const text = plain.getByRole('textbox', { name: t('emails.plainText.field') })

    await test.step('English is added as a copy, and written', async () => {
      await page.goto(`emails/${email.id}/editor`)
      await languages.getByRole('button', { name: t('emails.languages.add', { language: english }) }).click()
      await expect(languages.getByRole('radio', { name: english })).toBeChecked()
      await field(page, t('emails.subject')).fill('Our new beans are here')
      await save.click()
      await expect(saved).toBeVisible()
    })

    await test.step('Its plain text begins from the generated one, and must keep the way to unsubscribe', async () => {
      await plain.getByRole('radio', { name: t('emails.plainText.written') }).click()
      await expect(text).toHaveValue(/\{\{ unsubscribe_url \}\}/)
      await expect(findings.getByText(t('emails.findings.none'))).toBeVisible()
      const generated = await text.inputValue()
      await text.fill('Hello')
      await expect(findings.getByText(t('emails.finding.text_no_unsubscribe_link.title'))).toBeVisible()
      await text.fill(`Written for {{ customer.first_name }}.\n\n${generated}`)
      await expect(plain.getByLabel(t('emails.plainText.shown'))).toContainText('Written for Hanako.')
      await expect(findings.getByText(t('emails.findings.none'))).toBeVisible()
      await save.click()
      await expect(saved).toBeVisible()
      expect(await seriousProblems(page)).toEqual([])
    })

    await test.step('A customer of the other language is said to get the other one', async () => {
      await languages.getByText(base, { exact: true }).click()
      await expect(field(page, t('emails.subject'))).toHaveValue('秋の新豆が届きました')
      await choose(page, t('emails.editor.previewAs'), new RegExp(kate.email), kate.email)
      const why = t('emails.languages.why.language', { name: english, tag: 'en-GB' })
      await expect(page.getByText(why)).toBeVisible()
      await page.getByRole('button', { name: t('emails.languages.show', { name: english }) }).click()
      await expect(field(page, t('emails.subject'))).toHaveValue('Our new beans are here')
    })

    await test.step('The email’s page shows both, and follows the customer', async () => {
      await page.goto(`emails/view/${email.id}`)
      await expect(page.getByText(t('emails.finding.no_contact.title'))).toBeHidden()
      await choose(page, t('emails.editor.previewAs'), new RegExp(kate.email), kate.email)
      await expect(
        page.getByRole('region', { name: t('emails.preview') }).getByRole('radio', { name: english }),
      ).toBeChecked()
    })

    await test.step('The review says how many get which, and each gets theirs', async () => {
      await makeTagSegment(page, t, { name: '豆の会', tag: 'beans', people: 2 })
      await draftCampaign(page, t, { name: '新豆', segment: '豆の会', email: '秋の新豆' })
      const one = t('campaigns.review.people', { count: 1, n: 1 })
      for (const name of [base, english])
        await expect(page.getByText(t('emails.languages.people', { name, people: one }), { exact: true })).toBeVisible()
      await sendNow(page, t, 2)
      await waitUntilSent(page, t)
      await expect(page.getByRole('row').filter({ hasText: kate.email })).toContainText(english)
      expect((await mailsTo(request, hanako.email)).map(({ subject }) => subject)).toEqual(['秋の新豆が届きました'])
      const mailbox = await page.context().newPage()
      await openMail(mailbox, await mailAbout(request, kate.email, 'Our new beans are here'))
      await expect(letter(mailbox).getByText('Kate').first()).toBeVisible()
      await mailbox.close()
    })
  })
