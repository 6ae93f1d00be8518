import { generateKeyPairSync, sign } from 'node:crypto'
import { listCustomerBounces } from '@okaeri/contract/bounces/routes'
import type { OwnMailerInput } from '@okaeri/contract/own-mailers/mailer'
import * as endpoints from '@okaeri/contract/own-mailers/routes'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aSentCampaign, campaignOf } from '../../../test/builders/campaign.ts'
import { addCustomers } from '../../../test/fixtures.ts'
import { startMailServer, type TestMailServer } from '../../../test/mail-server.ts'
import { refusal } from '../../../test/refusal.ts'
import { sentMail } from '../../../test/sent-mail.ts'
import { eachWithMerchant, merchant, okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { getMerchant, setPlan } from '../merchants/index.ts'
import { makeTokens } from '../deliveries/index.ts'

interface Got {
  from: string
  to: string
  user: string
}
let got: Got[]
let global: string[]
/** What the own server says to a sign-in. */
let letsIn = true
/** What it says to a mail. */
let takesMail = true
let own: TestMailServer
let installation: TestMailServer
beforeAll(async () => {
  own = await startMailServer({
    authOptional: false,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, callback) {
      if (letsIn && username === 'shop' && password === 'right') return callback(null, { user: username })
      callback(Object.assign(new Error('Authentication credentials invalid'), { responseCode: 535 }))
    },
    onData(stream, session, callback) {
      stream.resume()
      stream.on('end', () => {
        if (!takesMail) return callback(Object.assign(new Error('no mail today'), { responseCode: 554 }))
        const { mailFrom, rcptTo } = session.envelope
        got.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo[0]?.address ?? '',
          user: String(session.user),
        })
        callback()
      })
    },
  })
  installation = await startMailServer({
    onData(stream, session, callback) {
      stream.resume()
      stream.on('end', () => {
        global.push(session.envelope.rcptTo[0]?.address ?? '')
        callback()
      })
    },
  })
})
afterAll(async () => {
  await own.close()
  await installation.close()
})
withOkaeri(() => ({ smtpUrl: installation.url, env: { BOUNCE_DOMAIN: 'bounce.okaeri.test' } }))
eachWithMerchant()
beforeEach(async () => {
  got = []
  global = []
  letsIn = true
  takesMail = true
  await setPlan(merchant.scope(), 'enterprise', { trial: false })
})

const account = (change: Partial<OwnMailerInput> = {}): { own_mailer: OwnMailerInput } => ({
  own_mailer: {
    kind: 'smtp',
    host: '127.0.0.1',
    port: Number(new URL(own.url).port),
    security: 'starttls',
    username: 'shop',
    password: 'right',
    connections: 2,
    returns_to_us: false,
    feedback_key: null,
    ...change,
  },
})
const put = (change?: Partial<OwnMailerInput>) => merchant.call(endpoints.putOwnMailer, { body: account(change) })
const tryMail = () => merchant.call(endpoints.testOwnMailer, {})
const use = (inUse = true) => merchant.call(endpoints.useOwnMailer, { body: { in_use: inUse } })
async function inUse(change?: Partial<OwnMailerInput>): Promise<void> {
  await put(change)
  await tryMail()
  await use()
  got = []
}

