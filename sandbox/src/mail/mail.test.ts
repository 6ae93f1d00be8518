import { once } from 'node:events'
import { connect } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import Fastify, { type FastifyInstance } from 'fastify'
import { createTransport } from 'nodemailer'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClock } from '../clock.ts'
import { answerErrors } from '../http.ts'
import { createMailbox, type Mailbox } from './mailbox.ts'
import { mountMail } from './routes.ts'
import { findSentinel } from './sentinels.ts'
import { readWords } from './source.ts'
import { listenSmtp, type SandboxSmtp } from './smtp.ts'
import { createMailStore, type MailStore } from './store.ts'

const lateMs = 150

let store: MailStore
let smtp: SandboxSmtp
let mailbox: Mailbox
let app: FastifyInstance
let clock: ReturnType<typeof createClock>

beforeEach(async () => {
  const database = new DatabaseSync(':memory:')
  clock = createClock(database)
  store = createMailStore(database, clock, { keptMessages: 50 })
  smtp = await listenSmtp({ store, port: 0, slowMs: lateMs })
  mailbox = createMailbox(store)
  app = Fastify({ ajv: { customOptions: { removeAdditional: false } } })
  answerErrors(app)
  await mountMail(app, { store, smtp, smtpUrl: `smtp://127.0.0.1:${smtp.port}`, appUrl: 'https://okaeri.test' })
})

afterEach(async () => {
  await app.close()
  await smtp.close()
  store.close()
})

async function send(to: string | string[], mail: Record<string, unknown> = {}) {
  const transport = createTransport({ host: '127.0.0.1', port: smtp.port, ignoreTLS: true })
  try {
    return await transport.sendMail({
      from: '"春の店" <shop@example.jp>',
      to,
      subject: '新作のお知らせ',
      text: 'こんにちは',
      ...mail,
    })
  } finally {
    transport.close()
  }
}

async function refusal(to: string): Promise<{ code: number | undefined; command: string | undefined; text: string }> {
  try {
    await send(to)
  } catch (error) {
    const { responseCode, command, response, message } = error as {
      responseCode?: number
      command?: string
      response?: string
      message: string
    }
    return { code: responseCode, command, text: response ?? message }
  }
  throw new Error(`${to} was accepted`)
}

test.each([
  ['tempfail-7@example.jp', 451, '4.3.0'],
  ['reject@example.jp', 550, '5.1.1'],
  ['unknown.person@example.jp', 550, '5.1.1'],
  ['full@example.jp', 552, '5.2.2'],
  ['quota@example.jp', 452, '4.5.3'],
  ['quota-daily@example.jp', 450, '4.7.28'],
  ['quota-421@example.jp', 421, '4.7.28'],
  ['busy@example.jp', 421, '4.7.0'],
])('%s is refused at RCPT with %i %s', async (address, code, enhanced) => {
  const refused = await refusal(address)
  // nodemailer calls every 421 a matter of the connection.
  expect(refused).toMatchObject({ code, command: code === 421 ? 'CONN' : 'RCPT TO' })
  expect(refused.text).toContain(`${code} ${enhanced}`)
  expect(mailbox.list()).toEqual([])
})

test('an address that fails once takes the second try, each address for itself', async () => {
  expect((await refusal('tempfail-once@example.jp')).code).toBe(451)
  expect((await refusal('tempfail-once+b@example.jp')).code).toBe(451)
  await send('Tempfail-Once@example.jp')
  expect((await refusal('quota-once@example.jp')).code).toBe(452)
  await send('quota-once@example.jp')
  expect((await refusal('tempfail-twice@example.jp')).code).toBe(451)
  expect((await refusal('tempfail-twice@example.jp')).code).toBe(451)
  await send('tempfail-twice@example.jp')
  expect(mailbox.list()).toHaveLength(3)
})

test('spam is refused after DATA and not stored', async () => {
  const refused = await refusal('spam@example.jp')
  expect(refused).toMatchObject({ code: 554, command: 'DATA' })
  expect(mailbox.list()).toEqual([])
})

test('drop stores the message and cuts the connection without an answer', async () => {
  expect((await refusal('drop@example.jp')).code).toBeUndefined()
  expect(await mailbox.waitFor({ to: 'drop@example.jp' })).toMatchObject({ subject: '新作のお知らせ' })
})

