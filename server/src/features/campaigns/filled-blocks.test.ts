import { getCampaign, reserveCampaign, reviewCampaign } from '@okaeri/contract/campaigns/routes'
import { deleteSegment, getSegment } from '@okaeri/contract/segments/routes'
import { previewEmail } from '@okaeri/contract/emails/routes'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { aCampaign } from '../../../test/builders/campaign.ts'
import { anEmail } from '../../../test/builders/email.ts'
import { aLineMessage } from '../../../test/builders/line-message.ts'
import { aSegment } from '../../../test/builders/segment.ts'
import { addCustomers, GOOD_HTML } from '../../../test/fixtures.ts'
import { refusal } from '../../../test/refusal.ts'
import { EMPTY, merchant, okaeri, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { removeStoreProduct, type StoreProduct, upsertStoreProducts } from '../catalog/index.ts'

withSandboxStore({ seed: EMPTY, connected: true })

// Until the store is copied nothing is sent.
beforeAll(() => okaeri.settle())

let number = 7_000_000
const shirt = (given: Partial<StoreProduct> = {}): StoreProduct => ({
  storeProductId: number,
  title: '<b>リネン</b>のシャツ',
  handle: 'linen-shirt',
  status: 'ACTIVE',
  imageUrl: 'https://cdn.example.com/shirt.jpg',
  totalInventory: 5,
  vendor: 'おかえり',
  variants: [
    { storeVariantId: number * 10, title: 'M', sku: null, priceAmount: 4800, inventoryQuantity: 5, position: 1 },
  ],
  updatedAt: okaeri.clock.now(),
  ...given,
})
const cheaper = (priceAmount: number): Partial<StoreProduct> => ({
  variants: [{ storeVariantId: number * 10, title: 'M', sku: null, priceAmount, inventoryQuantity: 5, position: 1 }],
})

let productId: string
beforeEach(async () => {
  number += 1
  await upsertStoreProducts(merchant.scope(), [shirt()])
  const row = await okaeri.context.db
    .selectFrom('products')
    .select('id')
    .where('merchant_id', '=', merchant.id)
    .where('store_product_id', '=', number)
    .executeTakeFirstOrThrow()
  productId = row.id
})

const withBlocks = (blocks: string): string => GOOD_HTML.replace('</body>', `${blocks}</body>`)
const product = (id = productId): string =>
  `{% product "${id}" %}<p>商品:{{ product.title }} {{ product.price }} 残り{{ product.stock }}</p><a href="{{ product.url }}">見る</a>{% endproduct %}`
const onlyFor = (id: string): string =>
  `{% only_for "${id}" %}<p>会員だけ</p>{% else %}<p>みなさまへ</p>{% endonly_for %}`
const codesOf = async (content: string, customerId?: string): Promise<string[]> =>
  (await previewOf(content, customerId)).findings.map(({ code }) => code)
const previewOf = async (content: string, customer_id?: string) =>
  (
    await merchant.call(previewEmail, {
      body: { subject: 'お知らせ', content, ...(customer_id !== undefined && { customer_id }) },
    })
  ).rendered
/** Named by one customer's address, so that it holds this one alone. */
const segmentOfOne = (email: string) =>
  aSegment(merchant, {
    type: 'condition',
    id: 'r',
    category: 'customer',
    name: 'email',
    operator: 'equals',
    value: email,
  })
async function textSentTo(email: string): Promise<string> {
  const { id } = await sandbox.mailbox.waitFor({ to: email })
  return (await sandbox.mailbox.read(id)).text ?? ''
}

test('a product is shown as the store sells it when the mail is sent, its link is tracked, and its title is no HTML', async () => {
  const [customer] = await addCustomers(merchant.scope(), [{ email: `shirt-${number}@x.test` }])
  const email = await anEmail(merchant, { content: withBlocks(product()) })
  const seen = await previewOf(email.content, customer)
  expect(seen.findings.map(({ code }) => code)).toEqual([])
  expect(seen.html).toContain('商品:&lt;b&gt;リネン&lt;/b&gt;のシャツ ¥4,800 残り5')
  expect(seen.html).toContain('/products/linen-shirt?')
  const { id } = await aCampaign(merchant, {
    email_id: email.id,
    segment_type: 'own',
    customer_segment_id: (await segmentOfOne(`shirt-${number}@x.test`)).id,
  })
  await merchant.call(reserveCampaign, { params: { id }, body: {} })
  await upsertStoreProducts(merchant.scope(), [shirt({ ...cheaper(3900), updatedAt: new Date(Date.now() + 60_000) })])
  await okaeri.settle()
  const text = await textSentTo(`shirt-${number}@x.test`)
  expect(text).toContain('<b>リネン</b>のシャツ ¥3,900 残り5')
  expect(text).toMatch(/見る \( http[^)]*\/c\/[^)]* \)/)
})

