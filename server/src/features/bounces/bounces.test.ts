import { once } from 'node:events'
import fs from 'node:fs'
import { connect } from 'node:net'
import { listCustomerBounces } from '@okaeri/contract/bounces/routes'
import { getCampaignReport } from '@okaeri/contract/campaigns/routes'
import { liftSuppression, listSuppressions } from '@okaeri/contract/consent/routes'
import { deleteCustomer } from '@okaeri/contract/customers/routes'
import { sql } from 'kysely'
import { createTransport } from 'nodemailer'
import { beforeAll, describe, expect, test } from 'vitest'
import { arf, dsn, freeForms } from '../../../test/bounce-samples.ts'
import { selfSigned } from '../../../test/self-signed.ts'
import { type SentMail, sentMail } from '../../../test/sent-mail.ts'
import { eachWithMerchant, merchant, okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import { recordBounces } from '../channels/email/bounces.ts'
import { changeConsent } from '../consent/index.ts'
import { makeTokens } from '../deliveries/index.ts'

const DOMAIN = 'bounce.okaeri.test'
const DAY = 86_400_000
const certificate = selfSigned(DOMAIN)
withOkaeri({
  env: {
    BOUNCE_DOMAIN: DOMAIN,
    BOUNCE_SMTP_PORT: '0',
    BOUNCE_TLS_CERT_FILE: certificate.certFile,
    BOUNCE_TLS_KEY_FILE: certificate.keyFile,
    BOUNCE_EVIDENCE_DAYS: '30',
  },
})
eachWithMerchant()

let port: number
beforeAll(() => {
  port = okaeri.bounceSmtpPort as number
})

const tokenOf = (deliveryId: string, merchantId = merchant.id): string =>
  makeTokens(okaeri.context.keyring, { merchantId, deliveryId }).bounceToken
const returnPath = (deliveryId: string): string => `b+${tokenOf(deliveryId)}@${DOMAIN}`

/** As the mail server of the recipient sends it back. */
async function comesBack(mail: Buffer, to: string): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
  try {
    await transport.sendMail({ envelope: { from: '', to }, raw: mail })
  } finally {
    transport.close()
  }
}
const refusalOf = (mail: Buffer, to: string): Promise<string> =>
  comesBack(mail, to).then(
    () => 'accepted',
    (error: unknown) => (error as { response?: string }).response ?? String(error),
  )
const returned = (sent: SentMail, mail: Buffer): Promise<void> => comesBack(mail, returnPath(sent.deliveryId))

const suppressions = async (): Promise<{ address: string; reason: string; proof: string | null }[]> =>
  (await merchant.call(listSuppressions, { query: { state: 'in_force' } })).data.map(({ address, reason, proof }) => ({
    address,
    reason,
    proof,
  }))
const bouncesOf = async ({ customerId }: SentMail) => merchant.call(listCustomerBounces, { params: { id: customerId } })
const reportOf = async (id: string | null) =>
  (await merchant.call(getCampaignReport, { params: { id: id ?? '' } })).report
const kinds = async (sent: SentMail): Promise<string[]> => (await bouncesOf(sent)).bounces.map(({ kind }) => kind)
const marketingOf = async ({ customerId }: SentMail): Promise<string | undefined> =>
  (
    await okaeri.query<{
      state: string
    }>`select marketing_state as state from customers where merchant_id = ${merchant.id} and id = ${customerId}`
  )[0]?.state
const to = (recipient: string, more: Parameters<typeof dsn>[0] = {}): Buffer => dsn({ recipient, ...more })
const soft = (recipient: string): Buffer =>
  to(recipient, { status: '4.4.1', diagnostic: '451 4.4.1 Connection timed out', words: ' ' })

