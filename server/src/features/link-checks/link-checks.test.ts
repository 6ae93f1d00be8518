import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { reviewCampaign } from '@okaeri/contract/campaigns/routes'
import { checkEmailAddresses, listEmailAddresses } from '@okaeri/contract/emails/address-routes'
import type { EmailAddressSeen } from '@okaeri/contract/emails/addresses'
import { changeEmail } from '@okaeri/contract/emails/routes'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aCampaign } from '../../../test/builders/campaign.ts'
import { anEmail } from '../../../test/builders/email.ts'
import { addCustomers, GOOD_HTML } from '../../../test/fixtures.ts'
import { refusal } from '../../../test/refusal.ts'
import { merchant, okaeri, withMerchants } from '../../../test/with-okaeri.ts'

withMerchants()

let shop: string
let server: http.Server
let asked: http.IncomingMessage[] = []
let atOnce = { now: 0, most: 0 }
let answer: (request: http.IncomingMessage, response: http.ServerResponse) => void
beforeAll(async () => {
  server = http.createServer((request, response) => {
    asked.push(request)
    atOnce.now += 1
    atOnce.most = Math.max(atOnce.most, atOnce.now)
    response.on('close', () => (atOnce.now -= 1))
    answer(request, response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  shop = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
beforeEach(() => {
  asked = []
  atOnce = { now: 0, most: 0 }
  answer = (_request, response) => response.end('hello')
})

/** Nothing else in it leads anywhere. */
const mailWith = (...parts: string[]): string =>
  GOOD_HTML.replace(/<a href="https[^>]+>新作を見る<\/a>/, '新作').replace('</body>', `${parts.join('\n')}</body>`)
const linkTo = (address: string): string => `<a href="${address}">見る</a>`
const pictureOf = (address: string): string => `<img src="${address}" alt="秋">`

/** The email's addresses after a look at them. */
async function lookedAt(content: string): Promise<EmailAddressSeen[]> {
  const { id } = await anEmail(merchant, { content })
  await merchant.call(checkEmailAddresses, { params: { id }, body: {} })
  await okaeri.settle()
  return (await merchant.call(listEmailAddresses, { params: { id } })).addresses
}
const stateOf = async (address: string): Promise<EmailAddressSeen | undefined> =>
  (await lookedAt(mailWith(linkTo(address)))).find(({ written }) => written === address)
const paths = (): string[] => asked.map(({ method, url }) => `${method} ${url}`)

test('a page that answers is opened once, by HEAD, with our name and nothing of a person', async () => {
  expect(await stateOf(`${shop}/new?a=1`)).toMatchObject({ state: 'answers', status: 200, places: 1 })
  expect(paths()).toEqual(['HEAD /new?a=1'])
  expect(asked[0]?.headers).toMatchObject({ 'user-agent': 'Okaeri-LinkCheck/1' })
  expect(asked[0]?.headers).not.toHaveProperty('cookie')
})

test('a page is gone only where GET says so too', async () => {
  answer = (request, response) => response.writeHead(request.method === 'HEAD' ? 404 : 200).end()
  expect(await stateOf(`${shop}/head-is-unknown`)).toMatchObject({ state: 'answers' })
  answer = (_request, response) => response.writeHead(410).end()
  expect(await stateOf(`${shop}/gone`)).toMatchObject({ state: 'gone', status: 410 })
})

test.each([
  [401, 'refused'],
  [403, 'refused'],
  [429, 'refused'],
  [503, 'server_error'],
] as const)('a shop that keeps robots out with %i is not dead: it is not known', async (status, reason) => {
  answer = (_request, response) => response.writeHead(status).end()
  expect(await stateOf(`${shop}/guarded`)).toMatchObject({ state: 'unknown', status, reason })
})

test('redirects are followed, and where they lead is shown; a circle is not known', async () => {
  answer = ({ url }, response) =>
    url === '/old' ? response.writeHead(301, { location: '/new' }).end() : response.end('hello')
  expect(await stateOf(`${shop}/old`)).toMatchObject({ state: 'answers', leads_to: `${shop}/new` })
  answer = (_request, response) => response.writeHead(302, { location: '/again' }).end()
  expect(await stateOf(`${shop}/again`)).toMatchObject({ state: 'unknown', reason: 'too_many_redirects' })
})

test('outside of the sandbox nothing inside our own network is called, nor where a redirect leads there, nor another port', async () => {
  okaeri.context.settings.isLocalSandbox = false
  try {
    const seen = await lookedAt(
      mailWith(linkTo('http://127.0.0.1/a'), linkTo('http://169.254.169.254/latest'), linkTo(`${shop}/port`)),
    )
    expect(seen.map(({ state, reason }) => [state, reason])).toEqual([
      ['unknown', 'private'],
      ['unknown', 'private'],
      ['unknown', 'port'],
    ])
    expect(asked).toHaveLength(0)
  } finally {
    okaeri.context.settings.isLocalSandbox = true
  }
})

test('what we sent is never opened, not even by way of a redirect', async () => {
  answer = (_request, response) => response.writeHead(302, { location: `${okaeri.url}/u/x` }).end()
  const seen = await lookedAt(mailWith(linkTo(`${okaeri.url}/u/y`), linkTo(`${shop}/to-us`)))
  expect(seen).toMatchObject([
    { state: 'never_checked', reason: 'ours' },
    { state: 'unknown', reason: 'not_visited' },
  ])
})

test('a tag in the query is left out, a tag before it keeps the address from being opened', async () => {
  const seen = await lookedAt(
    mailWith(
      linkTo(`${shop}/a?x=1&amp;mail={{ customer.email }}&amp;y=2`),
      linkTo(`${shop}/b?mail={{ customer.email }}`),
      linkTo(`${shop}/c/{{ customer.last_name }}`),
      linkTo(`${shop}/d?code=[coupon]`),
    ),
  )
  expect(seen.map(({ state }) => state)).toEqual(['answers', 'answers', 'never_checked', 'answers'])
  expect(paths().toSorted()).toEqual(['HEAD /a?x=1', 'HEAD /b', 'HEAD /d'])
})

test('opening the page ten times asks a shop once in an hour, and after a minute where a person asks again', async () => {
  const { id } = await anEmail(merchant, { content: mailWith(linkTo(`${shop}/once`)) })
  const check = async (again = false): Promise<number> => {
    await merchant.call(checkEmailAddresses, { params: { id }, body: { again } })
    await okaeri.settle()
    return asked.filter(({ url }) => url === '/once').length
  }
  for (let n = 0; n < 10; n += 1) expect(await check()).toBe(1)
  expect(await check(true)).toBe(1)
  okaeri.advance(61_000)
  expect(await check(true)).toBe(2)
  okaeri.advance(61 * 60_000)
  expect(await check()).toBe(3)
})

test('a host gets two requests at once, and so many in an hour: what is more is not known', async () => {
  const held: http.ServerResponse[] = []
  answer = (_request, response) => {
    held.push(response)
    if (held.length === 2) for (const one of held.splice(0)) one.end()
  }
  const links = Array.from({ length: 190 }, (_, n) => linkTo(`${shop}/many/${n}`))
  await lookedAt(mailWith(...links))
  expect(atOnce.most).toBe(2)
  expect(asked).toHaveLength(190)
  const more = await lookedAt(mailWith(...links.map((link) => link.replace('/many/', '/more/'))))
  expect(asked).toHaveLength(250)
  expect(more.filter(({ reason }) => reason === 'not_visited')).toHaveLength(130)
})

test('asking too often is refused', async () => {
  const { id } = await anEmail(merchant)
  const ask = () => merchant.call(checkEmailAddresses, { params: { id }, body: {} })
  for (let n = 0; n < 60; n += 1) await ask()
  expect(await refusal(ask())).toMatchObject({ status: 429, reason: 'rate_limited' })
})

test('a worker that died while it looked is followed by another', async () => {
  const { id } = await anEmail(merchant, { content: mailWith(linkTo(`${shop}/died`)) })
  await merchant.call(checkEmailAddresses, { params: { id }, body: {} })
  await okaeri.query`update checked_addresses set lease_expires_at = now() + interval '2 minutes' where merchant_id = ${merchant.id}`
  await okaeri.settle()
  expect((await merchant.call(listEmailAddresses, { params: { id } })).waiting).toBe(1)
  await okaeri.query`update checked_addresses set lease_expires_at = now() - interval '1 second' where merchant_id = ${merchant.id}`
  await okaeri.settle()
  expect((await merchant.call(listEmailAddresses, { params: { id } })).waiting).toBe(0)
})

test('pictures: one that is not there, one that is too heavy, and all together', async () => {
  answer = ({ url }, response) => {
    if (url === '/lost.png') return response.writeHead(404).end()
    // Some say no length: then it is counted.
    if (url === '/unsaid.png') return response.end(Buffer.alloc(1_200_000))
    return response.writeHead(200, { 'content-length': 900_000 }).end()
  }
  const { id } = await anEmail(merchant, {
    content: mailWith(pictureOf(`${shop}/lost.png`), pictureOf(`${shop}/unsaid.png`), pictureOf(`${shop}/said.png`)),
  })
  await addCustomers(merchant.scope(), [{ marketing_state: 'granted' }])
  const campaign = await aCampaign(merchant, { email_id: id })
  await merchant.call(checkEmailAddresses, { params: { id }, body: {} })
  await okaeri.settle()
  const { review } = await merchant.call(reviewCampaign, { params: { id: campaign.id } })
  expect(review.findings.filter(({ code }) => /^pictures?_/.test(code))).toEqual([
    { code: 'picture_dead', level: 'warns', detail: `${shop}/lost.png`, line: 3 },
    { code: 'picture_heavy', level: 'warns', detail: `${shop}/unsaid.png`, line: 4, bytes: 1_200_000 },
    { code: 'pictures_heavy', level: 'warns', detail: null, bytes: 2_100_000 },
  ])
})

test('the review says a dead link with its line and keeps nothing back; mended, it says nothing more', async () => {
  answer = ({ url }, response) => response.writeHead(url === '/sprng' ? 404 : 200).end()
  const { id } = await anEmail(merchant, { content: mailWith(linkTo(`${shop}/sprng`)) })
  await addCustomers(merchant.scope(), [{ marketing_state: 'granted' }])
  const campaign = await aCampaign(merchant, { email_id: id })
  const reviewed = async () => {
    const { review } = await merchant.call(reviewCampaign, { params: { id: campaign.id } })
    return { dead: review.findings.filter(({ code }) => code === 'link_dead'), can: review.can_reserve }
  }
  expect(await reviewed()).toEqual({ dead: [], can: true })
  await merchant.call(checkEmailAddresses, { params: { id }, body: {} })
  await okaeri.settle()
  expect(await reviewed()).toEqual({
    dead: [{ code: 'link_dead', level: 'warns', detail: `${shop}/sprng`, line: 3 }],
    can: true,
  })
  await merchant.call(changeEmail, { params: { id }, body: { content: mailWith(linkTo(`${shop}/spring`)) } })
  expect(await reviewed()).toEqual({ dead: [], can: true })
})

test('links to where only the merchant gets, and shortened ones, are said without a look', async () => {
  const { id } = await anEmail(merchant, {
    content: mailWith(
      ...['http://192.168.1.5/', 'https://admin.shopify.com/store/x', 'http://nas/shop', 'https://bit.ly/x'].map(
        linkTo,
      ),
    ),
  })
  const campaign = await aCampaign(merchant, { email_id: id })
  const { review } = await merchant.call(reviewCampaign, { params: { id: campaign.id } })
  const saying = (code: string) => review.findings.flatMap((one) => (one.code === code ? [one.detail] : []))
  expect(saying('link_private')).toEqual([
    'http://192.168.1.5/',
    'https://admin.shopify.com/store/x',
    'http://nas/shop',
  ])
  expect(saying('link_shortened')).toEqual(['https://bit.ly/x'])
})
