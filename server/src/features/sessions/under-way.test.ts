import { randomUUID } from 'node:crypto'
import { ApiError, createClient } from '@okaeri/contract/client'
import { confirmAddress } from '@okaeri/contract/merchants/confirmation'
import { changeMember } from '@okaeri/contract/merchants/routes'
import * as routes from '@okaeri/contract/sessions/routes'
import { expect, test } from 'vitest'
import { untilWaiting } from '../../../test/locks.ts'
import { EMPTY, okaeri, sandbox, withSandbox } from '../../../test/with-okaeri.ts'
import { merchantScope } from '../../kernel/merchant-scope.ts'
import { hashPassword, makeSignInCode } from './index.ts'
import { replacePassword } from './reset.ts'

const OLD = 'correct horse battery'
const NEW = 'another staple entirely'
// Each of them stands still with a connection in its hand.
withSandbox({ seed: EMPTY, env: { DATABASE_POOL: '12' } })

/** The reason of a refusal, or the answer. */
const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => (error instanceof ApiError ? error.reason : error))

test('a new password ends what was begun by the old one and is not finished', async () => {
  const email = `${randomUUID()}@shop.test`
  const wished = `taken.${email}`
  const { user, access_token } = await okaeri.call(routes.signUp, {
    body: { email, password: OLD, site_name: '花の店', agreement: true },
  })
  const scope = merchantScope(okaeri.context, user.merchant_id)
  const call = createClient({ baseUrl: okaeri.url, headers: () => ({ authorization: `Bearer ${access_token}` }) })
  const mailed = async (to: string, what: RegExp): Promise<string> => {
    await okaeri.settle()
    const mails = await Promise.all(sandbox.mailbox.list({ to }).map(({ id }) => sandbox.mailbox.read(id)))
    return mails.flatMap((mail) => what.exec(JSON.stringify(mail))?.[1] ?? [])[0] ?? ''
  }
  await call(changeMember, { body: { email: wished, current_password: OLD } })
  const confirmation = await mailed(wished, /confirm\?token=([\w.-]+)/)
  await okaeri.call(routes.requestReset, { body: { email } })
  const reset = await mailed(email, /reset\?token=([\w.-]+)/)
  const code = await makeSignInCode(scope, user.id, 'k')
  const begun: (() => Promise<unknown>)[] = [
    () => okaeri.call(routes.signIn, { body: { email, password: OLD } }),
    () => call(routes.changePassword, { body: { current_password: OLD, password: 'a third one of theirs' } }),
    () => call(changeMember, { body: { email: `other.${email}`, current_password: OLD } }),
    () => okaeri.call(confirmAddress, { body: { token: confirmation } }),
    () => okaeri.call(routes.setForgottenPassword, { body: { token: reset, password: 'a fourth one of theirs' } }),
    async () => {
      const answer = await fetch(`${okaeri.url}/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: 'okaeri_browser=k' },
        body: new URLSearchParams({ grant_type: 'authorization_code', code }),
      })
      const { error } = (await answer.json()) as { error?: { reason: string } }
      return error?.reason ?? answer.status
    },
  ]
  const hash = await hashPassword(NEW)
  // All have looked at what they came with while the change is written, and go on when it is there.
  const answers = await scope.transaction(async (scope) => {
    await replacePassword(scope, user.id, hash)
    const underWay = begun.map((begin) => reasonOf(begin()))
    await untilWaiting(okaeri, { count: begun.length })
    return { underWay: Promise.all(underWay) }
  })
  expect(await answers.underWay).toEqual([
    'wrong_credentials',
    'wrong_current_password',
    'wrong_current_password',
    'confirmation_link_invalid',
    'reset_token_invalid',
    'token_invalid',
  ])
  await okaeri.settle()
  expect(sandbox.mailbox.list({ to: `other.${email}` })).toEqual([])
  await okaeri.call(routes.signIn, { body: { email, password: NEW } })
})
