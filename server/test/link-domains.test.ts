import http from 'node:http'
import { createEmail, previewEmail } from '@okaeri/contract/emails/routes'
import type { SenderDomain } from '@okaeri/contract/sender-domains/domain'
import * as routes from '@okaeri/contract/sender-domains/routes'
import { beforeEach, expect, test } from 'vitest'
import { mediaIdOf, newMediaId } from '../src/features/media/media-id.ts'
import { newId } from '../src/kernel/ids.ts'
import { aReservedCampaign } from './builders/campaign.ts'
import { addCustomers, GOOD_HTML } from './fixtures.ts'
import type { TestMerchant } from './harness.ts'
import { refusal } from './refusal.ts'
import { sentMail } from './sent-mail.ts'
import { eachWithMerchant, EMPTY, merchant, okaeri, sandbox, withSandbox } from './with-okaeri.ts'

withSandbox({ seed: EMPTY })
eachWithMerchant()
beforeEach(() => sandbox.zone.clear())

const MINUTE = 60_000
const HOST = 'mail.shop.test'

async function aVerifiedDomain(of: TestMerchant = merchant): Promise<SenderDomain> {
  const { sender_domain } = await of.call(routes.addSenderDomain, { body: { sender_domain: { name: 'shop.test' } } })
  for (const { kind, name, type, expected } of sender_domain.records)
    if (expected && (kind === 'ownership' || kind === 'dkim')) sandbox.zone.add({ name, type, value: expected })
  return check(of)
}
const check = async (of: TestMerchant = merchant): Promise<SenderDomain> =>
  (await of.call(routes.checkSenderDomain, { body: { domain: 'shop.test' } })).sender_domain
const setHost = async ({ id }: SenderDomain, host = HOST, of: TestMerchant = merchant): Promise<SenderDomain> =>
  (await of.call(routes.setLinkDomain, { params: { id }, body: { link_domain: { host } } })).sender_domain
async function aVerifiedHost(): Promise<SenderDomain> {
  const domain = await setHost(await aVerifiedDomain())
  sandbox.zone.add({ name: HOST, type: 'CNAME', value: 'links.okaeri.test' })
  expect(await check()).toMatchObject({ link_domain: { host: HOST, verified_at: expect.any(String) } })
  return domain
}
async function goesAway(): Promise<void> {
  sandbox.zone.clear(HOST)
  for (let looks = 0; looks < 2; looks += 1) {
    okaeri.advance(11 * MINUTE)
    await check()
  }
}
/** As a mail program asks, by that name. */
function ask(path: string, host = HOST, method = 'GET'): Promise<{ status: number; body: string; location: string }> {
  const port = new URL(okaeri.url).port
  return new Promise((resolve, reject) => {
    http
      .request({ host: '127.0.0.1', port, path, method, headers: { host: `${host}:${port}` } }, (answer) => {
        let body = ''
        answer.setEncoding('utf8').on('data', (piece: string) => (body += piece))
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, body, location: String(answer.headers.location ?? '') }),
        )
      })
      .on('error', reject)
      .end()
  })
}
const statusOf = async (path: string, host?: string): Promise<number> => (await ask(path, host)).status
const baseAt = (host: string): string => okaeri.url.replace('127.0.0.1', host)

const picture = (): string => `${okaeri.url}/image/${mediaIdOf({ merchantId: merchant.id, id: newMediaId() })}-mail`
/** What a customer gets from a campaign, after quoted-printable or base64. */
async function mailOf(content = GOOD_HTML): Promise<{ raw: string; html: string }> {
  const { email } = await merchant.call(createEmail, { body: { name: 'x', subject: 'x', content } })
  const to = `${newId()}@reader.test`
  await addCustomers(merchant.scope(), [{ email: to }])
  await aReservedCampaign(merchant, { send_type: 'immediate', email_id: email.id })
  return receivedBy(to)
}
async function receivedBy(to: string): Promise<{ raw: string; html: string }> {
  await okaeri.settle()
  const [mail] = sandbox.mailbox.list({ to })
  const raw = await (await fetch(`${sandbox.url}/mail/${mail?.id}/raw`)).text()
  const html = raw
    .split(/Content-Transfer-Encoding: /i)
    .slice(1)
    .map((part) => {
      const [encoding = '', ...body] = part.split(/\r?\n/)
      return encoding.startsWith('base64')
        ? Buffer.from(body.join('').split('--=')[0] ?? '', 'base64').toString()
        : body.join('\n').replace(/=\n/g, '').replace(/=3D/g, '=')
    })
    .join('\n')
  return { raw: raw.replace(/\r?\n[ \t]/g, ' '), html }
}

