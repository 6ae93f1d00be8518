import type { APIRequestContext, Page } from '@playwright/test'
import { ofToday } from '../run.ts'
import { beReadyToSend, overTheApi, speak } from './account.ts'
import { expect, test } from './journey.ts'
import {
  addGoods,
  addToStore,
  allowMail,
  beginCheckout,
  buyFromCheckout,
  cancelOrder,
  fulfillOrder,
  mailAbout,
  mailsTo,
  moveTheClock,
  placeOrder,
  readMail,
  readTheClock,
  setStock,
  settle,
  tagCustomer,
} from './outside-world.ts'
import { enable, execution, fillIn, type TemplateForm, useNextTemplate, useTemplate } from './scenario-pages.ts'
import { wordsIn } from './words.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const RANK = 'ゴールド会員'
const BIRTHDAY_METAFIELD = 'facts.birth_date'

/** Of each template one scenario; what it sends is named by these. */
const subjects = {
  birthday: 'お誕生日おめでとうございます',
  followUp: 'ご購入ありがとうございました',
  cart1: 'カートに商品が残っています',
  cart2: 'まだカートにございます',
  cart3: 'カートの商品はいかがですか',
  checkout1: 'お買い物の途中ではありませんか',
  checkout2: 'ご購入手続きの続きはこちら',
  checkout3: 'お手続きはまだ間に合います',
  welcome: 'はじめまして',
  first: '初めてのご注文に感謝をこめて',
  second: '2回目のご注文に感謝をこめて',
  review: 'レビューをお聞かせください',
  replenish: 'そろそろ買い足しの時期です',
  winBack: 'またのご来店をお待ちしています',
  rank: 'ゴールド会員になられました',
  favorite: 'お気に入りをお忘れではありませんか',
  price: 'お気に入りがお求めやすくなりました',
  stock: 'お気に入りが買えるようになりました',
  lowStock: 'お気に入りが残りわずかです',
  restock: '再入荷しました',
  browse: 'ご覧いただいた商品はいかがですか',
  viewedPrice: 'ご覧の商品がお求めやすくなりました',
} as const
type Subject = keyof typeof subjects

/** What those about favorites send is in flows/templates/sending.test.ts of the server. */
const forms: { classname: string; mails: Record<string, Subject>; values?: Record<string, string | true> }[] = [
  {
    classname: 'CartAbandonmentAction',
    mails: { email: 'cart1', email2_email: 'cart2', email3_email: 'cart3' },
    values: { email2: true, email3: true },
  },
  { classname: 'WelcomeAction', mails: { email: 'welcome' } },
  { classname: 'FirstPurchaseAction', mails: { email: 'first' } },
  { classname: 'NthPurchaseAction', mails: { email: 'second' }, values: { count: '2' } },
  { classname: 'ReviewRequestAction', mails: { email: 'review' } },
  { classname: 'ReplenishmentAction', mails: { email: 'replenish' } },
  { classname: 'WinBackAction', mails: { email: 'winBack' }, values: { days: '35' } },
  { classname: 'CustomerRankAction', mails: { email: 'rank' }, values: { segment: RANK } },
  { classname: 'FavoriteReminderAction', mails: { email: 'favorite' } },
  { classname: 'FavoritePriceAction', mails: { email: 'price' } },
  { classname: 'FavoriteStockAction', mails: { email: 'stock' } },
  { classname: 'FavoriteLowStockAction', mails: { email: 'lowStock' }, values: { stock: '2' } },
  { classname: 'RestockAction', mails: { email: 'restock' } },
  { classname: 'BrowseAbandonmentAction', mails: { email: 'browse' } },
  { classname: 'ViewedPriceAction', mails: { email: 'viewedPrice' } },
]

type Merchant = Awaited<ReturnType<typeof overTheApi>>

/** A day at most at once: what is found more than a day after its time asks instead of being sent. */
async function letPass(request: APIRequestContext, ms: number): Promise<void> {
  await moveTheClock(request, ms % DAY_MS)
  for (let left = ms; left >= DAY_MS; left -= DAY_MS) await moveTheClock(request, DAY_MS)
}

