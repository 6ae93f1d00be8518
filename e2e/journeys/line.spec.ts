import { expect } from '@playwright/test'
import { sandboxUrl } from '../addresses.ts'
import { beNewMerchant, save, speak } from './account.ts'
import { test } from './journey.ts'
import { befriend, findPerson, openAccount, press } from './line-phone.ts'
import { lookAgain } from './outside-world.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')

test('a merchant connects LINE; who befriends and blocks the account is known as a customer', async ({
  page,
  request,
}) => {
  const once = Date.now().toString(36)
  const account = await openAccount(request, `くも珈琲${once.slice(-4)}`)
  const person = await findPerson(request, account)
  await speak(page, 'ja')
  await beNewMerchant(page, {
    siteName: 'くも珈琲',
    email: `owner-l-${once}@kumo-coffee.test`,
    password: 'a long enough one',
  })

  await test.step('A wrong secret is refused at its field; the right one shows the account', async () => {
    await page.goto('settings?tab=line')
    await page.getByLabel(t('lineAccounts.messaging.channelId'), { exact: true }).fill(account.channel_id)
    const secret = page.getByLabel(t('lineAccounts.messaging.channelSecret'), { exact: true })
    await secret.fill('f'.repeat(32))
    await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
    await expect(secret).toHaveAttribute('aria-invalid', 'true')
    await expect(secret).toBeFocused()
    await expect(page.getByText(t('lineAccounts.connected'), { exact: true })).toBeHidden()
    await secret.fill(account.channel_secret)
    await save(page, t)
    await expect(page.getByText(t('lineAccounts.connected'), { exact: true })).toBeVisible()
    await expect(page.getByText(account.name)).toBeVisible()
  })

  await test.step('What was just connected is looked at unasked: the webhook is missing, and is set', async () => {
    await expect(page.getByText(t('lineAccounts.finding.webhook_missing'))).toBeVisible()
    await page.getByRole('button', { name: t('lineAccounts.webhook.set') }).click()
    await expect(page.getByText(t('lineAccounts.finding.webhook_ours'))).toBeVisible()
    await expect(page.getByText(t('lineAccounts.finding.webhook_answers'))).toBeVisible()
  })

  const relayed = `${sandboxUrl}/no-such-page-${once}`
  await test.step('Another system gets what LINE sends too', async () => {
    await page.getByLabel(t('lineRelays.url'), { exact: true }).fill('not an address')
    await page.getByRole('button', { name: t('lineRelays.add') }).click()
    await expect(page.getByLabel(t('lineRelays.url'), { exact: true })).toHaveAttribute('aria-invalid', 'true')
    await page.getByLabel(t('lineRelays.url'), { exact: true }).fill(relayed)
    await page.getByRole('button', { name: t('lineRelays.add') }).click()
    await expect(page.getByText(relayed)).toBeVisible()
  })

  const phone = await page.context().newPage()
  await test.step('A friend of the phone is a customer, with what they wrote', async () => {
    await befriend(phone, person, account)
    await phone.getByRole('textbox', { name: /メッセージ|Message/ }).fill('営業時間は何時までですか')
    await press(phone, /送信|Send/)
    await page.goto('customers')
    await page.getByRole('link', { name: person.name }).click()
    const permissions = page.getByRole('region', { name: t('customers.permissions') })
    await expect(permissions.getByText(t('customers.onLine.friend'), { exact: true })).toBeVisible()
    await expect(page.getByText(t('customers.timeline.line_followed'), { exact: true })).toBeVisible()
    await expect(page.getByText('営業時間は何時までですか')).toBeVisible()
  })

  await test.step('Who blocks the account is shown so', async () => {
    await press(phone, /^(ブロック|Block)$/)
    await lookAgain(page)
    await expect(page.getByText(t('customers.onLine.blocked'), { exact: true })).toBeVisible()
    await expect(page.getByText(t('customers.timeline.line_blocked'), { exact: true })).toBeVisible()
  })

  await test.step('The log says what the other system answered', async () => {
    await page.goto('settings?tab=line')
    await page.getByRole('button', { name: t('lineRelays.log') }).click()
    const log = page.getByRole('dialog')
    await expect(log.getByText(t('lineRelays.states.failed'), { exact: true }).first()).toBeVisible()
    await expect(log.getByText(/^404/).first()).toBeVisible()
  })
})