test.each(['drop-lost@example.jp', 'cut@example.jp'])('%s cuts the connection and stores nothing', async (address) => {
  expect((await refusal(address)).code).toBeUndefined()
  expect(mailbox.list()).toEqual([])
})

test.each(['slow@example.jp', 'slow-rcpt@example.jp'])('%s is answered late, and accepted', async (address) => {
  const before = performance.now()
  await send(address)
  expect(performance.now() - before).toBeGreaterThanOrEqual(lateMs - 5)
  expect(mailbox.list({ to: address })).toHaveLength(1)
})

test('a word is a sentinel only where it ends', () => {
  for (const address of ['fuller@example.jp', 'cutler@example.jp', 'dropkick@example.jp', 'taro@example.jp']) {
    expect(findSentinel(address)).toBeNull()
  }
  for (const address of ['full1@example.jp', 'cut.a@example.jp', 'DROP@example.jp', 'slow+x@example.jp']) {
    expect(findSentinel(address)).not.toBeNull()
  }
})

test('one refused recipient does not stop the others', async () => {
  const { accepted, rejected } = await send(['reject@example.jp', 'taro@example.jp'])
  expect({ accepted, rejected }).toEqual({ accepted: ['taro@example.jp'], rejected: ['reject@example.jp'] })
  expect(mailbox.list().map(({ to }) => to)).toEqual([['taro@example.jp']])
})

test('the switches refuse everybody until they are off', async () => {
  await smtp.flip({ tempfail_all: true })
  expect((await refusal('taro@example.jp')).code).toBe(451)
  await smtp.flip({ tempfail_all: false, quota_all: true })
  expect((await refusal('taro@example.jp')).code).toBe(452)
  await smtp.flip({ quota_all: false, refuse_connections: true })
  expect((await refusal('taro@example.jp')).text).toContain('ECONNREFUSED')
  expect(store.switches().refuse_connections).toBe(true)
  await smtp.flip({ refuse_connections: false })
  await send('taro@example.jp')
  expect(mailbox.list()).toHaveLength(1)
})

test('commands may be pipelined, any credentials are taken, and international addresses too', async () => {
  const socket = connect(smtp.port, '127.0.0.1').setEncoding('utf8')
  let heard = ''
  socket.on('data', (text: string) => (heard += text))
  await once(socket, 'data')
  socket.write('EHLO test\r\n')
  await once(socket, 'data')
  for (const extension of ['PIPELINING', 'SIZE', '8BITMIME', 'SMTPUTF8']) expect(heard).toContain(extension)
  expect(heard).not.toContain('STARTTLS')
  const body = 'Subject: =?UTF-8?B?5pil?=\r\nMessage-ID: <a@b>\r\n\r\n..dot\r\n.\r\n'
  socket.write('MAIL FROM:<> SMTPUTF8\r\nRCPT TO:<太郎@例え.jp>\r\nDATA\r\n')
  while (!heard.includes('354')) await once(socket, 'data')
  socket.write(`${body}MAIL FROM:<a@b.c>\r\nRCPT TO:<x@y.z>\r\nDATA\r\n`)
  while (heard.split('354').length < 3) await once(socket, 'data')
  socket.write(`${body}QUIT\r\n`)
  await once(socket, 'close')
  const [newest, oldest] = await mailbox.waitForCount({ subject: '春' }, 2)
  expect(newest?.to).toEqual(['x@y.z'])
  expect(oldest).toMatchObject({ to: ['太郎@例え.jp'], envelope_from: '', message_id: '<a@b>' })
  expect(store.findSource(oldest?.id ?? 0)?.toString()).toBe(
    'Subject: =?UTF-8?B?5pil?=\r\nMessage-ID: <a@b>\r\n\r\n.dot\r\n',
  )
  const transport = createTransport({
    host: '127.0.0.1',
    port: smtp.port,
    auth: { user: 'anyone', pass: 'anything' },
  })
  await transport.verify()
  transport.close()
})

test('a message carries the time of the sandbox', async () => {
  clock.advance(30 * 86_400_000)
  const before = clock.now().getTime()
  await send('taro@example.jp')
  const [mail] = mailbox.list()
  const receivedAt = Date.parse(mail?.received_at ?? '')
  expect(receivedAt).toBeGreaterThanOrEqual(before)
  expect(receivedAt).toBeLessThanOrEqual(clock.now().getTime())
})

