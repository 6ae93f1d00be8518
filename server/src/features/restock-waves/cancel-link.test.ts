import { eraseCustomer } from '@okaeri/contract/privacy/routes'
import { getOutlook } from '@okaeri/contract/scenarios/outlook'
import { beforeEach, expect, test } from 'vitest'
import { addEmail, GOOD_HTML } from '../../../test/fixtures.ts'
import { addAwaitedProduct, addWaiting, PRODUCT, setStock, VARIANT } from '../../../test/restock.ts'
import { got, withScenarioMail } from '../../../test/scenario-mail.ts'
import { addScenario, flowOf, mailNode } from '../../../test/scenarios.ts'
import { eachWithMerchant, merchant, okaeri } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import { makeLinkToken } from '../deliveries/index.ts'
import { addRestockRequests } from '../restocks/index.ts'

const MINUTE = 60_000
withScenarioMail()
eachWithMerchant()
beforeEach(() => addAwaitedProduct(merchant.scope()))

const WITH_LINK = GOOD_HTML.replace('</body>', '<p><a href="{{ event.cancel_url }}">取り消す</a></p></body>')
const addAnswering = async (content = WITH_LINK): Promise<string> =>
  addScenario(
    merchant.scope(),
    flowOf([mailNode('mail', await addEmail(merchant.scope(), { subject: '再入荷しました', content }), null)], {
      trigger: { kind: 'product_restocked' },
    }),
  )
async function comesBack(): Promise<void> {
  await setStock(merchant.scope(), 1)
  await okaeri.settle()
  okaeri.advance(5 * MINUTE)
  await setStock(merchant.scope(), 1)
  await okaeri.settle()
  okaeri.advance(3000)
  await okaeri.settle()
}
const linkIn = (html: string | undefined): URL => new URL(/href="([^"]+\/r\/[^"]+)"/.exec(html ?? '')?.[1] ?? 'none:')
const follow = async (link: URL): Promise<Response> =>
  fetch(`${okaeri.url}${link.pathname}${link.search}`, { redirect: 'manual' })
/** Of the link in a mail, as a browser comes to it. */
const pageBehind = async (link: URL): Promise<URL> => {
  const answer = await follow(link)
  expect(answer.status).toBe(302)
  return new URL(answer.headers.get('location') ?? 'none:')
}
const press = async (page: URL, choice: string): Promise<Response> =>
  fetch(`${okaeri.url}/pages/restock`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ token: page.searchParams.get('token') ?? '', choice }),
  })
const registrations = async (): Promise<string[]> =>
  (
    await okaeri.query<{
      was: string
    }>`select channel || ' ' || status || ' ' || coalesce(ended_by, '') as was from restock_requests
      where merchant_id = ${merchant.id} order by created_at, id`
  ).map(({ was }) => was.trim())

test('the message itself leads to the page that takes the registration back; opening it changes nothing', async () => {
  await addAnswering()
  const [customerId = ''] = await addWaiting(merchant.scope(), 2)
  // By LINE too: one message answers both.
  await addRestockRequests(merchant.scope(), [
    {
      customerId,
      storeProductId: PRODUCT,
      storeVariantId: VARIANT,
      channel: 'line',
      source: 'storefront',
      createdAt: new Date(1),
    },
  ])
  await comesBack()
  expect(got).toHaveLength(2)
  const mail = got.find(({ recipients }) => recipients[0]?.startsWith('w000'))
  const page = await pageBehind(linkIn(mail?.html))
  const shown = await (await follow(page)).text()
  expect(shown).toContain('煎茶')
  expect(shown).toContain('登録を取り消す')
  expect(await registrations()).toEqual(['line active', 'email sent', 'email sent'])
  const pressed = await press(page, 'cancel')
  expect(pressed.status).toBe(303)
  expect(await (await follow(new URL(pressed.headers.get('location') ?? '', page))).text()).toContain(
    '登録を取り消しました',
  )
  const after = ['line deleted person', 'email deleted person', 'email sent']
  expect(await registrations()).toEqual(after)
  await press(page, 'cancel')
  await press(page, 'confirm')
  expect(await registrations()).toEqual(after)
})

