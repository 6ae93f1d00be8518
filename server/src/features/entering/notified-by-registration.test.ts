import { whyInScenario } from '@okaeri/contract/scenarios/entering-routes'
import * as rehearsals from '@okaeri/contract/scenarios/rehearsal'
import { getOutlook } from '@okaeri/contract/scenarios/outlook'
import { beforeEach, expect, test } from 'vitest'
import { addFavorite } from '../../../test/favorites.ts'
import { addCustomers, addEmail } from '../../../test/fixtures.ts'
import { addAwaitedProduct, addRestockScenario, addWaiting, PRODUCT, setStock, VARIANT } from '../../../test/restock.ts'
import { got, withScenarioMail } from '../../../test/scenario-mail.ts'
import { addScenario, flowOf, mailNode } from '../../../test/scenarios.ts'
import { eachWithMerchant, merchant, okaeri } from '../../../test/with-okaeri.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
withScenarioMail()
eachWithMerchant()
beforeEach(() => addAwaitedProduct(merchant.scope()))

const OTHER = { product: PRODUCT + 1, variant: VARIANT + 1 }
const addFavoriteScenario = async (): Promise<string> =>
  addScenario(
    merchant.scope(),
    flowOf([mailNode('mail', await addEmail(merchant.scope(), { subject: 'お気に入り' }), null)], {
      trigger: { kind: 'favorite_back_in_stock' },
    }),
    'お気に入りの再入荷',
  )
const like = (customerId: string, storeVariantId = VARIANT, storeProductId = PRODUCT) =>
  addFavorite(merchant.scope(), { customerId }, { storeProductId, storeVariantId })
async function comesBack(stock: number, ...variants: number[]): Promise<void> {
  for (const minutes of [0, 5, 10]) {
    okaeri.advance(minutes * MINUTE)
    for (const variant of variants) await setStock(merchant.scope(), stock, variant)
    await okaeri.settle()
    okaeri.advance(3000)
    await okaeri.settle()
  }
}
const setStatus = (id: string, status: string) =>
  okaeri.query`update scenarios set status = ${status} where merchant_id = ${merchant.id} and id = ${id}`
async function rehearse(id: string) {
  await merchant.call(rehearsals.rehearseScenario, { params: { id }, body: {} })
  await okaeri.settle()
  return (await merchant.call(rehearsals.getRehearsal, { params: { id } })).rehearsal
}
const mails = (): string[] => got.map(({ recipients, subject }) => `${recipients[0]} ${subject}`).sort()
const refused = async (scenario: string): Promise<(string | null)[]> =>
  (
    await okaeri.query<{ by: string | null }>`
      select refused_by as by from scenario_entries where merchant_id = ${merchant.id} and scenario_id = ${scenario}`
  ).map(({ by }) => by)

test('who registered and likes it gets the message of the registration alone, also while their turn has not come', async () => {
  const scenario = await addFavoriteScenario()
  await addRestockScenario(merchant.scope())
  const waiting = await addWaiting(merchant.scope(), 7)
  const [fan = ''] = await addCustomers(merchant.scope(), [{ email: 'fan@example.test' }])
  for (const one of [...waiting, fan]) await like(one)
  await comesBack(1, VARIANT)
  expect(mails()).toEqual([
    'fan@example.test お気に入り',
    ...[0, 1, 2, 3, 4].map((number) => `w00${number}@example.test 再入荷しました`),
  ])
  expect((await refused(scenario)).filter((by) => by === 'registered')).toHaveLength(7)
  const { why } = await merchant.call(whyInScenario, {
    params: { id: scenario },
    query: { customer_id: waiting[0] ?? '' },
  })
  expect(why.in).toBe(false)
  expect(why.rules).toContainEqual(expect.objectContaining({ rule: 'registered', admits: false }))
})

