import fs from 'node:fs'
import path from 'node:path'
import { changeSettings } from '@okaeri/contract/merchants/routes'
import {
  subscribeByToken,
  subscribeFromStorefront,
  unsubscribeByToken,
  unsubscribeFromStorefront,
} from '@okaeri/contract/subscriptions/routes'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type SentMail, sentMail } from '../../../test/sent-mail.ts'
import { type TestMerchant } from '../../../test/harness.ts'
import { connectSandbox, okaeri, sandbox, withSandbox } from '../../../test/with-okaeri.ts'
import { suppress } from '../consent/index.ts'
import { resultsOfCampaigns } from '../stats/index.ts'
import { maskAddress } from '../../kernel/masked-address.ts'
import { isOneClick } from './one-click.ts'

withSandbox()

const ask = (target: string, init: RequestInit = {}): Promise<Response> =>
  fetch(new URL(target, okaeri.url), { redirect: 'manual', ...init })
const press = (token: string, choice: string): Promise<Response> =>
  ask('/pages/unsubscribe/confirm', { method: 'POST', body: new URLSearchParams({ token, choice }) })
const ONE_CLICK = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }
async function state(customerId: string): Promise<string | undefined> {
  const rows = await okaeri.query<{
    marketing_state: string
  }>`select marketing_state from customers where id = ${customerId}`
  return rows[0]?.marketing_state
}
async function changes(
  merchant: TestMerchant,
): Promise<
  { to_state: string; source: string; delivery_id: string | null; page: string | null; wording: string | null }[]
> {
  const rows = await okaeri.query<{
    to_state: string
    source: string
    delivery_id: string | null
    page: string | null
    wording: string | null
  }>`
    select to_state, source, delivery_id, page, wording from consent_changes where merchant_id = ${merchant.id} order by id`
  return rows
}
const unsubscribed = async (merchant: TestMerchant, mail: SentMail) =>
  (await resultsOfCampaigns(merchant.scope(), [mail.campaignId ?? ''])).get(mail.campaignId ?? '')?.unsubscribed
/** Every address of ours a mail scanner could follow. */
const addresses = ({ token }: SentMail): string[] => [
  `/u/${token}`,
  `/emails/unsubscribe?token=${token}`,
  `/emails/subscribe?token=${token}`,
  `/pages/unsubscribe/confirm?token=${token}`,
  `/pages/unsubscribe/ok?token=${token}`,
  `/pages/unsubscribe/cancel?token=${token}`,
]

test('a link pressed by a program leaves no row of the record each time; stopping works all the same', async () => {
  const merchant = await okaeri.merchant()
  const mail = await sentMail(okaeri, merchant)
  const { status } = await press(mail.token, 'subscribe')
  await okaeri.query`update rate_limits set points = 19 where key like 'chosen by link:%'`
  const pressed = [status]
  for (const choice of ['stop', 'subscribe', 'stop', 'subscribe', 'stop', 'stop'])
    pressed.push((await press(mail.token, choice)).status)
  expect(pressed).toEqual([303, 303, 303, 303, 429, 303, 303])
  expect([await state(mail.customerId), (await changes(merchant)).length]).toEqual(['withdrawn', 3])
})

