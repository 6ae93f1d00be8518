import { reviewCampaign } from '@okaeri/contract/campaigns/routes'
import { checkEmailAddresses, listEmailAddresses } from '@okaeri/contract/emails/address-routes'
import type { Design } from '@okaeri/contract/emails/design'
import { firstLook } from '@okaeri/contract/emails/starter-design'
import { expect, test } from 'vitest'
import { aCampaign } from '../../../test/builders/campaign.ts'
import { anEmail } from '../../../test/builders/email.ts'
import { addCustomers, GOOD_HTML } from '../../../test/fixtures.ts'
import { EMPTY, merchant, okaeri, withSandboxStore } from '../../../test/with-okaeri.ts'
import { DISCOUNT_CREATE } from '../../integrations/shopify/discount-operations.ts'
import { newId } from '../../kernel/ids.ts'
import { storeUrlOf } from '../email-rendering/index.ts'
import { getStoreClient } from '../stores/index.ts'

withSandboxStore({ seed: EMPTY })

const DAY_MS = 86_400_000
async function makeCode(code: string, { endsIn, usageLimit }: { endsIn?: number; usageLimit?: number }): Promise<void> {
  const store = await getStoreClient(merchant.scope())
  const now = okaeri.clock.now().getTime()
  const { discountCodeBasicCreate: made } = await store.graphql<{ discountCodeBasicCreate: { userErrors: unknown[] } }>(
    DISCOUNT_CREATE,
    {
      discount: {
        title: code,
        code,
        startsAt: new Date(now - DAY_MS).toISOString(),
        ...(endsIn && { endsAt: new Date(now + endsIn).toISOString() }),
        ...(usageLimit && { usageLimit }),
        context: { all: 'ALL' },
        customerGets: { value: { percentage: 0.1 }, items: { all: true } },
      },
    },
  )
  expect(made.userErrors).toEqual([])
}

async function findingsOf(given: Parameters<typeof anEmail>[1], scheduledIn?: number) {
  const { id } = await anEmail(merchant, given)
  await merchant.call(checkEmailAddresses, { params: { id }, body: {} })
  await okaeri.settle()
  const scheduled_at = scheduledIn && new Date(okaeri.clock.now().getTime() + scheduledIn).toISOString()
  const campaign = await aCampaign(merchant, {
    email_id: id,
    ...(scheduled_at && { send_type: 'scheduled' as const, scheduled_at }),
  })
  const { review } = await merchant.call(reviewCampaign, { params: { id: campaign.id } })
  return review.findings.filter(({ code }) => code.startsWith('coupon_') || code.startsWith('link_'))
}

const base = { space: 12, background: null, shown_to: null }
const designWith = (code: string): Design => ({
  language: 'ja',
  look: firstLook,
  blocks: [
    { ...base, id: 'coupon', kind: 'coupon', title: '春', source: 'typed', code, ends_on: null, note: '' },
    { ...base, id: 'foot', kind: 'footer', why: 'ご希望の方にお送りしています。', align: 'left' },
  ],
})

test('a coupon block with a code the store has not, or that is over when the mail leaves, says so at its block', async () => {
  await addCustomers(merchant.scope(), [{ marketing_state: 'granted' }, { marketing_state: 'granted' }])
  await makeCode('SPRING', { endsIn: 2 * DAY_MS })
  await makeCode('ONE', { usageLimit: 1 })
  expect(await findingsOf({ content: undefined, design: designWith('SPRING') })).toEqual([])
  expect(await findingsOf({ content: undefined, design: designWith('SPRING') }, 3 * DAY_MS)).toEqual([
    { code: 'coupon_ended', level: 'warns', detail: 'SPRING', block: 'coupon' },
  ])
  expect(await findingsOf({ content: undefined, design: designWith('SPRNG') })).toEqual([
    { code: 'coupon_unknown', level: 'warns', detail: 'SPRNG', block: 'coupon' },
  ])
  expect(await findingsOf({ content: undefined, design: designWith('ONE') })).toEqual([
    { code: 'coupon_too_few', level: 'warns', detail: 'ONE', block: 'coupon', people: 1 },
  ])
})

test('a link that brings a code along is looked at as a code too', async () => {
  const shop = await storeUrlOf(merchant.scope())
  const content = GOOD_HTML.replace('https://shop.test/new', `${shop}/discount/AUTUMN`)
  expect(await findingsOf({ content })).toEqual([{ code: 'coupon_unknown', level: 'warns', detail: 'AUTUMN', line: 1 }])
})

test('a link to a product that is a draft is found by the catalogue, without a look', async () => {
  const shop = await storeUrlOf(merchant.scope())
  await okaeri.query`insert into products (merchant_id, id, store_product_id, title, handle, status) values
    (${merchant.id}, ${newId()}, 1, '皿', 'plate', 'DRAFT'), (${merchant.id}, ${newId()}, 2, '椀', 'bowl', 'ACTIVE')`
  const to = (path: string) => ({ content: GOOD_HTML.replace('https://shop.test/new', `{{ store.url }}${path}`) })
  const { id } = await anEmail(merchant, to('/products/plate?ref={{ customer.last_name }}'))
  const campaign = await aCampaign(merchant, { email_id: id })
  const { review } = await merchant.call(reviewCampaign, { params: { id: campaign.id } })
  expect(review.findings.filter(({ code }) => code.startsWith('link_'))).toEqual([
    {
      code: 'link_to_hidden_product',
      level: 'warns',
      detail: '{{ store.url }}/products/plate?ref={{ customer.last_name }}',
      line: 1,
    },
  ])
  // Of the store's products and pages the store itself says whether they are there.
  expect(await findingsOf(to('/products/nothing'))).toMatchObject([{ code: 'link_dead' }])
  const { id: other } = await anEmail(merchant, { content: GOOD_HTML.replace('https://shop.test/new', shop) })
  await merchant.call(checkEmailAddresses, { params: { id: other }, body: {} })
  await okaeri.settle()
  const { addresses } = await merchant.call(listEmailAddresses, { params: { id: other } })
  expect(addresses).toMatchObject([{ state: 'answers' }])
})