describe('setting up an own account', () => {
  test('it is stored once its server lets us in, its password encrypted and never answered', async () => {
    expect(await put({ password: 'wrong' })).toEqual({
      result: 'failure',
      answer: expect.stringContaining('535'),
      own_mailer: null,
    })
    const { result, own_mailer: stored } = await put()
    expect(result).toBe('success')
    expect(stored).toMatchObject({ host: '127.0.0.1', username: 'shop', in_use: false, tested_at: null })
    expect(JSON.stringify(stored)).not.toContain('right')
    const rows = await okaeri.query<{ password: string }>`
      select password from own_mailers where merchant_id = ${merchant.id}`
    expect(rows[0]?.password).toMatch(/^v1\./)
  })

  test('a server that is not there, or not reached in the end, leaves what was stored as it was', async () => {
    await put()
    const failed = await put({ port: 1, username: 'other' })
    expect(failed).toMatchObject({ result: 'failure', own_mailer: { username: 'shop' } })
    expect(failed.answer).not.toBe('')
  })

  test('without a password the stored one is kept, but only for the same server and user name', async () => {
    await put()
    expect(await put({ password: undefined, connections: 5 })).toMatchObject({
      result: 'success',
      own_mailer: { connections: 5 },
    })
    expect(await refusal(put({ password: undefined, host: 'localhost' }))).toMatchObject({
      fields: { 'own_mailer.password': 'required' },
    })
  })

  test('the plan has to include it', async () => {
    await setPlan(merchant.scope(), 'pro', { trial: false })
    expect(await refusal(put())).toMatchObject({ code: 'forbidden', reason: 'plan_forbids_provider' })
  })

  test('only an owner may', async () => {
    expect(await refusal(merchant.as('marketer')(endpoints.putOwnMailer, { body: account() }))).toMatchObject({
      reason: 'role_forbids',
    })
  })

  test('one in use is changed only after the new one took a test mail; what it refuses leaves the former in use', async () => {
    await inUse()
    takesMail = false
    const failed = await put({ connections: 4, host: 'localhost' })
    expect(failed).toMatchObject({ result: 'failure', own_mailer: { in_use: true, host: '127.0.0.1', connections: 2 } })
    expect(failed.answer).toContain('no mail today')
    takesMail = true
    expect(await put({ host: 'localhost' })).toMatchObject({
      result: 'success',
      own_mailer: { in_use: true, host: 'localhost', tested_at: expect.any(String) },
    })
    expect(got).toHaveLength(1)
    // Nothing that leads to another server or sign-in.
    await put({ host: 'localhost', connections: 7 })
    expect(got).toHaveLength(1)
  })

  test('it is used only after a test mail was taken', async () => {
    await put()
    expect(await refusal(use())).toMatchObject({ reason: 'own_mailer_untested' })
    expect(await tryMail()).toMatchObject({ result: 'success', own_mailer: { tested_at: expect.any(String) } })
    expect(got).toHaveLength(1)
    expect((await use()).own_mailer).toMatchObject({ in_use: true })
    // Another server was not tested.
    expect(await put({ username: 'shop', password: 'right', security: 'starttls', kind: 'smtp' })).toMatchObject({
      own_mailer: { tested_at: expect.any(String), in_use: true },
    })
  })
})

describe('outside the sandbox', () => {
  const asOutside = async (change: Partial<OwnMailerInput>) => {
    const { settings } = okaeri.context
    Object.assign(settings, { isLocalSandbox: false })
    try {
      return await put(change)
    } finally {
      Object.assign(settings, { isLocalSandbox: true })
    }
  }

  test.each(['127.0.0.1', 'localhost', '10.0.0.1', '[::1]', '169.254.169.254'])(
    'a host inside our own network is not called: %s',
    async (host) => {
      expect(await asOutside({ host, port: 587 })).toMatchObject({
        result: 'failure',
        answer: expect.stringContaining('inside our own network'),
        own_mailer: null,
      })
    },
  )

  test('a port where no mail is taken is refused', async () => {
    expect(await refusal(asOutside({ host: 'mail.example.com', port: 5432 }))).toMatchObject({
      fields: { 'own_mailer.port': 'not_allowed' },
    })
  })
})