describe('following a link', () => {
  test('changes nothing, by GET or HEAD, for a scanner or a person', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    const gone = await sentMail(okaeri, merchant, { marketing: 'withdrawn' })
    for (const one of [mail, gone])
      for (const address of addresses(one))
        for (const method of ['GET', 'HEAD', 'OPTIONS'])
          expect((await ask(address, { method })).status).toBeLessThan(500)
    expect([await state(mail.customerId), await state(gone.customerId)]).toEqual(['granted', 'withdrawn'])
    expect(await changes(merchant)).toEqual([])
  })

  test('to what was chosen, without saying whose mail it is, is a page that claims nothing of anyone’s mails', async () => {
    for (const [path, ja, en] of [
      ['ok', 'メールの配信停止', 'Unsubscribing from emails'],
      ['cancel', '変更はありません', 'Nothing has changed'],
    ] as const) {
      const answer = await ask(`/pages/unsubscribe/${path}`)
      const page = await answer.text()
      expect([path, answer.status]).toEqual([path, 200])
      expect(page).toContain(`<title>${ja}</title>`)
      expect(page).toContain('メールにある配信停止のリンク')
      // Who is not known is neither stopped nor kept.
      expect(page).not.toMatch(/停止しました|届かなくなります|お届けします|class="sign"/)
      const english = await (await ask(`/pages/unsubscribe/${path}?lang=en`)).text()
      expect(english).toContain(`<title>${en}</title>`)
      expect(english).toContain('unsubscribe link in one of the emails')
      expect(english).not.toMatch(/You are unsubscribed|no longer receive|You will keep/)
      expect(page).toContain(`href="/pages/unsubscribe/${path}?lang=en"`)
      expect((await ask(`/pages/unsubscribe/${path}?token=made-up`)).status).toBe(404)
    }
    expect((await ask('/pages/unsubscribe/confirm')).status).toBe(404)
  })

  test('leads to a page that names the shop and the masked address, and asks', async () => {
    const merchant = await okaeri.merchant({ sender_name: 'お茶の店' })
    const mail = await sentMail(okaeri, merchant, { address: 'yamada@example.jp' })
    for (const address of [`/u/${mail.token}`, `/emails/unsubscribe?token=${mail.token}`]) {
      const answer = await ask(address)
      const leadsTo = new URL(answer.headers.get('location') ?? '', okaeri.url)
      expect([answer.status, leadsTo.href]).toEqual([
        302,
        `${okaeri.url}/pages/unsubscribe/confirm?token=${mail.token}`,
      ])
    }
    const answer = await ask(`/pages/unsubscribe/confirm?token=${mail.token}`)
    const page = await answer.text()
    expect(answer.status).toBe(200)
    expect(page).toContain('お茶の店')
    expect(page).toContain('y•••@e•••.jp')
    expect(page).not.toContain('yamada')
    expect(page).toContain('転送されたメール')
    expect(page).not.toMatch(/<script|src=|@import|https?:\/\/(?!www\.w3\.org)/)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('shows the page in the customer’s language, the shop’s, or the one chosen', async () => {
    const merchant = await okaeri.merchant({ language: 'ja' })
    const english = await sentMail(okaeri, merchant, { language: 'en-US' })
    const unknown = await sentMail(okaeri, merchant)
    const title = async (address: string) => /<title>([^<|]*)/.exec(await (await ask(address)).text())?.[1]?.trim()
    expect(await title(`/pages/unsubscribe/confirm?token=${english.token}`)).toBe('Unsubscribe from these emails?')
    expect(await title(`/pages/unsubscribe/confirm?token=${unknown.token}`)).toBe('メールの配信を停止しますか？')
    expect(await title(`/pages/unsubscribe/confirm?token=${unknown.token}&lang=en`)).toBe(
      'Unsubscribe from these emails?',
    )
    expect(await title(`/pages/unsubscribe/confirm?token=${unknown.token}&lang=xx`)).toBe(
      'メールの配信を停止しますか？',
    )
  })

  test('that is broken, forged, too long or missing is a page that says so', async () => {
    const merchant = await okaeri.merchant()
    const { token } = await sentMail(okaeri, merchant)
    const sealed = okaeri.context.keyring.encrypt(
      JSON.stringify({ purpose: 'another', merchant: merchant.id, address: 'a@b.jp', until: 9e15 }),
    )
    for (const bad of [
      '',
      'x',
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      'x'.repeat(600),
      sealed,
      'v1.a.b.c.d',
      '%00',
    ]) {
      const answer = await ask(`/pages/unsubscribe/confirm?token=${bad}`)
      expect([bad, answer.status]).toEqual([bad, 404])
      expect(await answer.text()).toContain('このリンクは使えません')
      expect((await press(bad.slice(0, 500), 'stop')).status).toBe(404)
    }
    await expect(okaeri.call(unsubscribeByToken, { body: { token: 'x' } })).rejects.toMatchObject({
      status: 404,
      reason: 'link_invalid',
    })
  })
})

describe('the buttons', () => {
  test('stop the mails to the mailbox, keep the words shown as proof, and count once for the mail', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant, { address: 'Hanako@example.jp' })
    const twin = await sentMail(okaeri, merchant, { address: 'hanako@example.jp' })
    for (let twice = 0; twice < 2; twice += 1) {
      const answer = await press(mail.token, 'stop')
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        `/pages/unsubscribe/ok?token=${mail.token}`,
      ])
    }
    expect([await state(mail.customerId), await state(twin.customerId)]).toEqual(['withdrawn', 'withdrawn'])
    expect(await changes(merchant)).toHaveLength(2)
    expect((await changes(merchant))[0]).toEqual({
      to_state: 'withdrawn',
      source: 'unsubscribe_link',
      delivery_id: mail.deliveryId,
      page: '/pages/unsubscribe/confirm',
      wording: '配信を停止する',
    })
    expect(await unsubscribed(merchant, mail)).toBe(1)
    expect(await (await ask(`/pages/unsubscribe/ok?token=${mail.token}`)).text()).toContain('停止しました')
  })

  test('reach the customer a mail was for, whatever their address is now', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant, { address: 'old@example.jp' })
    await okaeri.query`update customers set email = 'new@example.jp', email_key = 'new@example.jp' where id = ${mail.customerId}`
    await press(mail.token, 'stop')
    expect(await state(mail.customerId)).toBe('withdrawn')
  })

  test('take a mistake back, or leave everything as it is', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    expect((await press(mail.token, 'keep')).headers.get('location')).toBe(
      `/pages/unsubscribe/cancel?token=${mail.token}`,
    )
    expect(await (await ask(`/pages/unsubscribe/cancel?token=${mail.token}`)).text()).toContain('変更はありません')
    expect(await state(mail.customerId)).toBe('granted')
    await press(mail.token, 'stop')
    expect((await press(mail.token, 'subscribe')).headers.get('location')).toBe(`/emails/subscribe?token=${mail.token}`)
    expect(await (await ask(`/emails/subscribe?token=${mail.token}`)).text()).toContain('メールをお届けします')
    expect(await state(mail.customerId)).toBe('granted')
    expect((await press(mail.token, 'something')).status).toBe(400)
  })

  test('of a page that claims what is not so do not show: it asks instead', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    const unknown = await sentMail(okaeri, merchant, { marketing: 'unknown' })
    expect(await (await ask(`/pages/unsubscribe/ok?token=${mail.token}`)).text()).toContain('停止しますか')
    expect(await (await ask(`/emails/subscribe?token=${unknown.token}`)).text()).toContain('受け取りますか')
  })

  test('of a test mail change no customer', async () => {
    const merchant = await okaeri.merchant({ test_mode: true })
    const mail = await sentMail(okaeri, merchant, { testMode: true })
    expect((await press(mail.token, 'stop')).status).toBe(303)
    expect((await ask(`/u/${mail.token}`, ONE_CLICK)).status).toBe(200)
    expect(await state(mail.customerId)).toBe('granted')
    expect(await (await ask(`/pages/unsubscribe/ok?token=${mail.token}`)).text()).toContain('テスト配信')
  })

  test('are there as calls too, and answer how things are', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    expect(await okaeri.call(unsubscribeByToken, { body: { token: mail.token } })).toEqual({ subscribed: false })
    expect(await state(mail.customerId)).toBe('withdrawn')
    expect(await okaeri.call(subscribeByToken, { body: { token: mail.token } })).toEqual({ subscribed: true })
    const off = await ask(`/frontend/email/unsubscribe?token=${mail.token}`, { method: 'POST' })
    expect([off.status, await off.json()]).toEqual([200, { subscribed: false }])
    const on = await ask(`/frontend/email/subscribe?token=${mail.token}`, { method: 'POST' })
    expect([on.status, await on.json()]).toEqual([200, { subscribed: true }])
  })
})

