import { beReadyToSend, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { addToStore, mailAbout, readMail } from './outside-world.ts'
import { choose, chooseProductOnSale, draftCampaign, field, makeTagSegment, sendNow, waitUntilSent } from './sending.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')

test('two customers get one mail made of blocks, each with what is for them', async ({ page, request }) => {
  const once = Date.now().toString(36)
  const shop = `okaeri-e2e-${once}.myshopify.com`
  const owner = { siteName: 'くも珈琲', email: `owner-${once}@kumo-coffee.test`, password: 'a long enough one' }
  const hanako = { first_name: '花子', last_name: '佐藤', email: `hanako-${once}@customer.test` }
  const jiro = { first_name: '次郎', last_name: '鈴木', email: `jiro-${once}@customer.test` }
  await page.setViewportSize({ width: 1600, height: 1300 })
  await speak(page, 'ja')
  await addToStore(request, shop, { ...hanako, tags: ['circle', 'gold'], email_state: 'SUBSCRIBED' })
  await addToStore(request, shop, { ...jiro, tags: ['circle'], email_state: 'SUBSCRIBED' })
  await beReadyToSend(page, owner, shop)
  await makeTagSegment(page, t, { name: '珈琲の会', tag: 'circle', people: 2 })
  await makeTagSegment(page, t, { name: '金の会', tag: 'gold', people: 1 })

  const blocks = page.getByRole('region', { name: t('design.blocks'), exact: true })
  const settings = page.getByRole('region', { name: t('design.settings'), exact: true })
  const mail = page.frameLocator(`iframe[title="${t('design.canvas')}"]`)
  const add = (kind: 'text' | 'products' | 'product_rule' | 'coupon') =>
    blocks.getByRole('button', { name: t(`design.kind.${kind}.name`), exact: true }).click()
  const write = async (words: string) => {
    await settings.getByRole('textbox', { name: t('design.field.text') }).click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type(words)
    await expect(mail.getByText(words)).toBeVisible()
  }
  const showTo = async (who: 'members' | 'others', segment: string) => {
    await choose(page, t('design.field.shownTo'), t(`design.who.${who}`))
    await choose(page, t('design.field.segment'), segment, segment)
  }
  let product = ''

  await test.step('A mail is made of blocks that are filled when it is sent', async () => {
    await page.goto('emails/new')
    await field(page, t('emails.name')).fill('夏の便り')
    await field(page, t('emails.subject')).fill('夏の便りです')
    await page.getByRole('button', { name: t('emails.form.create') }).click()
    await expect(mail.getByText('くも珈琲').first()).toBeVisible()

    await add('text')
    await write('金の会の皆さまへの先行販売です。')
    await showTo('members', '金の会')
    await add('text')
    await write('金の会へのご入会をお待ちしています。')
    await showTo('others', '金の会')
    await expect(
      page.getByRole('button', { name: new RegExp(t('design.mark.others', { segment: '金の会' })) }).first(),
    ).toBeVisible()

    await add('products')
    await page.getByRole('combobox', { name: t('design.field.addProduct'), exact: true }).click()
    product = await chooseProductOnSale(page, t)
    await expect(mail.getByText(product).first()).toBeVisible()
    await add('product_rule')
    await choose(page, t('design.field.rule'), t('design.rules.new'))
    await add('coupon')
    await settings.getByLabel(t('design.field.couponCode'), { exact: true }).fill('AIZOME10')
    await expect(mail.getByText('AIZOME10')).toBeVisible()
  })

  await test.step('As a chosen customer it shows what is for them', async () => {
    const seenAs = t('emails.editor.previewAs')
    await choose(page, seenAs, new RegExp(jiro.email), jiro.email)
    await expect(mail.getByText('金の会へのご入会をお待ちしています。')).toBeVisible()
    await expect(mail.getByText('金の会の皆さまへの先行販売です。')).toBeHidden()
    await choose(page, seenAs, new RegExp(hanako.email), hanako.email)
    await expect(mail.getByText('金の会の皆さまへの先行販売です。')).toBeVisible()
    await expect(mail.getByText('金の会へのご入会をお待ちしています。')).toBeHidden()
    await expect(page.getByText(t('emails.findings.none'))).toBeVisible()
    await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
    await expect(page.getByText(t('emails.editor.saved'), { exact: true })).toBeVisible()
  })

  await test.step('Sent, each customer got theirs, and both the product and the coupon', async () => {
    await draftCampaign(page, t, { name: '夏の便りを送る', segment: '珈琲の会', email: '夏の便り' })
    await sendNow(page, t, 2)
    await waitUntilSent(page, t)
    const [toHanako, toJiro] = await Promise.all(
      [hanako, jiro].map(async ({ email }) => {
        const { id } = await mailAbout(request, email, '夏の便りです')
        return readMail(request, id)
      }),
    )
    for (const got of [toHanako, toJiro]) {
      expect(got?.text).toContain(product)
      expect(got?.text).toContain('AIZOME10')
    }
    expect(toHanako?.text).toContain('先行販売です。')
    expect(toHanako?.text).not.toContain('ご入会を')
    expect(toJiro?.text).toContain('ご入会を')
    expect(toJiro?.text).not.toContain('先行販売です。')
  })
})
