import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { untilWaiting } from '../../../test/locks.ts'
import { type SentMail, sentMail } from '../../../test/sent-mail.ts'
import { connectSandbox, EMPTY, merchant, okaeri, play, withSandboxStore } from '../../../test/with-okaeri.ts'
import { newId } from '../../kernel/ids.ts'
import {
  bringStoreCustomer,
  changeCustomer,
  isOutdated,
  listKnownCopies,
  type StoreCustomer,
  upsertStoreCustomers,
} from '../customers/index.ts'
import { disconnectStore } from '../stores/index.ts'

withSandboxStore({ seed: EMPTY })

const PAGE = '/pages/preferences'
beforeEach(() => play('switches.json', { state: 'open' }))

type Reader = SentMail & { storeCustomerId: number; email: string }
/** A customer of the store who speaks Japanese, and a mail to them. */
async function aReader(): Promise<Reader> {
  const email = `${newId()}@example.jp`
  const { customer } = await play<{ customer: { id: number } }>('customers.json', {
    email,
    first_name: 'Emma',
    last_name: 'Stone',
  })
  const customerId = (await bringStoreCustomer(merchant.scope(), customer.id)) ?? ''
  const mail = await sentMail(okaeri, merchant, { address: email, beside: { customerId } })
  return { ...mail, email, storeCustomerId: customer.id }
}
const pageOf = async ({ token }: SentMail): Promise<string> =>
  (await fetch(new URL(`${PAGE}?token=${token}&saved=1`, okaeri.url))).text()
const choose = ({ token }: SentMail, language: string, shown: string): Promise<Response> =>
  fetch(new URL(PAGE, okaeri.url), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ token, language, language_shown: shown }),
  })
async function known({ customerId }: SentMail) {
  const rows = await okaeri.query<{ language: string; unsent: boolean; name: string }>`
    select language, language_unsent as unsent, display_name as name from customers where id = ${customerId}`
  return rows[0]
}
/** As a webhook tells of them, which has neither language nor tags; or as a copy does. */
const fromStore = (
  { storeCustomerId, email }: Reader,
  language: string | null,
): StoreCustomer & { updatedAt: Date } => ({
  storeCustomerId,
  email,
  firstName: 'Emma',
  lastName: 'Stone',
  phone: null,
  language,
  address: null,
  tags: language === null ? null : [],
  createdAt: null,
  updatedAt: new Date(okaeri.clock.now().getTime() + 60_000),
})

describe('the language chosen on the preference page', () => {
  test('is in force and shown at once while the store does not answer, and the store has it later', async () => {
    const reader = await aReader()
    expect(await known(reader)).toEqual({ language: 'ja', unsent: false, name: 'Stone Emma' })
    await play('switches.json', { state: 'locked' })
    expect((await choose(reader, 'en', 'ja')).status).toBe(303)
    const page = await pageOf(reader)
    expect(page).toContain('Your preferences are saved.')
    expect(page).toMatch(/value="en" checked/)
    expect(await known(reader)).toEqual({ language: 'en', unsent: true, name: 'Emma Stone' })

    await play('switches.json', { state: 'open' })
    await okaeri.settle()
    expect(await known(reader)).toEqual({ language: 'en', unsent: false, name: 'Emma Stone' })
    const { customer } = await play<{ customer: { locale: string } }>(
      `customers/${reader.storeCustomerId}/update.json`,
      {},
    )
    expect(customer.locale).toBe('en')
  })

  test('is not taken back by what the store tells before it has it, and no copy counts it as a difference', async () => {
    const reader = await aReader()
    await choose(reader, 'en', 'ja')
    await upsertStoreCustomers(merchant.scope(), [fromStore(reader, null)])
    await upsertStoreCustomers(merchant.scope(), [fromStore(reader, 'ja')])
    expect(await known(reader)).toEqual({ language: 'en', unsent: true, name: 'Emma Stone' })
    const copy = (await listKnownCopies(merchant.scope(), [reader.storeCustomerId])).get(reader.storeCustomerId)
    const copied = { ...fromStore(reader, 'ja'), updatedAt: copy?.updatedAt ?? new Date(0), marketing: null }
    expect(copy && isOutdated(copy, copied)).toBe(false)
  })

  test('is not taken back by a webhook that was being worked in meanwhile', async () => {
    const reader = await aReader()
    const scope = merchant.scope()
    let webhook: Promise<unknown> = Promise.resolve()
    await scope.transaction(async ({ db }) => {
      await sql`update customers set language = 'en' where id = ${reader.customerId}`.execute(db)
      webhook = upsertStoreCustomers(scope, [fromStore(reader, null)])
      await untilWaiting(okaeri, { over: webhook })
    })
    await webhook
    expect(await known(reader)).toEqual({ language: 'en', unsent: false, name: 'Emma Stone' })
  })

  test('chosen twice, the last one is sent; what a member sets afterwards counts', async () => {
    const reader = await aReader()
    await choose(reader, 'en', 'ja')
    await choose(reader, 'ja', 'en')
    await choose(reader, 'en', 'ja')
    await changeCustomer(merchant.scope(), reader.customerId, { language: 'ja' })
    expect(await known(reader)).toMatchObject({ language: 'ja', unsent: false })
    await okaeri.settle()
    expect(await known(reader)).toMatchObject({ language: 'ja', unsent: false })
  })

  test('waits for a store that is connected again', async () => {
    const reader = await aReader()
    await disconnectStore(merchant.scope())
    await choose(reader, 'en', 'ja')
    await okaeri.settle()
    expect(await known(reader)).toMatchObject({ language: 'en', unsent: true })
    await connectSandbox()
    await okaeri.settle()
    expect(await known(reader)).toMatchObject({ language: 'en', unsent: false })
  })

  test('is what the page goes on in, also where it was read in another', async () => {
    const reader = await aReader()
    const read = (lang: string, language: string, shown: string) =>
      fetch(new URL(PAGE, okaeri.url), {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ token: reader.token, lang, language, language_shown: shown }),
      })
    expect((await read('ja', 'en', 'ja')).headers.get('location')).not.toContain('lang=')
    expect((await read('ja', 'en', 'en')).headers.get('location')).toContain('lang=ja')
    await okaeri.settle()
  })

  test('is what the page shows, whatever language the mail was in', async () => {
    const reader = await aReader()
    await okaeri.query`update deliveries set language = 'ja' where id = ${reader.deliveryId}`
    expect(await pageOf(reader)).toMatch(/value="ja" checked/)
    await choose(reader, 'en', 'ja')
    const page = await pageOf(reader)
    expect(page).toContain('Your preferences are saved.')
    expect(page).toMatch(/value="en" checked/)
    await okaeri.settle()
  })
})
