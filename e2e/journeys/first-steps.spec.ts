import { expect, test } from './journey.ts'
import {
  confirmAddress,
  connectStore,
  fillInBusinessDetails,
  leaveTestMode,
  operate,
  signUp,
  speak,
} from './account.ts'
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

  await test.step('The addresses are confirmed, the sender is set up, and test mode is left with a plan', async () => {
    await confirmAddress(page, owner.email)
    await fillInBusinessDetails(page, t)
    expect(await operate('set-plan', owner.email, 'standard')).toContain('standard')
    await leaveTestMode(page, t)
  })
})