test('a product that is not sold blocks sending; one that goes afterwards is left out', async () => {
  expect(await codesOf(withBlocks(product(newId())))).toEqual(['product_gone'])
  const address = `gone-${number}@x.test`
  await addCustomers(merchant.scope(), [{ email: address }])
  const email = await anEmail(merchant, { content: withBlocks(product()) })
  const { id } = await aCampaign(merchant, {
    email_id: email.id,
    segment_type: 'own',
    customer_segment_id: (await segmentOfOne(address)).id,
  })
  await merchant.call(reserveCampaign, { params: { id }, body: {} })
  await removeStoreProduct(merchant.scope(), number)
  await okaeri.settle()
  expect(await textSentTo(address)).toContain('配信停止')
  expect(await textSentTo(address)).not.toContain('商品:')
  expect((await merchant.call(getCampaign, { params: { id } })).campaign.status).toBe('sent')
  const other = await aCampaign(merchant, { email_id: email.id })
  const { review } = await merchant.call(reviewCampaign, { params: { id: other.id } })
  expect(review.can_reserve).toBe(false)
  expect(review.findings.map(({ code }) => code)).toContain('product_gone')
})

test('only the members of a segment see its block, the others what comes after else, and a preview shows the same', async () => {
  const [inside, outside] = [`in-${number}@x.test`, `out-${number}@x.test`]
  const [one, two] = await addCustomers(merchant.scope(), [{ email: inside }, { email: outside }])
  const segment = await segmentOfOne(inside)
  const content = withBlocks(onlyFor(segment.id))
  expect(await codesOf(content)).toEqual(['segment_not_ready'])
  await okaeri.settle()
  expect(await codesOf(content)).toEqual([])
  expect((await previewOf(content, one)).text).toContain('会員だけ')
  expect((await previewOf(content, two)).text).toContain('みなさまへ')
  const email = await anEmail(merchant, { content })
  const { id } = await aCampaign(merchant, { email_id: email.id })
  await merchant.call(reserveCampaign, { params: { id }, body: {} })
  await okaeri.settle()
  expect(await textSentTo(inside)).toContain('会員だけ')
  expect(await textSentTo(inside)).not.toContain('みなさまへ')
  expect(await textSentTo(outside)).toContain('みなさまへ')
  expect(await textSentTo(outside)).not.toContain('会員だけ')
})

test('a segment that a mail names says so and is not deleted; an unknown one blocks', async () => {
  const segment = await segmentOfOne('nobody@x.test')
  const email = await anEmail(merchant, { content: withBlocks(onlyFor(segment.id)) })
  const { used_by } = await merchant.call(getSegment, { params: { id: segment.id } })
  expect(used_by).toMatchObject([{ type: 'email', id: email.id }])
  expect((await refusal(merchant.call(deleteSegment, { params: { id: segment.id } }))).reason).toBe('segment_in_use')
  expect(await codesOf(withBlocks(onlyFor(newId())))).toEqual(['segment_gone'])
})

test('a block without an id, or without its end, is refused with its line', async () => {
  for (const content of [
    '{% product shirt %}x{% endproduct %}',
    '{% only_for "x" %}y{% endonly_for %}',
    product().replace('{% endproduct %}', ''),
  ])
    expect((await refusal(anEmail(merchant, { content: withBlocks(content) }))).reason).toBe('template_broken')
})

test('a LINE message with such a block is refused: nothing would fill it in', async () => {
  const made = aLineMessage(merchant, [{ type: 'text', text: product() }])
  expect((await refusal(made)).reason).toBe('template_not_offered')
})
