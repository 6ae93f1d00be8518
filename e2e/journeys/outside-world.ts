import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { okaeriUrl, sandboxUrl } from '../addresses.ts'

// The sandbox: the store platform and everybody's mailbox.

export interface StoreCustomer {
  first_name: string
  last_name: string
  email: string
  tags: string[]
  email_state: 'SUBSCRIBED' | 'NOT_SUBSCRIBED'
  /** Of the customer's language; Japanese where it is left out. */
  locale?: string
  /** YYYY-MM-DD, kept in the metafield `facts.birth_date`. */
  birth_date?: string
}

export async function addToStore(request: APIRequestContext, shop: string, customer: StoreCustomer): Promise<void> {
  const answer = await request.post(`${sandboxUrl}/stores/${shop}/sandbox/customers.json`, { data: customer })
  expect(answer.status(), await answer.text()).toBe(200)
}

/** Any value, as it may stand in a store since before its metafield had a definition. */
export async function setMetafield(
  request: APIRequestContext,
  shop: string,
  metafield: { email: string; namespace: string; key: string; value: string },
): Promise<void> {
  const answer = await request.post(`${sandboxUrl}/stores/${shop}/sandbox/metafields.json`, { data: metafield })
  expect(answer.status(), await answer.text()).toBe(200)
}

interface Mail {
  id: number
  to: string[]
  subject: string
  received_at: string
}

export async function mailsTo(request: APIRequestContext, address: string): Promise<Mail[]> {
  const answer = await request.get(`${sandboxUrl}/mail.json`, { params: { to: address } })
  return ((await answer.json()) as { data: Mail[] }).data
}

/** All mails of the sandbox, filtered. */
export async function allMails(request: APIRequestContext, subject: string): Promise<Mail[]> {
  const answer = await request.get(`${sandboxUrl}/mail.json`, { params: { subject, limit: 100 } })
  return ((await answer.json()) as { data: Mail[] }).data
}

/** The mail to an address about something, once all due work is done. */
export async function mailAbout(request: APIRequestContext, address: string, subject: string | RegExp): Promise<Mail> {
  await settle(request)
  const mails = await mailsTo(request, address)
  const found = mails.find((mail) =>
    typeof subject === 'string' ? mail.subject.includes(subject) : subject.test(mail.subject),
  )
  if (!found) throw new Error(`No mail to ${address} about ${subject}, but ${JSON.stringify(mails)}`)
  return found
}

/** What it says, as text. */
export async function readMail(request: APIRequestContext, id: number): Promise<{ text: string }> {
  const answer = await request.get(`${sandboxUrl}/mail/${id}.json`)
  return (await answer.json()) as { text: string }
}

/** A person reads some seconds after a mail has come; what is opened or clicked sooner counts as a machine's. */
const READS_AFTER_MS = 10_000

/** Shows the mail with its pictures, as a mail program does. */
export async function openMail(page: Page, mail: Mail): Promise<void> {
  await moveTheClock(page.request, READS_AFTER_MS)
  await page.goto(`${sandboxUrl}/mail/${mail.id}`)
  await expect(letter(page).locator('body')).toBeVisible()
}

/** Inside the opened mail. */
export const letter = (page: Page) => page.frameLocator('iframe.mail')

/** Follows a link of the opened mail; returns the page it leads to. */
export async function follow(page: Page, link: RegExp): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await letter(page).getByRole('link', { name: link }).click()
  const target = await opened
  await target.waitForLoadState()
  return target
}

/** Buys the first product of the shop window that is not sold out. */
export async function buySomething(storefront: Page, email: string): Promise<void> {
  const buy = storefront.getByRole('button', { name: /購入する|Buy/ })
  const shelf = storefront.locator('.shelf a')
  await expect(shelf.first()).toBeVisible()
  const products = await shelf.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))
  for (const product of products) {
    await storefront.goto(product)
    if (await buy.isVisible()) break
  }
  await buy.click()
  await storefront.locator('#email').fill(email)
  await storefront.getByRole('button', { name: /注文を確定する|Place order/ }).click()
  await expect(storefront.getByRole('heading', { name: /ありがとうございます|Thank you/ })).toBeVisible()
}