describe('what follows', () => {
  test('an address that does not exist gets no more mail, and its page shows the proof', async () => {
    const sent = await sentMail(okaeri, merchant, { address: 'Hanako@example.jp' })
    await returned(sent, to('hanako@example.jp'))
    const proof = '550 5.1.1 <hanako@example.jp>: Recipient address rejected: User unknown (mx.example.jp)'
    expect(await suppressions()).toEqual([{ address: 'hanako@example.jp', reason: 'hard_bounce', proof }])
    expect(await bouncesOf(sent)).toMatchObject({
      suppression: { reason: 'hard_bounce', proof },
      bounces: [{ kind: 'hard', way: 'smtp', status: '5.1.1', server: 'mx.example.jp', doubted: false }],
    })
    expect((await bouncesOf(sent)).bounces[0]?.evidence).toContain('Final-Recipient: rfc822; hanako@example.jp')
    expect(await reportOf(sent.campaignId)).toMatchObject({
      bounce_count: 1,
      bounces_by_kind: { hard: 1, soft: 0, full: 0, blocked: 0 },
    })
  })

  test('a report that comes again changes nothing', async () => {
    const sent = await sentMail(okaeri, merchant)
    for (let times = 0; times < 3; times += 1) await returned(sent, to('x@example.jp', { original: 'y@example.jp' }))
    expect(await kinds(sent)).toEqual(['soft'])
    await Promise.all([1, 2, 3, 4].map(() => returned(sent, arf('abuse'))))
    expect(await kinds(sent)).toEqual(['complaint', 'soft'])
    expect(await suppressions()).toHaveLength(1)
  })

  test.each(['docomo.ne.jp', 'au.com', 'softbank.ne.jp'])(
    '"unknown user" of %s is believed the second time, on another day',
    async (domain) => {
      const address = `hanako@${domain}`
      const first = await sentMail(okaeri, merchant, { address })
      await returned(first, to(address, { server: `mx.${domain}` }))
      const second = await sentMail(okaeri, merchant, { address, beside: { customerId: first.customerId } })
      await returned(second, to(address, { server: `mx.${domain}` }))
      // Twice on one day is once.
      expect(await suppressions()).toEqual([])
      okaeri.advance(DAY)
      const third = await sentMail(okaeri, merchant, { address, beside: { customerId: first.customerId } })
      await returned(third, to(address, { server: `mx.${domain}` }))
      expect(await suppressions()).toMatchObject([{ address, reason: 'hard_bounce' }])
    },
  )

  test('an address that does not take mails on four days is suppressed', async () => {
    const address = 'full@example.jp'
    const { customerId } = await sentMail(okaeri, merchant, {
      address,
      sentAt: new Date(okaeri.clock.now().getTime() - DAY),
    })
    for (let day = 1; day <= 4; day += 1) {
      expect(await suppressions()).toEqual([])
      const sent = await sentMail(okaeri, merchant, { address, beside: { customerId } })
      await returned(
        sent,
        day % 2 ? soft(address) : to(address, { status: '5.2.2', diagnostic: '552 5.2.2 Mailbox full', words: ' ' }),
      )
      okaeri.advance(DAY)
    }
    expect(await suppressions()).toMatchObject([{ address, reason: 'soft_bounce' }])
  })

  test('a mail that arrived in between resets the count', async () => {
    const address = 'sometimes@example.jp'
    const { customerId } = await sentMail(okaeri, merchant, { address })
    const comeBackFor = async (days: number): Promise<void> => {
      for (let day = 1; day <= days; day += 1) {
        await returned(await sentMail(okaeri, merchant, { address, beside: { customerId } }), soft(address))
        okaeri.advance(DAY)
      }
    }
    await comeBackFor(3)
    await sentMail(okaeri, merchant, { address, beside: { customerId } })
    okaeri.advance(4 * DAY)
    await comeBackFor(3)
    expect(await suppressions()).toEqual([])
  })

  test('what refuses us or our mail never suppresses, and the report says so', async () => {
    const address = 'fine@example.jp'
    const { customerId } = await sentMail(okaeri, merchant, { address })
    let campaign: string | null = null
    for (let day = 1; day <= 6; day += 1) {
      const sent = await sentMail(okaeri, merchant, { address, beside: { customerId } })
      await returned(
        sent,
        to(address, { status: '5.7.1', diagnostic: '554 5.7.1 blocked using zen.spamhaus.org', words: ' ' }),
      )
      okaeri.advance(DAY)
      campaign = sent.campaignId
    }
    expect(await suppressions()).toEqual([])
    expect(await reportOf(campaign)).toMatchObject({
      bounces_by_kind: { blocked: 1 },
    })
  })

  test('a complaint suppresses and withdraws the permission, and says so in its record', async () => {
    const sent = await sentMail(okaeri, merchant, { address: 'angry@example.jp' })
    await returned(sent, arf('abuse'))
    expect(await suppressions()).toMatchObject([{ address: 'angry@example.jp', reason: 'complaint' }])
    expect(await marketingOf(sent)).toBe('withdrawn')
    expect(await reportOf(sent.campaignId)).toMatchObject({ complaint_count: 1, bounce_count: 0 })
  })

  test.each(['vacation', 'person'] as const)('a mail as of the %s changes nothing', async (form) => {
    const sent = await sentMail(okaeri, merchant)
    await returned(sent, freeForms[form])
    await returned(sent, dsn({ action: 'delayed' }))
    expect(await bouncesOf(sent)).toEqual({ suppression: null, bounces: [] })
  })

  test('a late report does not undo what a person decided since', async () => {
    const address = 'hanako@example.jp'
    const early = await sentMail(okaeri, merchant, { address })
    const other = await sentMail(okaeri, merchant, { address, beside: { customerId: early.customerId } })
    await returned(early, to(address))
    okaeri.advance(DAY)
    const id = (await bouncesOf(early)).suppression?.id ?? ''
    await merchant.call(liftSuppression, { params: { id }, body: { reason: 'ご本人から連絡があった' } })
    await changeConsent(merchant.scope(), {
      customerId: early.customerId,
      kind: 'marketing',
      to: 'withdrawn',
      source: 'member',
    })
    okaeri.advance(1_000)
    await changeConsent(merchant.scope(), {
      customerId: early.customerId,
      kind: 'marketing',
      to: 'granted',
      source: 'storefront',
    })
    okaeri.advance(DAY)
    await returned(other, to(address))
    // Written before the person came back.
    const written = Buffer.from(
      arf('abuse')
        .toString()
        .replace(/^Date: .*$/m, `Date: ${new Date(okaeri.clock.now().getTime() - 1.5 * DAY).toUTCString()}`),
    )
    await returned(other, written)
    expect(await suppressions()).toEqual([])
    expect(await marketingOf(early)).toBe('granted')
    // What is sent since may suppress it again.
    const late = await sentMail(okaeri, merchant, { address, beside: { customerId: early.customerId } })
    await returned(late, to(address))
    expect(await suppressions()).toMatchObject([{ reason: 'hard_bounce' }])
  })

  test('what comes back from a test says nothing of the customer', async () => {
    const sent = await sentMail(okaeri, merchant, { testMode: true })
    await returned(sent, to('tester@shop.test'))
    expect(await bouncesOf(sent)).toEqual({ suppression: null, bounces: [] })
  })

  test('a mail that was passed on and came back from there does not suppress the address it was sent to', async () => {
    const sent = await sentMail(okaeri, merchant, { address: 'hanako@example.jp' })
    await returned(sent, to('old@elsewhere.example'))
    expect(await kinds(sent)).toEqual(['soft'])
    expect(await suppressions()).toEqual([])
  })
})