test('links, pixel, pictures and unsubscribing of a mail lead over the merchant’s own host once it is verified', async () => {
  await aVerifiedHost()
  const { raw, html } = await mailOf(GOOD_HTML.replace('<p>', `<p><img src="${picture()}" alt="新茶">`))
  const base = baseAt(HOST)
  expect(raw).toContain(`List-Unsubscribe: <${base}/u/`)
  for (const path of ['/c/', '/o/', '/u/', '/image/']) expect(html, path).toContain(base + path)
  expect(html).not.toContain(okaeri.url)
})

test('a mail frozen before the host was verified keeps the installation’s, and the preview says which it will be', async () => {
  const domain = await setHost(await aVerifiedDomain())
  const { email } = await merchant.call(createEmail, { body: { name: 'x', subject: 'x', content: GOOD_HTML } })
  const preview = async () =>
    (await merchant.call(previewEmail, { body: { subject: 'x', content: GOOD_HTML } })).rendered
  expect((await preview()).links_by).toEqual({ host: new URL(okaeri.url).host, is_own: false })
  const to = `${newId()}@reader.test`
  await addCustomers(merchant.scope(), [{ email: to }])
  const inAnHour = new Date(okaeri.clock.now().getTime() + 3_600_000).toISOString()
  await aReservedCampaign(merchant, { send_type: 'scheduled', scheduled_at: inAnHour, email_id: email.id })
  await okaeri.settle()
  sandbox.zone.add({ name: HOST, type: 'CNAME', value: 'links.okaeri.test' })
  expect((await check()).id).toBe(domain.id)
  expect((await preview()).links_by).toEqual({ host: HOST, is_own: true })
  okaeri.advance(3_700_000)
  expect((await receivedBy(to)).html).toContain(`${okaeri.url}/c/`)
})

test('by the host only links, pixel and pictures of its merchant are served', async () => {
  await aVerifiedHost()
  const mine = await sentMail(okaeri, merchant)
  const other = await sentMail(okaeri, await okaeri.merchant())
  expect(await ask(`/c/${mine.token}-0`)).toMatchObject({ status: 302, location: 'https://shop.test/products/tea' })
  expect(await statusOf(`/o/${mine.token}.gif`)).toBe(200)
  expect((await ask(`/u/${mine.token}`)).location).toMatch(`${okaeri.url}/pages/unsubscribe/confirm?token=`)
  expect((await ask(`/u/${mine.token}`, HOST, 'POST')).status).toBe(200)
  for (const path of [`/c/${other.token}-0`, `/o/${other.token}.gif`, `/u/${other.token}`])
    expect(await statusOf(path), path).toBe(404)
  const theirs = mediaIdOf({ merchantId: other.token, id: newMediaId() })
  for (const path of [
    '/',
    '/_app/',
    '/login',
    '/user/me',
    '/openapi.json',
    '/healthz',
    '/nothing',
    `/image/${theirs}`,
    '/o/x.gif',
  ])
    expect(await statusOf(path), path).toBe(404)
  expect(await statusOf(`/c/${other.token}-0`, '127.0.0.1')).toBe(302)
  expect(await statusOf('/healthz', 'unknown.example')).toBe(200)
})

test('where the record went away, new mails fall back and its owner hears of it; links that were sent continue to work', async () => {
  await aVerifiedHost()
  const mine = await sentMail(okaeri, merchant)
  sandbox.zone.clear(HOST)
  okaeri.advance(11 * MINUTE)
  expect((await check()).link_domain?.verified_at).toEqual(expect.any(String))
  okaeri.advance(11 * MINUTE)
  expect(await check()).toMatchObject({ status: 'verified', warns: true, link_domain: { verified_at: null } })
  expect((await mailOf()).html).toContain(`${okaeri.url}/c/`)
  const warnings = sandbox.mailbox.list({}).filter(({ subject }) => subject?.includes('shop.test'))
  expect(warnings).toHaveLength(1)
  expect(await statusOf(`/c/${mine.token}-0`)).toBe(302)
  sandbox.zone.add({ name: HOST, type: 'CNAME', value: 'links.okaeri.test' })
  expect((await check()).link_domain?.verified_at).toEqual(expect.any(String))
})

test('a mail that was frozen with a host which has gone since leaves with the installation’s', async () => {
  await aVerifiedHost()
  const to = `${newId()}@reader.test`
  await addCustomers(merchant.scope(), [{ email: to }])
  const inAnHour = new Date(okaeri.clock.now().getTime() + 3_600_000).toISOString()
  await aReservedCampaign(merchant, { send_type: 'scheduled', scheduled_at: inAnHour })
  await okaeri.settle()
  await goesAway()
  okaeri.advance(3_700_000)
  expect((await receivedBy(to)).html).toContain(`${okaeri.url}/c/`)
})

