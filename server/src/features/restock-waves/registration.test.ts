import { eraseCustomer } from '@okaeri/contract/privacy/routes'
import { listRestocks } from '@okaeri/contract/restocks/routes'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { SHOP } from '../../../test/sandbox-store.ts'
import { merchant, okaeri, play, sandbox, withSandboxStore } from '../../../test/with-okaeri.ts'
import { setOnlineStock } from '../catalog/index.ts'
import { changeConsent } from '../consent/index.ts'
import { guestOf } from '../guests/index.ts'
import { getMerchant, harmless } from '../merchants/index.ts'
import { randomToken } from '../../kernel/keyring.ts'
import { sealAccessToken } from '../visitors/token.ts'
import { changeRestockSettings } from './settings.ts'

withSandboxStore({ seed: { customers: 0, products: 4, orders: 0 } })

const DAY = 86_400_000
let product = 0
let variant = 0
beforeAll(async () => {
  await okaeri.settle()
  const rows = await okaeri.query<{ product: number; variant: number }>`
    select store_product_id as product, store_variant_id as variant from product_variants v
    where merchant_id = ${merchant.id} and exists (select from products p where p.merchant_id = v.merchant_id
      and p.store_product_id = v.store_product_id and p.status = 'ACTIVE') order by 2 limit 1`
  product = rows[0]?.product ?? 0
  variant = rows[0]?.variant ?? 0
  await sellOut()
})
beforeEach(() => okaeri.query`delete from rate_limits`)
const sellOut = () => setOnlineStock(merchant.scope(), [{ storeVariantId: variant, quantity: 0 }])

const origin = () => new URL(sandbox.url).origin
const tokenFor = (holder: { customerId: string } | { guestId: string }): string =>
  sealAccessToken(okaeri.context, {
    merchantId: merchant.id,
    shopDomain: SHOP,
    origin: origin(),
    storeCustomerId: null,
    holder,
  })
const asGuest = async (): Promise<string> =>
  tokenFor({ guestId: (await guestOf(merchant.scope(), { token: randomToken() })).guestId })
let number = 0
async function asCustomer(): Promise<{ id: string; token: string; email: string }> {
  const email = `restock-${(number += 1)}@example.jp`
  await play('customers.json', { first_name: '花子', email })
  await okaeri.settle()
  const rows = await okaeri.query<{ id: string }>`
    select id from customers where merchant_id = ${merchant.id} and email_key = ${email}`
  const id = rows[0]?.id ?? ''
  return { id, token: tokenFor({ customerId: id }), email }
}
async function ask(token: string, body: object, path = '/frontend/restock') {
  const response = await fetch(`${okaeri.url}${path}?shop=${SHOP}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', origin: origin() },
    body: JSON.stringify(body),
  })
  const json = (await response.json()) as { confirm?: boolean; error?: { reason: string } }
  return { status: response.status, confirm: json.confirm, reason: json.error?.reason }
}
/** A proof as the script makes it. */
async function prove(token: string, form = 'restock'): Promise<string> {
  const response = await fetch(`${okaeri.url}/frontend/captcha?shop=${SHOP}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', origin: origin() },
    body: JSON.stringify({ form }),
  })
  const challenge = (await response.json()) as Challenge
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}
const it = () => ({ product_id: String(product), variant_id: String(variant) })
const mailed = async (to: string) => Promise.all(sandbox.mailbox.list({ to }).map(({ id }) => sandbox.mailbox.read(id)))
const linkMailedTo = async (to: string): Promise<URL> =>
  new URL(/https?:\S+/.exec((await mailed(to)).at(-1)?.text ?? '')?.[0] ?? 'none:')
const open = (link: URL) => fetch(`${okaeri.url}${link.pathname}${link.search}`)
const press = (link: URL, choice: string) =>
  fetch(`${okaeri.url}/pages/restock`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ token: link.searchParams.get('token') ?? '', choice }),
  })
const statusesAt = async (email: string): Promise<string[]> =>
  (await merchant.call(listRestocks, { query: { limit: 200 } })).data
    .filter(({ customer_email }) => customer_email === email)
    .map(({ status }) => status)
    .toSorted()

