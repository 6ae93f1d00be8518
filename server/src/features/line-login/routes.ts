import * as contract from '@okaeri/contract/line-login/routes'
import { errorStatus } from '@okaeri/contract/errors'
import { toLocale } from '@okaeri/contract/locale'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { isBrowser, type Routes } from '../../kernel/http/http.ts'
import { countAttempt, originOf, type RateLimit } from '../../kernel/rate-limits.ts'
import { browserKeyOf, keepBrowserKey } from '../sessions/index.ts'
import { readShopper } from '../stores/index.ts'
import { askByLine, beginFromChat, openFromChat } from './account-link.ts'
import {
  beginLogin,
  chooseLink,
  comeBack,
  findLogin,
  presentAddresses,
  presentLineProfile,
  sendToLine,
  unlink,
} from './login.ts'
import { failureOf, sendFailure, sendGoOn, sendLogin, sendSignIn } from './pages.ts'

/** A person tries a few times; each leaves a row for ten minutes. */
const loginsOfCustomer: RateLimit = { name: 'line_login_customer', max: 20, windowSeconds: 600 }
const loginsByOrigin: RateLimit = { name: 'line_login_origin', max: 100, windowSeconds: 300 }
/** What a storefront's own script asks at each page. */
const profilesOfCustomer: RateLimit = { name: 'line_profile_customer', max: 120, windowSeconds: 60 }

interface Call {
  context: Context
  request: FastifyRequest
  reply: FastifyReply
}

export function lineLoginRoutes(on: Routes): void {
  on.merchant(contract.getLineLogin)(async ({ scope }) => ({ line_login: await presentAddresses(scope) }))

  on.open(contract.connectLine)(
    orPage(async (call) => {
      const { context, request, reply } = call
      const { ticket, chat } = call.query
      if (ticket !== '') return goOn(call, ticket)
      const shopper = await readShopper(context, request)
      // No customer is signed in, or only the headers were asked for.
      if (shopper.storeCustomerId === null || request.method === 'HEAD') return sendSignIn(shopper, chat, call)
      await countAttempt(context, reply, [[loginsOfCustomer, `${shopper.shopDomain} ${shopper.storeCustomerId}`]])
      if (chat === '') return sendGoOn(shopper, await beginLogin(shopper), 'line', call)
      const begun = await beginFromChat(shopper, chat)
      if ('failure' in begun) return sendFailure(begun.failure, shopper.scope, call, statusOf[begun.failure])
      return sendGoOn(shopper, begun.answer, 'question', call)
    }),
  )

  on.open(contract.lineLoginCallback)(
    orPage(async (call) => {
      const { context, request, reply } = call
      const { state, code, error } = call.query
      if (request.method === 'HEAD') return sendFailure('expired', null, call, 404)
      await countAttempt(context, reply, [[loginsByOrigin, originOf(request)]])
      const back = await comeBack(context, { state, code, error, browserKey: browserKeyOf(request) })
      if ('login' in back) return reply.redirect(pageOf(back.login), 303)
      return sendFailure(back.failure, back.scope, call, statusOf[back.failure])
    }),
  )

  on.open(contract.lineLinkPage)(
    orPage(async (call) => {
      const { login } = call.query
      const open = await findLogin(call.context, { login, browserKey: browserKeyOf(call.request) })
      return open ? sendLogin(open, login, call) : sendFailure('expired', null, call, 404)
    }),
  )

  on.open(contract.chooseLineLink)(
    orPage(async ({ context, request, reply, body }) => {
      const { login, choice, moves } = body
      const given = { login, browserKey: browserKeyOf(request) }
      const chosen = { links: choice === 'link', moves: moves === 'yes' }
      const open = await findLogin(context, given)
      if (open?.row.from_chat && chosen.links) {
        const failure = await askByLine(open, chosen.moves)
        if (failure) return sendFailure(failure, open.scope, { request, reply }, statusOf[failure])
      } else await chooseLink(context, given, chosen)
      return reply.redirect(pageOf(login), 303)
    }),
  )

  on.open(contract.getLineProfile)(async ({ context, request, reply }) => {
    const shopper = await readShopper(context, request)
    await countAttempt(context, reply, [[profilesOfCustomer, `${shopper.shopDomain} ${shopper.storeCustomerId}`]])
    return { line_profile: await presentLineProfile(shopper) }
  })

  on.open(contract.unlinkLine)(async ({ context, request, reply }) => {
    const shopper = await readShopper(context, request)
    await countAttempt(context, reply, [[loginsOfCustomer, `${shopper.shopDomain} ${shopper.storeCustomerId}`]])
    return { line_profile: await unlink(shopper) }
  })
}

const pageOf = (login: string): string => `${contract.lineLinkPage.path}?${new URLSearchParams({ login }).toString()}`

const statusOf = {
  expired: 404,
  denied: 200,
  unreachable: 503,
  refused: 400,
  wrong_channel: 409,
  not_a_friend: 409,
  off: 403,
} as const

/** Who begins in the store is sent to LINE, who begins in the chat to the page that asks. */
async function goOn(call: Call, ticket: string): Promise<FastifyReply> {
  const { context, request, reply } = call
  if (request.method === 'HEAD') return sendFailure('expired', null, call, 404)
  await countAttempt(context, reply, [[loginsByOrigin, originOf(request)]])
  const browserKey = keepBrowserKey(context, request, reply)
  const opened = await openFromChat(context, ticket, browserKey)
  if (opened !== null) return reply.redirect(pageOf(opened), 302)
  const language = toLocale(request.headers['accept-language'])
  const address = await sendToLine(context, ticket, { browserKey, language })
  return address === null ? sendFailure('expired', null, call, 404) : reply.redirect(address, 302)
}

/** A person is shown a page that says what went wrong; a program gets the error. */
function orPage<C extends Call>(answer: (call: C) => Promise<FastifyReply>): typeof answer {
  return async (call) => {
    try {
      return await answer(call)
    } catch (error) {
      const failure = error instanceof AppError ? failureOf(error.reason) : null
      if (!(error instanceof AppError) || failure === null || !isBrowser(call.request)) throw error
      return sendFailure(failure, null, call, errorStatus[error.code])
    }
  }
}