const inStore = async <Reply>(request: APIRequestContext, shop: string, what: string, data: object): Promise<Reply> => {
  const answer = await request.post(`${sandboxUrl}/stores/${shop}/sandbox/${what}`, { data })
  expect(answer.status(), await answer.text()).toBe(200)
  return (await answer.json()) as Reply
}

/** One of the first thing in stock, paid; returns the order's number in the store. */
export async function placeOrder(request: APIRequestContext, shop: string, email: string): Promise<number> {
  const { order } = await inStore<{ order: { id: number } }>(request, shop, 'orders.json', { email, items: [{}] })
  return order.id
}
/** One of this, paid. */
export const buyGoods = (
  request: APIRequestContext,
  shop: string,
  email: string,
  { variant_id }: Goods,
): Promise<unknown> => inStore(request, shop, 'orders.json', { email, items: [{ variant_id }] })
export const fulfillOrder = (request: APIRequestContext, shop: string, orderId: number): Promise<unknown> =>
  inStore(request, shop, `orders/${orderId}/fulfill.json`, {})
export const cancelOrder = (request: APIRequestContext, shop: string, orderId: number): Promise<unknown> =>
  inStore(request, shop, `orders/${orderId}/cancel.json`, {})

export const tagCustomer = (
  request: APIRequestContext,
  shop: string,
  email: string,
  tags: string[],
): Promise<unknown> => inStore(request, shop, 'tags.json', { email, tags })
export const allowMail = (request: APIRequestContext, shop: string, email: string): Promise<unknown> =>
  inStore(request, shop, 'consent.json', { email, state: 'SUBSCRIBED' })

interface Goods {
  product_id: number
  variant_id: number
}
/** A new thing to buy. */
export async function addGoods(request: APIRequestContext, shop: string, title: string): Promise<Goods> {
  const { variants } = await inStore<{ variants: { id: number; product_id: number }[] }>(
    request,
    shop,
    'products.json',
    { title },
  )
  const [variant] = variants
  if (!variant) throw new Error('a product has a variant')
  return { product_id: variant.product_id, variant_id: variant.id }
}
export const setStock = (
  request: APIRequestContext,
  shop: string,
  { variant_id }: Goods,
  available: number,
): Promise<unknown> => inStore(request, shop, 'stock.json', { variant_id, available })

/** Up to the last button; returns the checkout. */
export async function beginCheckout(request: APIRequestContext, shop: string, email: string): Promise<string> {
  const { checkout } = await inStore<{ checkout: { token: string } }>(request, shop, 'checkouts.json', {
    email,
    items: [{}],
  })
  return checkout.token
}
/** Returns the order's number in the store. */
export async function buyFromCheckout(request: APIRequestContext, shop: string, checkout: string): Promise<number> {
  const path = `checkouts/${checkout}/complete.json`
  return (await inStore<{ order: { id: number } }>(request, shop, path, {})).order.id
}

/** The sandbox's time, which is Okaeri's. */
export async function readTheClock(request: APIRequestContext): Promise<Date> {
  const answer = await request.get(`${sandboxUrl}/clock.json`)
  return new Date(((await answer.json()) as { now: string }).now)
}

/** All due work is done, on both sides, until nothing is left: then everything there is to see is on the page. */
export async function settle(request: APIRequestContext): Promise<void> {
  const worked = async (url: string): Promise<boolean> => {
    const answer = await request.post(url, { timeout: 0 })
    expect(answer.status(), await answer.text()).toBe(200)
    return ((await answer.json()) as { worked: boolean }).worked
  }
  for (let busy = true; busy; ) {
    busy = await worked(`${sandboxUrl}/settle.json`)
    busy = (await worked(`${okaeriUrl}/debug/settle`)) || busy
  }
}

/** The same, and the page shows how things stand then. */
export async function lookAgain(page: Page): Promise<void> {
  await settle(page.request)
  await page.reload()
}

/** For the sandbox and Okaeri together; what falls due by it is done. */
export async function moveTheClock(request: APIRequestContext, byMs: number): Promise<void> {
  const answer = await request.post(`${sandboxUrl}/clock.json`, { data: { advance_ms: byMs } })
  expect(answer.status(), await answer.text()).toBe(200)
  await settle(request)
}