test('a signed-in customer is registered at once, gets a receipt, and takes it back by its link, which changes nothing when it is only opened', async () => {
  const { token, email } = await asCustomer()
  expect(await ask(token, it())).toMatchObject({ status: 200, confirm: false })
  expect(await ask(token, it())).toMatchObject({ status: 200, confirm: false })
  await okaeri.settle()
  expect(await statusesAt(email)).toEqual(['active'])
  const link = await linkMailedTo(email)
  const page = await (await open(link)).text()
  expect(page).toContain('登録を取り消す')
  expect(page).not.toContain(email)
  expect(await statusesAt(email)).toEqual(['active'])
  const pressed = await press(link, 'cancel')
  expect(pressed.status).toBe(303)
  const after = await open(new URL(pressed.headers.get('location') ?? '', link))
  expect(await after.text()).toContain('登録を取り消しました')
  await press(link, 'cancel')
  expect(await statusesAt(email)).toEqual(['deleted'])
  expect(await (await open(link)).text()).toContain('再入荷のお知らせを受け取る')
})

test('the receipt and the question name the variant, where the product has several', async () => {
  const named = async (title: string): Promise<string[]> => {
    await okaeri.query`update product_variants set title = ${title} where merchant_id = ${merchant.id} and store_variant_id = ${variant}`
    const { token, email } = await asCustomer()
    await ask(token, it())
    const stranger = `stranger-${number}@example.jp`
    await ask(await asGuest(), { ...it(), email: stranger, language: 'en' })
    await okaeri.settle()
    return Promise.all([email, stranger].map(async (to) => (await mailed(to)).at(-1)?.text ?? ''))
  }
  const rows = await okaeri.query<{ title: string }>`
    select title from products where merchant_id = ${merchant.id} and store_product_id = ${product}`
  const title = rows[0]?.title ?? ''
  const several = await named('M / 藍')
  for (const text of several) expect(text).toMatch(new RegExp(`[「“]${title} / M / 藍[」”]`))
  const only = await named('Default Title')
  for (const text of only) expect(text).toMatch(new RegExp(`[「“]${title}[」”]`))
})

test('a typed address is asked first; the answer is the same for known and unknown ones', async () => {
  const { email: known } = await asCustomer()
  for (const email of [known, 'Stranger@example.jp'])
    expect(await ask(await asGuest(), { ...it(), email })).toEqual({ status: 200, confirm: true, reason: undefined })
  await okaeri.settle()
  for (const email of [known, 'stranger@example.jp']) {
    expect(await statusesAt(email)).toEqual([])
    const link = await linkMailedTo(email)
    // A scanner follows the link.
    expect((await open(link)).status).toBe(200)
    expect(await statusesAt(email)).toEqual([])
    await press(link, 'confirm')
    await press(link, 'confirm')
    expect(await statusesAt(email)).toEqual(['active'])
  }
  const rows = await okaeri.query<{ state: string }>`
    select notification_state as state from customers where merchant_id = ${merchant.id}
      and email_key in (${known}, 'stranger@example.jp')`
  expect(rows).toEqual([{ state: 'granted' }, { state: 'granted' }])
})

test('the question and its page are in the language of the page that was filled in', async () => {
  const email = 'abroad@example.jp'
  await ask(await asGuest(), { ...it(), email, language: 'en' })
  await okaeri.settle()
  const [mail] = await mailed(email)
  expect(mail?.subject).toContain('please confirm your restock notification')
  const link = await linkMailedTo(email)
  const { sender_name, site_name } = await getMerchant(merchant.scope())
  const shop = harmless(sender_name || site_name)
  // The shop's name, one button, and the address for programs that show no buttons.
  expect(mail?.html?.match(/<a /g)).toHaveLength(1)
  expect(mail?.html).toContain(`<a href="${link.href.replaceAll('&', '&amp;')}"`)
  expect(mail?.html).toContain('>Confirm my request</a>')
  expect(mail?.html).toContain(`>${link.href.replaceAll('&', '&amp;')}</p>`)
  expect(mail?.html).toContain(`>${shop}</p>`)
  expect(mail?.html).not.toContain('Okaeri')
  expect(mail?.text).toContain(shop)
  expect(await (await open(link)).text()).toContain('<html lang="en">')
  expect((await ask(await asGuest(), { ...it(), email, language: 'fr' })).status).toBe(400)
})

