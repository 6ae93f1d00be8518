import { changeSettings as changeSettingsRoute, getSettings } from '@okaeri/contract/merchants/routes'
import { requestConfirmation as requestConfirmationRoute } from '@okaeri/contract/merchants/confirmation'
import { deleteSender, putSender as putSenderRoute } from '@okaeri/contract/merchants/senders'
import type { Routes } from '../../kernel/http/http.ts'
import { askForNewAddresses, requestConfirmation } from './confirmation.ts'
import { getMember } from './member.ts'
import { putSender, removeSender } from './senders.ts'
import { changeSettings, presentSettings } from './settings.ts'

export function merchantRoutes(on: Routes): void {
  on.merchant(putSenderRoute)(async ({ scope, identity, body }) => ({
    senders: await putSender(scope, identity.memberId, body.sender),
  }))
  on.merchant(deleteSender)(async ({ scope, params }) => ({ senders: await removeSender(scope, params.id) }))
  on.merchant(getSettings)(({ scope, identity }) => presentSettings(scope, identity.memberId))
  on.merchant(changeSettingsRoute)(async ({ scope, identity, body }) => {
    const { sender_email: sender, test_emails: tests } = body.userSetting
    const changed = await changeSettings(scope, identity.memberId, body.userSetting)
    if (!sender && !tests) return changed
    await askForNewAddresses(scope, identity.memberId, { sender, tests })
    return presentSettings(scope, identity.memberId)
  })
  on.merchant(requestConfirmationRoute)(async ({ scope, identity, reply, body }) => {
    const member = await getMember(scope, identity.memberId)
    const email = body.purpose === 'account' ? null : body.email
    await requestConfirmation(scope, reply, { purpose: body.purpose, email, member })
    return { accepted: true } as const
  })
}
