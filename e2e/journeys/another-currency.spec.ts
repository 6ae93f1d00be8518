import type { Page } from '@playwright/test'
import pg from 'pg'
import { environment } from '../addresses.ts'
import { beNewMerchant, speak } from './account.ts'
import { expect, test } from './journey.ts'
import { addToStore, moveTheClock, placeOrder } from './outside-world.ts'
import { languages, type Say, wordsIn } from './words.ts'

const coupon = (amount: number) => ({
  prefix: 'HARU',
  ratio_percent: 10,
  valid_days: 30,
  minimum: { kind: 'subtotal', amount },
  applies_to: { kind: 'all' },
})
const spentMoreThan = (value: number) => ({
  type: 'condition',
  id: 'spent',
  category: 'orders',
  name: 'orders_amount',
  operator: 'greater',
  value,
})
const couponFlow = {
  trigger: { kind: 'order_paid' },
  condition: null,
  reentry: { mode: 'always' },
  ends_on: [],
  start: 'give',
  nodes: [
    {
      id: 'give',
      kind: 'issue_coupon',
      name: '',
      position: { x: 0, y: 0 },
      settings: { coupon: coupon(3000) },
      next: { next: null },
    },
  ],
}
const amountFrom = { ja: '最低金額', en: 'Minimum amount' }
const read = { 優良顧客: '¥10,000 → $10,000.00', 春のクーポン: '¥1,980 → $19.80', 購入のお礼: '¥3,000 → $30.00' }

for (const language of languages)
  test(`a store in dollars is connected once an owner saw what each amount in yen then means (${language})`, async ({
    page,
    request,
  }) => {
    test.slow()
    const t = wordsIn(language)
    const once = `${language}${Date.now().toString(36)}`
    const shop = `kumo-${once}-usd.myshopify.com`
    const owner = { siteName: 'くも珈琲', email: `owner-u-${once}@kumo-coffee.test`, password: 'a long enough one' }
    const ann = { first_name: 'Ann', last_name: 'Lee', email: `ann-${once}@customer.test`, tags: [] }
    const currencies = { now: 'JPY', next: 'USD' }
    const review = page.getByRole('alert').filter({ hasText: t('store.change.title', currencies) })
    await speak(page, language)
    await addToStore(request, shop, { ...ann, email_state: 'SUBSCRIBED' })
    await placeOrder(request, shop, ann.email)
    const api = await beNewMerchant(page, owner)
    await api.post('/customer_segments', { name: '優良顧客', conditions: spentMoreThan(10_000) })
    const { campaign } = await api.post<{ campaign: { id: string } }>('/campaigns', {
      name: '春のクーポン',
      coupon: coupon(1980),
    })
    const { action } = await api.post<{ action: { id: string } }>('/actions', { name: '購入のお礼' })
    await api.put(`/actions/${action.id}/nodes`, { flow: couponFlow })

    await test.step('The store is refused, and leads to the amounts', async () => {
      await askToConnect(page, t, shop)
      await expect(page.getByText(t('store.anotherCurrency', { currency: 'USD' }))).toBeVisible()
      await page.getByRole('link', { name: t('store.reviewAmounts') }).click()
      for (const [name, amounts] of Object.entries(read))
        await expect(review.getByRole('listitem').filter({ hasText: name })).toContainText(amounts)
    })

    await test.step('A member who is no owner sees them, and cannot agree', async () => {
      await changeRole(owner.email, 'marketer')
      await page.reload()
      const button = review.getByRole('button', { name: t('store.change.agree', currencies) })
      await button.hover()
      await expect(page.getByRole('tooltip', { name: t('store.change.ownerOnly') })).toBeVisible()
      await changeRole(owner.email, 'owner')
      // For some seconds the server remembers who a session is.
      await moveTheClock(request, 10_000)
      await page.reload()
    })

    await test.step('An owner agrees, and the store is connected in its currency', async () => {
      // The store has granted everything before: it asks nothing more.
      await review.getByRole('button', { name: t('store.change.agree', currencies) }).click()
      await expect(page.getByRole('heading', { name: t('dashboard.title'), level: 1 })).toBeVisible()
      await expect(page.getByText(t('shell.currenciesDiffer.review'))).toBeHidden()
    })

    await test.step('Amounts are in dollars and cents now, where they were typed and where they were earned', async () => {
      await page.goto(`campaigns/${campaign.id}/edit`)
      await expect(page.getByLabel(amountFrom[language])).toHaveValue('19.80')
      await page.getByLabel(amountFrom[language]).fill('24.5')
      await page.getByRole('button', { name: t('campaigns.form.saveDraft'), exact: true }).click()
      await expect(page.getByLabel(amountFrom[language])).toBeHidden()
      expect(
        (await api.get<{ campaign: { coupon: { minimum: unknown } } }>(`/campaigns/${campaign.id}`)).campaign.coupon
          .minimum,
      ).toEqual({ kind: 'subtotal', amount: 2450 })
    })
  })

async function askToConnect(page: Page, t: Say, shop: string): Promise<void> {
  await page.goto('settings')
  await page.getByRole('tab', { name: t('merchants.tabs.store') }).click()
  await page.getByLabel(t('merchants.store.shop')).fill(shop)
  await page.getByRole('button', { name: t('merchants.store.connect') }).click()
  await page.getByRole('button', { name: 'Install / インストール' }).click()
}

/** No page changes a role. */
async function changeRole(email: string, role: 'owner' | 'marketer'): Promise<void> {
  const client = new pg.Client({ connectionString: environment.DATABASE_URL })
  await client.connect()
  try {
    await client.query('update members set role = $1 where email = $2', [role, email])
  } finally {
    await client.end()
  }
}