test('what is taken back is one variant: the page says which others stay, and can end them too', async () => {
  await addAnswering()
  const [customerId = ''] = await addWaiting(merchant.scope(), 1)
  const addVariant = (variant: number, title: string) =>
    okaeri.query`insert into product_variants (merchant_id, id, store_variant_id, store_product_id, title)
      values (${merchant.id}, ${newId()}, ${variant}, ${PRODUCT}, ${title})`
  await addVariant(VARIANT + 1, 'M')
  await addVariant(VARIANT + 2, 'L')
  const alsoWaitsFor = async (...variants: number[]): Promise<void> => {
    for (const storeVariantId of variants)
      await addRestockRequests(merchant.scope(), [
        { customerId, storeProductId: PRODUCT, storeVariantId, source: 'storefront', createdAt: merchant.scope().now },
      ])
  }
  await comesBack()
  await alsoWaitsFor(VARIANT + 1, VARIANT + 2, 0)
  const page = await pageBehind(linkIn(got[0]?.html))
  const shown = async (at: URL, lang: 'ja' | 'en'): Promise<string> => {
    at.searchParams.set('lang', lang)
    return (await follow(at)).text()
  }
  const ja = await shown(page, 'ja')
  for (const said of [
    '「煎茶 / S」',
    '次の登録は残ります：M、L',
    '種類を指定しない登録も',
    'この商品の登録をすべて取り消す',
  ])
    expect(ja).toContain(said)
  const en = await shown(page, 'en')
  for (const said of ['“煎茶 / S”', 'You stay registered for: M, L', 'for any variant of this product ends too'])
    expect(en).toContain(said)
  const behind = async (choice: string): Promise<URL> =>
    new URL((await press(page, choice)).headers.get('location') ?? '', page)
  const one = await behind('cancel')
  expect(await registrations()).toEqual([
    'email deleted person',
    'email active',
    'email active',
    'email deleted person',
  ])
  expect(await shown(one, 'ja')).toContain('次の再入荷は、引き続きお知らせします：M、L')
  const still = await shown(one, 'en')
  expect(still).toContain('Registration cancelled')
  expect(still).toContain('We’ll still notify you about: M, L')
  const all = await behind('cancel_all')
  expect((await registrations()).every((was) => was === 'email deleted person')).toBe(true)
  const none = await shown(all, 'ja')
  expect(none).toContain('登録を取り消しました')
  expect(none).toContain('「煎茶」の再入荷はお知らせしません。')
  expect(none).not.toContain('cancel_all')
})

test('a link that is not of such a message leads to a page that says so, and changes nothing', async () => {
  await addAnswering()
  await addWaiting(merchant.scope(), 1)
  await comesBack()
  const page = await pageBehind(linkIn(got[0]?.html))
  const token = page.searchParams.get('token') ?? ''
  const other = await okaeri.merchant()
  const rows = await okaeri.query<{ id: string }>`select id from deliveries where merchant_id = ${merchant.id}`
  const foreign = makeLinkToken(okaeri.context.keyring, { merchantId: other.id, deliveryId: rows[0]?.id ?? '' })
  for (const wrong of [foreign, `${token}x`, token.slice(1), 'x']) {
    const bad = new URL(`/pages/restock?token=${encodeURIComponent(wrong)}`, page)
    expect((await follow(bad)).status).toBe(404)
    await press(bad, 'cancel')
  }
  expect(await registrations()).toEqual(['email sent'])
})

test('says that there is nothing left once what was asked for is forgotten', async () => {
  await addAnswering()
  const [customerId = ''] = await addWaiting(merchant.scope(), 1)
  await comesBack()
  const page = await pageBehind(linkIn(got[0]?.html))
  await merchant.call(eraseCustomer, { params: { id: customerId }, body: { confirm: true } })
  await okaeri.settle()
  for (const [lang, text] of [
    ['ja', 'このリンクで取り消せる登録は、もうありません。'],
    ['en', 'There is no registration left to cancel with this link.'],
  ] as const) {
    page.searchParams.set('lang', lang)
    const shown = await follow(page)
    expect(shown.status).toBe(200)
    expect(await shown.text()).toContain(text)
  }
  expect((await press(page, 'cancel')).status).toBe(303)
})

test('after cancelling, a person gets no notification at the next return', async () => {
  await addAnswering()
  const [customerId = ''] = await addWaiting(merchant.scope(), 1)
  await comesBack()
  const page = await pageBehind(linkIn(got[0]?.html))
  await addRestockRequests(merchant.scope(), [
    {
      customerId,
      storeProductId: PRODUCT,
      storeVariantId: VARIANT,
      source: 'storefront',
      createdAt: merchant.scope().now,
    },
  ])
  expect(await registrations()).toEqual(['email sent', 'email active'])
  await press(page, 'cancel')
  await setStock(merchant.scope(), 0)
  await okaeri.settle()
  okaeri.advance(25 * 60 * MINUTE)
  await comesBack()
  expect(got).toHaveLength(1)
})

test('the link of a test says that it is one', async () => {
  await addAnswering()
  await addWaiting(merchant.scope(), 1)
  await comesBack()
  const page = await pageBehind(linkIn(got[0]?.html))
  await okaeri.query`update deliveries set kind = 'test' where merchant_id = ${merchant.id}`
  expect(await (await follow(page)).text()).toContain('テスト配信')
  await press(page, 'cancel')
  expect(await registrations()).toEqual(['email sent'])
})

test('before a restock scenario is enabled, it says where an answer has no such link', async () => {
  const lacking = async (id: string): Promise<number> =>
    (await merchant.call(getOutlook, { params: { id } })).outlook.without_cancel_link
  expect(await lacking(await addAnswering())).toBe(0)
  expect(await lacking(await addAnswering(GOOD_HTML))).toBe(1)
  const follows = flowOf(
    [
      mailNode('first', await addEmail(merchant.scope(), { content: WITH_LINK }), 'second'),
      mailNode('second', await addEmail(merchant.scope()), null),
    ],
    { trigger: { kind: 'product_restocked' } },
  )
  expect(await lacking(await addScenario(merchant.scope(), follows))).toBe(0)
  const bought = flowOf([mailNode('mail', await addEmail(merchant.scope()), null)])
  expect(await lacking(await addScenario(merchant.scope(), bought))).toBe(0)
})
