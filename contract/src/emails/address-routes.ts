import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { IdParams } from '../fields.ts'
import { EmailAddressSeen } from './addresses.ts'

const area = 'emails'
const reply = z.object({
  addresses: z.array(EmailAddressSeen),
  /** How many are being looked at. */
  waiting: z.int(),
})

export const listEmailAddresses = endpoint('GET', '/emails/{id}/links', {
  area,
  summary: 'Where the links of an email lead, its pictures and coupon codes, and what came back from each',
  access: 'member',
  params: IdParams,
  reply,
})

export const checkEmailAddresses = endpoint('POST', '/emails/{id}/links/check', {
  area,
  summary: 'Have the links, pictures and coupon codes of an email looked at in the background',
  access: 'member',
  params: IdParams,
  status: 202,
  body: z.strictObject({
    /** Also those that were looked at within the hour. */
    again: z.boolean('not_a_boolean').default(false),
  }),
  reply,
})
