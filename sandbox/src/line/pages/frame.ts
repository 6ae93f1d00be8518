import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../http.ts'
import { type NavigationItem, sandboxNavigation, type SandboxLanguage } from '../../page.ts'
import { type AccountScope, findAccount, findUser, type LinePlatform, type UserRow } from '../platform.ts'

export const lineNavigation = (language: SandboxLanguage): NavigationItem[] => sandboxNavigation(language, 'line')

/** The account a page or command is about: of its path, else of `?account=`, else the first. */
export function accountScope(platform: LinePlatform, request: FastifyRequest): AccountScope {
  const { accountId } = request.params as { accountId?: string }
  const { account: asked } = request.query as { account?: string }
  const account = findAccount(platform, Number(accountId ?? asked ?? 1))
  if (!account) throw refuse(404, 'account_not_found', 'There is no such LINE account.')
  return { ...platform, account }
}

export function userIn(platform: LinePlatform, request: FastifyRequest): UserRow {
  const { userId = '' } = request.params as { userId?: string }
  const user = findUser(platform, userId)
  if (!user) throw refuse(404, 'line_user_not_found', 'There is no such LINE user.')
  return user
}

export const sendPage = (reply: FastifyReply, html: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(html)