test('each template sends its mail to whom it is meant for, when its time comes, and to no one else', async ({
  page,
  request,
}) => {
  // As much as ten journeys.
  test.setTimeout(1_800_000)
  const t = wordsIn('ja')
  const once = Date.now().toString(36)
  const shop = `okaeri-e2e-t-${once}.myshopify.com`
  const owner = { siteName: 'しおり書房', email: `owner-t-${once}@shiori-books.test`, password: 'a long enough one' }
  const at = (name: string) => `${name}-t-${once}@customer.test`
  const person = (last_name: string, name: string) => ({ last_name, first_name: '葵', email: at(name), tags: [] })
  const titled = (subject: Subject) => `${subjects[subject]} ${once}`
  const born = person('誕生', 'born')
  const bornLater = person('春野', 'born-later')
  const buyer = person('一回', 'buyer')
  const regular = person('二回', 'regular')
  const regretful = person('取消', 'regretful')
  const leavesCart = person('籠残', 'leaves-cart')
  const returnsToCart = person('籠戻', 'returns-to-cart')
  const leavesCheckout = person('手残', 'leaves-checkout')
  const returnsToCheckout = person('手戻', 'returns-to-checkout')
  const newcomer = person('新見', 'newcomer')
  const gold = person('金田', 'gold')
  const waiting = person('待田', 'waiting')
  const waitingForOther = person('別待', 'waiting-for-other')
  const everyone = [born, bornLater, buyer, regular, regretful, leavesCart, returnsToCart, leavesCheckout]
  everyone.push(returnsToCheckout, newcomer, gold, waiting, waitingForOther)
  const scenarios = new Map<string, string>()
  let merchant: Merchant
  let templates: readonly TemplateForm[] = []
  /** The forms that a person fills in today; the others are filled in over the API. */
  const byHand = new Set(ofToday([...forms.map(({ classname }) => classname), 'CheckoutAbandonmentAction'], 4))
  let isFirst = true
  await speak(page, 'ja')

  await test.step('A merchant with a store, a plan, birthdays, a rank and a mail for each purpose', async () => {
    // From noon to ten of the next day it is less than a day: no one gets a second mail about a checkout before they buy.
    const began = await readTheClock(request)
    const noon = tenOn(dayInTokyo(began)).getTime() + 2 * 60 * MINUTE_MS
    await moveTheClock(request, (noon - began.getTime() + DAY_MS) % DAY_MS)
    const today = await readTheClock(request)
    const birthdays = new Map([
      [born, `1992-${dayInTokyo(new Date(today.getTime() + DAY_MS)).slice(5)}`],
      [bornLater, `1992-${dayInTokyo(new Date(today.getTime() + 120 * DAY_MS)).slice(5)}`],
    ])
    for (const each of everyone) {
      const birth_date = birthdays.get(each)
      const email_state = each === newcomer ? 'NOT_SUBSCRIBED' : 'SUBSCRIBED'
      await addToStore(request, shop, { ...each, email_state, ...(birth_date && { birth_date }) })
    }
    merchant = await beReadyToSend(page, owner, shop)
    await knowBirthdays(request, merchant)
    const tagged = { type: 'condition', id: 't', category: 'customer', name: 'tags', operator: 'has', value: [RANK] }
    const conditions = { type: 'group', id: 'g', operator: 'and', children: [tagged] }
    await merchant.post('/customer_segments', { name: RANK, conditions })
    for (const subject of Object.keys(subjects) as Subject[]) await writeMail(merchant, titled(subject), subject)
    templates = (await merchant.get<{ data: TemplateForm[] }>('/actiontemplates')).data
  })

  const setUp = async (
    classname: string,
    mails: Record<string, Subject>,
    values: Record<string, string | true> = {},
  ) => {
    const template = templates.find((each) => each.classname === classname)
    if (!template) throw new Error(`there is no template ${classname}`)
    const chosen = Object.fromEntries(Object.entries(mails).map(([slug, subject]) => [slug, titled(subject)]))
    if (!byHand.has(classname)) {
      const form = await formOf(merchant, template, { ...values, ...chosen })
      scenarios.set(classname, await startScenario(merchant, classname, form))
      return
    }
    if (isFirst) await useTemplate(page, t, template.name_ja)
    else await useNextTemplate(page, t, template.name_ja)
    isFirst = false
    await fillIn(page, template, { ...values, ...chosen })
    await page.getByRole('button', { name: t('scenarios.form.create') }).click()
    await enable(page, t)
    scenarios.set(classname, page.url())
  }

  await test.step('Each form, its mail chosen, makes a scenario that can be enabled', async () => {
    for (const { classname, mails, values } of forms) await setUp(classname, mails, values)
    const ready = { BirthdayAction: 'birthday', PurchaseFollowUpAction: 'followUp' } as const
    for (const [classname, subject] of Object.entries(ready)) {
      const form = { email: await mailId(merchant, titled(subject)), ...(subject === 'birthday' && { discount: true }) }
      scenarios.set(classname, await startScenario(merchant, classname, form))
    }
  })

  const expectEnded = async (classname: string, { email }: { email: string }, reason: string) => {
    await settle(request)
    await openExecutions(page, scenarios, classname, email)
    await expect(execution(page, t, email)).toContainText(reason)
  }
  const mailOf = (who: { email: string }, subject: Subject) => mailAbout(request, who.email, titled(subject))
  let cart = ''

  await test.step('What happens in the store', async () => {
    await allowMail(request, shop, newcomer.email)
    await tagCustomer(request, shop, gold.email, [RANK])
    await fulfillOrder(
      request,
      shop,
      await buyFromCheckout(request, shop, await beginCheckout(request, shop, buyer.email)),
    )
    await placeOrder(request, shop, regular.email)
    await placeOrder(request, shop, regular.email)
    await cancelOrder(request, shop, await placeOrder(request, shop, regretful.email))
    await beginCheckout(request, shop, leavesCart.email)
    cart = await beginCheckout(request, shop, returnsToCart.email)
    const wanted = await addGoods(request, shop, '待たれる本')
    const other = await addGoods(request, shop, '別の本')
    await setStock(request, shop, wanted, 0)
    await askForRestock(request, merchant, [
      [waiting.email, wanted],
      [waitingForOther.email, other],
    ])
    await settle(request)
    expect(await stockOf(merchant, wanted.variant_id)).toBe(0)
    await setStock(request, shop, wanted, 9)
  })

  await test.step('At once: the new rank', async () => {
    await mailOf(gold, 'rank')
    expect(await kindsOf(merchant, newcomer.email)).toContain('scenario_entered')
    for (const { email } of [leavesCart, returnsToCart])
      expect(await kindsOf(merchant, email)).toContain('checkout_started')
    await expectEnded('PurchaseFollowUpAction', regretful, t('scenarios.execution.end.order_cancelled'))
    await expectAsleep(merchant, { FirstPurchaseAction: 2, NthPurchaseAction: 1, PurchaseFollowUpAction: 2 }, scenarios)
  })

  await test.step('When the stock has stayed for five minutes: what is there again', async () => {
    await moveTheClock(request, 6 * MINUTE_MS)
    // The stock is read from the store once more before people are notified.
    await settle(request)
    await moveTheClock(request, MINUTE_MS)
    await mailOf(waiting, 'restock')
  })

  await test.step('An hour later: the welcome, and carts that were left', async () => {
    await moveTheClock(request, 70 * MINUTE_MS)
    await mailOf(newcomer, 'welcome')
    await mailOf(leavesCart, 'cart1')
    await mailOf(returnsToCart, 'cart1')
    await buyFromCheckout(request, shop, cart)
    await expectEnded('CartAbandonmentAction', returnsToCart, t('scenarios.execution.end.bought'))
  })

  let checkout = ''
  await test.step('Who has begun to pay is asked about that, and not about the cart', async () => {
    const mails = { email: 'checkout1', email2_email: 'checkout2', email3_email: 'checkout3' } as const
    await setUp('CheckoutAbandonmentAction', mails, { email2: true, email3: true })
    await beginCheckout(request, shop, leavesCheckout.email)
    checkout = await beginCheckout(request, shop, returnsToCheckout.email)
    await settle(request)
    for (const { email } of [leavesCheckout, returnsToCheckout])
      expect(await kindsOf(merchant, email)).toContain('checkout_started')
  })

  await test.step('On the birthday at ten: the congratulation, with a coupon', async () => {
    const now = await readTheClock(request)
    await letPass(request, tenOn(dayInTokyo(new Date(now.getTime() + DAY_MS))).getTime() - now.getTime())
    const { id } = await mailOf(born, 'birthday')
    expect((await readMail(request, id)).text).toMatch(/OBK[A-Z0-9]{6,}/)
    await mailOf(leavesCheckout, 'checkout1')
    await mailOf(returnsToCheckout, 'checkout1')
    await buyFromCheckout(request, shop, checkout)
    await expectEnded('CheckoutAbandonmentAction', returnsToCheckout, t('scenarios.execution.end.bought'))
  })

  await test.step('Days later: thanks for the order, the second purchase, second mails to those who did not come back', async () => {
    await letPass(request, 4 * DAY_MS)
    for (const who of [buyer, regular, returnsToCart]) await mailOf(who, 'followUp')
    await mailOf(regular, 'second')
    await mailOf(leavesCart, 'cart2')
    await mailOf(leavesCheckout, 'checkout2')
  })

  await test.step('After a week: the first purchase, the review, the last mails about what was left', async () => {
    // Into the evening: coming back is asked for at 18:00, and a day that is over when it is found asks.
    await letPass(request, 7 * DAY_MS + 8 * 60 * MINUTE_MS)
    for (const who of [buyer, regular, returnsToCart, returnsToCheckout]) await mailOf(who, 'first')
    await mailOf(buyer, 'review')
    await mailOf(leavesCart, 'cart3')
    await mailOf(leavesCheckout, 'checkout3')
  })

  await test.step('After a month: buying more, and coming back', async () => {
    // Until then nothing is due.
    await moveTheClock(request, 15 * DAY_MS)
    await letPass(request, 10 * DAY_MS)
    for (const who of [buyer, regular, returnsToCart, returnsToCheckout]) {
      await mailOf(who, 'replenish')
      await mailOf(who, 'winBack')
    }
    expect((await merchant.get<{ total: number }>('/executions/?status=running')).total).toBe(0)
  })

  await test.step('No one got more, less, or anything meant for others', async () => {
    const bought: Subject[] = ['followUp', 'first', 'replenish', 'winBack']
    const expected = new Map<{ email: string }, Subject[]>([
      [born, ['birthday']],
      [bornLater, []],
      [buyer, [...bought, 'review']],
      // Who buys again within the wait is thanked once.
      [regular, [...bought, 'second']],
      [regretful, []],
      [leavesCart, ['cart1', 'cart2', 'cart3']],
      [returnsToCart, ['cart1', ...bought]],
      [leavesCheckout, ['checkout1', 'checkout2', 'checkout3']],
      [returnsToCheckout, ['checkout1', ...bought]],
      [newcomer, ['welcome']],
      [gold, ['rank']],
      [waiting, ['restock']],
      [waitingForOther, []],
    ])
    const got = new Map<string, string[]>()
    for (const { email } of everyone)
      got.set(email, (await mailsTo(request, email)).map(({ subject }) => subject).sort())
    const wanted = [...expected].map(([{ email }, those]): [string, string[]] => [email, those.map(titled).sort()])
    expect(Object.fromEntries(got)).toEqual(Object.fromEntries(wanted))
  })

  await test.step('Each scenario shows its execution as done', async () => {
    const done = t('scenarios.execution.status.done')
    const shown: [classname: string, who: { email: string }, rows: number][] = [
      ['BirthdayAction', born, 1],
      ['PurchaseFollowUpAction', buyer, 1],
      ['PurchaseFollowUpAction', regular, 1],
      ['CartAbandonmentAction', leavesCart, 1],
      ['CheckoutAbandonmentAction', leavesCheckout, 1],
      ['WelcomeAction', newcomer, 1],
      ['FirstPurchaseAction', buyer, 1],
      ['NthPurchaseAction', regular, 1],
      ['ReviewRequestAction', buyer, 1],
      ['ReplenishmentAction', buyer, 1],
      ['WinBackAction', buyer, 1],
      ['CustomerRankAction', gold, 1],
      ['RestockAction', waiting, 1],
    ]
    for (const [classname, { email }, rows] of ofToday(shown, 4)) {
      await openExecutions(page, scenarios, classname, email)
      await expect(execution(page, t, email)).toHaveCount(rows)
      for (const row of await execution(page, t, email).all()) await expect(row).toContainText(done)
    }
  })
})

