import { createSign, generateKeyPairSync, sign } from 'node:crypto'
import net, { type AddressInfo } from 'node:net'
import { listCustomerBounces } from '@okaeri/contract/bounces/routes'
import { listSuppressions } from '@okaeri/contract/consent/routes'
import { sql } from 'kysely'
import { type Dispatcher, getGlobalDispatcher, MockAgent, setGlobalDispatcher } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dsn, freeForms } from '../../../test/bounce-samples.ts'
import { startImapServer, type TestImapServer } from '../../../test/imap-server.ts'
import { type SentMail, sentMail } from '../../../test/sent-mail.ts'
import { eachWithMerchant, merchant, okaeri, withOkaeri } from '../../../test/with-okaeri.ts'
import type { SnsMessage } from '../../integrations/bounces/sns.ts'
import { isOfAmazon, signedTextOf } from '../../integrations/bounces/sns.ts'
import { readUnseen } from '../../integrations/inbound-mail/mailbox.ts'
import { IntegrationError } from '../../kernel/errors.ts'
import { makeTokens, resultOfRows } from '../deliveries/index.ts'
import { readBounceMailbox, watchBounceMailbox } from './mailbox.ts'

const TOPIC = 'arn:aws:sns:ap-northeast-1:123456789012:bounces'
const AMAZON = 'https://sns.ap-northeast-1.amazonaws.com'
const amazon = generateKeyPairSync('rsa', { modulusLength: 2048 })
const sendgrid = generateKeyPairSync('ec', { namedCurve: 'P-256' })

let imap: TestImapServer
let outside: MockAgent
let before: Dispatcher
beforeAll(async () => {
  imap = await startImapServer({ name: 'bounces', password: 'p@ss word' })
})
afterAll(() => imap.close())
withOkaeri(() => ({
  env: {
    SES_TOPIC_ARNS: `${TOPIC},${TOPIC}-more`,
    SENDGRID_WEBHOOK_KEY: sendgrid.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    BOUNCE_IMAP_URL: imap.url.replace('p@ss word', 'p%40ss%20word'),
  },
}))
eachWithMerchant()
beforeAll(() => {
  before = getGlobalDispatcher()
  // Amazon alone is played; what goes to this machine goes there.
  outside = new MockAgent()
  outside.enableNetConnect(/^127\.0\.0\.1:/)
  setGlobalDispatcher(outside)
  outside
    .get(AMAZON)
    .intercept({ path: '/cert.pem' })
    .reply(200, amazon.publicKey.export({ format: 'pem', type: 'spki' }))
    .persist()
})
afterAll(() => setGlobalDispatcher(before))

const messageIdOf = ({ deliveryId }: SentMail): string =>
  `<${makeTokens(okaeri.context.keyring, { merchantId: merchant.id, deliveryId }).bounceToken}@shop.example>`
const kindsOf = async ({ customerId }: SentMail): Promise<string[]> =>
  (await merchant.call(listCustomerBounces, { params: { id: customerId } })).bounces.map(
    ({ kind, way }) => `${kind} by ${way}`,
  )
const suppressed = async (): Promise<string[]> =>
  (await merchant.call(listSuppressions, { query: { state: 'in_force' } })).data.map(
    ({ address, reason }) => `${address}: ${reason}`,
  )

const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${okaeri.url}${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'text/plain', ...headers },
  })
  return { status: answer.status, body: (await answer.json()) as unknown }
}

