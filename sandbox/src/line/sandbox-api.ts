import type { FastifyInstance } from 'fastify'
import { refuse } from '../http.ts'
import { listRows } from '../sql.ts'
import { accountScope, userIn } from './pages/frame.ts'
import { actionOfArea, block, follow, say, tap, type TapPlace } from './people.ts'
import { chatAsJson } from './pages/phone.ts'
import {
  type AccountRow,
  type AccountScope,
  findUser,
  friendship,
  type LinePlatform,
  type UserRow,
} from './platform.ts'
import { approve, backTo, readLoginRequest } from './login.ts'
import { openAccount } from './seed.ts'
import { usedThisMonth } from './sends.ts'
import { type AccountSettings, changeSettings, settingsSchema } from './settings.ts'
import { listWebhooks, redeliver } from './webhooks.ts'
import { sentinelOf } from './sentinels.ts'

const nameSchema = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', minLength: 1, maxLength: 20 } },
}
const loginSchema = {
  type: 'object',
  required: ['authorize_url', 'user_id'],
  properties: {
    authorize_url: { type: 'string' },
    user_id: { type: 'string' },
    befriend: { type: 'boolean' },
    deny: { type: 'boolean' },
  },
}
interface TapBody {
  action?: Record<string, unknown>
  send_id?: number
  seq?: number
  menu_id?: string
  area?: number
  time?: string
}

/** JSON for tests and tools: what people do on the pages. */
export function mountLineApi(app: FastifyInstance, platform: LinePlatform): void {
  app.get('/line/accounts.json', async () => ({
    data: listRows<AccountRow>(platform.database)`SELECT * FROM line_account ORDER BY id`.map((account) =>
      presentAccount({ ...platform, account }),
    ),
  }))
  app.post<{ Body: { name: string } }>('/line/accounts.json', { schema: { body: nameSchema } }, async (request) => {
    const account = openAccount(platform, request.body.name)
    return { account: presentAccount({ ...platform, account }) }
  })
  app.post<{ Body: AccountSettings }>(
    '/line/accounts/:accountId/settings.json',
    { schema: { body: settingsSchema } },
    async (request) => {
      const scope = accountScope(platform, request)
      changeSettings(scope, request.body)
      return { account: presentAccount(accountScope(platform, request)) }
    },
  )
  app.get<{ Querystring: { limit?: string; offset?: string; account?: string } }>(
    '/line/users.json',
    async (request) => {
      const scope = accountScope(platform, request)
      const [limit, offset] = [Number(request.query.limit ?? 100), Number(request.query.offset ?? 0)]
      if (![limit, offset].every((each) => Number.isInteger(each) && each >= 0 && each <= 100_000))
        throw refuse(400, 'page_invalid', 'limit and offset are whole numbers.')
      const rows = listRows<UserRow>(platform.database)`SELECT * FROM line_user
        ORDER BY number, id LIMIT ${limit} OFFSET ${offset}`
      return { data: rows.map((user) => presentUser(scope, user)) }
    },
  )
  app.get('/line/users/:userId/chat.json', async (request) =>
    chatAsJson(accountScope(platform, request), userIn(platform, request).id),
  )
  app.post('/line/users/:userId/follow.json', async (request) => ({
    changed: follow(accountScope(platform, request), userIn(platform, request)),
  }))
  app.post('/line/users/:userId/block.json', async (request) => ({
    changed: block(accountScope(platform, request), userIn(platform, request)),
  }))
  app.post<{ Body: { text: string } }>(
    '/line/users/:userId/say.json',
    { schema: { body: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } } } },
    async (request) => {
      say(accountScope(platform, request), userIn(platform, request), request.body.text)
      return {}
    },
  )
  app.post<{ Body: TapBody }>('/line/users/:userId/tap.json', async (request) => {
    const scope = accountScope(platform, request)
    const user = userIn(platform, request)
    const { action, send_id = null, seq = 1, menu_id = null, area = 0, time } = request.body
    const place: TapPlace = { sendId: send_id, seq, menuId: menu_id, area }
    const tapped = menu_id === null ? action : actionOfArea(scope, user, { menuId: menu_id, area })
    return { opens: tap(scope, user, { action: tapped, place, ...(time === undefined ? {} : { time }) }) }
  })
  app.get('/line/receipts.json', async (request) => ({
    data: listRows(platform.database)`SELECT user_id, count(*) AS count FROM line_receipt
      JOIN line_send ON line_send.id = send_id
      WHERE line_receipt.account_id = ${accountScope(platform, request).account.id} GROUP BY user_id ORDER BY user_id`,
  }))
  app.get('/line/webhooks.json', async (request) => ({
    data: listWebhooks(accountScope(platform, request), 200).map((row) => ({
      ...row,
      event: JSON.parse(row.event) as unknown,
    })),
  }))
  app.post<{ Params: { id: string } }>('/line/webhooks/:id/redeliver.json', async (request) => {
    if (!redeliver(accountScope(platform, request), Number(request.params.id)))
      throw refuse(404, 'webhook_not_found', 'There is no such webhook.')
    return {}
  })
  app.post<{ Body: { authorize_url: string; user_id: string; befriend?: boolean; deny?: boolean } }>(
    '/line/login.json',
    { schema: { body: loginSchema } },
    async (request) => {
      const { authorize_url, user_id, befriend = false, deny = false } = request.body
      const url = URL.parse(authorize_url)
      const asked = url ? readLoginRequest(platform, Object.fromEntries(url.searchParams)) : 'That is no address.'
      if (typeof asked === 'string') throw refuse(400, 'login_invalid', asked)
      const user = findUser(platform, user_id)
      if (!user) throw refuse(404, 'line_user_not_found', 'There is no such LINE user.')
      if (deny) return { redirect: backTo(asked, denied) }
      return { redirect: approve(platform, asked, { user, befriends: befriend }) }
    },
  )
}