const dayInTokyo = (at: Date): string => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo' }).format(at)
/** Some minutes after ten, the hour of the birthday's form. */
const tenOn = (day: string): Date => new Date(`${day}T10:05:00+09:00`)

async function knowBirthdays(request: APIRequestContext, merchant: Merchant): Promise<void> {
  type Reply = { customerSetting: { birthdays: { status: string } | null } }
  await merchant.put('/user/me/customer_settings', { customerSetting: { birthday_metafield: BIRTHDAY_METAFIELD } })
  await settle(request)
  const { customerSetting } = await merchant.get<Reply>('/user/me/customer_settings')
  expect(customerSetting.birthdays?.status).toBe('ready')
}

/** The birthday's names its coupon. */
async function writeMail(merchant: Merchant, name: string, subject: Subject): Promise<void> {
  type Reply = { email: { id: string; content: string } }
  const { email } = await merchant.post<Reply>('/emails', { name, subject: name })
  if (subject !== 'birthday') return
  const content = email.content.replace(
    '季節に合わせた商品を、ストアでご紹介しています。お時間のあるときに、ぜひご覧ください。',
    'クーポンコード：{{ coupon.code }}',
  )
  expect(content).not.toBe(email.content)
  await merchant.put(`/emails/${email.id}`, { content })
}
async function mailId(merchant: Merchant, name: string): Promise<string> {
  const { data } = await merchant.get<{ data: { id: string }[] }>(`/emails?q=${encodeURIComponent(name)}`)
  return data[0]?.id ?? ''
}

