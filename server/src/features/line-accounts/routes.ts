import {
  changeLineAccount as changeRoute,
  checkLineAccount as checkRoute,
  disconnectLine as disconnectRoute,
  getLineAccount,
  setLineWebhook as setWebhookRoute,
} from '@okaeri/contract/line-accounts/routes'
import type { Routes } from '../../kernel/http/http.ts'
import { changeLineAccount, disconnectLine, presentLineAccount } from './account.ts'
import { checkLineAccount, setLineWebhook } from './check.ts'

export function lineAccountRoutes(on: Routes): void {
  on.merchant(getLineAccount)(async ({ scope }) => ({ line_account: await presentLineAccount(scope) }))
  on.merchant(changeRoute)(async ({ scope, body }) => ({
    line_account: await changeLineAccount(scope, body.line_account),
  }))
  on.merchant(checkRoute)(async ({ scope }) => {
    const findings = await checkLineAccount(scope)
    return { line_account: await presentLineAccount(scope), findings }
  })
  on.merchant(setWebhookRoute)(async ({ scope }) => {
    const findings = await setLineWebhook(scope)
    return { line_account: await presentLineAccount(scope), findings }
  })
  on.merchant(disconnectRoute)(async ({ scope }) => ({ line_account: await disconnectLine(scope) }))
}