test('where no active scenario answers by the channel of the registration, the favorite tells', async () => {
  await addFavoriteScenario()
  const [one = '', other = ''] = await addWaiting(merchant.scope(), 2)
  await okaeri.query`update customers set marketing_state = 'granted' where merchant_id = ${merchant.id}`
  await like(one)
  await comesBack(1, VARIANT)
  expect(mails()).toEqual(['w000@example.test お気に入り'])
  await comesBack(0, VARIANT)
  await addRestockScenario(merchant.scope())
  await okaeri.query`update restock_requests set channel = 'line' where merchant_id = ${merchant.id} and customer_id = ${other}`
  await like(other)
  await comesBack(1, VARIANT)
  expect(mails()).toContain('w001@example.test お気に入り')
})

test('a rehearsal counts those whom their registration tells, and "why" says so before the scenario is enabled', async () => {
  const restock = await addRestockScenario(merchant.scope())
  const [early = '', late = ''] = await addWaiting(merchant.scope(), 2)
  const [fan = ''] = await addCustomers(merchant.scope(), [{ email: 'fan@example.test' }])
  // A heart on a product without variants is for the product, the registration for its only variant.
  await like(early, 0)
  for (const one of [late, fan]) await like(one)
  const draft = await addFavoriteScenario()
  await setStatus(draft, 'draft')
  const why = async (customer_id: string) =>
    (await merchant.call(whyInScenario, { params: { id: draft }, query: { customer_id } })).why.rules.find(
      ({ rule }) => rule === 'registered',
    )
  expect(await why(early)).toEqual({
    rule: 'registered',
    admits: false,
    at: null,
    detail: { favorites: 1, registered: 1 },
  })
  expect(await why(fan)).toMatchObject({ admits: true, detail: { favorites: 1, registered: 0 } })
  // This one registers after it came back, so the favorite would have notified them.
  await okaeri.query`update restock_requests set created_at = ${new Date(okaeri.context.clock.now().getTime() + DAY)}
    where merchant_id = ${merchant.id} and customer_id = ${late}`
  await comesBack(1, VARIANT)
  expect(await why(early)).toMatchObject({ admits: false, at: null })
  expect(await why(fan)).toMatchObject({ admits: true, at: null, detail: null })
  await setStock(merchant.scope(), 0)
  expect(await rehearse(draft)).toMatchObject({ events: 3, kept_out: { registered: 1 }, entered: 2 })
  // As it was then: a registration that its owner ended since was there.
  okaeri.advance(30 * DAY)
  await okaeri.query`update restock_requests set status = 'deleted', deleted_at = ${okaeri.context.clock.now()}, sent_at = null
    where merchant_id = ${merchant.id}`
  expect(await rehearse(draft)).toMatchObject({ kept_out: { registered: 1 }, entered: 2 })
  await setStatus(restock, 'stopped')
  expect(await rehearse(draft)).toMatchObject({ kept_out: {}, entered: 3 })
})

test('of several favorites that came back, the one registered for is not named beside the others', async () => {
  await addAwaitedProduct(merchant.scope(), OTHER)
  await addFavoriteScenario()
  await addRestockScenario(merchant.scope())
  const [one = ''] = await addWaiting(merchant.scope(), 1)
  await like(one)
  await like(one, OTHER.variant, OTHER.product)
  await comesBack(1, VARIANT, OTHER.variant)
  const rows = await okaeri.query<{ products: number[] }>`
    select array(select (c ->> 'store_product_id')::float8 from jsonb_array_elements(subject -> 'changes') c) as products
    from events where merchant_id = ${merchant.id} and kind = 'favorite_back_in_stock'`
  expect(rows).toEqual([{ products: [OTHER.product] }])
})

test('before either is enabled, the page says that the other is active', async () => {
  const favorite = await addFavoriteScenario()
  const restock = await addRestockScenario(merchant.scope())
  const alsoActive = async (id: string) => (await merchant.call(getOutlook, { params: { id } })).outlook.also_active
  expect(await alsoActive(favorite)).toEqual([{ id: restock, name: '再入荷のお知らせ' }])
  expect(await alsoActive(restock)).toEqual([{ id: favorite, name: 'お気に入りの再入荷' }])
})
