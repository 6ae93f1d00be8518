import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { EmailAddress, line } from '../fields.ts'
import { Locale } from '../locale.ts'
import { Member, SettingsReply, UserSettingChange } from './merchant.ts'

const area = 'settings'

export const getSettings = endpoint('GET', '/user/me/settings', {
  area,
  summary: 'The merchant’s settings, the signed-in member, the plan and the connected store',
  access: 'member',
  reply: SettingsReply,
})

export const changeSettings = endpoint('PUT', '/user/me/settings', {
  area,
  summary: 'Change some settings; what is not named stays',
  access: 'marketer',
  body: z.strictObject({ userSetting: UserSettingChange }),
  reply: SettingsReply,
})

export const changeMember = endpoint('PUT', '/user/me', {
  area,
  summary:
    'Change one’s own name or language; another sign-in address needs `current_password`, of who has one, and is mailed a link that confirms it',
  access: 'member',
  body: z.strictObject({
    name: line(1, 100).optional(),
    email: EmailAddress.optional(),
    current_password: z.string('not_a_text').max(1000, 'too_long').optional(),
    language: Locale.optional(),
  }),
  reply: z.object({ user: Member }),
})
