import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { OwnMailer, OwnMailerInput } from './mailer.ts'

const area = 'settings'
const One = z.object({ own_mailer: OwnMailer.nullable() })
/** `failure`: with the server's words, or what went wrong before it had any; nothing was changed. */
const Tried = One.extend({ result: z.enum(['success', 'failure']), answer: z.string() })

export const getOwnMailer = endpoint('GET', '/own_mailer', {
  area,
  summary: 'The merchant’s own account at a mail server or sending service; null where there is none',
  access: 'member',
  reply: One,
})

export const putOwnMailer = endpoint('PUT', '/own_mailer', {
  area,
  summary:
    'Set the own account; it is kept only if its server lets us in with it. Where one is in use, the new one also has to take a test mail to the member first',
  access: 'owner',
  body: z.strictObject({ own_mailer: OwnMailerInput }),
  reply: Tried,
})

export const testOwnMailer = endpoint('POST', '/own_mailer/test', {
  area,
  summary: 'Send a mail by the own account to the member’s own address',
  access: 'owner',
  reply: Tried,
})

export const useOwnMailer = endpoint('POST', '/own_mailer/use', {
  area,
  summary: 'Send all mail by the own account from now on, or by the installation’s again',
  access: 'owner',
  body: z.strictObject({ in_use: z.boolean() }),
  reply: One,
})

export const deleteOwnMailer = endpoint('DELETE', '/own_mailer', {
  area,
  summary: 'Forget the own account; mail goes by the installation’s mailer again',
  access: 'owner',
  reply: One,
})
