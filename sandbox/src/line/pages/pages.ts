import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../http.ts'
import { languageOf } from '../../page.ts'
import { personPicture, productPicture } from '../../shopify/seed/pictures.ts'
import { accountPage, linePage } from './account-pages.ts'
import { accountScope, sendPage, userIn } from './frame.ts'
import { mountLoginPages, remember } from './login-pages.ts'
import { findPicture } from '../menus.ts'
import { actionOfArea, block, follow, say, showPicture, tap } from '../people.ts'
import { phonePage, phonePath } from './phone.ts'
import { type AccountScope, findUser, type LinePlatform, type UserRow } from '../platform.ts'
import { changeSettings } from '../settings.ts'
import { reachable } from './taps.ts'
import { redeliver } from '../webhooks.ts'

type Form = Record<string, string | string[] | undefined>

export function mountPages(app: FastifyInstance, platform: LinePlatform): void {
  app.get<{ Querystring: { q?: string; offset?: string } }>('/line', async (request, reply) => {
    const { q = '', offset = '0' } = request.query
    const place = /^\d{1,6}$/.test(offset) ? Number(offset) : 0
    return sendPage(reply, linePage({ platform, language: languageOf(request, reply), q, offset: place }))
  })
  app.get<{ Querystring: { notice?: string } }>('/line/accounts/:accountId', async (request, reply) => {
    const { notice = '' } = request.query
    const scope = accountScope(platform, request)
    return sendPage(reply, accountPage({ scope, language: languageOf(request, reply), notice }))
  })
  app.post<{ Body: Form }>('/line/accounts/:accountId/settings', async (request, reply) => {
    const scope = accountScope(platform, request)
    changeSettings(scope, readSettings(request.body ?? {}))
    return backToAccount(reply, scope, said(request, reply, '保存しました', 'Saved'))
  })
  app.post<{ Params: { id: string } }>('/line/accounts/:accountId/webhooks/:id/redeliver', async (request, reply) => {
    const scope = accountScope(platform, request)
    if (!redeliver(scope, Number(request.params.id)))
      throw refuse(404, 'webhook_not_found', 'There is no such webhook.')
    return backToAccount(reply, scope, said(request, reply, 'もう一度送りました', 'Sent again'))
  })
  app.get<{ Params: { menuId: string } }>('/line/accounts/:accountId/menus/:menuId', async (request, reply) => {
    const picture = findPicture(accountScope(platform, request), request.params.menuId)
    if (!picture) throw refuse(404, 'menu_not_found', 'There is no such rich menu.')
    return reply.type(picture.type).send(picture.bytes)
  })
  app.get<{ Params: { name: string } }>('/line/pictures/:name', async (request, reply) =>
    reply.type('image/png').send(personPicture(request.params.name)),
  )
  mountPhone(app, platform)
  mountLoginPages(app, platform)
}

const said = (request: FastifyRequest, reply: FastifyReply, ja: string, en: string): string =>
  languageOf(request, reply) === 'ja' ? ja : en

const backToAccount = (reply: FastifyReply, { account }: AccountScope, notice: string): FastifyReply =>
  reply.redirect(`/line/accounts/${account.id}?notice=${encodeURIComponent(notice)}`, 303)

/** A checkbox counts by its last value, because the value for "off" is sent before it. */
const last = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value.at(-1) : value)

function readSettings(form: Form): Parameters<typeof changeSettings>[1] {
  const number = (name: string): number => {
    const value = Number(last(form[name]))
    if (!Number.isInteger(value) || value < 0) throw refuse(422, 'number_invalid', 'That is no number.')
    return value
  }
  const isOn = (name: string): boolean => last(form[name]) === 'true'
  return {
    ...(form['webhook_url'] === undefined
      ? {}
      : {
          webhook_url: last(form['webhook_url']) || null,
          webhook_active: isOn('webhook_active'),
          redelivery: isOn('redelivery'),
          standby: isOn('standby'),
        }),
    ...(form['quota'] === undefined ? {} : { quota: form['quota'] === '' ? null : number('quota') }),
    ...(form['used_elsewhere'] === undefined ? {} : { used_elsewhere: number('used_elsewhere') }),
    ...(form['break_as'] === undefined
      ? {}
      : { break_as: last(form['break_as']) ?? '', break_times: number('break_times') }),
  }
}

function mountPhone(app: FastifyInstance, platform: LinePlatform): void {
  app.get<{ Querystring: { notice?: string } }>('/line/users/:userId', async (request, reply) => {
    const { notice = '' } = request.query
    const [scope, user] = [accountScope(platform, request), userIn(platform, request)]
    return sendPage(reply, phonePage({ scope, user, language: languageOf(request, reply), notice }))
  })

  /** Does what a form of the phone asks, and leads back to it; `act` may lead elsewhere or say something. */
  const submit = (
    path: string,
    act: (scope: AccountScope, user: UserRow, form: Record<string, string | undefined>) => { opens?: string | null },
  ): void => {
    app.post<{ Body: Record<string, string | undefined> | null }>(
      `/line/users/:userId${path}`,
      async (request, reply) => {
        const [scope, user] = [accountScope(platform, request), userIn(platform, request)]
        const { opens } = act(scope, user, request.body ?? {})
        const page = opens ? URL.parse(reachable(opens)) : null
        // A header holds no letters of Japanese; `href` has them escaped.
        if (page && /^https?:$/.test(page.protocol)) return reply.redirect(page.href, 303)
        const notice = opens ? `&notice=${encodeURIComponent(opens)}` : ''
        return reply.redirect(phonePath(user.id, scope.account.id) + notice, 303)
      },
    )
  }
  submit('/follow', (scope, user) => {
    follow(scope, user)
    return {}
  })
  submit('/block', (scope, user) => {
    block(scope, user)
    return {}
  })
  submit('/say', (scope, user, { text = '' }) => {
    say(scope, user, text)
    return {}
  })
  submit('/picture', (scope, user) => {
    showPicture(scope, user, { bytes: productPicture(user.id), type: 'image/png' })
    return {}
  })
  submit('/tap', (scope, user, { action = '', send, seq = '1', time }) => {
    const place = { sendId: send === undefined ? null : Number(send), seq: Number(seq), menuId: null, area: 0 }
    return { opens: tap(scope, user, { action: parseAction(action), place, ...(time === undefined ? {} : { time }) }) }
  })
  submit('/menu', (scope, user, { menu = '', area = '' }) => {
    const place = { sendId: null, seq: 0, menuId: menu, area: Number(area) }
    const action = actionOfArea(scope, user, { menuId: menu, area: Number(area) })
    return { opens: tap(scope, user, { action, place }) }
  })
  app.post<{ Params: { userId: string } }>('/line/users/:userId/use', async (request, reply) => {
    const user = findUser(platform, request.params.userId)
    if (!user) throw refuse(404, 'line_user_not_found', 'There is no such LINE user.')
    remember(reply, user)
    const notice = said(request, reply, 'このブラウザの LINE にしました', 'This browser’s LINE is now theirs')
    return reply.redirect(
      `${phonePath(user.id, accountScope(platform, request).account.id)}&notice=${encodeURIComponent(notice)}`,
      303,
    )
  })
}

function parseAction(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw refuse(422, 'action_missing', 'There is no such action.')
    throw error
  }
}
