import { seriousProblems } from './accessible.ts'
import { beNewMerchant, beReadyToSend, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { addToStore, mailAbout, readMail } from './outside-world.ts'
import { chooseProductOnSale, draftCampaign, field, makeTagSegment, sendNow, waitUntilSent } from './sending.ts'
import { type Language, wordsIn } from './words.ts'

for (const language of ['ja', 'en'] as const satisfies readonly Language[])
  test(`a mail with a product and a coupon is made from a template by the mouse alone, looked at, saved and sent (${language})`, async ({
    page,
    request,
  }) => {
    const t = wordsIn(language)
    const once = `${Date.now().toString(36)}-${language}`
    const shop = `okaeri-e2e-${once}.myshopify.com`
    const hanako = { first_name: '花子', last_name: '佐藤', email: `hanako-${once}@customer.test` }
    await page.setViewportSize({ width: 1600, height: 1300 })
    await speak(page, language)
    await addToStore(request, shop, { ...hanako, tags: ['circle'], email_state: 'SUBSCRIBED' })
    await beReadyToSend(
      page,
      { siteName: '布と糸', email: `owner-${once}@design.test`, password: 'a long enough one' },
      shop,
    )
    let subject = ''
    let product = ''
    let editor = ''
    const saved = page.getByText(t('emails.editor.saved'), { exact: true })
    const place = (kind: 'text' | 'button' | 'coupon' | 'products') =>
      page.getByRole('region', { name: t('design.canvas') }).getByRole('button', {
        name: t('design.chooseBlock', { name: t(`design.kind.${kind}.name`) }),
        exact: true,
      })
    const kind = (kind: 'coupon' | 'products') =>
      page.getByRole('region', { name: t('design.blocks') }).getByRole('button', {
        name: t(`design.kind.${kind}.name`),
        exact: true,
      })
    const mail = page.frameLocator(`iframe[title="${t('design.canvas')}"]`)
    const settings = page.getByRole('region', { name: t('design.settings'), exact: true })

    await test.step('From a template, without a line of HTML', async () => {
      await page.goto('emails/new')
      await expect(page.getByRole('radio', { name: t('emails.form.visual') })).toBeChecked()
      await field(page, t('emails.name')).fill('夏の便り')
      subject = await field(page, t('emails.subject')).inputValue()
      await page.getByRole('button', { name: t('emails.form.create') }).click()
      await expect(place('button')).toBeVisible()
      await expect(mail.getByText('布と糸').first()).toBeVisible()
    })

    await test.step('A text is chosen in the mail and written', async () => {
      await place('text').first().click()
      const text = settings.getByRole('textbox', { name: t('design.field.text') })
      await text.click()
      await page.keyboard.press('Control+End')
      await page.keyboard.type('藍染めの布が入りました。')
      await expect(mail.getByText('藍染めの布が入りました。')).toBeVisible()
    })

    await test.step('A coupon is dragged below the button, and moved above it', async () => {
      await kind('coupon').dragTo(place('button'), { targetPosition: { x: 20, y: 60 } })
      // Its name stands above, and again where the code comes from is chosen.
      await expect(settings.getByText(t('design.kind.coupon.name'), { exact: true }).first()).toBeVisible()
      // What is not filled in keeps the mail from being sent, and says where.
      const findings = page.getByRole('region', { name: t('emails.findings.title') })
      const unfinished = findings.getByRole('button', {
        name: t('emails.findings.showBlock', { name: t('design.kind.coupon.name') }),
      })
      await expect(unfinished).toBeVisible()
      await settings.getByLabel(t('design.field.couponCode'), { exact: true }).fill('AIZOME10')
      await expect(mail.getByText('AIZOME10')).toBeVisible()
      await expect(unfinished).toBeHidden()
      await settings.getByRole('button', { name: t('design.moveUp') }).click()
      await expect
        .poll(async () => {
          const [coupon, button] = await Promise.all([place('coupon').boundingBox(), place('button').boundingBox()])
          return coupon && button && coupon.y < button.y
        })
        .toBe(true)
    })

    await test.step('A product of the store is chosen, below the coupon', async () => {
      await kind('products').dragTo(place('coupon'), { targetPosition: { x: 20, y: 60 } })
      await settings.getByRole('combobox', { name: t('design.field.addProduct'), exact: true }).click()
      product = await chooseProductOnSale(page, t)
      await expect(mail.getByText(product).first()).toBeVisible()
    })

    await test.step('What was deleted by mistake comes back', async () => {
      await place('coupon').click()
      await settings.getByRole('button', { name: t('design.remove') }).click()
      await expect(mail.getByText('AIZOME10')).toBeHidden()
      await page.getByRole('button', { name: t('design.undo') }).click()
      await expect(mail.getByText('AIZOME10')).toBeVisible()
      // By keyboard too, which then stands at what followed.
      const entries = page.getByRole('region', { name: t('design.outline'), exact: true }).getByRole('listitem')
      const entry = entries.filter({ hasText: t('design.kind.coupon.name') })
      await entry.getByRole('button').focus()
      const next = entries.nth(
        (await entries.allInnerTexts()).findIndex((text) => text.includes(t('design.kind.coupon.name'))) + 1,
      )
      const nextWords = await next.innerText()
      await page.keyboard.press('Delete')
      await expect(mail.getByText('AIZOME10')).toBeHidden()
      await expect(entries.filter({ hasText: nextWords }).getByRole('button').first()).toBeFocused()
      await page.keyboard.press('ControlOrMeta+z')
      await expect(mail.getByText('AIZOME10')).toBeVisible()
      expect(await seriousProblems(page)).toEqual([])
    })

    await test.step('On a phone and in the dark it is seen as compiled', async () => {
      await page.getByText(t('design.preview'), { exact: true }).click()
      await page.getByRole('switch', { name: t('emails.view.dark') }).click()
      await expect(page.frameLocator('iframe[sandbox=""]').getByText('藍染めの布が入りました。')).toBeVisible()
      await page.getByText(t('design.edit'), { exact: true }).click()
    })

    await test.step('Saved, it is the same afterwards', async () => {
      await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
      await expect(saved).toBeVisible()
      editor = page.url()
      await page.reload()
      await expect(mail.getByText('AIZOME10')).toBeVisible()
      await expect(mail.getByText('藍染めの布が入りました。')).toBeVisible()
      await expect(mail.getByText(product).first()).toBeVisible()
    })

    await test.step('Sent, the customer got the text, the coupon and the product', async () => {
      await makeTagSegment(page, t, { name: '布の会', tag: 'circle', people: 1 })
      await draftCampaign(page, t, { name: '夏の便りを送る', segment: '布の会', email: '夏の便り' })
      await sendNow(page, t, 1)
      await waitUntilSent(page, t)
      const got = await readMail(request, (await mailAbout(request, hanako.email, '布と糸からのお知らせ')).id)
      for (const words of ['藍染めの布が入りました。', 'AIZOME10', product]) expect(got.text).toContain(words)
    })

    await test.step('It becomes HTML after a warning that says what is lost', async () => {
      await page.goto(editor)
      await page.getByRole('button', { name: t('design.toCode') }).click()
      const question = page.getByRole('dialog', { name: t('design.toCodeAsk') })
      await expect(question).toContainText(t('design.toCodeBody'))
      await question.getByRole('button', { name: t('design.toCode') }).click()
      await expect(page.getByRole('textbox', { name: t('emails.editor.codeLabel') })).toBeVisible()
    })

    await test.step('And blocks again, from a template, after a warning that the HTML is lost', async () => {
      await page.getByRole('button', { name: t('emails.toVisual.action') }).click()
      const question = page.getByRole('dialog', { name: t('emails.toVisual.title') })
      await expect(question).toContainText(t('emails.toVisual.lost'))
      expect(await seriousProblems(page)).toEqual([])
      await question.getByRole('button', { name: t('emails.toVisual.confirm') }).click()
      await expect(place('button')).toBeVisible()
      await expect(mail.getByText('AIZOME10')).toBeHidden()
      await expect(field(page, t('emails.subject'))).toHaveValue(subject)
    })
  })

test('the template chosen from the gallery is the mail that was pictured', async ({ page }) => {
  const t = wordsIn('ja')
  await speak(page, 'ja')
  await beNewMerchant(page, {
    siteName: '布と糸',
    email: `owner-${Date.now().toString(36)}@gallery.test`,
    password: 'a long enough one',
  })
  await page.goto('emails/new')
  await page
    .getByRole('radiogroup', { name: t('emails.gallery.filter') })
    .getByText(t('emails.gallery.campaign'), { exact: true })
    .click()
  await page.getByRole('radio', { name: 'セール', exact: true }).click()
  await expect(field(page, t('emails.subject'))).toHaveValue('セールのお知らせ')
  await page.getByRole('button', { name: t('emails.form.create') }).click()
  const mail = page.frameLocator(`iframe[title="${t('design.canvas')}"]`)
  await expect(mail.getByRole('heading', { name: 'セールのお知らせ' })).toBeVisible()
})
