import { sandboxUrl } from '../addresses.ts'
import { beReadyToSend, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { addToStore, buySomething, lookAgain, mailAbout, readMail, settle } from './outside-world.ts'
import { choose, field, makeTagSegment, sendNow, waitUntilSent } from './sending.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')
const storeUrl = (shop: string): string => `${sandboxUrl}/stores/${shop}`

test('each recipient of a campaign gets a code of their own; one is used, and the report counts it', async ({
  page,
  request,
}) => {
  // Two customers, a mail, a campaign and a purchase, one after the other.
  test.slow()
  const once = Date.now().toString(36)
  const shop = `okaeri-e2e-${once}.myshopify.com`
  const owner = { siteName: 'くも珈琲', email: `owner-${once}@kumo-coffee.test`, password: 'a long enough one' }
  const hanako = { first_name: '花子', last_name: '佐藤', email: `hanako-${once}@customer.test` }
  const jiro = { first_name: '次郎', last_name: '鈴木', email: `jiro-${once}@customer.test` }
  await page.setViewportSize({ width: 1600, height: 1300 })
  await speak(page, 'ja')
  for (const one of [hanako, jiro])
    await addToStore(request, shop, { ...one, tags: ['circle'], email_state: 'SUBSCRIBED' })
  await beReadyToSend(page, owner, shop)
  await makeTagSegment(page, t, { name: '珈琲の会', tag: 'circle', people: 2 })

  await test.step('A mail with a coupon block for each recipient’s own code', async () => {
    const blocks = page.getByRole('region', { name: t('design.blocks'), exact: true })
    const settings = page.getByRole('region', { name: t('design.settings'), exact: true })
    await page.goto('emails/new')
    await field(page, t('emails.name')).fill('夏のクーポン')
    await field(page, t('emails.subject')).fill('夏のクーポンです')
    await page.getByRole('button', { name: t('emails.form.create') }).click()
    await blocks.getByRole('button', { name: t('design.kind.coupon.name'), exact: true }).click()
    await settings.getByText(t('design.field.couponScenario'), { exact: true }).click()
    await expect(settings.getByText(t('design.field.couponScenarioHelp'))).toBeVisible()
    await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
    await expect(page.getByText(t('emails.editor.saved'), { exact: true })).toBeVisible()
  })

  await test.step('Without saying what it is worth the campaign cannot be sent; the review says where to say it', async () => {
    await page.goto('campaigns/new')
    await field(page, t('campaigns.name')).fill('夏のクーポンを送る')
    await choose(page, t('campaigns.form.segment'), /^珈琲の会/, '珈琲の会')
    await choose(page, t('campaigns.email'), /^夏のクーポン/, '夏のクーポン')
    await page.getByRole('button', { name: t('campaigns.form.saveAndReview') }).click()
    await expect(page.getByText(t('emails.finding.coupon_not_set.title')).first()).toBeVisible()
    await page.getByRole('link', { name: t('emails.findings.campaign') }).click()
  })

  await test.step('It is set up with the settings of a scenario’s coupon, and the review says how many codes that makes', async () => {
    await page.getByRole('switch', { name: t('campaigns.coupon.form.on') }).check()
    await field(page, '割引率').fill('15')
    await field(page, '有効期間').fill('14')
    await field(page, 'コードの先頭').fill('NATSU')
    await page.getByRole('button', { name: t('campaigns.form.saveAndReview') }).click()
    await expect(page.getByText(t('campaigns.coupon.review.codes', { n: 2, count: 2 }))).toBeVisible()
    await expect(
      page.frameLocator('iframe[sandbox=""]').getByText('NATSU-SAMPLE', { exact: true }).first(),
    ).toBeVisible()
  })

  let codes: string[] = []
  await test.step('Sent, each mail shows a different code', async () => {
    await sendNow(page, t, 2)
    await waitUntilSent(page, t)
    const texts = await Promise.all(
      [hanako, jiro].map(async ({ email }) => {
        const { id } = await mailAbout(request, email, '夏のクーポンです')
        return (await readMail(request, id)).text
      }),
    )
    codes = texts.map((text) => /NATSU[A-Z0-9]{10}/.exec(text)?.[0] ?? '')
    expect(new Set(codes).size).toBe(2)
    for (const [at, text] of texts.entries()) {
      expect(text).toContain('15%OFF')
      expect(codes[at]).not.toBe('')
    }
  })

  await test.step('One is used at the checkout of the store, and the campaign’s report counts it', async () => {
    const card = page.getByRole('region', { name: t('campaigns.coupon.title'), exact: true })
    await expect(card.getByText(t('campaigns.coupon.madeOf', { made: 2, total: 2 }))).toBeVisible()
    const campaign = page.url()
    await page.goto(`${storeUrl(shop)}/discount/${codes[0]}`)
    await page.goto(storeUrl(shop))
    await buySomething(page, hanako.email)
    await settle(request)
    await page.goto(campaign)
    await lookAgain(page)
    await expect(card.getByText(/^1$/).first()).toBeVisible()
    await card.getByRole('link', { name: t('campaigns.coupon.list') }).click()
    const used = page.getByRole('row').filter({ hasText: codes[0] ?? '' })
    await expect(used.getByText(t('coupons.status.used'), { exact: true })).toBeVisible()
    await expect(used.getByText('夏のクーポンを送る')).toBeVisible()
  })
})
