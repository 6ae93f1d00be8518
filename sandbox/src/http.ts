import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import formbody from '@fastify/formbody'
import { escapeHtml, languageOf, page } from './page.ts'

/** An expected refusal; the error handler turns it into the error form or a page. */
export function refuse(statusCode: number, code: string, message: string): Error {
  return Object.assign(new Error(message), { statusCode, code })
}

/** Names that mean this machine in any network; ports may differ, for a tunnel has its own. */
const OWN_NAMES: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Answers to its own names alone: a page elsewhere whose name was made to mean 127.0.0.1 (DNS rebinding) reads no mail here and moves no
 * clock.
 */
export function answerOwnNames(app: FastifyInstance, publicUrl: () => string): void {
  app.addHook('onRequest', async (request) => {
    const { host = '' } = request.headers
    const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
    if (OWN_NAMES.has(name) || (URL.canParse(publicUrl()) && new URL(publicUrl()).host === host)) return
    throw refuse(421, 'foreign_host', 'The sandbox answers to 127.0.0.1 and localhost only.')
  })
}

/** Forms of our own pages only: another site in the same browser must not move the clock. */
export async function acceptOwnForms(scope: FastifyInstance): Promise<void> {
  if (!scope.hasContentTypeParser('application/x-www-form-urlencoded')) await scope.register(formbody)
  scope.addHook('onRequest', async (request) => {
    const { origin, host } = request.headers
    if (request.method === 'GET' || request.method === 'HEAD' || origin === undefined) return
    if (!URL.canParse(origin) || new URL(origin).host !== host) {
      throw refuse(403, 'foreign_origin', 'This form may be sent from the sandbox only.')
    }
  })
}

/** Errors as JSON for programs, as a page for people. */
export function answerErrors(app: FastifyInstance, log?: (line: string) => void): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 500) log?.(`${request.method} ${request.url}: ${error.stack ?? error.message}`)
    const message = status >= 500 ? 'The sandbox failed; its log says why.' : error.message
    return answerError(request, reply, { status, reason: error.code.toLowerCase(), message, fields: fieldsOf(error) })
  })
  app.setNotFoundHandler((request, reply) =>
    answerError(request, reply, { status: 404, reason: 'not_found', message: 'There is nothing at this address.' }),
  )
}

function answerError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: { status: number; reason: string; message: string; fields?: Record<string, string> },
): FastifyReply {
  const { status, reason, message, fields } = error
  const wantsPage = request.headers.accept?.includes('text/html') === true && !request.url.includes('.json')
  if (!wantsPage) {
    const code = status === 404 ? 'not_found' : status === 409 ? 'conflict' : status >= 500 ? 'internal' : 'invalid'
    return reply.code(status).send({ error: { code, reason, message, ...(fields === undefined ? {} : { fields }) } })
  }
  const language = languageOf(request, reply)
  const title =
    status === 404
      ? { ja: 'ページが見つかりません', en: 'Page not found' }[language]
      : { ja: '処理できませんでした', en: 'That did not work' }[language]
  const body = `<div class="card empty"><h1>${title}</h1><p>${escapeHtml(language === 'en' ? message : (japanese[reason] ?? japaneseFallback))}</p><p class="mono">${status} ${escapeHtml(reason)}</p>
<p><a class="button" href="/">${{ ja: 'サンドボックスへ戻る', en: 'Back to the sandbox' }[language]}</a></p></div>`
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .send(page({ title, body, lang: language }))
}

const japaneseFallback = '入力内容または操作を確認して、もう一度お試しください。'
const japanese: Record<string, string> = {
  not_found: 'このアドレスには何もありません。',
  mail_not_found: 'このメールはありません。削除された可能性があります。',
  mail_without_html: 'このメールに HTML パートはありません。',
  no_one_click: 'このメールはワンクリックでの配信停止に対応していません。',
  foreign_host: 'サンドボックスは 127.0.0.1 または localhost でのみ開けます。',
  foreign_origin: 'このフォームはサンドボックスからのみ送信できます。',
  clock_backwards: '時計は進めることしかできません。',
  clock_invalid: '日時の指定が正しくありません。',
}

function fieldsOf(error: FastifyError): Record<string, string> | undefined {
  if (error.validation === undefined) return undefined
  const fields: Record<string, string> = {}
  for (const { instancePath, params, message } of error.validation) {
    const named = params.missingProperty ?? params.additionalProperty
    const name = instancePath.slice(1) || (typeof named === 'string' ? named : 'body')
    fields[name] = message ?? 'invalid'
  }
  return fields
}