describe('what is refused while it is handed over', () => {
  const refused = (deliveryId: string, address: string, detail: string) =>
    recordBounces(merchant.scope(), [{ deliveryId, address, detail, status: null, isHard: false }])

  test('counts up in the same way, and not as returned', async () => {
    const address = 'Full@example.jp'
    const { customerId } = await sentMail(okaeri, merchant, { address })
    let campaign: string | null = null
    for (let day = 1; day <= 4; day += 1) {
      expect(await suppressions()).toEqual([])
      const sent = await sentMail(okaeri, merchant, { address, beside: { customerId } })
      await okaeri.query`update deliveries set status = 'failed', sent_at = null where merchant_id = ${merchant.id} and id = ${sent.deliveryId}`
      await refused(sent.deliveryId, address, '552 5.2.2 Mailbox full')
      okaeri.advance(DAY)
      campaign = sent.campaignId
    }
    expect(await suppressions()).toMatchObject([{ address: 'full@example.jp', reason: 'soft_bounce' }])
    expect((await reportOf(campaign)).bounce_count).toBe(0)
  })

  test('a carrier’s "unknown user" is believed the second time, a block never', async () => {
    const address = 'taro@docomo.ne.jp'
    for (let day = 1; day <= 2; day += 1) {
      const sent = await sentMail(okaeri, merchant, { address: `${day}${address}` })
      await refused(sent.deliveryId, address, '550 Unknown user taro@docomo.ne.jp')
      await refused(sent.deliveryId, 'fine@example.jp', '554 5.7.1 blocked using a blocklist')
      expect(await suppressions()).toHaveLength(day - 1)
      okaeri.advance(DAY)
    }
    expect(await suppressions()).toMatchObject([{ address, reason: 'hard_bounce' }])
  })
})

test('of a customer who is removed no report is kept', async () => {
  const sent = await sentMail(okaeri, merchant, { address: 'leaving@example.jp' })
  await returned(sent, soft('leaving@example.jp'))
  await merchant.call(deleteCustomer, { params: { id: sent.customerId } })
  const rows = await okaeri.query<{
    kept: string
  }>`select to_jsonb(b)::text as kept from bounces b where merchant_id = ${merchant.id}`
  expect(rows).toHaveLength(1)
  expect(rows[0]?.kept).not.toContain('leaving')
})