describe('Amazon SES', () => {
  const signed = (over: Partial<SnsMessage> = {}): string => {
    const message: SnsMessage = {
      Type: 'Notification',
      MessageId: 'm',
      TopicArn: TOPIC,
      Message: '{}',
      Timestamp: '2026-11-26T00:00:00.000Z',
      SignatureVersion: '2',
      SigningCertURL: `${AMAZON}/cert.pem`,
      Signature: '',
      ...over,
    }
    const algorithm = message.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256'
    return JSON.stringify({
      ...message,
      Signature: createSign(algorithm).update(signedTextOf(message)).sign(amazon.privateKey, 'base64'),
    })
  }
  const bounceOf = (sent: SentMail, address: string): string =>
    JSON.stringify({
      notificationType: 'Bounce',
      bounce: {
        bounceType: 'Permanent',
        bounceSubType: 'General',
        bouncedRecipients: [{ emailAddress: address, status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' }],
      },
      mail: { source: 'shop@shop.example', headers: [{ name: 'Message-ID', value: messageIdOf(sent) }] },
    })

  test.each(['1', '2'] as const)(
    'a bounce signed in version %s is taken, and again changes nothing',
    async (SignatureVersion) => {
      const sent = await sentMail(okaeri, merchant, { address: 'hanako@example.jp' })
      const body = signed({ SignatureVersion, Message: bounceOf(sent, 'hanako@example.jp') })
      expect(await post('/webhooks/ses', body)).toEqual({ status: 200, body: { stored: 1 } })
      expect(await post('/webhooks/ses', body)).toEqual({ status: 200, body: { stored: 0 } })
      expect(await kindsOf(sent)).toEqual(['hard by ses'])
      expect(await suppressed()).toEqual(['hanako@example.jp: hard_bounce'])
    },
  )

  test('what Amazon did not sign, for a topic of ours and with its own certificate, is refused', async () => {
    const sent = await sentMail(okaeri, merchant)
    const Message = bounceOf(sent, 'x@example.jp')
    const changed = JSON.stringify({
      ...(JSON.parse(signed({ Message })) as object),
      Message: bounceOf(sent, 'y@example.jp'),
    })
    for (const body of [
      changed,
      signed({ Message, TopicArn: TOPIC.replace('123456789012', '999999999999') }),
      signed({ Message, SigningCertURL: 'https://evil.example/cert.pem' }),
      signed({ Message, SigningCertURL: `${AMAZON}.evil.example/cert.pem` }),
      signed({ Message, SigningCertURL: `${AMAZON.replace('https', 'http')}/cert.pem` }),
    ])
      expect(await post('/webhooks/ses', body)).toMatchObject({
        status: 401,
        body: { error: { reason: 'webhook_signature_invalid' } },
      })
    expect((await post('/webhooks/ses', 'no json')).status).toBe(400)
    expect((await post('/webhooks/ses', '[]')).status).toBe(400)
    expect(await kindsOf(sent)).toEqual([])
  })

  test('a subscription is confirmed for our topics alone, at Amazon alone', async () => {
    const confirmed: string[] = []
    outside
      .get(AMAZON)
      .intercept({ path: (path) => path.startsWith('/?Action=ConfirmSubscription') })
      .reply(200, ({ path }) => {
        confirmed.push(path)
        return 'ok'
      })
    const subscribe = { Type: 'SubscriptionConfirmation', Token: 't', Message: 'Confirm' } as const
    const SubscribeURL = `${AMAZON}/?Action=ConfirmSubscription&Token=t`
    expect(
      (await post('/webhooks/ses', signed({ ...subscribe, SubscribeURL: 'https://evil.example/' }))).status,
    ).toBeGreaterThanOrEqual(400)
    expect(
      (await post('/webhooks/ses', signed({ ...subscribe, SubscribeURL, TopicArn: `${TOPIC}-other` }))).status,
    ).toBe(401)
    expect(confirmed).toEqual([])
    expect(await post('/webhooks/ses', signed({ ...subscribe, SubscribeURL }))).toMatchObject({ status: 200 })
    expect(confirmed).toEqual(['/?Action=ConfirmSubscription&Token=t'])
  })

  test.each([
    [`${AMAZON}/a.pem`, true],
    ['https://sns.cn-north-1.amazonaws.com.cn/a.pem', false],
    ['https://sns.us-east-1.amazonaws.com/a.pem', false],
    ['https://user@sns.ap-northeast-1.amazonaws.com/a.pem', false],
    ['https://sns.ap-northeast-1.amazonaws.com:8443/a.pem', false],
    ['file:///etc/passwd', false],
    ['', false],
  ])('%s is of Amazon in the topic’s region: %s', (address, isTrue) => {
    expect(isOfAmazon(address, TOPIC)).toBe(isTrue)
  })
})

describe('SendGrid', () => {
  const events = (...list: object[]): string => JSON.stringify(list)
  const headersFor = (body: string, timestamp = '1795000000') => ({
    'content-type': 'application/json',
    'x-twilio-email-event-webhook-timestamp': timestamp,
    'x-twilio-email-event-webhook-signature': sign(
      'sha256',
      Buffer.from(timestamp + body),
      sendgrid.privateKey,
    ).toString('base64'),
  })

  test('events are taken where they are signed, each once', async () => {
    const [gone, angry] = [
      await sentMail(okaeri, merchant, { address: 'gone@example.jp' }),
      await sentMail(okaeri, merchant, { address: 'angry@example.jp' }),
    ]
    const body = events(
      { event: 'delivered', email: 'x@example.jp', 'smtp-id': messageIdOf(gone) },
      {
        event: 'bounce',
        type: 'bounce',
        status: '5.1.1',
        reason: '550 5.1.1 user unknown',
        email: 'gone@example.jp',
        'smtp-id': messageIdOf(gone),
      },
      { event: 'spamreport', email: 'angry@example.jp', 'smtp-id': messageIdOf(angry) },
      { event: 'bounce', reason: '550 user unknown', email: 'x@example.jp', 'smtp-id': '<unknown@elsewhere.example>' },
    )
    expect(await post('/webhooks/sendgrid', body, headersFor(body))).toEqual({ status: 200, body: { stored: 2 } })
    expect(await post('/webhooks/sendgrid', body, headersFor(body))).toEqual({ status: 200, body: { stored: 0 } })
    expect([...(await kindsOf(gone)), ...(await kindsOf(angry))]).toEqual(['hard by sendgrid', 'complaint by sendgrid'])
    for (const headers of [
      { ...headersFor(body), 'x-twilio-email-event-webhook-timestamp': '1' },
      headersFor(`${body} `),
      { 'content-type': 'application/json' },
    ])
      expect((await post('/webhooks/sendgrid', body, headers)).status).toBe(401)
    const noList = '{"event":"bounce"}'
    expect((await post('/webhooks/sendgrid', noList, headersFor(noList))).status).toBe(400)
  })
})

describe('a mailbox', () => {
  beforeEach(() => void imap.mails.splice(0))
  const arrives = (raw: Buffer): void => void imap.mails.push({ raw, seen: false })

  test('mails are matched by what we signed in them, and marked as seen once they are stored', async () => {
    const [byId, byPath, byLink] = [
      await sentMail(okaeri, merchant, { address: 'id@example.jp' }),
      await sentMail(okaeri, merchant, { address: 'path@example.jp' }),
      await sentMail(okaeri, merchant, { address: 'link@example.jp' }),
    ]
    const path = `b+${makeTokens(okaeri.context.keyring, { merchantId: merchant.id, deliveryId: byPath.deliveryId }).bounceToken}@bounce.example`
    arrives(dsn({ recipient: 'id@example.jp', returned: `Message-ID: ${messageIdOf(byId)}` }))
    arrives(freeForms.person)
    arrives(dsn({ recipient: 'path@example.jp', to: path }))
    arrives(
      dsn({ recipient: 'link@example.jp', returned: `List-Unsubscribe: <https://okaeri.example/u/${byLink.token}>` }),
    )
    await okaeri.settle()
    expect(imap.mails.map(({ seen }) => seen)).toEqual([true, true, true, true])
    for (const sent of [byId, byPath, byLink]) expect(await kindsOf(sent)).toEqual(['hard by imap'])
    expect(await suppressed()).toHaveLength(3)
  })

  test('what comes in is read the moment the server says so', async () => {
    const sent = await sentMail(okaeri, merchant, { address: 'at-once@example.jp' })
    const watch = watchBounceMailbox(okaeri.context)
    try {
      await imap.someoneIdles()
      const isSeen = imap.oneIsSeen()
      imap.arrives(dsn({ recipient: 'at-once@example.jp', returned: `Message-ID: ${messageIdOf(sent)}` }))
      await isSeen
      expect(await kindsOf(sent)).toEqual(['hard by imap'])
    } finally {
      await watch.close()
    }
  })

  test('a mail over which the server hangs up holds up no other', async () => {
    const sent = await sentMail(okaeri, merchant, { address: 'behind@example.jp' })
    imap.mails.push({ raw: freeForms.person, seen: false, isBroken: true })
    arrives(dsn({ recipient: 'behind@example.jp', returned: `Message-ID: ${messageIdOf(sent)}` }))
    for (const _ of ['over the broken one', 'over it again, behind the other'])
      await expect(readBounceMailbox.run(okaeri.context, new AbortController().signal)).rejects.toBeInstanceOf(
        IntegrationError,
      )
    expect(imap.mails.map(({ seen }) => seen)).toEqual([false, true])
    expect(await kindsOf(sent)).toEqual(['hard by imap'])
  })

  test('a mail that cannot be stored holds up no other, and is taken later', async () => {
    arrives(freeForms.person)
    arrives(freeForms.vacation)
    const setAside = new Set<number>()
    const url = imap.url.replace('p@ss word', 'p%40ss%20word')
    const read: string[] = []
    const refuse = async (mail: Buffer): Promise<void> => {
      if (mail.equals(freeForms.person)) throw new Error('not stored')
      read.push(mail.toString())
    }
    await expect(readUnseen(url, { most: 100, bytes: 100_000, setAside }, refuse)).rejects.toThrow('not stored')
    await expect(readUnseen(url, { most: 100, bytes: 100_000, setAside }, refuse)).rejects.toThrow('not stored')
    expect(read).toEqual([freeForms.vacation.toString()])
    expect(await readUnseen(url, { most: 100, bytes: 100_000, setAside }, async () => {})).toBe(1)
    expect(setAside).toEqual(new Set())
  })

  test('a watch that was never answered is closed at once', async () => {
    imap.cut()
    await watchBounceMailbox(okaeri.context).close()
    expect(imap.mails).toEqual([])
  })

  test('a report that only names the recipient is shown and counted, but suppresses no one', async () => {
    const only = await sentMail(okaeri, merchant, { address: 'only@example.jp' })
    const twice = await sentMail(okaeri, merchant, { address: 'twice@example.jp' })
    await sentMail(okaeri, merchant, { address: 'twice@example.jp', beside: { customerId: twice.customerId } })
    arrives(dsn({ recipient: 'only@example.jp' }))
    arrives(dsn({ recipient: 'twice@example.jp' }))
    await okaeri.settle()
    expect(await kindsOf(only)).toEqual(['hard by imap'])
    expect(await kindsOf(twice)).toEqual([])
    expect(await suppressed()).toEqual([])
  })

  test('made-up reports about many people hold back no campaign and no step; the true one that follows ends the address', async () => {
    const sent = await sentMail(okaeri, merchant, { address: 'target@example.jp' })
    arrives(dsn({ recipient: 'target@example.jp' }))
    await okaeri.settle()
    expect(await kindsOf(sent)).toEqual(['hard by imap'])
    const result = () =>
      resultOfRows(
        merchant.scope(),
        sql`select * from deliveries where merchant_id = ${merchant.id} and id = ${sent.deliveryId}`,
      )
    expect(await result()).toEqual({ tried: 1, hard: 0, blocked: 0, complaints: 0, failed: 0 })
    arrives(dsn({ recipient: 'target@example.jp', returned: `Message-ID: ${messageIdOf(sent)}` }))
    await okaeri.settle()
    expect(await suppressed()).toHaveLength(1)
  })

  test('a server that greets, and never answers what it is asked, is given up', async () => {
    const silent = net.createServer((socket) => {
      socket.on('error', () => {})
      socket.resume().write('* OK hello\r\n')
    })
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = silent.address() as AddressInfo
      const reading = readUnseen(
        `imap://user:password@127.0.0.1:${port}`,
        { most: 1, bytes: 1000, withinMs: 200 },
        async () => {},
      )
      await expect(reading).rejects.toBeInstanceOf(IntegrationError)
    } finally {
      await new Promise<void>((resolve) => void silent.close(() => resolve()))
    }
  })
})
