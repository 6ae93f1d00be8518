import { beReadyToSend, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { befriend, findPerson, openAccount } from './line-phone.ts'
import { addToStore, mailAbout, moveTheClock, settle } from './outside-world.ts'
import { choose, field, sendNow, waitUntilSent, writeEmail } from './sending.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')
const say = {
  subject: '秋の新豆が届きました',
  text: '新しい豆が焼き上がりました。',
  line: '秋の新豆が焼き上がりました',
}
/** A hit is judged when its neighbors are all there, and people need some time before they follow a link. */
const TIME_TO_READ_MS = 60_000

test('a campaign goes by LINE to friends and by mail to the others', async ({ page, request }) => {
  const once = Date.now().toString(36)
  const shop = `okaeri-e2e-l-${once}.myshopify.com`
  const owner = { siteName: 'くも珈琲', email: `owner-cl-${once}@kumo-coffee.test`, password: 'a long enough one' }
  const jiro = { first_name: '次郎', last_name: '鈴木', email: `jiro-l-${once}@customer.test` }
  const account = await openAccount(request, `くも珈琲${once.slice(-4)}`)
  const person = await findPerson(request, account)
  await speak(page, 'ja')
  await addToStore(request, shop, { ...jiro, tags: [], email_state: 'SUBSCRIBED' })
  const api = await beReadyToSend(page, owner, shop)
  const { channel_id, channel_secret } = account
  await api.put('/line/account', { line_account: { channel_id, channel_secret } })
  await api.post('/line/account/webhook', {})
  const phone = await page.context().newPage()
  await befriend(phone, person, account)
  await page.bringToFront()

  await test.step('A mail and a LINE message say the same', async () => {
    await writeEmail(page, t, { name: '秋の新豆', subject: say.subject, text: say.text })
    await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
    await expect(page.getByText(t('emails.editor.saved'), { exact: true })).toBeVisible()
    await page.goto('messages/line/new')
    await page.getByRole('button', { name: t('lineMessages.start.blank') }).click()
    await field(page, t('lineMessages.name')).fill('秋の新豆')
    await field(page, t('lineMessages.field.text')).fill(`${say.line} https://shop.example/autumn`)
    await page.getByRole('button', { name: t('lineMessages.editor.create'), exact: true }).click()
    await expect(page.getByRole('heading', { name: '秋の新豆', level: 1 })).toBeVisible()
  })

  await test.step('The review says how many get it by which channel, and shows both', async () => {
    await page.goto('campaigns/new')
    await field(page, t('campaigns.name')).fill('秋の新豆のお知らせ')
    await page.getByRole('radio', { name: t('campaigns.form.all') }).click()
    await page.getByRole('radio', { name: t('campaigns.channels.line_else_email') }).click()
    await choose(page, t('campaigns.lineMessage'), /^秋の新豆/, '秋の新豆')
    const chosen = page.getByRole('region', { name: t('campaigns.lineMessage'), exact: true })
    await expect(chosen.getByText(say.line)).toBeVisible()
    await choose(page, t('campaigns.email'), /^秋の新豆/, '秋の新豆')
    await page.getByRole('button', { name: t('campaigns.form.saveAndReview') }).click()
    const reach = page.getByRole('region', { name: t('campaigns.review.willReach'), exact: true })
    await expect(reach.getByText(part('line', 1), { exact: true })).toBeVisible()
    const mailed = reach.getByText(new RegExp(`^${t('campaigns.channels.email')}：`))
    const others = Number(/\d+/.exec(await mailed.innerText())?.[0])
    await expect(mailed).toHaveText(part('email', others))
    const drawn = page.getByRole('region', { name: t('campaigns.lineMessage'), exact: true })
    await expect(drawn.getByText(say.line)).toBeVisible()
    await sendNow(page, t, 1 + others)
    await waitUntilSent(page, t)
  })

  await test.step('The friend reads it on the phone, the other customer in their mailbox; each got one', async () => {
    await phone.reload()
    await expect(phone.getByText(say.line)).toBeVisible()
    await mailAbout(request, jiro.email, say.subject)
    for (const text of [person.name, jiro.email]) {
      await page.getByRole('searchbox', { name: t('deliveries.searchByLine'), exact: true }).fill(text)
      const rows = page.getByRole('row').filter({ hasText: text })
      await expect(rows).toHaveCount(1)
      await expect(rows).toContainText(t('deliveries.status.sent'))
    }
  })

  await test.step('A tap on the link is counted for LINE', async () => {
    await moveTheClock(request, TIME_TO_READ_MS)
    const [href = ''] = /https?:\S+\/c\/\S+/.exec(await phone.getByText(say.line).innerText()) ?? []
    const userAgent = await page.evaluate(() => navigator.userAgent.replace('Headless', ''))
    const answer = await request.get(href, { maxRedirects: 0, headers: { 'user-agent': userAgent } })
    expect(answer.headers()['location']).toMatch(/^https:\/\/shop\.example\/autumn\?.*utm_medium=line/)
    await moveTheClock(request, TIME_TO_READ_MS)
    await settle(request)
    await page
      .getByRole('main')
      .getByRole('link', { name: t('campaigns.do.report'), exact: true })
      .click()
    const channels = page.getByRole('region', { name: t('campaigns.report.byChannel'), exact: true })
    await expect(channels.getByRole('row', { name: /^LINE 1 100/ })).toBeVisible()
    await expect(
      channels.getByRole('row', { name: new RegExp(`^${t('campaigns.channels.email')} \\d+ 0`) }),
    ).toBeVisible()
    await expect(page.getByRole('group', { name: t('campaigns.report.lineOpened.label') })).toContainText(
      t('campaigns.report.lineOpened.waiting'),
    )
  })

  await test.step('Who clicked becomes a segment, and the dashboard says what came of each channel', async () => {
    await page.getByRole('button', { name: t('campaigns.report.makeSegment') }).click()
    await page.getByRole('menuitem', { name: t('campaigns.report.segmentOf.clicked') }).click()
    // The report's heading names the campaign too.
    await page.waitForURL(/\/segments\//)
    await settle(request)
    await page.reload()
    await expect(page.getByRole('row').filter({ hasText: person.name })).toHaveCount(1)
    await page.goto('')
    const channels = page.getByRole('region', { name: t('reports.byChannel'), exact: true })
    await expect(channels.getByRole('row', { name: /^LINE 1 — 100/ })).toBeVisible()
  })
})

const part = (channel: 'line' | 'email', count: number): string =>
  t('campaigns.review.part', {
    channel: t(`campaigns.channels.${channel}`),
    people: t('campaigns.review.people', { count, n: count }),
  })
