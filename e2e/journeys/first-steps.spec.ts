import { expect, test } from './journey.ts'
import {
  confirmAddress,
  connectStore,
  fillInBusinessDetails,
  leaveTestMode,
  operate,
  overTheApi,
  signUp,
  speak,
} from './account.ts'
import { openAccount } from './line-phone.ts'
import { addToStore } from './outside-world.ts'
import { wordsIn } from './words.ts'

const t = wordsIn('ja')

test('a merchant signs up, connects the store, confirms the addresses and leaves test mode', async ({
  page,
  request,
}) => {
  // Journeys may be repeated in the same world.
  const once = Date.now().toString(36)
  const shop = `okaeri-e2e-f-${once}.myshopify.com`
  const owner = { siteName: 'くも珈琲', email: `owner-f-${once}@kumo-coffee.test`, password: 'a long enough one' }
  const hanako = { first_name: '花子', last_name: '佐藤', email: `hanako-f-${once}@customer.test` }
  await speak(page, 'ja')
  await addToStore(request, shop, { ...hanako, tags: [], email_state: 'SUBSCRIBED' })

  await test.step('Signed up, one connects the store, and its customers are there', async () => {
    await signUp(page, t, owner)
    await connectStore(page, t, shop)
    await page.goto('customers')
    await expect(page.getByText(/(^| )61(件|$)/).first()).toBeVisible()
    await expect(page.getByRole('region', { name: t('customers.sync.title') })).toBeHidden()
  })

  await test.step('The first steps ask for a message of either channel, and follow who connects LINE', async () => {
    const api = await overTheApi(page.request, owner)
    const conditions = { type: 'condition', id: 'r', category: 'consent', name: 'accepts_marketing', operator: 'is' }
    await api.post('/customer_segments', { conditions: { ...conditions, value: true } })
    await page.goto('')
    const steps = page.getByRole('region', { name: t('dashboard.steps.title'), exact: true })
    const start = (channel: 'email' | 'lineMessage') =>
      `${t(`dashboard.steps.${channel}`)}: ${t('dashboard.steps.message')}`
    const links = steps.getByRole('link')
    await expect(links.first()).toHaveAccessibleName(start('email'))
    await expect(links.last()).toHaveAccessibleName(start('lineMessage'))
    await expect(steps.getByText(t('dashboard.steps.line'))).toBeHidden()
    const { channel_id, channel_secret } = await openAccount(request, `くも珈琲${once.slice(-4)}`)
    await api.put('/line/account', { line_account: { channel_id, channel_secret } })
    await page.reload()
    await expect(steps.getByText(t('dashboard.steps.line'))).toBeVisible()
    await expect(links.first()).toHaveAccessibleName(start('lineMessage'))
    await expect(links.last()).toHaveAccessibleName(start('email'))
    await links.first().click()
    await expect(page.getByRole('heading', { name: t('lineMessages.start.title'), level: 1 })).toBeVisible()
  })

  await test.step('What is missing before mail can be sent is said before the first campaign is reviewed', async () => {
    await page.goto('')
    const alerts = page.getByRole('region', { name: t('dashboard.alerts'), exact: true })
    await expect(alerts.getByText(t('dashboard.alert.no_postal_address'))).toBeVisible()
    await alerts.getByRole('link', { name: t('dashboard.alert.no_postal_addressAction') }).click()
    await expect(page.getByLabel(t('merchants.law.address'))).toBeInViewport()
  })

  await test.step('The addresses are confirmed, the sender is set up, and test mode is left with a plan', async () => {
    await confirmAddress(page, owner.email)
    await fillInBusinessDetails(page, t)
    expect(await operate('set-plan', owner.email, 'standard')).toContain('standard')
    await leaveTestMode(page, t)
  })
})
