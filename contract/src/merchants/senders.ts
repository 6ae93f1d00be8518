import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { EmailAddress, IdParams, line } from '../fields.ts'

/** More than these are not kept beside the default sender. */
export const MAX_SENDERS = 20

/** A name and an address that emails may be from, besides the default of the settings. */
export const SavedSender = z
  .object({ id: z.uuid(), name: z.string(), email: z.string(), reply_to: z.string().nullable() })
  .meta({ id: 'Sender' })
export type SavedSender = z.output<typeof SavedSender>

export const NewSender = z.strictObject({
  name: line(1, 100),
  email: EmailAddress,
  /** Where answers go; null: to the sender's own address. */
  reply_to: EmailAddress.nullable(),
})

const area = 'settings'
const Reply = z.object({ senders: z.array(SavedSender) })

export const putSender = endpoint('POST', '/senders', {
  area,
  summary:
    'Add a sender; one with the same address is changed. Its owner is mailed a link, unless its domain is verified',
  access: 'marketer',
  body: z.strictObject({ sender: NewSender }),
  reply: Reply,
})

export const deleteSender = endpoint('DELETE', '/senders/{id}', {
  area,
  summary: 'Delete a sender; emails that name its address keep it',
  access: 'marketer',
  params: IdParams,
  reply: Reply,
})
