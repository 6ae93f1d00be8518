import { setTimeout as sleep } from 'node:timers/promises'
import { mailboxOf } from '@okaeri/contract/fields'
import { confirmAddress, getConfirmation } from '@okaeri/contract/merchants/confirmation'
import { changeMember as changeMemberRoute } from '@okaeri/contract/merchants/routes'
import * as contract from '@okaeri/contract/sessions/routes'
import type { Routes } from '../../kernel/http/http.ts'
import { merchantScope } from '../../kernel/merchant-scope.ts'
import { countAttempt, originOf } from '../../kernel/rate-limits.ts'
import { checkLink, confirmByLink, hasAccounts, setMemberLanguage } from '../merchants/index.ts'
import { publicKeys } from './access-token.ts'
import { BROWSER_KEY_COOKIE } from './browser-cookie.ts'
import { checkInvitation } from './invitation.ts'
import { rememberDevice } from './known-device.ts'
import { linkByOrigin, resetByAddress, resetByAddressAndOrigin, resetByOrigin, tokenByOrigin } from './limits.ts'
import { useSignInCode } from './one-time-token.ts'
import { requestReset, setForgottenPassword } from './reset.ts'
import { revokeToken, rotateTokens } from './session.ts'
import { changeMember, changeSignIn } from './sign-in-address.ts'
import { type Caller, changePassword, signInByPassword, signInMember, signUp } from './sign-in.ts'

/** Asking for a reset takes this long whether or not the address is known. */
const RESET_ANSWER_MS = 200
const YEAR_SECONDS = 365 * 86_400

export function sessionRoutes(on: Routes): void {
  for (const route of [contract.signIn, contract.signInLegacy])
    on.open(route)((call) => signInByPassword(call, call.body))
  on.open(contract.signUp)((call) => {
    const { email, password, site_name, name, language, invitation } = call.body
    return signUp(call, { email, password, siteName: site_name, name, language, invitation })
  })

  on.open(contract.getSignUp)(async ({ context }) => ({
    sign_up: await checkInvitation(context),
    has_accounts: await hasAccounts(context),
    policies: context.settings.policies,
  }))

  on.open(contract.issueToken)(async (call) => {
    const { context, body, request } = call
    if (body.grant_type === 'password')
      return signInByPassword(call, { email: body.username, password: body.password, remember: false })
    await limitTokens(call)
    if (body.grant_type === 'refresh_token') return rotateTokens(context, body.refresh_token)
    const browserKey = request.cookies[BROWSER_KEY_COOKIE] ?? ''
    return useSignInCode(context, { code: body.code, browserKey }, (scope, memberId) =>
      signInMember(call, scope, memberId),
    )
  })
  on.open(contract.refreshToken)(async (call) => {
    await limitTokens(call)
    return rotateTokens(call.context, call.body.refresh_token)
  })
  on.open(contract.revokeToken)(async (call) => {
    await limitTokens(call)
    await revokeToken(call.context, call.body.token)
    return call.reply.send()
  })
  on.open(contract.jwks)(async ({ context, reply }) => {
    reply.header('cache-control', 'public, max-age=300')
    return { keys: publicKeys(context) }
  })

  for (const route of [contract.requestReset, contract.requestReminder])
    on.open(route)(async ({ context, request, reply, body }) => {
      const mailbox = mailboxOf(body.email)
      const origin = originOf(request)
      await countAttempt(context, reply, [
        [resetByAddressAndOrigin, `${mailbox} ${origin}`],
        [resetByOrigin, origin],
        [resetByAddress, mailbox],
      ])
      await Promise.all([requestReset(context, body.email), sleep(RESET_ANSWER_MS)])
      return { accepted: true } as const
    })
  on.open(contract.setForgottenPassword)(async ({ context, identity, request, reply, body }) => {
    await countAttempt(context, reply, [[resetByOrigin, originOf(request)]])
    const memberId = await setForgottenPassword(context, identity, body)
    rememberDevice({ context, request, reply }, memberId)
    return { accepted: true } as const
  })

  on.open(getConfirmation)(async ({ context, request, reply, query }) => {
    await countAttempt(context, reply, [[linkByOrigin, originOf(request)]])
    return { confirmation: await checkLink(context, query.token) }
  })
  on.open(confirmAddress)(async ({ context, identity, request, reply, body }) => {
    await countAttempt(context, reply, [[linkByOrigin, originOf(request)]])
    return {
      confirmation: await confirmByLink(context, body.token, (scope, row) =>
        changeSignIn(scope, row, identity?.memberId === row.member_id ? identity.sessionId : null),
      ),
    }
  })

  on.merchant(contract.changePassword)((call) =>
    changePassword(call, call.identity, { current: call.body.current_password, next: call.body.password }),
  )
  on.merchant(changeMemberRoute)(async (call) => ({ user: await changeMember(call, call.identity, call.body) }))
  on.open(contract.rememberLanguage)(async ({ context, identity, reply, body }) => {
    const { language } = body
    reply.setCookie('language', language, { path: '/', maxAge: YEAR_SECONDS, sameSite: 'lax' })
    if (identity) await setMemberLanguage(merchantScope(context, identity.merchantId), identity.memberId, language)
    return { language }
  })
}

const limitTokens = ({ context, request, reply }: Caller): Promise<unknown> =>
  countAttempt(context, reply, [[tokenByOrigin, originOf(request)]])
