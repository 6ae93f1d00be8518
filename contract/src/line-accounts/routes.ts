import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { LineAccount, LineAccountChange, LineFinding } from './account.ts'

const area = 'line'
const Reply = z.object({ line_account: LineAccount })

export const getLineAccount = endpoint('GET', '/line/account', {
  area,
  summary: 'The LINE channels of the merchant, without their secrets',
  access: 'member',
  reply: Reply,
})

export const changeLineAccount = endpoint('PUT', '/line/account', {
  area,
  summary:
    'Connect LINE channels or change them; what is not named stays. The platform is asked whether id, secret and token belong together',
  access: 'owner',
  body: z.strictObject({ line_account: LineAccountChange }),
  reply: Reply,
})

export const checkLineAccount = endpoint('POST', '/line/account/check', {
  area,
  summary: 'Ask the platform how it stands with the Messaging API channel: token, webhook, quota',
  access: 'marketer',
  reply: z.object({ line_account: LineAccount, findings: z.array(LineFinding) }),
})

export const setLineWebhook = endpoint('POST', '/line/account/webhook', {
  area,
  summary: 'Set our address as the webhook of the Messaging API channel, and have the platform try it',
  access: 'owner',
  reply: z.object({ line_account: LineAccount, findings: z.array(LineFinding) }),
})

export const disconnectLine = endpoint('DELETE', '/line/account', {
  area,
  summary: 'Forget the LINE channels of the merchant. Nothing is sent by LINE any more; friends stay on record',
  access: 'owner',
  reply: Reply,
})

export const receiveLineWebhook = endpoint('POST', '/line/webhook/{userId}', {
  area,
  summary:
    'What the LINE platform tells of a merchant’s channel: verified over the raw body, stored, answered; processed later',
  access: 'public',
  bodyKind: 'raw',
  params: z.object({ userId: z.uuid('not_an_id') }),
  /** How many events did not come before. */
  reply: z.object({ stored: z.int() }),
  bodyLimitBytes: 2 * 1024 * 1024,
})
