import type { FastifyInstance } from 'fastify'
import { acceptOwnForms, refuse } from '../http.ts'
import { languageOf } from '../page.ts'
import { framedHtml, mailListPage, mailPage, mailPageSize, oneClickAddress, type MailTab } from './pages.ts'
import { switchNames, type MailSwitches } from './sentinels.ts'
import type { SandboxSmtp } from './smtp.ts'
import { parseSource } from './source.ts'
import type { MailFilter, MailStore } from './store.ts'

const text = { type: 'string', maxLength: 500, default: '' }
const filterSchema = {
  type: 'object',
  properties: {
    to: text,
    subject: text,
    q: text,
    limit: { type: 'integer', minimum: 0, maximum: 1000, default: mailPageSize },
    offset: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
  },
}
const idSchema = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } },
}
const messageSchema = {
  type: 'object',
  properties: {
    tab: { enum: ['html', 'text', 'headers', 'links', 'source'] },
    unsubscribed: { type: 'string', pattern: '^([1-5][0-9][0-9]|failed)$' },
  },
}
const switchesSchema = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: Object.fromEntries(switchNames.map((name) => [name, { type: 'boolean' }])),
}

interface ListQuery {
  to: string
  subject: string
  q: string
  limit: number
  offset: number
}
interface MessageRoute {
  Params: { id: number }
  Querystring: { tab?: MailTab; unsubscribed?: string }
}

/** The mailbox, as pages for people (`/mail`) and as JSON for tests. */
export async function mountMail(
  app: FastifyInstance,
  { store, smtp, smtpUrl, appUrl }: { store: MailStore; smtp: SandboxSmtp; smtpUrl: string; appUrl?: string },
): Promise<void> {
  // Images of Okaeri itself must load so that an open counts; nothing is fetched from the rest of the world.
  const images = ["'self'", 'data:', 'http://localhost:*', 'http://127.0.0.1:*']
  if (appUrl !== undefined && URL.canParse(appUrl)) images.push(new URL(appUrl).origin)
  const framePolicy = `sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src ${images.join(' ')}; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`

  function getSource(id: number): Buffer {
    const source = store.findSource(id)
    if (source === null) throw refuse(404, 'mail_not_found', 'There is no such mail; it may have been deleted.')
    return source
  }

  async function getMail(id: number) {
    const source = getSource(id)
    const summary = store.find(id)
    if (summary === null) throw refuse(404, 'mail_not_found', 'There is no such mail; it may have been deleted.')
    return { ...summary, ...(await parseSource(source)) }
  }

  await app.register(async (scope) => {
    await acceptOwnForms(scope)

    scope.get<{ Querystring: ListQuery }>(
      '/mail',
      { schema: { querystring: filterSchema } },
      async (request, reply) => {
        const language = languageOf(request, reply)
        const { q, to, offset } = request.query
        const found = await store.search(filterOf({ ...request.query, limit: mailPageSize }))
        reply.type('text/html; charset=utf-8')
        return mailListPage({ filter: { q, to }, offset, found, switches: smtp.switches(), smtpUrl, language })
      },
    )

    scope.post('/mail/clear', async (_request, reply) => {
      store.clear()
      return reply.redirect('/mail', 303)
    })

    scope.get<MessageRoute>(
      '/mail/:id',
      { schema: { params: idSchema, querystring: messageSchema } },
      async (request, reply) => {
        const language = languageOf(request, reply)
        const mail = await getMail(request.params.id)
        const { tab = mail.html === null ? 'text' : 'html', unsubscribed = null } = request.query
        reply.type('text/html; charset=utf-8')
        return mailPage({ mail, raw: getSource(mail.id), tab, unsubscribed, language })
      },
    )

    scope.get<MessageRoute>('/mail/:id/html', { schema: { params: idSchema } }, async (request, reply) => {
      const { html } = await getMail(request.params.id)
      if (html === null) throw refuse(404, 'mail_without_html', 'This mail has no HTML part.')
      reply.type('text/html; charset=utf-8').header('content-security-policy', framePolicy)
      return framedHtml(html)
    })

    scope.get<MessageRoute>('/mail/:id/raw', { schema: { params: idSchema } }, async (request, reply) => {
      const { id } = request.params
      reply.type('message/rfc822').header('content-disposition', `attachment; filename="mail-${id}.eml"`)
      return reply.send(getSource(id))
    })

    // The request a mail program makes for its reader, so it comes from here and not from the reader's browser.
    scope.post<MessageRoute>('/mail/:id/unsubscribe', { schema: { params: idSchema } }, async (request, reply) => {
      const { id, headers } = await getMail(request.params.id)
      const address = oneClickAddress(headers)
      if (address === null) throw refuse(409, 'no_one_click', 'This mail offers no one-click unsubscribe.')
      const result = await postOneClick(address)
      return reply.redirect(`/mail/${id}?tab=headers&unsubscribed=${result}`, 303)
    })

    scope.get<{ Querystring: ListQuery }>('/mail.json', { schema: { querystring: filterSchema } }, async (request) => {
      const { limit, offset } = request.query
      const { data, total, unread_texts } = await store.search(filterOf(request.query))
      return { data, limit, offset, total, unread_texts }
    })

    scope.delete('/mail.json', async (_request, reply) => {
      store.clear()
      return reply.code(204).send()
    })

    scope.get<MessageRoute>('/mail/:id.json', { schema: { params: idSchema } }, (request) => getMail(request.params.id))

    scope.get('/mail/counts.json', async () => ({ data: store.counts(), total: store.total() }))

    scope.get('/mail/switches.json', async () => smtp.switches())

    scope.post<{ Body: Partial<MailSwitches> }>(
      '/mail/switches.json',
      { schema: { body: switchesSchema } },
      async (request) => smtp.flip(request.body),
    )

    scope.post<{ Body: Partial<MailSwitches> }>(
      '/mail/switches',
      { schema: { body: switchesSchema } },
      async (request, reply) => {
        await smtp.flip(request.body)
        return reply.redirect('/#switches', 303)
      },
    )
  })
}

function filterOf({ to, subject, q, limit, offset }: ListQuery): MailFilter {
  return {
    ...(to.trim() === '' ? {} : { to: to.trim() }),
    ...(subject === '' ? {} : { subject }),
    ...(q === '' ? {} : { q }),
    limit,
    offset,
  }
}

/** RFC 8058 §3.1: a form POST without cookies, redirects not followed. */
async function postOneClick(address: string): Promise<string> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    })
    await response.body?.cancel()
    return String(response.status)
  } catch {
    // No answer is a result the page shows.
    return 'failed'
  }
}
