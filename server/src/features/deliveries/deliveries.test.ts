import * as campaigns from '@okaeri/contract/campaigns/routes'
import { changeSettings } from '@okaeri/contract/merchants/routes'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addCustomers } from '../../../test/fixtures.ts'
import { type TestMerchant } from '../../../test/harness.ts'
import { startMailServer, type TestMailServer } from '../../../test/mail-server.ts'
import { aCampaign, aSentCampaign, campaignOf } from '../../../test/builders/campaign.ts'
import { okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { classifyReply, isHardBounce, parseReply } from '../../integrations/mail/reply.ts'
import { judge } from '../channels/email/outcome.ts'
import { sendReleased } from './sending/sending.ts'

/** A mail server that behaves as each test says, by recipient. */
type Behaviour = 'accept' | 'drop' | 'cut' | { rcpt?: string; body?: string; meanwhile?: () => Promise<unknown> }
let behaviours = new Map<string, Behaviour[]>()
let got: string[] = []
let standstill: Promise<unknown> = Promise.resolve()
/** Something that happens after a number of recipients was announced. Their order is not fixed. */
let alarm: { after: number; run: () => Promise<unknown> } | null = null
let server: TestMailServer

beforeAll(async () => {
  server = await startMailServer({
    onRcptTo({ address }, _session, callback) {
      const answer = (): void => {
        const behaviour = behaviours.get(address)?.[0]
        if (typeof behaviour !== 'object' || !behaviour.rcpt) return callback()
        behaviours.get(address)?.shift()
        const [code, ...text] = behaviour.rcpt.split(' ')
        callback(Object.assign(new Error(text.join(' ')), { responseCode: Number(code) }))
      }
      const behaviour = behaviours.get(address)?.[0]
      // While it happens the server does not answer.
      if (typeof behaviour === 'object' && behaviour.meanwhile) standstill = behaviour.meanwhile()
      if (alarm && alarm.after-- === 0) standstill = alarm.run()
      void standstill.then(answer, answer)
    },
    onData(stream, session, callback) {
      const address = session.envelope.rcptTo[0]?.address ?? ''
      const behaviour = behaviours.get(address)?.shift() ?? 'accept'
      if (behaviour === 'cut') server.hangUp(session)
      stream.resume()
      stream.on('end', () => {
        if (behaviour === 'cut') return
        if (typeof behaviour === 'object' && behaviour.body) {
          const [code, ...text] = behaviour.body.split(' ')
          return callback(Object.assign(new Error(text.join(' ')), { responseCode: Number(code) }))
        }
        got.push(address)
        if (behaviour === 'drop') server.hangUp(session)
        else callback()
      })
    },
  })
})
afterAll(() => server.close())
withOkaeri(() => ({ smtpUrl: server.url, env: { SMTP_CONNECTIONS: '3' } }))
beforeEach(() => {
  behaviours = new Map()
  standstill = Promise.resolve()
  alarm = null
  got = []
})

async function merchantWith(addresses: string[]): Promise<TestMerchant> {
  const merchant = await okaeri.merchant()
  await addCustomers(
    merchant.scope(),
    addresses.map((email) => ({ email })),
  )
  return merchant
}
const MINUTE = 60_000

describe('what a mail server answers', () => {
  test('a temporary refusal is tried again later by itself, and reaches the person once', async () => {
    const merchant = await merchantWith(['t1@x.test', 't2@x.test'])
    behaviours.set('t1@x.test', [{ rcpt: '451 4.3.0 try later' }, { rcpt: '451 4.3.0 try later' }])
    const campaign = await aSentCampaign(merchant)
    expect(campaign).toMatchObject({ status: 'sending', balance: { sent: 1, pending: 1 } })
    okaeri.advance(MINUTE)
    await okaeri.settle()
    expect((await campaignOf(merchant, campaign.id)).status).toBe('sending')
    okaeri.advance(5 * MINUTE)
    await okaeri.settle()
    expect(await campaignOf(merchant, campaign.id)).toMatchObject({ status: 'sent', balance: { audience: 2, sent: 2 } })
    expect(got.sort()).toEqual(['t1@x.test', 't2@x.test'])
  })

  test('an address that does not exist fails for good, is suppressed with the server’s words, and others are not concerned', async () => {
    const merchant = await merchantWith(['gone@x.test', 'here@x.test'])
    behaviours.set('gone@x.test', [{ rcpt: '550 5.1.1 No such user here' }])
    expect(await aSentCampaign(merchant)).toMatchObject({
      status: 'sent',
      balance: { sent: 1, failed: 1, failed_by_class: { permanent: 1 } },
    })
    const rows = await okaeri.query<{ address_key: string; reason: string; proof: string }>`
      select address_key, reason, proof from suppressions where merchant_id = ${merchant.id}`
    expect(rows).toEqual([{ address_key: 'gone@x.test', reason: 'hard_bounce', proof: '550 5.1.1 No such user here' }])
    const again = await aSentCampaign(merchant)
    expect(again.balance).toMatchObject({ sent: 1, skipped_by_reason: { suppressed: 1 } })
  })

  test('a quota answer postpones the mailer, uses no attempt, loses no one and says what it waits for', async () => {
    const addresses = Array.from({ length: 8 }, (_, i) => `q${i}@x.test`)
    const merchant = await merchantWith(addresses)
    for (const address of addresses.slice(3))
      behaviours.set(address, [{ rcpt: '452 4.5.3 Daily sending quota exceeded' }])
    const campaign = await aSentCampaign(merchant)
    expect(campaign).toMatchObject({
      status: 'waiting',
      wait_reason: 'mailer_paused',
      balance: { failed: 0, uncertain: 0 },
    })
    behaviours.clear()
    okaeri.advance(16 * MINUTE)
    await okaeri.settle()
    expect(await campaignOf(merchant, campaign.id)).toMatchObject({ status: 'sent', balance: { audience: 8, sent: 8 } })
    expect(got.sort()).toEqual(addresses)
    const rows = await okaeri.query<{
      attempts: number
    }>`select max(attempts) as attempts from deliveries where merchant_id = ${merchant.id}`
    expect(rows[0]?.attempts).toBe(1)
  })

  test('half sent when test mode is switched on, the rest waits, also before the campaign was looked at, and gets it afterwards', async () => {
    const addresses = Array.from({ length: 8 }, (_, i) => `half${i}@x.test`)
    const merchant = await merchantWith(addresses)
    for (const address of addresses.slice(3))
      behaviours.set(address, [{ rcpt: '452 4.5.3 Daily sending quota exceeded' }])
    const { id } = await aSentCampaign(merchant)
    behaviours.clear()
    const sent = got.length
    await merchant.call(changeSettings, { body: { userSetting: { test_mode: true } } })
    okaeri.advance(16 * MINUTE)
    await okaeri.query`update messages set state = 'released' where merchant_id = ${merchant.id}`
    await sendReleased(okaeri.context, merchant.id, AbortSignal.timeout(60_000))
    await okaeri.settle()
    const waiting = { status: 'waiting', wait_reason: 'test_mode', balance: { sent, pending: 8 - sent, skipped: 0 } }
    expect(await campaignOf(merchant, id)).toMatchObject(waiting)
    expect(got).toHaveLength(sent)
    await merchant.call(changeSettings, { body: { userSetting: { test_mode: false } } })
    await okaeri.settle()
    expect(await campaignOf(merchant, id)).toMatchObject({ status: 'sent', balance: { audience: 8, sent: 8 } })
    expect(got.sort()).toEqual(addresses)
  })

  test.each([
    [1, 'sent'],
    [2, 'send_failure'],
  ] as const)(
    'refused for its content by %i of three, it ends as %s: what most did not get needs a person',
    async (refused, status) => {
      const addresses = ['c1@x.test', 'c2@x.test', 'c3@x.test']
      const merchant = await merchantWith(addresses)
      for (const address of addresses.slice(0, refused))
        behaviours.set(address, [{ body: '554 5.7.1 Message rejected as spam' }])
      expect(await aSentCampaign(merchant)).toMatchObject({
        status,
        balance: { sent: 3 - refused, failed_by_class: { content: refused } },
      })
    },
  )

  test('a connection cut after the body makes exactly that mail uncertain; it is not repeated until a person says so', async () => {
    const merchant = await merchantWith(['u1@x.test', 'u2@x.test', 'u3@x.test'])
    behaviours.set('u2@x.test', ['drop'])
    const campaign = await aSentCampaign(merchant)
    expect(campaign).toMatchObject({ status: 'sent', balance: { audience: 3, sent: 2, uncertain: 1 } })
    expect(got.sort()).toEqual(['u1@x.test', 'u2@x.test', 'u3@x.test'])
    okaeri.advance(60 * MINUTE)
    await okaeri.settle()
    expect(got).toHaveLength(3)
    const wrong = merchant.call(campaigns.resendUncertain, { params: { id: campaign.id }, body: { uncertain_seen: 2 } })
    await expect(wrong).rejects.toMatchObject({ reason: 'campaign_changed_since_review' })
    await merchant.call(campaigns.resendUncertain, { params: { id: campaign.id }, body: { uncertain_seen: 1 } })
    await okaeri.settle()
    expect(await campaignOf(merchant, campaign.id)).toMatchObject({
      status: 'sent',
      balance: { sent: 3, uncertain: 0 },
    })
  })

  test('refused for good while tries are used up: the campaign says it failed, and can be tried again or accepted', async () => {
    const merchant = await merchantWith(['f1@x.test', 'f2@x.test'])
    behaviours.set(
      'f1@x.test',
      Array.from({ length: 9 }, () => ({ rcpt: '450 4.2.1 mailbox busy' })),
    )
    const campaign = await aSentCampaign(merchant)
    for (let tries = 0; tries < 8; tries += 1) {
      okaeri.advance(481 * MINUTE)
      await okaeri.settle()
    }
    expect(await campaignOf(merchant, campaign.id)).toMatchObject({
      status: 'send_failure',
      balance: { sent: 1, failed_by_class: { temporary: 1 } },
    })
    await merchant.call(campaigns.resyncCampaign, { params: { id: campaign.id } })
    await okaeri.settle()
    expect(await campaignOf(merchant, campaign.id)).toMatchObject({ status: 'sent', balance: { sent: 2, failed: 0 } })
    expect(got.filter((address) => address === 'f1@x.test')).toHaveLength(1)
  })

  test('what failed for its content is not tried again, because it would fail again', async () => {
    const merchant = await merchantWith(['c1@x.test', 'c2@x.test', 'c3@x.test'])
    behaviours.set('c1@x.test', [{ body: '554 5.7.1 Message rejected as spam' }])
    const { id } = await aSentCampaign(merchant)
    await expect(merchant.call(campaigns.resyncCampaign, { params: { id } })).rejects.toMatchObject({
      reason: 'campaign_not_resyncable',
    })
    // Beside one that another try may reach.
    await okaeri.query`update deliveries set status = 'failed', reason = 'temporary' where campaign_id = ${id} and address = 'c2@x.test'`
    await merchant.call(campaigns.resyncCampaign, { params: { id } })
    await okaeri.settle()
    expect((await campaignOf(merchant, id)).balance).toMatchObject({ sent: 2, failed_by_class: { content: 1 } })
    expect(got.filter((address) => address === 'c2@x.test')).toHaveLength(2)
    expect(got).not.toContain('c1@x.test')
  })

  test('a server that hangs up before the body costs no one a mail', async () => {
    const merchant = await merchantWith(['h1@x.test', 'h2@x.test'])
    behaviours.set('h1@x.test', [{ rcpt: '421 4.3.2 shutting down' }])
    const campaign = await aSentCampaign(merchant)
    okaeri.advance(20 * MINUTE)
    await okaeri.settle()
    expect(await campaignOf(merchant, campaign.id)).toMatchObject({ status: 'sent', balance: { sent: 2 } })
    expect(got.sort()).toEqual(['h1@x.test', 'h2@x.test'])
  })
})

test('a campaign stopped on its way sends nothing more', async () => {
  const merchant = await merchantWith(['s1@x.test', 's2@x.test'])
  behaviours.set('s1@x.test', [{ rcpt: '451 4.3.0 later' }])
  const campaign = await aSentCampaign(merchant)
  expect(campaign.balance).toMatchObject({ sent: 1, pending: 1 })
  const { campaign: stopped } = await merchant.call(campaigns.stopCampaign, { params: { id: campaign.id } })
  expect(stopped).toMatchObject({ status: 'cancelled', balance: { sent: 1, skipped_by_reason: { cancelled: 1 } } })
  okaeri.advance(60 * MINUTE)
  await okaeri.settle()
  expect(got).toEqual(['s2@x.test'])
})

test('a stop bites at once: what was claimed and has not left stays here', async () => {
  const merchant = await merchantWith(Array.from({ length: 1500 }, (_, i) => `many${i}@x.test`))
  const campaign = await aCampaign(merchant)
  const params = { id: campaign.id }
  const stop = () => merchant.call(campaigns.stopCampaign, { params })
  alarm = { after: 20, run: stop }
  await merchant.call(campaigns.reserveCampaign, { params, body: {} })
  await okaeri.settle()
  const { status, balance } = await campaignOf(merchant, campaign.id)
  expect(status).toBe('cancelled')
  expect(balance).toMatchObject({ audience: 1500, pending: 0, sending: 0, sent: got.length, uncertain: 0 })
  expect(balance?.skipped_by_reason.cancelled).toBeGreaterThan(1400)
})

test('what comes back from a server after the stop is not left waiting for ever', async () => {
  const merchant = await merchantWith(['s3@x.test'])
  const campaign = await aCampaign(merchant)
  const params = { id: campaign.id }
  const stop = () => merchant.call(campaigns.stopCampaign, { params })
  behaviours.set('s3@x.test', [{ rcpt: '451 4.3.0 later', meanwhile: stop }])
  await merchant.call(campaigns.reserveCampaign, { params, body: {} })
  await okaeri.settle()
  expect(await campaignOf(merchant, campaign.id)).toMatchObject({
    status: 'cancelled',
    balance: { audience: 1, pending: 0, sending: 0, skipped_by_reason: { cancelled: 1 } },
  })
})

describe('the rules of a refusal', () => {
  const row = { id: 'd', attempts: 0, address: 'a@x.test', test_mode: false }
  const now = new Date('2026-11-20T00:00:00Z')
  const refused = (text: string, stage: 'recipient' | 'body' | 'sender' = 'recipient') =>
    judge({ kind: 'refused', stage, reply: parseReply([text]) }, row, now)

  test.each([
    ['451 4.7.1 Greylisted, please try again', 'recipient', 'temporary'],
    ['452 4.2.2 Mailbox full', 'recipient', 'temporary'],
    ['450 4.7.28 Rate limit', 'recipient', 'receiver_limit'],
    ['421 4.7.0 Too many messages', 'recipient', 'receiver_limit'],
    ['421 4.7.0 Too many messages', 'sender', 'quota'],
    ['421 4.7.28 Gmail has detected an unusual rate of mail from your IP address', 'body', 'receiver_limit'],
    ['421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume', 'sender', 'quota'],
    ['451 4.7.500 Server busy. Please try again later', 'recipient', 'receiver_limit'],
    ['421 4.3.2 Service shutting down', 'recipient', 'quota'],
    ['421 Service not available', 'recipient', 'quota'],
    [
      '450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents this',
      'recipient',
      'temporary',
    ],
    ['454 4.7.0 Throttling failure: Maximum sending rate exceeded.', 'body', 'quota'],
    ['452 4.5.3 Sending quota exceeded for this account', 'recipient', 'quota'],
    ['454 4.7.1 Throttling failure: Daily message quota exceeded.', 'body', 'quota'],
    ['535 5.7.8 Authentication failed', 'sender', 'configuration'],
    ['550 5.7.1 Sender address rejected', 'sender', 'configuration'],
    ['550 5.1.1 No such user', 'recipient', 'permanent'],
    ['552 5.2.2 Mailbox over quota', 'recipient', 'permanent'],
    ['554 5.7.1 Message rejected as spam', 'body', 'content'],
  ] as const)('%s at %s is %s', (text, stage, expected) => {
    expect(classifyReply(parseReply([text]), stage)).toBe(expected)
  })

  test('docomo, au and SoftBank say "unknown user" for filtered mail too: not a hard bounce', () => {
    const reply = parseReply(['550 5.1.1 Unknown user'])
    expect(isHardBounce(reply, 'taro@example.com')).toBe(true)
    expect(isHardBounce(reply, 'taro@docomo.ne.jp')).toBe(false)
    expect(isHardBounce(reply, 'taro@ezweb.ne.jp')).toBe(false)
    expect(isHardBounce(reply, 'Taro@SoftBank.ne.jp')).toBe(false)
    expect(refused('550 5.1.1 Unknown user').result.bounce).toEqual({
      address: 'a@x.test',
      detail: '550 5.1.1 Unknown user',
      isHard: true,
      status: '5.1.1',
    })
    expect(refused('552 5.2.2 Mailbox full').result.bounce).toMatchObject({ isHard: false, status: '5.2.2' })
  })

  test('tries grow further apart and end', () => {
    const waits = Array.from({ length: 9 }, (_, attempts) => {
      const { result } = judge({ kind: 'lost', detail: 'x' }, { ...row, attempts }, now)
      return result.status === 'pending' ? (Number(result.nextAttemptAt) - Number(now)) / MINUTE : result.status
    })
    expect(waits).toEqual([1, 5, 15, 30, 60, 120, 240, 480, 'failed'])
  })
})
