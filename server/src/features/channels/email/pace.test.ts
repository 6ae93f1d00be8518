import { once } from 'node:events'
import { connect } from 'node:net'
import * as campaigns from '@okaeri/contract/campaigns/routes'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aSentCampaign, campaignOf } from '../../../../test/builders/campaign.ts'
import { addCustomers } from '../../../../test/fixtures.ts'
import { startMailServer, type TestMailServer } from '../../../../test/mail-server.ts'
import { okaeri, withOkaeri } from '../../../../test/with-okaeri.ts'
import { GIVEN_UP_AFTER_MS, isGivenUp, share, slower } from './pace.ts'
import type { PaceRow } from './pace-queries.ts'

const MINUTE = 60_000
const start = new Date('2026-11-26T00:00:00Z')
const after = (ms: number): Date => new Date(start.getTime() + ms)

describe('what is learned from an operator’s answers', () => {
  test('the first answer holds it for a minute, each further one for longer and at half the pace', () => {
    let pace = slower(null, 'google', '421 4.7.0 slower', start)
    expect(pace).toMatchObject({ per_minute: 600, held_until: after(MINUTE), since: start })
    pace = slower(pace, 'google', '421 4.7.0 slower', after(2 * MINUTE))
    expect(pace).toMatchObject({ per_minute: 300, held_until: after(4 * MINUTE), since: start })
    for (let i = 0; i < 30; i++) pace = slower(pace, 'google', '421 4.7.0 slower', after((3 + i) * MINUTE))
    expect(pace.per_minute).toBe(1)
    expect(pace.held_until).toEqual(after((32 + 15) * MINUTE))
  })

  test('answers to what was under way at once are one answer', () => {
    const pace = slower(null, 'google', 'one', start)
    expect(slower(pace, 'google', 'two', after(20_000))).toEqual({ ...pace, answer: 'two' })
  })

  test('what was learned long ago, or before the clock was set back, is forgotten', () => {
    const slow = { ...slower(null, 'google', 'x', start), per_minute: 1 }
    expect(share(slow, { waited: 0, fresh: 500 }, after(4 * 24 * 60 * MINUTE))).toMatchObject({
      pace: null,
      leave: 500,
    })
    expect(share(slow, { waited: 0, fresh: 500 }, after(-24 * 60 * MINUTE))).toMatchObject({ pace: null, leave: 500 })
    expect(slower(slow, 'google', 'x', after(4 * 24 * 60 * MINUTE)).per_minute).toBe(600)
  })

  test('while all goes well it is given more, until nothing is held back', () => {
    let pace: PaceRow | null = slower(null, 'google', 'x', start)
    let minutes = 1
    for (; pace; minutes++) pace = share(pace, { waited: 0, fresh: 10_000 }, after(minutes * MINUTE)).pace
    // 600 × 1.25ⁿ > 6,000 after eleven.
    expect(minutes).toBeGreaterThan(11)
    expect(minutes).toBeLessThan(16)
  })

  test('who waited two days for an operator that was slow all the while is given up', () => {
    const pace = slower(null, 'google', 'x', start)
    // Made on 2026-11-26T00:00:00Z.
    const id = `${start
      .getTime()
      .toString(16)
      .padStart(12, '0')
      .replace(/^(.{8})/, '$1-')}-7000-8000-000000000000`
    expect(isGivenUp(pace, id, after(GIVEN_UP_AFTER_MS))).toBe(false)
    expect(isGivenUp(pace, id, after(GIVEN_UP_AFTER_MS + 1))).toBe(true)
    expect(isGivenUp({ ...pace, since: after(MINUTE) }, id, after(GIVEN_UP_AFTER_MS + 1))).toBe(false)
  })
})

