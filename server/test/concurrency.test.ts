import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto'
import type { ApiError } from '@okaeri/contract/client'
import * as campaigns from '@okaeri/contract/campaigns/routes'
import { createCustomer } from '@okaeri/contract/customers/routes'
import * as emails from '@okaeri/contract/emails/routes'
import { getSettings } from '@okaeri/contract/merchants/routes'
import { issueToken, refreshToken, revokeToken, signIn, signUp, type Tokens } from '@okaeri/contract/sessions/routes'
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { signAccessToken } from '../src/features/sessions/access-token.ts'
import { newId } from '../src/kernel/ids.ts'
import { addCustomers, addEmail } from './fixtures.ts'
import { SANDBOX_APP, type TestMerchant } from './harness.ts'
import { okaeri } from './with-okaeri.ts'
import { aCampaign, campaignOf } from './builders/campaign.ts'
import { gotBy, withSink } from './with-sink.ts'

withSink()

const TWENTY = 20
const HOUR = 3_600_000
/** All at once; what was answered, refusals by their reason. */
async function atOnce<T>(
  times: number,
  call: (index: number) => Promise<T>,
): Promise<{ done: T[]; refused: string[] }> {
  const settled = await Promise.allSettled(Array.from({ length: times }, (_, index) => call(index)))
  const done = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const refused = settled.flatMap((one) => (one.status === 'rejected' ? [(one.reason as ApiError).reason] : []))
  return { done, refused }
}
const count = async (query: ReturnType<typeof sql<{ n: number }>>): Promise<number> =>
  (await query.execute(okaeri.context.db)).rows[0]?.n ?? -1

interface Ready {
  merchant: TestMerchant
  id: string
  emailId: string
  addresses: string[]
}
/** A draft that could be sent to five people. */
async function ready(over: Record<string, unknown> = {}): Promise<Ready> {
  const merchant = await okaeri.merchant()
  const addresses = Array.from({ length: 5 }, (_, i) => `${i}-${merchant.id}@a.test`)
  await addCustomers(
    merchant.scope(),
    addresses.map((email) => ({ email })),
  )
  const emailId = await addEmail(merchant.scope())
  const { id } = await aCampaign(merchant, { email_id: emailId, ...over })
  return { merchant, id, emailId, addresses }
}
const statusOf = async ({ merchant, id }: Ready): Promise<string> => (await campaignOf(merchant, id)).status