test('waiting ends with the mail, or says what did not come', async () => {
  const waiting = mailbox.waitFor({ to: 'taro@example.jp', subject: '新作' })
  await send('hanako@example.jp')
  await send('taro@example.jp')
  expect((await waiting).to).toEqual(['taro@example.jp'])
  await expect(mailbox.waitFor({ to: 'nobody@example.jp' }, { timeoutMs: 20 })).rejects.toThrow('0 of 1 mails')
})

test('a search finds part of a Japanese word in subject, address and text', async () => {
  await send('taro@example.jp', { text: '本日かぎりの送料無料です', html: '<p>本日かぎりの<b>送料無料</b>です</p>' })
  await send('hanako@example.jp', { subject: 'ＡＢＣ定期便', text: 'ありがとうございます' })
  const find = async (query: string) => {
    const { data, total } = (await app.inject(`/mail.json?${query}`)).json<{
      data: { to: string[] }[]
      total: number
    }>()
    expect(data).toHaveLength(total)
    return data.map(({ to }) => to[0])
  }
  expect(await find(`q=${encodeURIComponent('料無')}`)).toEqual(['taro@example.jp'])
  expect(await find(`q=${encodeURIComponent('abc定期')}`)).toEqual(['hanako@example.jp'])
  expect(await find(`q=${encodeURIComponent('taro 本日')}`)).toEqual(['taro@example.jp'])
  expect(await find('q=100%25')).toEqual([])
  expect(await find('to=HANAKO@example.jp')).toEqual(['hanako@example.jp'])
  expect(await find(`subject=${encodeURIComponent('定期')}`)).toEqual(['hanako@example.jp'])
})

test('words are found in every encoding mail uses', () => {
  const inner = (type: string, encoding: string, body: string) =>
    `Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`
  const mail = [
    'Subject: x\r\nContent-Type: multipart/mixed;\r\n boundary="A b"\r\n\r\npreamble\r\n--A b',
    inner('text/plain; charset="iso-2022-jp"', '7bit', '\x1b$B2F\x1b(B'),
    `--A b\r\nContent-Type: multipart/alternative; boundary=in\r\n\r\n--in\r\n${inner('text/html', 'quoted-printable', '<p>=E6=98=A5=\r\n=E3=81=AE</p>=ZZ')}\r\n--in--`,
    `--A b\r\n${inner('image/png', 'base64', 'c2VjcmV0')}`,
    `--A b\r\n${inner('text/plain; charset=martian', 'base64', Buffer.from('winter').toString('base64'))}\r\n--A b--\r\n`,
  ].join('\r\n')
  expect(readWords(Buffer.from(mail, 'latin1')).split(/\s+/).filter(Boolean)).toEqual(['夏', '春の', '=ZZ', 'winter'])
  expect(readWords(Buffer.from('no head at all'))).toBe('')
})

test('the newest messages are kept when there are too many', async () => {
  const raw = Buffer.from('Subject: x\r\n\r\nx\r\n')
  await Promise.all(
    Array.from({ length: 1_200 }, (_, index) => store.add({ envelopeFrom: '', envelopeTo: [`t${index}@e.jp`], raw })),
  )
  expect(store.total()).toBe(50)
  expect(store.list({ limit: 1000 }).data).toHaveLength(50)
  expect(store.list({}).data[0]?.to).toEqual(['t1199@e.jp'])
  expect(store.counts()).toHaveLength(50)
})