export const denied = { error: 'ACCESS_DENIED', error_description: 'The resource owner denied the request.' }

function presentAccount(scope: AccountScope): Record<string, unknown> {
  const { account, database } = scope
  const logins = listRows<{ channel_id: string; channel_secret: string; provider: string }>(database)`SELECT channel_id,
    channel_secret, provider FROM line_login_channel WHERE account_id = ${account.id}`
  const [foreign] = listRows<{ channel_id: string; channel_secret: string }>(database)`SELECT channel_id,
    channel_secret FROM line_login_channel WHERE account_id IS NULL LIMIT 1`
  const token = listRows<{ token: string }>(database)`SELECT token FROM line_channel_token
    WHERE account_id = ${account.id} AND kind = 'long'`
  return {
    id: account.id,
    name: account.name,
    basic_id: account.basic_id,
    bot_user_id: account.bot_user_id,
    channel_id: account.channel_id,
    channel_secret: account.channel_secret,
    access_token: token[0]?.token,
    login_channel_id: logins[0]?.channel_id,
    login_channel_secret: logins[0]?.channel_secret,
    foreign_login_channel: foreign,
    webhook_url: account.webhook_url,
    webhook_active: account.webhook_active === 1,
    quota: account.quota,
    used: usedThisMonth(scope),
    default_menu: account.default_menu,
  }
}

function presentUser(scope: AccountScope, user: UserRow): Record<string, unknown> {
  const { state, since_ms, menu_id } = friendship(scope, user.id)
  const sentinel = sentinelOf(user.id)
  return {
    user_id: user.id,
    name: user.name,
    email: user.email,
    store_customer_id: user.store_customer_id,
    friendship: state,
    since: state === 'none' ? null : new Date(since_ms).toISOString(),
    menu_id,
    sentinel: sentinel ? { fault: sentinel.fault, times: sentinel.times } : null,
  }
}