describe('campaigns', () => {
  test('a draft reserved twenty times at once is reserved once, and everyone gets one mail', async () => {
    const one = await ready()
    const { merchant, id, addresses } = one
    const { done, refused } = await atOnce(TWENTY, () =>
      merchant.call(campaigns.reserveCampaign, { params: { id }, body: {} }),
    )
    expect([done.length, new Set(refused)]).toEqual([1, new Set(['campaign_not_draft'])])
    await Promise.all([okaeri.settle(), okaeri.settle()])
    await okaeri.settle()
    expect(await statusOf(one)).toBe('sent')
    expect(addresses.map(gotBy)).toEqual([1, 1, 1, 1, 1])
    expect(
      await count(
        sql`select count(*)::int as n from messages where merchant_id = ${merchant.id} and campaign_id = ${id}`,
      ),
    ).toBe(1)
  })

  test('a cancel that races with the start either stops every mail or none', async () => {
    for (let round = 0; round < 4; round += 1) {
      const at = new Date(okaeri.clock.now().getTime() + HOUR).toISOString()
      const one = await ready({ send_type: 'scheduled', scheduled_at: at })
      const { merchant, id, addresses } = one
      await merchant.call(campaigns.reserveCampaign, { params: { id }, body: {} })
      const { done } = (
        await Promise.all([
          atOnce(3, () => merchant.call(campaigns.cancelCampaign, { params: { id } })),
          okaeri.settle(),
        ])
      )[0]
      expect(done.length).toBe(1)
      okaeri.advance(2 * HOUR)
      await okaeri.settle()
      expect([await statusOf(one), addresses.map(gotBy)]).toEqual(['cancelled', [0, 0, 0, 0, 0]])
    }
  })

  test('a stop that races with the sending leaves a balance that adds up, and no one mailed twice', async () => {
    const one = await ready()
    const { merchant, id, addresses } = one
    await merchant.call(campaigns.reserveCampaign, { params: { id }, body: {} })
    await Promise.all([okaeri.settle(), atOnce(5, () => merchant.call(campaigns.stopCampaign, { params: { id } }))])
    await okaeri.settle()
    const { balance, status } = (await merchant.call(campaigns.getCampaign, { params: { id } })).campaign
    expect(['sent', 'cancelled']).toContain(status)
    const sent = addresses.reduce((sum, address) => sum + gotBy(address), 0)
    expect(Math.max(...addresses.map(gotBy))).toBeLessThanOrEqual(1)
    expect(balance).toMatchObject({ audience: 5, pending: 0, sending: 0, sent, skipped: 5 - sent })
  })

  test('an email deleted while a campaign is being reserved with it is either kept or missing, never half', async () => {
    for (let round = 0; round < 4; round += 1) {
      const one = await ready()
      const { merchant, id, emailId, addresses } = one
      const [reserving, deleting] = await Promise.allSettled([
        merchant.call(campaigns.reserveCampaign, { params: { id }, body: {} }),
        merchant.call(emails.deleteEmail, { params: { id: emailId } }),
      ])
      expect([reserving.status, deleting.status]).toEqual(['fulfilled', 'rejected'])
      await okaeri.settle()
      expect(addresses.map(gotBy)).toEqual([1, 1, 1, 1, 1])
    }
  })

  test('"send again to these" pressed twice at once sends once', async () => {
    const one = await ready()
    const { merchant, id, addresses } = one
    await merchant.call(campaigns.reserveCampaign, { params: { id }, body: {} })
    await okaeri.settle()
    await okaeri.query`update deliveries set status = 'uncertain', sent_at = null where merchant_id = ${merchant.id} and campaign_id = ${id}`
    const { done, refused } = await atOnce(6, () =>
      merchant.call(campaigns.resendUncertain, { params: { id }, body: { uncertain_seen: 5 } }),
    )
    expect([done.length, new Set(refused)]).toEqual([1, new Set(['nothing_uncertain'])])
    await okaeri.settle()
    expect(addresses.map(gotBy)).toEqual([2, 2, 2, 2, 2])
  })
})