describe('one click (RFC 8058)', () => {
  const reference = path.resolve(
    import.meta.dirname,
    '../../../../../shared/reference/email/unsubscribe_header_vectors.json',
  )
  test.skipIf(!fs.existsSync(reference))('does what the reference expects of each request', async () => {
    const { requests } = JSON.parse(fs.readFileSync(reference, 'utf8')) as {
      requests: { method: string; content_type?: string; body?: string; expect: string }[]
    }
    for (const { method, content_type, body, expect: expected } of requests) {
      const merchant = await okaeri.merchant()
      const mail = await sentMail(okaeri, merchant)
      const answer = await ask(`/u/${mail.token}`, {
        method,
        ...(content_type ? { headers: { 'content-type': content_type } } : {}),
        ...(body ? { body } : {}),
      })
      const ends = expected.startsWith('unsubscribed')
      expect([method, body, await state(mail.customerId)]).toEqual([method, body, ends ? 'withdrawn' : 'granted'])
      if (ends) expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null])
    }
  })

  test('ends the mails without cookie or redirect, and counts once', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    for (let twice = 0; twice < 2; twice += 1) {
      const answer = await ask(`/u/${mail.token}`, ONE_CLICK)
      expect([answer.status, answer.headers.get('set-cookie'), answer.headers.get('location')]).toEqual([
        200,
        null,
        null,
      ])
    }
    expect((await changes(merchant)).map(({ source, delivery_id }) => [source, delivery_id])).toEqual([
      ['one_click', mail.deliveryId],
    ])
    expect(await unsubscribed(merchant, mail)).toBe(1)
  })

  test('with another body changes nothing', async () => {
    const merchant = await okaeri.merchant()
    const mail = await sentMail(okaeri, merchant)
    for (const body of ['', 'List-Unsubscribe=Two-Click', 'One-Click', '{"List-Unsubscribe":"One-Click"}'])
      expect((await ask(`/u/${mail.token}`, { method: 'POST', body })).status).toBe(200)
    expect((await ask('/u/x', ONE_CLICK)).status).toBe(404)
    expect(await state(mail.customerId)).toBe('granted')
  })

  test.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click', true],
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click\r\n', true],
    ['application/x-www-form-urlencoded; charset=utf-8', 'a=b&List-Unsubscribe=One-Click', true],
    [undefined, 'List-Unsubscribe=One-Click', true],
    [
      'multipart/form-data; boundary="a b"',
      '--a b\r\nContent-Disposition: form-data; name=List-Unsubscribe\r\n\r\nOne-Click\r\n--a b--',
      true,
    ],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\nContent-Type: text/plain\r\n\r\nOne-Click\r\n--x--\r\n',
      true,
    ],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="other"\r\n\r\nOne-Click\r\n--x--\r\n',
      false,
    ],
    ['multipart/form-data', 'List-Unsubscribe=One-Click', false],
    ['text/plain', 'list-unsubscribe=one-click', false],
  ])('%s %j', (type, body, expected) => {
    expect(isOneClick(Buffer.from(body), type)).toBe(expected)
  })
})

