import { createHmac } from 'node:crypto'
import { ErrorBody } from '@okaeri/contract/errors'
import { health, readiness } from '@okaeri/contract/system/routes'
import { listCustomers } from '@okaeri/contract/customers/routes'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { DatabaseAwayError } from '../src/kernel/database/database-trouble.ts'
import { type DatabaseProxy, proxyTo } from './database-proxy.ts'
import { type Answer, answerOf, everyEndpoint, makeWorld, type Request, requestOf, tokenOf } from './every-endpoint.ts'
import { createTestDatabase, SANDBOX_APP, startTestOkaeri, type TestMerchant, type TestOkaeri } from './harness.ts'
import { sentMail } from './sent-mail.ts'
import { FORM_TYPE, JSON_TYPE, pathWith, whatIsWrong } from './raw-requests.ts'

/** A hang, not a slow machine. */
const NO_ANSWER_MS = 240_000

let line: DatabaseProxy
let okaeri: TestOkaeri
let merchant: TestMerchant
/** Beside Okaeri, which may not write. */
async function admin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  await client.query(statement)
  await client.end()
}
beforeAll(async () => {
  line = await proxyTo(await createTestDatabase())
  okaeri = await startTestOkaeri({ databaseUrl: line.url })
  merchant = await okaeri.merchant()
})
afterEach(async () => {
  await line.mend()
  await isBack()
})
afterAll(async () => {
  await okaeri.close()
  await line.close()
})

/** Asked of the watch, which looks on its own. */
const isBack = async (): Promise<void> => {
  await okaeri.context.database.whenBack(new AbortController().signal)
  await sql`select 1`.execute(okaeri.context.db).catch(isBack)
}
/** Until the process knows. */
async function isAway(): Promise<void> {
  while (!okaeri.context.database.isAway)
    await sql`select 1`
      .execute(okaeri.context.db)
      .catch((error: unknown) => expect(error).toBeInstanceOf(DatabaseAwayError))
}

const ask = async (path: string, init: RequestInit = {}): Promise<Answer> =>
  answerOf(
    await fetch(`${okaeri.url}${path}`, { redirect: 'manual', signal: AbortSignal.timeout(NO_ANSWER_MS), ...init }),
  )

const reasonOf = ({ json }: Answer): unknown => ErrorBody.safeParse(json).data?.error.reason

describe('while the database is away', () => {
  test('every endpoint answers, and what needs the database says 503, when to try again, and why', async () => {
    const world = await makeWorld(okaeri, merchant)
    const asked: { key: string; endpoint: ReturnType<typeof everyEndpoint>[number]['endpoint']; request: Request }[] =
      []
    for (const { key, endpoint, feed } of everyEndpoint()) {
      if (key === 'GET /errortest') continue
      asked.push({ key, endpoint, request: await requestOf(feed, world) })
    }
    await line.cut('refusing')
    await isAway()
    const wrong: string[] = []
    const waiting: string[] = []
    for (const { key, endpoint, request } of asked) {
      const {
        params = {},
        query,
        body,
      } = request as { params?: Record<string, string>; query?: unknown; body?: unknown }
      const isForm = endpoint.bodyKind === 'form'
      const search = query ? `?${new URLSearchParams(query as Record<string, string>)}` : ''
      const answer = await ask(`${pathWith(endpoint, params)}${search}`, {
        method: endpoint.method,
        headers: {
          authorization: `Bearer ${tokenOf(merchant)}`,
          ...(body === undefined ? {} : { 'content-type': isForm ? FORM_TYPE : JSON_TYPE }),
        },
        ...(body === undefined
          ? {}
          : { body: isForm ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body) }),
      })
      const problem = answer.status === 503 ? whatIsWrongWith503(answer) : whatIsWrong(answer, endpoint)
      if (problem) wrong.push(`${key} ${problem}`)
      if (answer.status === 503) waiting.push(key)
    }
    expect(wrong).toEqual([])
    const mustWait = [
      'GET /customers',
      'POST /campaigns',
      'POST /api/auth/login',
      'POST /oauth/token-refresh',
      'GET /pages/unsubscribe/confirm',
      'POST /u/{token}',
      'GET /c/{token}',
      'GET /m/{token}',
      'GET /o/{token}',
      'GET /user/me/settings',
    ]
    expect(mustWait.filter((key) => !waiting.includes(key))).toEqual([])
    expect(waiting.length).toBeGreaterThan(asked.length / 2)
  })

  function whatIsWrongWith503(answer: Answer): string | null {
    if (!/^\d+$/.test(answer.headers.get('retry-after') ?? '')) return 'does not say when to try again'
    // A page for a person, or a picture that is not there.
    if (answer.type.startsWith('text/html') || answer.text === '') return null
    const reason = reasonOf(answer)
    return reason === 'database_away' ? null : `says ${answer.text.slice(0, 200)}`
  }

  test('clicks lead on, are kept in memory, and are stored once each when it is back; an open is asked to come again', async () => {
    const mail = await sentMail(okaeri, merchant)
    const click = (link: number) => ask(`/c/${mail.token}-${link}`)
    const open = () => ask(`/o/${mail.token}.gif`)
    // Its links are known from here on.
    expect((await click(0)).status).toBe(302)
    await line.cut('refusing')
    await isAway()
    const answers = await Promise.all([click(0), click(1), click(1), click(1), open()])
    expect(answers.map(({ status }) => status)).toEqual([302, 302, 302, 302, 503])
    expect(answers[1]?.headers.get('location')).toBe('https://shop.test/products/cup')
    await line.mend()
    await isBack()
    // Stored in their order: with this one those before it are.
    while ((await open()).status !== 200);
    const rows = await okaeri.query<{ link: number; clicks: number }>`
        select link_position as link, count(*)::int as clicks from tracking_hits
        where merchant_id = ${merchant.id} and delivery_id = ${mail.deliveryId} and kind = 'click' group by 1 order by 1`
    expect(rows).toEqual([
      { link: 0, clicks: 2 },
      { link: 1, clicks: 3 },
    ])
  })

  test('clicks on a rich menu lead on too, and are counted when it is back', async () => {
    const { ids, menuLinkToken } = await makeWorld(okaeri, await okaeri.merchant())
    const click = async () => (await ask(`/m/${menuLinkToken}`)).status
    const counted = async () => {
      const rows = await okaeri.query<{ clicks: number }>`
        select sum(human + machine)::int as clicks from rich_menu_clicks where menu_id = ${ids.activeRichMenu}`
      return rows[0]?.clicks ?? 0
    }
    expect(await click()).toBe(302)
    await line.cut('refusing')
    await isAway()
    expect(await Promise.all([click(), click(), click()])).toEqual([302, 302, 302])
    await line.mend()
    await isBack()
    while ((await counted()) < 4);
    expect(await click()).toBe(302)
    expect(await counted()).toBe(5)
  })

  test('a webhook is not acknowledged, and the store tells it again', async () => {
    await line.cut('refusing')
    const body = '{"id":1}'
    const answer = await ask('/webhooks/shopify', {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-shopify-topic': 'customers/update',
        'x-shopify-shop-domain': 'some-store.myshopify.com',
        'x-shopify-event-id': 'e1',
        'x-shopify-hmac-sha256': createHmac('sha256', SANDBOX_APP.apiSecret).update(body).digest('base64'),
      },
    })
    expect([answer.status, reasonOf(answer)]).toEqual([503, 'database_away'])
  })

  test.each([
    ['it starts', { code: '57P03', message: 'the database system is starting up' }],
    ['the administrator ends connections', { code: '57P01', message: 'terminating connection' }],
    ['nobody listens', 'refusing' as const],
    ['the network swallows everything', 'silent' as const],
  ])('%s: requests are answered, and go on when it is back', async (_, how) => {
    await merchant.call(listCustomers, {})
    await line.cut(how)
    const answer = await ask('/customers', { headers: { authorization: `Bearer ${tokenOf(merchant)}` } })
    expect([answer.status, reasonOf(answer)]).toEqual([503, 'database_away'])
    await isAway()
    await line.mend()
    await isBack()
    expect((await merchant.call(listCustomers, {})).data).toEqual(expect.any(Array))
  })

  test('however much is asked, one connection at a time is tried', async () => {
    await line.cut('refusing')
    await isAway()
    await line.mend()
    await line.cut({ code: '57P03', message: 'the database system is starting up' })
    const before = line.tried
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        ask('/customers', { headers: { authorization: `Bearer ${tokenOf(merchant)}` } }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    // The watch's own looks, some each second.
    expect(line.tried - before).toBeLessThan(50)
  })
})

