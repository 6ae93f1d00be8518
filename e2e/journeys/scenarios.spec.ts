import { expect, test } from './journey.ts'
import { beReadyToSend, speak } from './account.ts'
import {
  addToStore,
  beginCheckout,
  buyFromCheckout,
  mailAbout,
  mailsTo,
  moveTheClock,
  placeOrder,
  settle,
} from './outside-world.ts'
import { enable, execution, part, useTemplate } from './scenario-pages.ts'
import { choose } from './sending.ts'
import { wordsIn } from './words.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const t = wordsIn('ja')
/** What the templates and their fields are called comes from the server; the refusal is the specification's (§5). */
const say = {
  birthday: '誕生日メール',
  followUp: '購入後のフォロー',
  checkout: 'チェックアウト離脱メール',
  mailField: '配信するメール',
  firstMail: '1通目のメール',
  noMail: 'メール（未選択）',
  days: '3日待ち',
  wait: '待つ',
  incomplete: 'シナリオの設定が完了していません（メールが未設定、設定に誤りがあるなど）。',
}

test('a scenario is set up in its form, runs over days, and stops for those who buy', async ({ page, request }) => {
  const once = Date.now().toString(36)
  const shop = `okaeri-e2e-s-${once}.myshopify.com`
  const owner = { siteName: 'しおり書房', email: `owner-s-${once}@shiori-books.test`, password: 'a long enough one' }
  const buyer = { first_name: '葵', last_name: '山本', email: `aoi-${once}@customer.test` }
  const undecided = { first_name: '湊', last_name: '中村', email: `minato-${once}@customer.test` }
  const decided = { first_name: '凛', last_name: '小林', email: `rin-${once}@customer.test` }
  const thanks = `ご購入ありがとうございました ${once}`
  const left = `お買い物の途中ではありませんか ${once}`
  await speak(page, 'ja')

  await test.step('A merchant with a store, a plan and two mails', async () => {
    for (const person of [buyer, undecided, decided])
      await addToStore(request, shop, { ...person, tags: [], email_state: 'SUBSCRIBED' })
    const merchant = await beReadyToSend(page, owner, shop)
    for (const subject of [thanks, left]) await merchant.post('/emails', { name: subject, subject })
  })

  await test.step('Without its mail a scenario is a draft, which says what it lacks and cannot be enabled', async () => {
    await useTemplate(page, t, say.birthday)
    const beside = page.getByRole('region', { name: t('scenarios.form.description') })
    await expect(beside).toContainText(say.noMail)
    await page.getByRole('button', { name: t('scenarios.form.create') }).click()
    await expect(page.getByRole('heading', { name: say.birthday, level: 1 })).toBeVisible()
    await expect(page.getByText(t('scenarios.problemsTitle.draft'))).toBeVisible()
    await page.getByRole('button', { name: t('scenarios.do.enable'), exact: true }).click()
    await expect(page.getByRole('alert').filter({ hasText: say.incomplete }).first()).toBeVisible()
  })

  await test.step('With its mail, chosen where the page leads to, it is enabled', async () => {
    await page.getByRole('link', { name: t('scenarios.mend'), exact: true }).click()
    await choose(page, say.mailField, new RegExp(`^${thanks}`), thanks)
    await expect(page.getByRole('region', { name: t('scenarios.form.problems') })).toContainText(
      t('scenarios.form.noProblems'),
    )
    await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
    await expect(page.getByRole('heading', { name: say.birthday, level: 1 })).toBeVisible()
    await expect(page.getByText(t('scenarios.problemsTitle.draft'))).toBeHidden()
    await enable(page, t)
  })

  let followUp = ''
  await test.step('A follow-up three days after an order, and a reminder of a checkout that was left', async () => {
    await useTemplate(page, t, say.followUp)
    await choose(page, say.mailField, new RegExp(`^${thanks}`), thanks)
    await expect(page.getByRole('region', { name: t('scenarios.form.description') })).toContainText(say.days)
    await page.getByRole('button', { name: t('scenarios.form.create') }).click()
    await enable(page, t)
    followUp = page.url()
    await useTemplate(page, t, say.checkout)
    await choose(page, say.firstMail, new RegExp(`^${left}`), left)
    await page.getByRole('button', { name: t('scenarios.form.create') }).click()
    await enable(page, t)
  })

  await test.step('One customer buys, one leaves the checkout, one leaves it and buys after all', async () => {
    await placeOrder(request, shop, buyer.email)
    await beginCheckout(request, shop, undecided.email)
    await buyFromCheckout(request, shop, await beginCheckout(request, shop, decided.email))
    await settle(request)
    await page.goto(followUp)
    await page.getByRole('link', { name: t('scenarios.view.executionsHere', { name: say.wait }) }).click()
    await expect(part(page, t, 'people')).toHaveAttribute('aria-selected', 'true')
    await expect(execution(page, t, buyer.email)).toContainText(t('scenarios.execution.asleep'))
    await expect(execution(page, t, decided.email)).toContainText(t('scenarios.execution.asleep'))
  })

  await test.step('An execution is paused, goes on, and is restarted, which says what it does', async () => {
    await execution(page, t, buyer.email).getByRole('link').first().click()
    await page.getByRole('button', { name: t('scenarios.execution.do.pause') }).click()
    await expect(page.getByText(t('scenarios.execution.status.paused'), { exact: true }).first()).toBeVisible()
    await page.getByRole('button', { name: t('scenarios.execution.do.play') }).click()
    await expect(page.getByText(t('scenarios.execution.asleep'), { exact: true }).first()).toBeVisible()
    await page
      .getByRole('main')
      .getByRole('button', { name: t('ui.menuFor', { name: '' }) })
      .click()
    await page.getByRole('menuitem', { name: t('scenarios.execution.do.restart') }).click()
    const asking = page.getByRole('dialog')
    await expect(asking.getByText(t('scenarios.execution.ask.restartBody'))).toBeVisible()
    await asking.getByRole('button', { name: t('scenarios.execution.do.restart') }).click()
    await expect(page.getByText(t('scenarios.execution.roundOf', { n: 2 }), { exact: true })).toBeVisible()
    await expect(page.getByText(t('scenarios.execution.outcome.restarted'))).toBeVisible()
    await expect(page.getByText(t('scenarios.execution.asleep'), { exact: true }).first()).toBeVisible()
  })

  await test.step('Some hours later a customer who left the checkout is reminded, and one who bought is not', async () => {
    await moveTheClock(request, 6 * HOUR_MS)
    await mailAbout(request, undecided.email, left)
    expect(await mailsTo(request, decided.email)).toEqual([])
  })

  await test.step('Three days later the follow-up is there, once', async () => {
    await moveTheClock(request, 3 * DAY_MS)
    await mailAbout(request, buyer.email, thanks)
    await mailAbout(request, decided.email, thanks)
    await page.goto(`${followUp}?q=${encodeURIComponent(buyer.email)}`)
    await expect(execution(page, t, buyer.email)).toContainText(t('scenarios.execution.status.done'))
    await expect(execution(page, t, decided.email)).toHaveCount(0)
    await part(page, t, 'overview').click()
    const results = page.getByRole('region', { name: t('scenarios.view.results') })
    await expect(results.getByRole('group', { name: t('scenarios.view.sentCount') })).toContainText('2')
    expect(await mailsTo(request, buyer.email)).toHaveLength(1)
    expect(await mailsTo(request, decided.email)).toHaveLength(1)
    expect((await mailsTo(request, undecided.email)).filter(({ subject }) => subject === thanks)).toEqual([])
  })

  await test.step('The parts of its page are reached by keys, have addresses, and the way back leads through them', async () => {
    await part(page, t, 'overview').focus()
    await page.keyboard.press('ArrowRight')
    await expect(part(page, t, 'people')).toBeFocused()
    await expect(part(page, t, 'overview')).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/[?&]tab=messages/)
    const sent = page.getByRole('tabpanel').getByRole('region', { name: t('scenarios.mails.title') })
    await expect(sent.getByRole('row').filter({ hasText: buyer.email })).toContainText(t('deliveries.status.sent'))
    await sent.getByRole('link').first().click()
    await expect(page.getByRole('tablist', { name: t('scenarios.tabs.label') })).toBeHidden()
    await page.goBack()
    await expect(sent.getByRole('row').filter({ hasText: decided.email })).toBeVisible()
    await page.reload()
    await expect(part(page, t, 'messages')).toHaveAttribute('aria-selected', 'true')
    await page.goBack()
    await expect(part(page, t, 'overview')).toHaveAttribute('aria-selected', 'true')
    await part(page, t, 'settings').click()
    await expect(page.getByRole('region', { name: t('scenarios.view.settings') })).toContainText(
      t('scenarios.form.priorityNormal'),
    )
  })

  await test.step('The list shows it, and stopping it asks first', async () => {
    await page.goto('actions')
    await expect(page.getByRole('row').filter({ hasText: say.followUp })).toContainText(t('scenarios.status.active'))
    await page.getByRole('link', { name: say.followUp, exact: true }).click()
    await page.getByRole('button', { name: t('scenarios.do.stop'), exact: true }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('scenarios.do.stop'), exact: true })
      .click()
    await expect(page.getByText(t('scenarios.status.stopped'), { exact: true }).first()).toBeVisible()
  })
})