test('a host that is given up serves what was sent, for ever; one that was never verified is forgotten', async () => {
  const { id } = await aVerifiedHost()
  const mine = await sentMail(okaeri, merchant)
  await setHost({ id } as SenderDomain, 'other.shop.test')
  await merchant.call(routes.deleteLinkDomain, { params: { id } })
  await merchant.call(routes.deleteSenderDomain, { params: { id } })
  expect(await statusOf(`/c/${mine.token}-0`)).toBe(302)
  expect(await statusOf('/login')).toBe(404)
  const rows = await okaeri.query`select host from link_host_directory where merchant_id = ${merchant.id}`
  expect(rows).toEqual([{ host: HOST }])
})

test('the proxy gets certificates for hosts of proved domains only', async () => {
  const asks = (domain: string) => fetch(`${okaeri.url}/link_domains/ask?domain=${domain}`).then(({ status }) => status)
  const { sender_domain } = await merchant.call(routes.addSenderDomain, {
    body: { sender_domain: { name: 'unproved.test' } },
  })
  await setHost(sender_domain, 'mail.unproved.test')
  await setHost(await aVerifiedDomain())
  expect(await asks(HOST)).toBe(200)
  expect(await asks('MAIL.SHOP.TEST.')).toBe(200)
  expect(await asks('mail.unproved.test')).toBe(404)
  expect(await asks('stranger.example')).toBe(404)
})

test('a host is verified when it points to us and we are the ones who answer', async () => {
  const domain = await setHost(await aVerifiedDomain())
  const found = async () => (await check()).records.find(({ kind }) => kind === 'tracking')
  expect(await found()).toMatchObject({ type: 'CNAME', name: HOST, expected: 'links.okaeri.test', state: 'missing' })
  sandbox.zone.add({ name: HOST, type: 'CNAME', value: 'elsewhere.test' })
  sandbox.zone.add({ name: 'elsewhere.test', type: 'A', value: '192.0.2.1' })
  expect(await found()).toMatchObject({ state: 'wrong', note: 'other_value' })
  sandbox.zone.clear(HOST)
  // By way of a name of the merchant's own.
  sandbox.zone.add({ name: HOST, type: 'CNAME', value: 'a.shop.test' })
  sandbox.zone.add({ name: 'a.shop.test', type: 'CNAME', value: 'links.okaeri.test' })
  expect(await found()).toMatchObject({ state: 'found' })
  sandbox.zone.clear(HOST)
  sandbox.zone.add({ name: HOST, type: 'CNAME', value: 'links.okaeri.test' })
  const { publicUrl } = okaeri.context.settings
  okaeri.context.settings.publicUrl = 'http://127.0.0.1:9'
  try {
    expect(await found()).toMatchObject({ state: 'unanswered', note: 'no_web_answer' })
    okaeri.context.settings.publicUrl = sandbox.url
    expect(await found()).toMatchObject({ state: 'wrong', note: 'no_https' })
  } finally {
    okaeri.context.settings.publicUrl = publicUrl
  }
  await merchant.call(routes.deleteLinkDomain, { params: { id: domain.id } })
})

test('proof and link domain published together are found by one check', async () => {
  const { sender_domain } = await merchant.call(routes.addSenderDomain, {
    body: { sender_domain: { name: 'shop.test' } },
  })
  const domain = await setHost(sender_domain)
  sandbox.zone.add({ name: HOST, type: 'CNAME', value: 'links.okaeri.test' })
  const alone = (await check()).records.find(({ kind }) => kind === 'tracking')
  expect(alone).toMatchObject({ state: 'unanswered', note: 'waits_for_proof' })
  for (const { kind, name, type, expected } of domain.records)
    if (expected && (kind === 'ownership' || kind === 'dkim')) sandbox.zone.add({ name, type, value: expected })
  expect(await check()).toMatchObject({ status: 'verified', link_domain: { verified_at: expect.any(String) } })
})

test('only a name below the proved domain is taken', async () => {
  const domain = await aVerifiedDomain()
  for (const [host, reason] of [
    ['shop.test', 'not_below_domain'],
    ['mail.other.test', 'not_below_domain'],
    ['evilshop.test', 'not_below_domain'],
    ['https://mail.shop.test/', 'not_a_domain'],
    ['*.shop.test', 'not_a_domain'],
    ['gmail.com', 'public_mail_domain'],
  ] as const)
    expect(await refusal(setHost(domain, host)), host).toMatchObject({ fields: { 'link_domain.host': reason } })
  const viewer = await okaeri.merchant()
  expect(await refusal(setHost(domain, HOST, viewer))).toMatchObject({ code: 'not_found' })
})