describe('members', () => {
  const PASSWORD = 'a-long-enough-password'
  const newMember = async (): Promise<{ email: string } & Tokens> => {
    const email = `${newId()}@people.test`
    const body = { email, password: PASSWORD, site_name: '店', agreement: true } as const
    return { email, ...(await okaeri.call(signUp, { body })) }
  }
  const asks = async (token: string): Promise<number> =>
    (await fetch(`${okaeri.url}/user/me/settings`, { headers: { authorization: `Bearer ${token}` } })).status

  test('the same address signed up ten times at once is one merchant', async () => {
    const email = `${newId()}@people.test`
    const { done, refused } = await atOnce(10, (index) =>
      okaeri.call(signUp, {
        body: { email: index % 2 ? email : email.toUpperCase(), password: PASSWORD, site_name: '店', agreement: true },
      }),
    )
    expect([done.length, new Set(refused)]).toEqual([1, new Set(['email_taken'])])
    expect(await count(sql`select count(*)::int as n from members where email_key = ${email}`)).toBe(1)
    expect(
      await count(sql`select count(*)::int as n from merchants m where not exists
      (select from members where merchant_id = m.id)`),
    ).toBe(0)
  })

  test('tabs that refresh at once stay signed in; a token from before the last is the end of all', async () => {
    const { refresh_token } = await newMember()
    const { done, refused } = await atOnce(5, () => okaeri.call(refreshToken, { body: { refresh_token } }))
    expect([done.length, refused]).toEqual([5, []])
    const next = await okaeri.call(refreshToken, { body: { refresh_token: done[0]?.refresh_token ?? '' } })
    expect(await asks(next.access_token)).toBe(200)
    const { refused: late } = await atOnce(1, () => okaeri.call(refreshToken, { body: { refresh_token } }))
    expect(late).toEqual(['token_reused'])
    expect(await asks(next.access_token)).toBe(401)
  })

  test('a one-time grant and a revoked session open nothing', async () => {
    const { access_token, refresh_token } = await newMember()
    expect(await asks(access_token)).toBe(200)
    await okaeri.call(revokeToken, { body: { token: refresh_token } })
    expect(await asks(access_token)).toBe(401)
    const { refused } = await atOnce(3, () =>
      okaeri.call(issueToken, { body: { grant_type: 'refresh_token', refresh_token } }),
    )
    expect(new Set(refused)).toEqual(new Set(['token_invalid']))
  })

  test('a token that is foreign, expired, or of another member opens nothing', async () => {
    const { access_token: ours } = await newMember()
    const { access_token: theirs } = await newMember()
    const claims = decodeJwt(ours)
    const other = decodeJwt(theirs)
    const header = decodeProtectedHeader(ours)
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const signed = (payload: object, key = privateKey): Promise<string> =>
      new SignJWT({ ...payload }).setProtectedHeader({ ...header, alg: 'EdDSA' }).sign(key)
    const [, payload = '', signature = ''] = ours.split('.')
    const jwks = (await (await fetch(`${okaeri.url}/oauth/.well-known/jwks.json`)).json()) as { keys: { x: string }[] }
    const secret = Buffer.from(jwks.keys[0]?.x ?? '', 'base64url')
    const hs256 = `${encode({ ...header, alg: 'HS256' })}.${payload}`
    const forged = [
      `${encode({ alg: 'none' })}.${payload}.`,
      `${encode({ ...header, alg: 'none' })}.${payload}.${signature}`,
      `${hs256}.${createHmac('sha256', secret).update(hs256).digest('base64url')}`,
      await signed(claims),
      await new SignJWT(claims)
        .setProtectedHeader({ alg: 'EdDSA', jwk: publicKey.export({ format: 'jwk' }) })
        .sign(privateKey),
      await new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', kid: '__proto__' }).sign(privateKey),
      `${encode(header)}.${encode({ ...claims, role: 'owner', mid: other['mid'] })}.${signature}`,
      `${ours.slice(0, -4)}AAAA`,
      ` ${ours}x`,
      '..',
      'a.b.c',
      `${ours}.${ours}`,
    ]
    for (const token of forged) expect([token.slice(0, 40), await asks(token)]).toEqual([token.slice(0, 40), 401])
    expect([await asks(ours), await asks(theirs)]).toEqual([200, 200])

    // Signed by us, of a session that is not this member's or merchant's: as after a member was removed.
    const identity = {
      merchantId: String(claims['mid']),
      memberId: String(claims.sub),
      sessionId: String(claims['sid']),
    }
    const mixed = [
      { ...identity, merchantId: String(other['mid']), role: 'owner' as const },
      { ...identity, memberId: String(other.sub), sessionId: newId(), role: 'owner' as const },
      { ...identity, sessionId: newId(), role: 'owner' as const },
    ]
    for (const one of mixed) {
      // The session is remembered for some seconds as that of whom it is.
      const token = await signAccessToken(okaeri.context, one)
      const answer = await fetch(`${okaeri.url}/user/me/settings`, { headers: { authorization: `Bearer ${token}` } })
      if (answer.status === 401) continue
      const { user } = (await answer.json()) as { user: { merchant_id: string; id: string } }
      expect(user).toMatchObject({ merchant_id: identity.merchantId, id: identity.memberId })
    }
  })

  test('a flood of wrong passwords is held back, and others still sign in', async () => {
    const [one, other] = [await newMember(), await newMember()]
    const { refused } = await atOnce(40, () =>
      okaeri.call(signIn, { body: { email: one.email, password: 'wrong-password' } }),
    )
    const held = refused.filter((reason) => reason === 'rate_limited').length
    // Ten, and the first of those that are slowed down.
    expect([refused.length, held, new Set(refused)]).toEqual([40, 29, new Set(['wrong_credentials', 'rate_limited'])])
    const { access_token } = await okaeri.call(signIn, { body: { email: other.email, password: PASSWORD } })
    expect(await asks(access_token)).toBe(200)
    // The right password does not open while it is held back: else trying on would tell.
    await expect(okaeri.call(signIn, { body: { email: one.email, password: PASSWORD } })).rejects.toMatchObject({
      status: 429,
    })
    // Members who are signed in are not signed out by it.
    expect(await asks(one.access_token)).toBe(200)
  })
})

