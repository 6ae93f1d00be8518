import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { EmailAddress } from '../fields.ts'

/**
 * What the owner of an address is asked: whether the account is theirs, to sign in by it from now on, to get test mails at it, to be the
 * sender of mails.
 */
export const ConfirmationPurpose = z.enum(['account', 'sign_in', 'test', 'sender'])
export type ConfirmationPurpose = z.output<typeof ConfirmationPurpose>

export const AddressConfirmation = z
  .object({
    purpose: ConfirmationPurpose,
    email: z.string(),
    /** `asked`: a link is mailed to it. Only what is `confirmed` is mailed to, or sent from. */
    status: z.enum(['confirmed', 'asked', 'unasked']),
    asked_at: z.iso.datetime().nullable(),
    /** Of what is `asked`: whether the link left. `stuck`: for a minute it has not, and it is tried again. Else null. */
    mail: z.enum(['sent', 'under_way', 'stuck']).nullable(),
  })
  .meta({ id: 'AddressConfirmation' })
export type AddressConfirmation = z.output<typeof AddressConfirmation>

/** What the page behind a mailed link shows. */
export const ConfirmationLink = z
  .object({
    purpose: ConfirmationPurpose,
    email: z.string(),
    site_name: z.string(),
    asked_by: z.string().nullable(),
    confirmed: z.boolean(),
  })
  .meta({ id: 'ConfirmationLink' })
export type ConfirmationLink = z.output<typeof ConfirmationLink>

/** Whether the owner of this address has agreed to it. */
export const isAddressConfirmed = (
  confirmations: readonly AddressConfirmation[],
  purpose: ConfirmationPurpose,
  email: string,
): boolean =>
  confirmations.some(
    (one) =>
      one.purpose === purpose && one.status === 'confirmed' && one.email.toLowerCase() === email.trim().toLowerCase(),
  )

const Token = z.string('required').min(1, 'required').max(500, 'too_long')

export const requestConfirmation = endpoint('POST', '/user/me/confirmations', {
  area: 'settings',
  summary: 'Mail the link by which the owner of an address confirms it, or mail it again; without `email` one’s own',
  access: 'marketer',
  body: z.discriminatedUnion('purpose', [
    z.strictObject({ purpose: z.literal('account') }),
    z.strictObject({ purpose: z.enum(['test', 'sender']), email: EmailAddress }),
  ]),
  reply: z.object({ accepted: z.literal(true) }),
})

export const getConfirmation = endpoint('GET', '/confirmations', {
  area: 'auth',
  summary: 'What a mailed link asks to confirm; changes nothing',
  access: 'public',
  query: z.object({ token: Token }),
  reply: z.object({ confirmation: ConfirmationLink }),
})

export const confirmAddress = endpoint('POST', '/confirmations', {
  area: 'auth',
  summary: 'Confirm an address by the token of the mailed link; a second time changes nothing',
  access: 'public',
  body: z.strictObject({ token: Token }),
  reply: z.object({ confirmation: ConfirmationLink }),
})