test('too many connections is 503, and the connections there are go on', async () => {
  await line.cut({ code: '53300', message: 'sorry, too many clients already' })
  // Those there were are gone, and that was heard of.
  await sql`select 1`.execute(okaeri.context.db).catch(() => {})
  const answer = await ask('/customers', { headers: { authorization: `Bearer ${tokenOf(merchant)}` } })
  expect([answer.status, reasonOf(answer), answer.headers.get('retry-after')]).toEqual([503, 'database_busy', '5'])
  expect(okaeri.context.database.isAway).toBe(false)
})

test('a database that became read only, after a failover, is away until it can be written again', async () => {
  const name = new URL(okaeri.databaseUrl).pathname.slice(1)
  const { db } = okaeri.context
  await sql`alter database ${sql.id(name)} set default_transaction_read_only = on`.execute(db)
  try {
    // Every connection is read only, as with a primary that was made a standby.
    await sql`set default_transaction_read_only = on`.execute(db)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
    const saved = (): Promise<Answer> =>
      ask('/customers', {
        method: 'POST',
        headers: { authorization: `Bearer ${tokenOf(merchant)}`, 'content-type': JSON_TYPE },
        body: JSON.stringify({ email: 'a@example.jp' }),
      })
    expect(reasonOf(await saved())).toBe('database_away')
    await isAway()
    expect(reasonOf(await saved())).toBe('database_away')
  } finally {
    await admin(`alter database "${name}" reset default_transaction_read_only`)
  }
})

test('a process tells that it lives from that it can work', async () => {
  expect(await okaeri.call(health, {})).toEqual({ ok: true, role: 'api', sending: 'goes_on' })
  expect(await okaeri.call(readiness, {})).toEqual({
    ready: true,
    role: 'api',
    database: 'there',
    migrations: 'as_expected',
    stopping: false,
    sending: 'goes_on',
  })
  await line.cut('refusing')
  expect(await okaeri.call(health, {})).toEqual({ ok: true, role: 'api', sending: 'goes_on' })
  const answer = await ask('/readyz')
  expect([answer.status, reasonOf(answer), answer.headers.get('retry-after')]).toEqual([503, 'database_away', '5'])
  expect(answer.json).toMatchObject({ ready: false, database: 'away', migrations: 'unknown', stopping: false })
})

test('a database of another version is not worked with', async () => {
  const { db } = okaeri.context
  await sql`insert into migrations (name) values ('9999-of-tomorrow.sql')`.execute(db)
  const answer = await ask('/readyz')
  await sql`delete from migrations where name = '9999-of-tomorrow.sql'`.execute(db)
  expect([answer.status, answer.json]).toMatchObject([503, { ready: false, migrations: 'ahead' }])
})
