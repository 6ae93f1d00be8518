import * as endpoints from '@okaeri/contract/own-mailers/routes'
import type { Routes } from '../../kernel/http/http.ts'
import { forgetAccount, presentOwnMailer, sendTest, setAccount, useAccount } from './mailer.ts'

export function ownMailerRoutes(on: Routes): void {
  on.merchant(endpoints.getOwnMailer)(async ({ scope }) => ({ own_mailer: await presentOwnMailer(scope) }))
  on.merchant(endpoints.putOwnMailer)(({ scope, reply, body, identity }) =>
    setAccount(scope, reply, { input: body.own_mailer, memberId: identity.memberId }),
  )
  on.merchant(endpoints.testOwnMailer)(({ scope, reply, identity }) => sendTest(scope, reply, identity.memberId))
  on.merchant(endpoints.useOwnMailer)(async ({ scope, body }) => ({ own_mailer: await useAccount(scope, body.in_use) }))
  on.merchant(endpoints.deleteOwnMailer)(async ({ scope }) => {
    await forgetAccount(scope)
    return { own_mailer: null }
  })
}
