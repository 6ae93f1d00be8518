import { expect, test } from './journey.ts'
import { beReadyToSend, speak } from './account.ts'
import { addToStore, placeOrder, settle } from './outside-world.ts'
import { enable, execution, part, useTemplate } from './scenario-pages.ts'
import { choose, conditionOfTag } from './sending.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')
/** What the template and its field are called comes from the server. */
const say = { followUp: '購入後のフォロー', mailField: '配信するメール', days: '何日後に配信するか', tag: '常連' }

test('who may enter is set in the form, on the standard plan: those who fit enter, and the page says why others do not', async ({
  page,
  request,
}) => {
  const once = Date.now().toString(36)
  const shop = `okaeri-e2e-c-${once}.myshopify.com`
  const owner = { siteName: 'つむぎ茶舗', email: `owner-c-${once}@tsumugi-tea.test`, password: 'a long enough one' }
  const regular = { first_name: '結衣', last_name: '佐藤', email: `yui-${once}@customer.test`, tags: [say.tag] }
  const other = { first_name: '蓮', last_name: '高橋', email: `ren-${once}@customer.test`, tags: [] }
  const thanks = `いつもありがとうございます ${once}`
  await speak(page, 'ja')
  for (const person of [regular, other]) await addToStore(request, shop, { ...person, email_state: 'SUBSCRIBED' })
  const merchant = await beReadyToSend(page, owner, shop)
  await merchant.post('/emails', { name: thanks, subject: thanks })

  const onlyOnce = page.getByRole('radio', { name: t('scenarios.conditions.once'), exact: true })
  await test.step('The form asks who may enter and how often', async () => {
    await useTemplate(page, t, say.followUp)
    await choose(page, say.mailField, new RegExp(`^${thanks}`), thanks)
    await page.getByRole('button', { name: t('scenarios.conditions.add'), exact: true }).click()
    await conditionOfTag(page, t, say.tag)
    await onlyOnce.check()
    await page.getByRole('button', { name: t('scenarios.form.create') }).click()
  })

  await test.step('Enabling it says first what to expect, and one can say no', async () => {
    await page.getByRole('button', { name: t('scenarios.do.enable'), exact: true }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText(t('scenarios.enabling.none'))).toBeVisible()
    await expect(dialog.getByText(t('scenarios.enabling.nobodyAtOnce'))).toBeVisible()
    await expect(dialog.getByText(t('scenarios.enabling.emails', { count: 1, n: '1' }))).toBeVisible()
    await dialog.getByRole('button', { name: t('ui.cancel'), exact: true }).click()
    await expect(page.getByText(t('scenarios.status.draft'), { exact: true }).first()).toBeVisible()
    await enable(page, t)
  })

  await test.step('The scenario’s page shows both, and the form still has them', async () => {
    await part(page, t, 'settings').click()
    const settings = page.getByRole('region', { name: t('scenarios.view.settings') })
    await expect(settings.getByText(say.tag)).toBeVisible()
    await page.getByRole('link', { name: t('scenarios.do.edit'), exact: true }).click()
    await expect(onlyOnce).toBeChecked()
    await expect(
      page
        .getByRole('group', { name: t('scenarios.conditions.who') })
        .getByText(say.tag)
        .first(),
    ).toBeVisible()
  })

  await test.step('With no one on the way a change is asked about all the same, by name, and one can say no', async () => {
    const days = page.getByRole('textbox', { name: say.days })
    const before = await days.inputValue()
    await expect(page.getByText(t('scenarios.moving.liveNote'))).toBeVisible()
    await days.fill('4')
    await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
    const dialog = page.getByRole('dialog', { name: t('scenarios.moving.liveTitle') })
    await expect(dialog).toContainText(say.days)
    await expect(dialog).toContainText(t('scenarios.moving.liveEntering'))
    await dialog.getByRole('button', { name: t('ui.cancel'), exact: true }).click()
    await expect(days).toHaveValue('4')
    await expect(page.getByRole('button', { name: t('ui.save'), exact: true })).toBeFocused()
    await days.fill(before)
    await page.goBack()
  })

  await test.step('Both buy: who fits enters, who does not does not, and the page says why', async () => {
    await placeOrder(request, shop, regular.email)
    await placeOrder(request, shop, other.email)
    await settle(request)
    await part(page, t, 'people').click()
    await page.reload()
    await expect(execution(page, t, regular.email)).toBeVisible()
    await expect(execution(page, t, other.email)).toHaveCount(0)
    const why = page.getByRole('combobox', { name: t('scenarios.history.customer'), exact: true })
    await why.click()
    // The store has others of that name.
    await why.fill(other.email)
    await page.getByRole('option', { name: new RegExp(other.email) }).click()
    await expect(page.getByText(t('scenarios.why.out'), { exact: true })).toBeVisible()
    await expect(page.getByText(t('scenarios.why.keepsOut.condition'))).toBeVisible()
  })

  await test.step('A change of the form asks what becomes of the one on their way, who is moved to the new version', async () => {
    await page.getByRole('link', { name: t('scenarios.do.edit'), exact: true }).click()
    await page.getByRole('textbox', { name: say.days }).fill('5')
    await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('radio', { name: t('scenarios.moving.stay') })).toBeChecked()
    await dialog.getByRole('radio', { name: t('scenarios.moving.move') }).check()
    await expect(dialog.getByText(t('scenarios.moving.goOn', { count: 1, n: '1' }))).toBeVisible()
    await dialog.getByRole('button', { name: t('scenarios.moving.saveAndMove'), exact: true }).click()
    await expect(page.getByText(t('ui.toast.saved'), { exact: true })).toBeVisible()
    await settle(request)
    await part(page, t, 'people').click()
    await execution(page, t, regular.email).getByRole('link').first().click()
    await expect(page.getByText(t('scenarios.execution.outcome.version', { version: '2' }))).toBeVisible()
  })
})