/** What a person fills in by names, as the API takes it. */
async function formOf(
  merchant: Merchant,
  { schema }: TemplateForm,
  values: Readonly<Record<string, string | true>>,
): Promise<Record<string, unknown>> {
  const form: Record<string, unknown> = {}
  for (const [slug, value] of Object.entries(values)) {
    const type = schema.find((each) => each.slug === slug)?.type
    if (value === true || type === 'text') form[slug] = value
    else if (type === 'number') form[slug] = Number(value)
    else if (type === 'segment') form[slug] = await segmentId(merchant, value)
    else form[slug] = await mailId(merchant, value)
  }
  return form
}
async function segmentId(merchant: Merchant, name: string): Promise<string> {
  const { data } = await merchant.get<{ data: { id: string }[] }>(`/customer_segments?q=${encodeURIComponent(name)}`)
  return data[0]?.id ?? ''
}

/** Returns the address of its page. */
async function startScenario(merchant: Merchant, classname: string, form: Record<string, unknown>): Promise<string> {
  const body = { name: classname, template: classname, form }
  const { action } = await merchant.post<{ action: { id: string } }>('/actions', body)
  await merchant.post(`/actions/${action.id}/enable`, {})
  return `actions/view/${action.id}`
}

/** As from another app's file; on the storefront they ask in restock.spec.ts. */
async function askForRestock(
  request: APIRequestContext,
  merchant: Merchant,
  asking: readonly [email: string, goods: { product_id: number; variant_id: number }][],
): Promise<void> {
  type Reply = { import: { id: string; status: string } }
  const rows = asking.map(([email, { product_id, variant_id }]) => `${email},${product_id},${variant_id}`)
  const text = ['Email,ProductId,VariantId', ...rows, ''].join('\n')
  const { import: uploaded } = await merchant.upload<Reply>(
    '/data/import/csv',
    { app: 'restock' },
    { name: 'r.csv', text },
  )
  await merchant.post(`/data/imports/${uploaded.id}/start`, {})
  await settle(request)
  expect((await merchant.get<Reply>(`/data/imports/${uploaded.id}`)).import.status).toBe('done')
}

