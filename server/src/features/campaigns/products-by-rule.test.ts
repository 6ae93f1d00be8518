import { getCampaign, reserveCampaign } from '@okaeri/contract/campaigns/routes'
import { previewEmail } from '@okaeri/contract/emails/routes'
import { productChoiceTag, type ProductChoice } from '@okaeri/contract/emails/product-rule'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { aCampaign } from '../../../test/builders/campaign.ts'
import { anEmail } from '../../../test/builders/email.ts'
import { aLineMessage } from '../../../test/builders/line-message.ts'
import { addCustomers, GOOD_HTML } from '../../../test/fixtures.ts'
import { refusal } from '../../../test/refusal.ts'
import { EMPTY, merchant, okaeri, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { type StoreProduct, upsertStoreProducts } from '../catalog/index.ts'

withSandboxStore({ seed: EMPTY, connected: true })

// Until the store is copied nothing is sent.
beforeAll(() => okaeri.settle())

let base = 7_000_000
const names = ['籠', '花器', '椀', '盆', '箸', '布'] as const
const numberOf = (name: (typeof names)[number]): number => base + names.indexOf(name)
const goods = (name: (typeof names)[number], given: Partial<StoreProduct> = {}): StoreProduct => ({
  storeProductId: numberOf(name),
  title: name,
  handle: `item-${numberOf(name)}`,
  status: 'ACTIVE',
  imageUrl: null,
  totalInventory: 5,
  vendor: null,
  variants: [
    {
      storeVariantId: numberOf(name) * 10,
      title: 'M',
      sku: null,
      priceAmount: 1000,
      inventoryQuantity: 5,
      position: 1,
    },
  ],
  updatedAt: okaeri.clock.now(),
  ...given,
})
let addresses: [string, string]
let one: string
let other: string
beforeEach(async () => {
  base += 100
  // The order in which products are sold best is remembered for minutes.
  okaeri.advance(10 * 60_000)
  for (const table of ['order_lines', 'orders', 'favorites', 'restock_requests', 'products'] as const)
    await okaeri.context.db.deleteFrom(table).where('merchant_id', '=', merchant.id).execute()
  await upsertStoreProducts(
    merchant.scope(),
    names.map((name) => goods(name)),
  )
  addresses = [`one-${base}@x.test`, `other-${base}@x.test`]
  const added = await addCustomers(
    merchant.scope(),
    addresses.map((email) => ({ email })),
  )
  ;[one, other] = added as [string, string]
})

let orders = 1
async function bought(
  customer_id: string | null,
  lines: readonly (typeof names)[number][],
  given: { quantity?: number; daysAgo?: number; cancelled?: boolean } = {},
): Promise<void> {
  const id = newId()
  const at = new Date(okaeri.clock.now().getTime() - (given.daysAgo ?? 1) * 86_400_000)
  const { db } = okaeri.context
  orders += 1
  await db
    .insertInto('orders')
    .values({
      merchant_id: merchant.id,
      id,
      store_order_id: base * 1000 + orders,
      customer_id,
      name: `#${orders}`,
      processed_at: at,
      total_amount: 1000,
      current_amount: 1000,
      currency: 'JPY',
      cancelled_at: given.cancelled ? at : null,
    })
    .execute()
  await db
    .insertInto('order_lines')
    .values(
      lines.map((name, position) => ({
        merchant_id: merchant.id,
        order_id: id,
        position,
        customer_id,
        store_product_id: numberOf(name),
        title: name,
        quantity: given.quantity ?? 1,
        amount: 1000,
        processed_at: at,
      })),
    )
    .execute()
}
const likes = (customer_id: string, name: (typeof names)[number]) =>
  okaeri.context.db
    .insertInto('favorites')
    .values({
      merchant_id: merchant.id,
      id: newId(),
      customer_id,
      store_product_id: numberOf(name),
      created_at: okaeri.clock.now(),
    })
    .execute()

const choice = (given: Partial<ProductChoice>): ProductChoice => ({
  rule: 'best_sold',
  count: 3,
  otherwise: 'nothing',
  leavesOutBought: false,
  excludedIds: [],
  ...given,
})
const block = (given: Partial<ProductChoice>): string =>
  `<p>選:</p>${productChoiceTag(choice(given))}<a href="{{ product.url }}">{{ product.title }}・</a>{% else %}なし{% endproducts_by %}<p>終</p>`
const withBlock = (given: Partial<ProductChoice>): string => GOOD_HTML.replace('</body>', `${block(given)}</body>`)
const renderedFor = async (given: Partial<ProductChoice>, customer_id?: string) =>
  (
    await merchant.call(previewEmail, {
      body: { subject: 'お知らせ', content: withBlock(given), ...(customer_id !== undefined && { customer_id }) },
    })
  ).rendered
const shownIn = (html: string): string =>
  (/選:[^]*?終/.exec(html)?.[0] ?? '').replaceAll(/<[^>]*>/g, '').replaceAll(/選:|終|\s/g, '')
const shown = async (given: Partial<ProductChoice>, customer?: string): Promise<string> =>
  shownIn((await renderedFor(given, customer)).html)

async function leadsTo(link: string): Promise<string | null> {
  const { pathname, search } = new URL(link)
  const answer = await fetch(okaeri.url + pathname + search, { redirect: 'manual' })
  expect(answer.status).toBe(302)
  return answer.headers.get('location')
}

test('what was sold best in thirty days comes first; what cannot be bought, is excluded, or was bought by this customer, not at all', async () => {
  await bought(null, ['籠'], { quantity: 9 })
  await bought(null, ['花器'], { quantity: 5 })
  await bought(other, ['椀'], { quantity: 3 })
  await bought(null, ['盆'], { quantity: 50, daysAgo: 40 })
  await bought(null, ['箸'], { quantity: 70, cancelled: true })
  await upsertStoreProducts(merchant.scope(), [
    goods('籠', { totalInventory: 0, updatedAt: new Date(Date.now() + 9e6) }),
  ])
  expect(await shown({})).toBe('花器・椀・')
  okaeri.advance(10 * 60_000)
  const { id } = await okaeri.context.db
    .selectFrom('products')
    .select('id')
    .where('merchant_id', '=', merchant.id)
    .where('store_product_id', '=', numberOf('花器'))
    .executeTakeFirstOrThrow()
  expect(await shown({ excludedIds: [id] })).toBe('椀・')
  expect(await shown({ leavesOutBought: true }, other)).toBe('花器・')
  expect(await shown({ leavesOutBought: true }, one)).toBe('花器・椀・')
  expect(await shown({ count: 1 })).toBe('花器・')
})

test('new products are those that the store made last', async () => {
  expect(await shown({ rule: 'new', count: 2 })).toBe('布・箸・')
})

test('each customer has their own; who has none sees what is sold best, or nothing, and someone invented an example', async () => {
  await likes(one, '盆')
  await bought(null, ['籠'])
  expect(await shown({ rule: 'favorites' }, one)).toBe('盆・')
  expect(await shown({ rule: 'favorites' }, other)).toBe('なし')
  expect(await shown({ rule: 'favorites', otherwise: 'best_sold' }, other)).toBe('籠・')
  expect(await shown({ rule: 'favorites' })).toBe('籠・')
})

test('what was bought together with what a customer bought last is what others took with it', async () => {
  await bought(one, ['籠'])
  await bought(null, ['籠', '花器'])
  await bought(null, ['籠', '花器', '盆'])
  expect(await shown({ rule: 'bought_together' }, one)).toBe('花器・盆・')
  expect(await shown({ rule: 'bought_together' }, other)).toBe('なし')
})

test('what a customer waited for is shown once it can be bought again', async () => {
  await okaeri.context.db
    .insertInto('restock_requests')
    .values({
      merchant_id: merchant.id,
      id: newId(),
      customer_id: one,
      store_product_id: numberOf('箸'),
      created_at: okaeri.clock.now(),
    })
    .execute()
  await upsertStoreProducts(merchant.scope(), [
    goods('箸', { totalInventory: 0, updatedAt: new Date(Date.now() + 9e6) }),
  ])
  expect(await shown({ rule: 'back_in_stock' }, one)).toBe('なし')
  await upsertStoreProducts(merchant.scope(), [goods('箸', { updatedAt: new Date(Date.now() + 19e6) })])
  expect(await shown({ rule: 'back_in_stock' }, one)).toBe('箸・')
})

test('two customers get their own products by one mail, and each link leads to the product it was shown with', async () => {
  await likes(one, '盆')
  await likes(other, '布')
  const given = { rule: 'favorites' } as const
  const seen = await renderedFor(given, one)
  expect(seen.findings).toEqual([])
  expect(seen.html).toContain(`/products/item-${numberOf('盆')}?utm_source=`)
  const email = await anEmail(merchant, { content: withBlock(given) })
  const { id } = await aCampaign(merchant, { email_id: email.id, tracking_enabled: true })
  await merchant.call(reserveCampaign, { params: { id }, body: {} })
  await okaeri.settle()
  expect((await merchant.call(getCampaign, { params: { id } })).campaign.status).toBe('sent')
  for (const [at, name] of (['盆', '布'] as const).entries()) {
    const { id: mailId } = await sandbox.mailbox.waitFor({ to: addresses[at] as string })
    const html = (await sandbox.mailbox.read(mailId)).html ?? ''
    expect(shownIn(html)).toBe(`${name}・`)
    const [, link = ''] = /href="([^"]*\/c\/[^"]*\?p=\d+)"/.exec(html) ?? []
    expect(await leadsTo(link)).toContain(`/products/item-${numberOf(name)}?utm_source=`)
    expect(await leadsTo(link.replace(/\?.*/, '?p=1&p=%00'))).toMatch(/myshopify\.com\/?\?utm_source=/)
  }
})

test('a rule that finds nothing says so before sending; an unknown one is refused, as are too many products, and LINE messages', async () => {
  expect((await renderedFor({})).findings.map(({ code }) => code)).toEqual(['no_products_chosen'])
  for (const tag of [
    '{% products_by "cheapest" %}x{% endproducts_by %}',
    '{% products_by "new", count: 7 %}x{% endproducts_by %}',
    '{% products_by "new", without: "x" %}x{% endproducts_by %}',
    '{% products_by "new" count: 3 %}x{% endproducts_by %}',
    '{% products_by "new" %}x',
    '{% products_by new %}x{% endproducts_by %}',
  ])
    expect((await refusal(anEmail(merchant, { content: GOOD_HTML.replace('</body>', `${tag}</body>`) }))).reason).toBe(
      'template_broken',
    )
  const many = Array.from({ length: 11 }, (_, at) =>
    block({ rule: 'new', count: 1, excludedIds: at === 0 ? [] : [newId()] }),
  )
  const { rendered } = await merchant.call(previewEmail, {
    body: { subject: 'お知らせ', content: GOOD_HTML.replace('</body>', `${many.join('')}</body>`) },
  })
  expect(rendered.findings.map(({ code }) => code)).toEqual(['too_many_blocks'])
  const line = aLineMessage(merchant, [{ type: 'text', text: '{% products_by "new" %}x{% endproducts_by %}' }])
  expect((await refusal(line)).reason).toBe('template_not_offered')
})
