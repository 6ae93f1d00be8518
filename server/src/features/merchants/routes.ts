import { changeMember, changeSettings as changeSettingsRoute, getSettings } from '@okaeri/contract/merchants/routes'
import type { Routes } from '../../kernel/http.ts'
import { changeOwnMember } from './member.ts'
import { changeSettings, presentSettings } from './settings.ts'

export function merchantRoutes(on: Routes): void {
  on.merchant(getSettings)(({ scope, identity }) => presentSettings(scope, identity.memberId))
  on.merchant(changeSettingsRoute)(({ scope, identity, body }) =>
    changeSettings(scope, identity.memberId, body.userSetting),
  )
  on.merchant(changeMember)(async ({ scope, identity, body }) => ({
    user: await changeOwnMember(scope, identity.memberId, body),
  }))
}