describe('sharing a pace', () => {
  test('an operator held back gets none, and all come back after that', () => {
    const pace = slower(null, 'google', 'x', start)
    const { leave, retryAt } = share(pace, { waited: 3, fresh: 7 }, after(30_000))
    expect(leave).toBe(0)
    expect(retryAt(0).getTime()).toBeGreaterThanOrEqual(after(MINUTE).getTime())
  })

  test('whatever workers ask and when: never more than the pace, but for one step; everyone leaves in the end', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6_000 }),
        fc.integer({ min: 1, max: 3_000 }),
        fc.integer({ min: 0, max: 2 ** 31 }),
        (perMinute, audience, seed) => {
          let drawn = seed
          const random = (): number => {
            drawn = (Math.imul(drawn, 1103515245) + 12345) & 0x7fffffff
            return drawn / 2 ** 31
          }
          let pace: PaceRow | null = { ...slower(null, 'google', 'x', start), per_minute: perMinute }
          const begin = pace.held_until.getTime()
          const rows = Array.from({ length: audience }, () => ({ at: begin, waited: false }))
          let left = 0
          let asked = 0
          let now = begin
          while (rows.length > 0) {
            now = Math.max(now, Math.min(...rows.map(({ at }) => at)))
            const due = rows.filter(({ at }) => at <= now).slice(0, 400)
            const waited = due.filter((row) => row.waited)
            const fresh = due.filter((row) => !row.waited)
            const shared = share(pace as PaceRow, { waited: waited.length, fresh: fresh.length }, new Date(now))
            // Not faster: the pace itself is what is looked at.
            pace = { ...(shared.pace as PaceRow), sent_since: 0 }
            left += shared.leave
            asked += due.length
            expect(left).toBeLessThanOrEqual(((now - begin + 5_000) / 60_000) * perMinute + 1)
            const order = [...waited, ...fresh]
            for (const row of order.slice(0, shared.leave)) rows.splice(rows.indexOf(row), 1)
            for (const row of order.slice(shared.leave)) {
              row.at = shared.retryAt(random()).getTime()
              row.waited = true
              expect(row.at).toBeGreaterThanOrEqual(now)
            }
          }
          // The pace was used: not much longer than it takes, and no server is asked very often.
          expect(now - begin).toBeLessThanOrEqual((audience / perMinute) * 60_000 * 2 + 60_000)
          expect(asked).toBeLessThanOrEqual(audience * 12 + 100)
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('while mails are sent', () => {
  /** What each operator answers, first come, first served; then it takes all. */
  let refusals: Map<string, string[]>
  let got: string[]
  let server: TestMailServer
  beforeAll(async () => {
    server = await startMailServer({
      onRcptTo({ address }, session, callback) {
        const answer = refusals.get(address.split('@')[1] ?? '')?.shift()
        if (!answer) return callback()
        const [code, ...text] = answer.split(' ')
        callback(Object.assign(new Error(text.join(' ')), { responseCode: Number(code) }))
        // As Gmail does: it says so and hangs up.
        if (answer.includes('hangs up')) setImmediate(() => server.hangUp(session))
      },
      onData(stream, session, callback) {
        stream.resume()
        stream.on('end', () => {
          got.push(session.envelope.rcptTo[0]?.address ?? '')
          callback()
        })
      },
    })
  })
  afterAll(() => server.close())
  withOkaeri(() => ({ smtpUrl: server.url, env: { SMTP_CONNECTIONS: '1' } }))
  beforeEach(() => {
    refusals = new Map()
    got = []
  })

  async function merchantWith(addresses: string[]) {
    const merchant = await okaeri.merchant()
    await addCustomers(
      merchant.scope(),
      addresses.map((email) => ({ email })),
    )
    return merchant
  }
  const paces = async (merchantId: string) =>
    await okaeri.query<{ receiver: string; per_minute: number; answer: string }>`
        select receiver, per_minute, answer from receiver_paces where merchant_id = ${merchantId}`

  test.each(['421 4.7.0 Too many messages', '421 4.7.28 Unusual rate, hangs up'])(
    '“%s” makes mail of that operator wait and nobody else’s, and each gets it once',
    async (answer) => {
      const slow = Array.from({ length: 12 }, (_, i) => `s${i}@gmail.com`)
      const others = Array.from({ length: 12 }, (_, i) => `o${i}@docomo.ne.jp`)
      const merchant = await merchantWith([...slow, 'g@googlemail.com', ...others])
      refusals.set('gmail.com', [answer])
      const campaign = await aSentCampaign(merchant)
      expect(campaign).toMatchObject({ status: 'sending', balance: { audience: 25, failed: 0, skipped: 0 } })
      expect(got).toEqual(expect.arrayContaining(others))
      // What was handed over before it said so may be there; of what came after, googlemail.com included, nothing.
      const early = got.filter((address) => !others.includes(address))
      expect(campaign.balance).toMatchObject({ sent: 12 + early.length, pending: 13 - early.length })
      expect(campaign.balance?.pending).toBeGreaterThan(0)
      expect(await paces(merchant.id)).toEqual([
        { receiver: 'google', per_minute: 600, answer: expect.stringContaining(answer.slice(0, 9)) },
      ])
      for (let i = 0; i < 4; i++) {
        okaeri.advance(MINUTE)
        await okaeri.settle()
      }
      expect(await campaignOf(merchant, campaign.id)).toMatchObject({ status: 'sent', balance: { sent: 25 } })
      expect([...got].sort()).toEqual([...slow, 'g@googlemail.com', ...others].sort())
    },
  )

  test('the next campaign waits for the operator too, before it is asked', async () => {
    const merchant = await merchantWith(['a@gmail.com', 'b@docomo.ne.jp'])
    refusals.set('gmail.com', ['421 4.7.0 Too many messages'])
    await aSentCampaign(merchant)
    const second = await aSentCampaign(merchant)
    expect(got).toEqual(['b@docomo.ne.jp', 'b@docomo.ne.jp'])
    expect(second).toMatchObject({ status: 'sending', balance: { sent: 1, pending: 1 } })
    okaeri.advance(3 * MINUTE)
    await okaeri.settle()
    expect(got.slice(2)).toEqual(['a@gmail.com', 'a@gmail.com'])
  })

  test('a server that says so of everybody is paused itself', async () => {
    const addresses = Array.from({ length: 30 }, (_, i) => `a@domain${i}.test`)
    const merchant = await merchantWith(addresses)
    for (let i = 0; i < 30; i++) refusals.set(`domain${i}.test`, ['450 4.7.0 Rate limit exceeded'])
    const campaign = await aSentCampaign(merchant)
    expect(campaign).toMatchObject({
      status: 'waiting',
      wait_reason: 'mailer_paused',
      balance: { sent: 0, pending: 30 },
    })
    expect((await paces(merchant.id)).length).toBeLessThan(15)
    for (let i = 0; i < 6; i++) {
      okaeri.advance(3 * MINUTE)
      await okaeri.settle()
    }
    expect(await campaignOf(merchant, campaign.id)).toMatchObject({ status: 'sent', balance: { sent: 30 } })
    expect([...got].sort()).toEqual([...addresses].sort())
  })

  test('another merchant is not held back by it', async () => {
    const merchant = await merchantWith(['a@gmail.com'])
    refusals.set('gmail.com', ['421 4.7.0 Too many messages'])
    await aSentCampaign(merchant)
    const other = await merchantWith(['c@gmail.com'])
    expect(await aSentCampaign(other)).toMatchObject({ status: 'sent' })
  })

  test('a campaign stopped while some wait for an operator ends, and they get nothing', async () => {
    const merchant = await merchantWith(['stopped@gmail.com', 'b@docomo.ne.jp'])
    refusals.set('gmail.com', ['421 4.7.0 Too many messages'])
    const campaign = await aSentCampaign(merchant)
    await merchant.call(campaigns.stopCampaign, { params: { id: campaign.id } })
    okaeri.advance(10 * MINUTE)
    await okaeri.settle()
    expect(got).not.toContain('stopped@gmail.com')
    expect(await campaignOf(merchant, campaign.id)).toMatchObject({
      status: 'cancelled',
      balance: { sent: 1, skipped_by_reason: { cancelled: 1 }, pending: 0 },
    })
  })
})

describe('a server that takes fewer connections than we would open', () => {
  const MOST = 3
  let got: string[]
  let server: TestMailServer
  beforeAll(async () => {
    server = await startMailServer({
      maxClients: MOST,
      onData(stream, session, callback) {
        stream.resume()
        stream.on('end', () => {
          got.push(session.envelope.rcptTo[0]?.address ?? '')
          callback()
        })
      },
    })
  })
  afterAll(() => server.close())
  withOkaeri(() => ({ smtpUrl: server.url, env: { SMTP_CONNECTIONS: '8' } }))
  beforeEach(() => {
    got = []
  })
  const addresses = Array.from({ length: 60 }, (_, i) => `a${i}@example.jp`)

  test('gets all mails over those it takes, and nothing waits', async () => {
    const merchant = await okaeri.merchant()
    await addCustomers(
      merchant.scope(),
      addresses.map((email) => ({ email })),
    )
    expect(await aSentCampaign(merchant)).toMatchObject({ status: 'sent', balance: { sent: 60 } })
    expect([...got].sort()).toEqual([...addresses].sort())
  })

  test('whose connections are all in use is tried again soon, and says so meanwhile', async () => {
    const merchant = await okaeri.merchant()
    await addCustomers(
      merchant.scope(),
      addresses.map((email) => ({ email })),
    )
    okaeri.context.integrations.mailers.close()
    const others = await Promise.all(Array.from({ length: MOST }, () => holdConnection(server.url)))
    const waiting = await aSentCampaign(merchant)
    expect(waiting).toMatchObject({ status: 'waiting', wait_reason: 'mailer_paused', balance: { pending: 60 } })
    await Promise.all(others.map((close) => close()))
    okaeri.advance(MINUTE)
    await okaeri.settle()
    expect(await campaignOf(merchant, waiting.id)).toMatchObject({ status: 'sent', balance: { sent: 60 } })
    expect([...got].sort()).toEqual([...addresses].sort())
  })
})

describe('a sending service that takes so many in a second', () => {
  let got: string[]
  let refuses: number
  let server: TestMailServer
  beforeAll(async () => {
    server = await startMailServer({
      onData(stream, session, callback) {
        stream.resume()
        stream.on('end', () => {
          refuses -= 1
          if (refuses >= 0) {
            // As Amazon SES says it.
            const text = 'Throttling failure: Maximum sending rate exceeded.'
            return callback(Object.assign(new Error(text), { responseCode: 454 }))
          }
          got.push(session.envelope.rcptTo[0]?.address ?? '')
          callback()
        })
      },
    })
  })
  afterAll(() => server.close())
  withOkaeri(() => ({ smtpUrl: server.url, env: { SMTP_CONNECTIONS: '4' } }))

  test('is sent to slower, the others are sent meanwhile, and no one waits a quarter of an hour', async () => {
    got = []
    refuses = 3
    const merchant = await okaeri.merchant()
    const addresses = Array.from({ length: 12 }, (_, i) => `a${i}@example.jp`)
    await addCustomers(
      merchant.scope(),
      addresses.map((email) => ({ email })),
    )
    const campaign = await aSentCampaign(merchant)
    expect(campaign).toMatchObject({ status: 'sending', balance: { sent: 9, pending: 3 } })
    okaeri.advance(MINUTE)
    await okaeri.settle()
    expect(await campaignOf(merchant, campaign.id)).toMatchObject({ status: 'sent', balance: { sent: 12 } })
    expect([...got].sort()).toEqual([...addresses].sort())
  })
})

/** Occupies one connection from outside; returns what ends it. */
async function holdConnection(url: string): Promise<() => Promise<void>> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'data')
  return async () => {
    const closed = once(socket, 'close')
    socket.end('QUIT\r\n')
    socket.resume()
    await closed
  }
}