describe('the port', () => {
  test('only addresses made here are taken, in any letter case', async () => {
    const sent = await sentMail(okaeri, merchant, { address: 'hanako@example.jp' })
    const token = tokenOf(sent.deliveryId)
    for (const wrong of [
      `postmaster@${DOMAIN}`,
      `b+${token.slice(0, -2)}aa@${DOMAIN}`,
      `b+${token}@other.test`,
      `b+${tokenOf(sent.deliveryId, '01900000-0000-7000-8000-000000000000').slice(0, 26)}${token.slice(26)}@${DOMAIN}`,
    ])
      expect(await refusalOf(to('hanako@example.jp'), wrong)).toContain('550 5.1.1')
    await comesBack(to('hanako@example.jp'), `B+${token.toUpperCase()}@${DOMAIN.toUpperCase()}`)
    expect(await kinds(sent)).toEqual(['hard'])
  })

  test('a report for another merchant’s mail reaches that mail alone', async () => {
    const sent = await sentMail(okaeri, merchant, { address: 'hanako@example.jp' })
    const other = await okaeri.merchant()
    // Signed, but for a delivery that is not of that merchant.
    await comesBack(to('hanako@example.jp'), `b+${tokenOf(sent.deliveryId, other.id)}@${DOMAIN}`)
    expect(await kinds(sent)).toEqual([])
    expect(await suppressions()).toEqual([])
  })

  test('who tries addresses is hung up on', async () => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    let heard = ''
    socket.on('data', (text: string) => (heard += text))
    await once(socket, 'data')
    socket.write(`EHLO x\r\nMAIL FROM:<>\r\n${`RCPT TO:<b+aaaa@${DOMAIN}>\r\n`.repeat(8)}`)
    await once(socket, 'close')
    expect(heard).toContain('550 5.1.1')
    expect(heard).toContain('421')
  })

  test('a report of megabytes is taken, and its beginning is kept', async () => {
    const sent = await sentMail(okaeri, merchant, { address: 'hanako@example.jp' })
    const large = Buffer.concat([to('hanako@example.jp'), Buffer.from(`${'x'.repeat(998)}\r\n`.repeat(8_000))])
    await returned(sent, large)
    expect(await kinds(sent)).toEqual(['hard'])
    expect((await bouncesOf(sent)).bounces[0]?.evidence?.length).toBeLessThanOrEqual(4_000)
  })

  test('while it cannot be stored the other side is asked to try again, and nothing is lost', async () => {
    const sent = await sentMail(okaeri, merchant, { address: 'hanako@example.jp' })
    const { db } = okaeri.context
    await sql`alter table bounces rename to bounces_away`.execute(db)
    try {
      expect(await refusalOf(to('hanako@example.jp'), returnPath(sent.deliveryId))).toContain('451 4.3.0')
    } finally {
      await sql`alter table bounces_away rename to bounces`.execute(db)
    }
    await returned(sent, to('hanako@example.jp'))
    expect(await kinds(sent)).toEqual(['hard'])
  })
})

test('mail is taken over TLS as well, with the certificate of the configuration', async () => {
  const sent = await sentMail(okaeri, merchant, { address: 'tls@example.jp' })
  const ca = fs.readFileSync(certificate.certFile)
  const transport = createTransport({ host: '127.0.0.1', port, requireTLS: true, tls: { ca, servername: DOMAIN } })
  try {
    await transport.sendMail({
      envelope: { from: '', to: returnPath(sent.deliveryId) },
      raw: dsn({ recipient: 'tls@example.jp' }),
    })
  } finally {
    transport.close()
  }
  expect(await kinds(sent)).toEqual(['hard'])
})

test('the words of what came back are cleared after the days of the configuration; what was made of them stays', async () => {
  const sent = await sentMail(okaeri, merchant, { address: 'old@example.jp' })
  await returned(sent, dsn({ recipient: 'old@example.jp' }))
  okaeri.advance(29 * DAY)
  await okaeri.settle()
  const [before] = (await bouncesOf(sent)).bounces
  expect(before?.evidence).toContain('Diagnostic-Code')
  okaeri.advance(2 * DAY)
  await okaeri.settle()
  const { suppression, bounces } = await bouncesOf(sent)
  expect(bounces).toEqual([{ ...before, evidence: null }])
  expect(suppression).toMatchObject({ reason: 'hard_bounce' })
})