describe('sending by an own account', () => {
  test('all mail goes by it, back to the sender’s address, and by the installation’s mailer again when its use is stopped', async () => {
    await inUse()
    await addCustomers(merchant.scope(), [{ email: 'a@example.jp' }])
    expect(await aSentCampaign(merchant)).toMatchObject({ status: 'sent', balance: { sent: 1 } })
    const { sender_email: sender } = await getMerchant(merchant.scope())
    expect(got).toEqual([{ from: sender, to: 'a@example.jp', user: 'shop' }])
    expect(global).toEqual([])
    await use(false)
    await aSentCampaign(merchant)
    expect([got.length, global]).toEqual([1, ['a@example.jp']])
  })

  test('mails come back to us where its server may say so', async () => {
    await inUse({ returns_to_us: true })
    await addCustomers(merchant.scope(), [{ email: 'a@example.jp' }])
    await aSentCampaign(merchant)
    expect(got[0]?.from).toMatch(/^b\+[a-z2-7]+@bounce\.okaeri\.test$/)
  })

  test('an account that refuses sign-in makes mail wait and say why; nothing goes by another way', async () => {
    await inUse()
    letsIn = false
    await addCustomers(merchant.scope(), [{ email: 'a@example.jp' }])
    const campaign = await aSentCampaign(merchant)
    expect(campaign).toMatchObject({ status: 'waiting', wait_reason: 'mailer_paused', balance: { pending: 1 } })
    expect(global).toEqual([])
    letsIn = true
    okaeri.advance(16 * 60_000)
    await okaeri.settle()
    expect(await campaignOf(merchant, campaign.id)).toMatchObject({ status: 'sent' })
  })

  test('a pause of a former account does not hold what goes by the next', async () => {
    await inUse()
    letsIn = false
    await addCustomers(merchant.scope(), [{ email: 'a@example.jp' }])
    const campaign = await aSentCampaign(merchant)
    expect(campaign.status).toBe('waiting')
    letsIn = true
    await merchant.call(endpoints.deleteOwnMailer, {})
    await okaeri.settle()
    expect(await campaignOf(merchant, campaign.id)).toMatchObject({ status: 'sent' })
    expect(global).toEqual(['a@example.jp'])
  })

  test('a plan that has it no more stops its use', async () => {
    await inUse()
    await setPlan(merchant.scope(), 'pro', { trial: false })
    expect((await merchant.call(endpoints.getOwnMailer, {})).own_mailer).toMatchObject({ in_use: false })
  })
})

describe('what an own service tells of bounces', () => {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicKey = keys.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  const post = async (of: string, event: object) => {
    const body = JSON.stringify([event])
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = sign('sha256', Buffer.from(timestamp + body), keys.privateKey).toString('base64')
    const answer = await fetch(`${okaeri.url}/webhooks/sendgrid/${of}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-twilio-email-event-webhook-timestamp': timestamp,
        'x-twilio-email-event-webhook-signature': signature,
      },
      body,
    })
    return { status: answer.status, body: (await answer.json()) as unknown }
  }

  test('it is believed by the key of the account, and about this merchant’s mail alone', async () => {
    await put({ kind: 'sendgrid', feedback_key: publicKey })
    const mail = await sentMail(okaeri, merchant, { address: 'gone@example.jp' })
    const other = await okaeri.merchant()
    const theirs = await sentMail(okaeri, other, { address: 'gone@example.jp' })
    const bounce = (merchantId: string, deliveryId: string) => ({
      event: 'bounce',
      type: 'bounce',
      status: '5.1.1',
      reason: '550 5.1.1 user unknown',
      email: 'gone@example.jp',
      'smtp-id': `<${makeTokens(okaeri.context.keyring, { merchantId, deliveryId }).bounceToken}@shop.example>`,
    })
    expect(await post(merchant.id, bounce(merchant.id, mail.deliveryId))).toEqual({ status: 200, body: { stored: 1 } })
    expect(await post(merchant.id, bounce(other.id, theirs.deliveryId))).toEqual({ status: 200, body: { stored: 0 } })
    expect((await post(other.id, bounce(other.id, theirs.deliveryId))).status).toBe(404)
    const { bounces } = await merchant.call(listCustomerBounces, { params: { id: mail.customerId } })
    expect(bounces.map(({ kind }) => kind)).toEqual(['hard'])
  })

  test('a key that is none is refused, and so is one for a plain server', async () => {
    for (const change of [
      { kind: 'sendgrid', feedback_key: 'abc' },
      { kind: 'ses', feedback_key: 'arn:aws:s3:::bucket' },
      { kind: 'smtp', feedback_key: publicKey },
    ] as const)
      expect(await refusal(put(change))).toMatchObject({ fields: { 'own_mailer.feedback_key': 'invalid' } })
  })
})