describe('the store’s webhooks', () => {
  test('the same one delivered ten times at once is kept once; a wrong signature never', async () => {
    const merchant = await okaeri.merchant()
    const shop = `${merchant.id}.myshopify.com`
    const { db } = okaeri.context
    await sql`insert into store_directory (shop_domain, merchant_id) values (${shop}, ${merchant.id})`.execute(db)
    await sql`insert into store_connections (merchant_id, id, shop_domain, status, connected_at)
      values (${merchant.id}, ${newId()}, ${shop}, 'connected', now())`.execute(db)
    const body = JSON.stringify({ id: 1, admin_graphql_api_id: 'gid://shopify/Product/1', title: '茶' })
    const deliver = (eventId: string, secret: string, sent = body, signed = body): Promise<Response> =>
      fetch(`${okaeri.url}/webhooks/shopify`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-shopify-topic': 'products/update',
          'x-shopify-shop-domain': shop,
          'x-shopify-event-id': eventId,
          'x-shopify-triggered-at': okaeri.clock.now().toISOString(),
          'x-shopify-hmac-sha256': createHmac('sha256', secret).update(signed).digest('base64'),
        },
        body: sent,
      })
    const eventId = randomUUID()
    const { done } = await atOnce(10, async () => (await deliver(eventId, SANDBOX_APP.apiSecret)).status)
    expect(done).toEqual(Array(10).fill(200))
    expect(await count(sql`select count(*)::int as n from store_webhooks where merchant_id = ${merchant.id}`)).toBe(1)
    expect((await deliver(randomUUID(), 'another secret')).status).toBe(401)
    // What cannot be stored as it is must not be refused for good.
    const odd = String.raw`{"id":1,"title":"\u0000\ud83d"}`
    expect((await deliver(randomUUID(), SANDBOX_APP.apiSecret, odd, odd)).status).toBe(200)
    expect((await deliver(randomUUID(), SANDBOX_APP.apiSecret, `${body} `)).status).toBe(401)
    expect(await count(sql`select count(*)::int as n from store_webhooks where merchant_id = ${merchant.id}`)).toBe(2)
  })
})

test('a customer added ten times at once is one customer', async () => {
  const merchant = await okaeri.merchant()
  const { done, refused } = await atOnce(10, () => merchant.call(createCustomer, { body: { email: 'twice@a.test' } }))
  expect([done.length, new Set(refused)]).toEqual([1, new Set(['customer_exists'])])
})

test('settings saved by ten tabs at once are those of one of them, whole', async () => {
  const merchant = await okaeri.merchant()
  const { refused } = await atOnce(10, (index) =>
    fetch(`${okaeri.url}/user/me/settings`, {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer test.${merchant.id}.${merchant.memberId}.owner`,
      },
      body: JSON.stringify({ userSetting: { site_name: `店${index}`, postal_address: `${index}丁目` } }),
    }),
  )
  const { userSetting } = await merchant.call(getSettings, {})
  expect([refused, userSetting.site_name.slice(1)]).toEqual([[], userSetting.postal_address.slice(0, 1)])
})