test('a link pressed by a program leaves no row each time; the way out works all the same', async () => {
  const email = 'pressed@example.jp'
  await ask(await asGuest(), { ...it(), email })
  await okaeri.settle()
  const link = await linkMailedTo(email)
  await press(link, 'confirm')
  await okaeri.query`update rate_limits set points = 59 where key like 'restock confirmed:%'`
  const pressed = []
  for (const choice of ['cancel', 'confirm', 'cancel', 'confirm', 'cancel'])
    pressed.push((await press(link, choice)).status)
  expect(pressed).toEqual([303, 303, 303, 429, 303])
  expect(await statusesAt(email)).toEqual(['deleted', 'deleted'])
})

test('a link is good for a week, and nothing else opens the page', async () => {
  const email = 'late@example.jp'
  await ask(await asGuest(), { ...it(), email })
  await okaeri.settle()
  const link = await linkMailedTo(email)
  okaeri.advance(8 * DAY)
  await press(link, 'confirm')
  expect(await statusesAt(email)).toEqual([])
  expect(await (await open(link)).text()).not.toContain('<button')
  okaeri.advance(-8 * DAY)
  for (const token of ['', 'x', `${link.searchParams.get('token')}x`]) {
    const response = await open(new URL(`http://x/pages/restock?token=${encodeURIComponent(token)}`))
    expect(response.status).toBe(404)
  }
})

test('the cancel link works as long as a person waits, also while the store does not show the product', async () => {
  const { token, email } = await asCustomer()
  await ask(token, it())
  await okaeri.settle()
  const link = await linkMailedTo(email)
  const show = (status: string) =>
    okaeri.query`update products set status = ${status} where merchant_id = ${merchant.id} and store_product_id = ${product}`
  await show('DRAFT')
  okaeri.advance(400 * DAY)
  expect(await (await open(link)).text()).toContain('登録を取り消す')
  await press(link, 'cancel')
  expect(await statusesAt(email)).toEqual(['deleted'])
  const after = await open(link)
  expect([after.status, (await after.text()).includes('登録されていません')]).toEqual([200, true])
  okaeri.advance(-400 * DAY)
  // Asked for just now, but it is not shown: nothing is offered.
  expect(await (await open(link)).text()).not.toContain('<button')
  await show('ACTIVE')
})

test('the first mail has the cancel link too, as the person may be notified again', async () => {
  const { id, token, email } = await asCustomer()
  await ask(token, it())
  await okaeri.settle()
  await okaeri.query`update restock_requests set status = 'sent', sent_at = now() where customer_id = ${id}`
  const link = await linkMailedTo(email)
  expect(await (await open(link)).text()).not.toContain('登録を取り消す')
  await changeRestockSettings(merchant.scope(), { asks_again: true })
  expect(await (await open(link)).text()).toContain('登録を取り消す')
  await press(link, 'cancel')
  await changeRestockSettings(merchant.scope(), { asks_again: false })
  expect(await statusesAt(email)).toEqual(['deleted'])
})

test('without the question the registration counts at once', async () => {
  await changeRestockSettings(merchant.scope(), { confirms_address: false, sends_receipt: false })
  const guest = await asGuest()
  const captcha = await prove(guest)
  expect(await ask(guest, { ...it(), email: 'direct@example.jp', captcha })).toMatchObject({ confirm: false })
  await okaeri.settle()
  expect(await statusesAt('direct@example.jp')).toEqual(['active'])
  expect(await mailed('direct@example.jp')).toEqual([])
  // Not for who proves nothing: the owner of the address is asked all the same.
  expect(await ask(await asGuest(), { ...it(), email: 'program@example.jp' })).toMatchObject({ confirm: true })
  await okaeri.settle()
  expect(await statusesAt('program@example.jp')).toEqual([])
  expect(await mailed('program@example.jp')).toHaveLength(1)
  await changeRestockSettings(merchant.scope(), { confirms_address: true, sends_receipt: true })
})