/** The kinds of events Okaeri has for a person. */
async function kindsOf(merchant: Merchant, email: string): Promise<string[]> {
  const { data } = await merchant.get<{ data: { id: string }[] }>(`/customers?q=${encodeURIComponent(email)}`)
  const id = data[0]?.id
  if (!id) return []
  return (await merchant.get<{ data: { kind: string }[] }>(`/customers/${id}/timeline`)).data.map(({ kind }) => kind)
}

async function stockOf(merchant: Merchant, variantId: number): Promise<number | null | undefined> {
  type Reply = { data: { store_variant_id: string; inventory_quantity: number | null }[] }
  const { data } = await merchant.get<Reply>('/data/shopify/variants?limit=100')
  return data.find(({ store_variant_id }) => store_variant_id === String(variantId))?.inventory_quantity
}

async function expectAsleep(
  merchant: Merchant,
  counts: Readonly<Record<string, number>>,
  scenarios: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [classname, count] of Object.entries(counts)) {
    const id = scenarios.get(classname)?.split('/').at(-1) ?? ''
    const { total } = await merchant.get<{ total: number }>(`/executions/?action_id=${id}&status=running`)
    expect(total, classname).toBe(count)
  }
}

async function openExecutions(
  page: Page,
  scenarios: ReadonlyMap<string, string>,
  classname: string,
  email: string,
): Promise<void> {
  await page.goto(`${scenarios.get(classname) ?? ''}?q=${encodeURIComponent(email)}`)
}