describe('the storefront', () => {
  // All of them come from one address, and few of those are taken without a solved challenge.
  beforeEach(() => okaeri.query`delete from rate_limits`)
  async function shop(): Promise<{ merchant: TestMerchant; domain: string }> {
    const merchant = await okaeri.merchant()
    const domain = `${merchant.id}.myshopify.test`
    await okaeri.query`insert into store_directory (shop_domain, merchant_id) values (${domain}, ${merchant.id})`
    return { merchant, domain }
  }
  async function find(
    merchant: TestMerchant,
    email: string,
  ): Promise<{ id: string; marketing_state: string } | undefined> {
    const rows = await okaeri.query<{ id: string; marketing_state: string }>`
      select id, marketing_state from customers where merchant_id = ${merchant.id} and email_key = ${email}`
    return rows[0]
  }
  /** The links in the mails that reached an address, as a person sees them. */
  async function linksMailedTo(to: string): Promise<URL[]> {
    const mails = await Promise.all(sandbox.mailbox.list({ to }).map(({ id }) => sandbox.mailbox.read(id)))
    return mails.map((mail) => new URL(/https?:\S+/.exec(mail?.text ?? '')?.[0] ?? ''))
  }

  const attack = { wording: 'I agree to everything', page: 'javascript:alert(1)' }
  const tokenMailedTo = async (to: string) => (await linksMailedTo(to)).at(-1)?.searchParams.get('token') ?? ''

  test('answers the same for addresses known and unknown, and changes nothing before the mailbox confirms', async () => {
    const { merchant, domain } = await shop()
    const known = await sentMail(okaeri, merchant, { address: 'known@example.jp', marketing: 'unknown' })
    for (const email of ['known@example.jp', 'New@example.jp'])
      expect(await okaeri.call(subscribeFromStorefront, { body: { ...attack, shop: domain, email } })).toEqual({
        accepted: true,
      })
    await okaeri.settle()
    expect([await state(known.customerId), await find(merchant, 'new@example.jp')]).toEqual(['unknown', undefined])
    expect(await changes(merchant)).toEqual([])
    for (const email of ['known@example.jp', 'New@example.jp'])
      expect((await press(await tokenMailedTo(email), 'subscribe')).status).toBe(303)
    expect(await state(known.customerId)).toBe('granted')
    expect((await find(merchant, 'new@example.jp'))?.marketing_state).toBe('granted')
  })

  test('keeps as proof what our page said, in its language, and nothing that came with the request', async () => {
    const { merchant, domain } = await shop()
    await okaeri.call(subscribeFromStorefront, { body: { ...attack, shop: domain, email: 'proof@example.jp' } })
    await okaeri.settle()
    await press(await tokenMailedTo('proof@example.jp'), 'subscribe')
    expect(await changes(merchant)).toMatchObject([
      {
        to_state: 'granted',
        source: 'subscribe_link',
        page: '/emails/subscribe',
        wording: expect.stringMatching(/お届けします。いつでも停止できます。 \[メールを受け取る\] \(ja, 1\)$/),
      },
    ])
  })

  test('counts the requests for a shop together, however its address is written', async () => {
    const { domain } = await shop()
    const counted = async () =>
      (await okaeri.query<{ points: number }>`select points from rate_limits where key like 'storefront shop:%'`)
        .map(({ points }) => points)
        .toSorted((a, b) => b - a)
    const before = await counted()
    for (const [at, shop] of [domain, `https://${domain}/1`, ` HTTP://${domain.toUpperCase()}/2/3`].entries())
      await okaeri.call(subscribeFromStorefront, { body: { shop, email: `spelled-${at}@example.jp` } })
    expect((await counted()).length - before.length).toBe(1)
  })

  test('mails strangers no message that a shop made its name of', async () => {
    const { merchant, domain } = await shop()
    await merchant.call(changeSettings, { body: { userSetting: { sender_name: 'Win! https://evil.example/x <b>' } } })
    await okaeri.call(subscribeFromStorefront, { body: { shop: domain, email: 'nobody@example.jp' } })
    await okaeri.settle()
    const [mail] = sandbox.mailbox.list({ to: 'nobody@example.jp' })
    const read = await sandbox.mailbox.read(mail?.id ?? 0)
    expect(`${mail?.subject} ${read?.text} ${read?.html}`).not.toMatch(/evil\.example|<b>|&lt;b/)
    expect(read?.text).toMatch(/Win! https evil example x +b/)
  })

  test('mails no one who gets the newsletter, or whose address is suppressed', async () => {
    const { merchant, domain } = await shop()
    await sentMail(okaeri, merchant, { address: 'has-it@example.jp' })
    await suppress(merchant.scope(), { address: 'complained@example.jp', reason: 'complaint' })
    for (const email of ['has-it@example.jp', 'complained@example.jp'])
      await okaeri.call(subscribeFromStorefront, { body: { shop: domain, email } })
    await okaeri.settle()
    expect([await linksMailedTo('has-it@example.jp'), await linksMailedTo('complained@example.jp')]).toEqual([[], []])
  })

  test('does not bring back someone who opted out before they confirm it by mail', async () => {
    const { merchant, domain } = await shop()
    const gone = await sentMail(okaeri, merchant, { address: 'gone@example.jp', marketing: 'withdrawn' })
    await okaeri.call(subscribeFromStorefront, { body: { shop: domain, email: 'gone@example.jp' } })
    await okaeri.settle()
    expect(await state(gone.customerId)).toBe('withdrawn')
    await press(await tokenMailedTo('gone@example.jp'), 'subscribe')
    expect(await state(gone.customerId)).toBe('granted')
  })

  test('mails a link before it stops anything, and only to those who get mails', async () => {
    const { merchant, domain } = await shop()
    const mail = await sentMail(okaeri, merchant, { address: 'storefront@example.jp' })
    for (const email of ['storefront@example.jp', 'stranger@example.jp'])
      expect(await okaeri.call(unsubscribeFromStorefront, { body: { shop: domain, email } })).toEqual({
        accepted: true,
      })
    await okaeri.settle()
    expect(await linksMailedTo('stranger@example.jp')).toEqual([])
    expect(await state(mail.customerId)).toBe('granted')
    const [link] = (await linksMailedTo('storefront@example.jp')) as [URL]
    expect(link.href).not.toContain('storefront@')
    const page = await fetch(link)
    expect(await page.text()).toContain('s•••@e•••.jp')
    const token = link.searchParams.get('token') ?? ''
    okaeri.advance(8 * 86_400_000)
    expect((await press(token, 'stop')).status).toBe(404)
    okaeri.advance(-8 * 86_400_000)
    expect((await press(token, 'stop')).status).toBe(303)
    expect(await state(mail.customerId)).toBe('withdrawn')
  })

  test('loses no one who confirms at the moment when our access to the store turns out to be lost', async () => {
    const merchant = await okaeri.merchant()
    const domain = 'lost-newsletter.myshopify.com'
    await connectSandbox(merchant, domain)
    await okaeri.call(subscribeFromStorefront, { body: { shop: domain, email: 'just-now@example.jp' } })
    await okaeri.settle()
    await okaeri.query`update store_connections set refresh_token = ${okaeri.context.keyring.encrypt('shprt_dead')},
      access_token_expires_at = ${new Date(0)} where merchant_id = ${merchant.id}`
    await press(await tokenMailedTo('just-now@example.jp'), 'subscribe')
    await okaeri.settle()
    expect((await find(merchant, 'just-now@example.jp'))?.marketing_state).toBe('granted')
  })

  test.each(['Email is invalid', 'Email has already been taken', 'No more customers'])(
    'loses no one who confirms and whom the store refuses: %s',
    async (message) => {
      const merchant = await okaeri.merchant()
      const domain = `refusing-${merchant.id}.myshopify.com`
      await connectSandbox(merchant, domain)
      const email = `refused-${merchant.id}@example.jp`
      await okaeri.call(subscribeFromStorefront, { body: { shop: domain, email } })
      await okaeri.settle()
      const { shopify } = okaeri.context.integrations
      if (!shopify) throw new Error('no store platform')
      const graphql = shopify.graphql
      const userErrors = [{ field: message.startsWith('Email') ? ['email'] : null, message }]
      const asked = vi
        .spyOn(shopify, 'graphql')
        .mockImplementation(async (grant, operation, ...rest) =>
          operation.includes('customerCreate')
            ? ({ customerCreate: { customer: null, userErrors } } as never)
            : graphql(grant, operation, ...rest),
        )
      await press(await tokenMailedTo(email), 'subscribe')
      asked.mockRestore()
      expect((await find(merchant, email))?.marketing_state).toBe('granted')
    },
  )

  test('mails a link that works to the longest address there can be', async () => {
    const { merchant, domain } = await shop()
    const address = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.jp`
    const mail = await sentMail(okaeri, merchant, { address })
    await okaeri.call(unsubscribeFromStorefront, { body: { shop: domain, email: address } })
    await okaeri.settle()
    const token = await tokenMailedTo(address)
    expect((await fetch(`${okaeri.url}/pages/unsubscribe/confirm?token=${token}`)).status).toBe(200)
    expect((await press(token, 'stop')).status).toBe(303)
    expect(await state(mail.customerId)).toBe('withdrawn')
  })

  test('refuses an unknown shop, an address that is none, and a flood', async () => {
    const { domain } = await shop()
    await expect(
      okaeri.call(subscribeFromStorefront, { body: { shop: 'nowhere.test', email: 'a@example.jp' } }),
    ).rejects.toMatchObject({ status: 404 })
    await expect(okaeri.call(subscribeFromStorefront, { body: { shop: domain, email: 'a@' } })).rejects.toMatchObject({
      status: 400,
      fields: { email: 'not_an_email' },
    })
    const again = (shop: string, email: string) => okaeri.call(unsubscribeFromStorefront, { body: { shop, email } })
    const { domain: other } = await shop()
    // Neither another shop nor another name for the same mailbox is another mailbox.
    await again(domain, 'flood@example.jp')
    await again(other, 'Flood@example.jp')
    await again(domain, 'flood+1@example.jp')
    for (const each of [domain, other])
      await expect(again(each, 'flood+2@example.jp')).rejects.toMatchObject({ status: 429, reason: 'rate_limited' })
  })
})

test.each([
  ['yamada@example.jp', 'y•••@e•••.jp'],
  ['a@b.co.jp', 'a•••@b•••.jp'],
])('%s is shown as %s', (address, masked) => {
  expect(maskAddress(address)).toBe(masked)
})