test('a message is shown in its parts, and its HTML cannot run scripts', async () => {
  await send('taro@example.jp', {
    html: '<!doctype html><html><head></head><body><a href="https://okaeri.test/r?a=1&amp;b=2">見る <b>今すぐ</b></a><a href="javascript:alert(1)"><img alt="絵" src="cid:p"></a></body></html>',
    attachments: [{ filename: 'p.png', content: Buffer.from('png'), cid: 'p' }],
  })
  const id = mailbox.list()[0]?.id
  const mail = (await app.inject(`/mail/${id}.json`)).json<Record<string, unknown>>()
  expect(mail).toMatchObject({
    text: 'こんにちは',
    links: [
      { href: 'https://okaeri.test/r?a=1&b=2', text: '見る 今すぐ' },
      { href: 'javascript:alert(1)', text: '絵' },
    ],
  })
  const framed = await app.inject(`/mail/${id}/html`)
  expect(framed.body).toContain('<head><base target="_blank">')
  expect(framed.body).toContain('src="data:image/png;base64,cG5n"')
  expect(framed.headers['content-security-policy']).toMatch(
    /^sandbox allow-popups allow-popups-to-escape-sandbox; .*img-src .*https:\/\/okaeri\.test/,
  )
  for (const tab of ['html', 'text', 'headers', 'links', 'source']) {
    const shown = await app.inject(`/mail/${id}?tab=${tab}&lang=en`)
    expect(shown.statusCode).toBe(200)
    expect(shown.body).not.toContain('href="javascript:')
  }
  expect((await app.inject(`/mail/${id}/raw`)).rawPayload).toEqual(store.findSource(id ?? 0))
})

test('the unsubscribe button sends the one-click request from the server', async () => {
  const asked: unknown[] = []
  const okaeri = Fastify()
  okaeri.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )
  okaeri.post('/u/:token', async (request) => void asked.push(request.params, request.body))
  const address = await okaeri.listen({ port: 0, host: '127.0.0.1' })
  await send('taro@example.jp', {
    headers: {
      'List-Unsubscribe': `<mailto:u@example.jp>, <${address}/u/abc>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  })
  await send('taro@example.jp')
  const [without, withHeader] = mailbox.list()
  const answer = await app.inject({ method: 'POST', url: `/mail/${withHeader?.id}/unsubscribe` })
  expect(answer.headers.location).toBe(`/mail/${withHeader?.id}?tab=headers&unsubscribed=200`)
  expect(asked).toEqual([{ token: 'abc' }, 'List-Unsubscribe=One-Click'])
  expect((await app.inject({ method: 'POST', url: `/mail/${without?.id}/unsubscribe` })).statusCode).toBe(409)
  await okaeri.close()
  const failed = await app.inject({ method: 'POST', url: `/mail/${withHeader?.id}/unsubscribe` })
  expect(failed.headers.location).toContain('unsubscribed=failed')
})

test('the JSON of the mailbox counts, switches, deletes and refuses bad input', async () => {
  await send(['taro@example.jp', 'hanako@example.jp'])
  expect((await app.inject('/mail/counts.json')).json()).toEqual({
    data: [
      { recipient: 'hanako@example.jp', count: 1 },
      { recipient: 'taro@example.jp', count: 1 },
    ],
    total: 1,
  })
  const post = (payload: Record<string, unknown>) => app.inject({ method: 'POST', url: '/mail/switches.json', payload })
  expect((await post({ slow: true })).json()).toMatchObject({ slow: true, quota_all: false })
  expect((await post({ unheard_of: true })).statusCode).toBe(400)
  for (const url of ['/mail.json?limit=x', '/mail.json?limit=5000', '/mail/0.json', '/mail/abc', '/mail?offset=-1']) {
    const answer = await app.inject(url)
    expect([url, answer.statusCode]).toEqual([url, 400])
    expect(answer.json()).toMatchObject({ error: { code: 'invalid' } })
  }
  expect((await app.inject('/mail/999.json')).statusCode).toBe(404)
  const foreign = await app.inject({ method: 'POST', url: '/mail/clear', headers: { origin: 'https://evil.test' } })
  expect(foreign.statusCode).toBe(403)
  expect((await app.inject({ method: 'DELETE', url: '/mail.json' })).statusCode).toBe(204)
  expect((await app.inject('/mail.json')).json()).toMatchObject({ data: [], total: 0 })
})

test('the list is a page in both languages, and remembers which', async () => {
  expect((await app.inject('/mail')).body).toContain('メールはまだありません')
  const english = await app.inject('/mail?lang=en')
  expect(english.body).toContain('No mail yet')
  const cookie = String(english.headers['set-cookie']).split(';')[0] ?? ''
  await send('taro@example.jp', { subject: '<b>&"' })
  const list = await app.inject({ url: '/mail', headers: { cookie } })
  expect(list.body).toContain('&lt;b&gt;&amp;&quot;')
  expect(list.body).toContain('Received')
})