test('without the question, a person who refused such messages or was erased is asked all the same', async () => {
  await changeRestockSettings(merchant.scope(), { confirms_address: false, sends_receipt: false })
  const refused = await asCustomer()
  await changeConsent(merchant.scope(), {
    customerId: refused.id,
    kind: 'notification',
    to: 'withdrawn',
    source: 'unsubscribe_link',
  })
  const forgotten = await asCustomer()
  await merchant.call(eraseCustomer, { params: { id: forgotten.id }, body: { confirm: true } })
  await okaeri.settle()
  for (const { email } of [refused, forgotten]) {
    const guest = await asGuest()
    expect(await ask(guest, { ...it(), email, captcha: await prove(guest) })).toMatchObject({ status: 200 })
    await okaeri.settle()
    expect(await statusesAt(email)).toEqual([])
    await press(await linkMailedTo(email), 'confirm')
    expect(await statusesAt(email)).toEqual(['active'])
  }
  await changeRestockSettings(merchant.scope(), { confirms_address: true, sends_receipt: true })
})

test('a proof that was used, made for another form, or is none, is refused, and nothing comes of it', async () => {
  const guest = await asGuest()
  const captcha = await prove(guest)
  expect(await ask(guest, { ...it(), email: 'proved@example.jp', captcha })).toMatchObject({ status: 200 })
  const wrongs = [captcha, 'x', '', await prove(guest, 'sign_up')]
  for (const wrong of wrongs)
    expect(await ask(guest, { ...it(), email: 'unproved@example.jp', captcha: wrong })).toMatchObject({
      status: 400,
      reason: 'captcha_failed',
    })
  await okaeri.settle()
  expect([await mailed('unproved@example.jp'), await statusesAt('unproved@example.jp')]).toEqual([[], []])
  expect(await mailed('proved@example.jp')).toHaveLength(1)
})

test('what only looks like a proof keeps no one else from registering: neither the owner of the address nor others at the shop', async () => {
  const almostFull = () => okaeri.query`update rate_limits set points = 4999 where key like 'restock shop:%'`
  const guest = await asGuest()
  const honest = async (email: string) => ask(guest, { ...it(), email, captcha: await prove(guest) })
  expect(await honest('first@example.jp')).toMatchObject({ status: 200 })
  await almostFull()
  for (let n = 0; n < 6; n += 1)
    expect(await ask(await asGuest(), { ...it(), email: 'owner@example.jp', captcha: 'x' })).toMatchObject({
      status: 400,
      reason: 'captcha_failed',
    })
  expect(await honest('owner@example.jp')).toMatchObject({ status: 200 })
  expect(await honest('other@example.jp')).toMatchObject({ status: 429 })
})

test('without a proof few requests are taken from one place; with one, more, and a customer needs none for the own address', async () => {
  const guest = await asGuest()
  const answers = []
  for (let n = 0; n < 22; n += 1) answers.push((await ask(guest, { ...it(), email: `program-${n}@example.jp` })).status)
  expect(answers.filter((status) => status === 200)).toHaveLength(20)
  expect(answers.slice(20)).toEqual([429, 429])
  const captcha = await prove(guest)
  expect(await ask(guest, { ...it(), email: 'person@example.jp', captcha })).toMatchObject({ status: 200 })
  const { token } = await asCustomer()
  expect(await ask(token, it())).toMatchObject({ status: 200, confirm: false })
})

test('what does not exist, what is in stock, and a guest without an address are refused', async () => {
  const guest = await asGuest()
  expect(await ask(guest, { product_id: '123456789', email: 'a@example.jp' })).toMatchObject({ status: 404 })
  expect(await ask(guest, { ...it(), variant_id: '99', email: 'a@example.jp' })).toMatchObject({ status: 404 })
  expect(await ask(guest, it())).toMatchObject({ status: 400 })
  expect(await ask('none', it())).toMatchObject({ status: 401 })
  expect(await ask(guest, it(), '/frontend/line/restock/')).toMatchObject({ status: 401 })
  const { token } = await asCustomer()
  expect(await ask(token, it(), '/frontend/line/restock/')).toMatchObject({ status: 409, reason: 'line_not_linked' })
  await setOnlineStock(merchant.scope(), [{ storeVariantId: variant, quantity: 2 }])
  expect(await ask(token, it())).toMatchObject({ status: 409, reason: 'in_stock' })
  await sellOut()
})

test('registering an address again and again does not fill its mailbox', async () => {
  const answers = []
  for (let n = 0; n < 7; n += 1)
    answers.push((await ask(await asGuest(), { ...it(), email: 'often@example.jp' })).status)
  expect(answers.filter((status) => status === 429).length).toBeGreaterThan(0)
  await okaeri.settle()
  expect((await mailed('often@example.jp')).length).toBeLessThanOrEqual(5)
})
