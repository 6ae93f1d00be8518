import { z } from 'zod'
import { line } from '../fields.ts'

export const mailerKinds = ['smtp', 'ses', 'sendgrid'] as const
export const MailerKind = z.enum(mailerKinds)
export type MailerKind = z.output<typeof MailerKind>

/** Where mail is submitted (RFC 6409, RFC 8314), and what services offer where those are closed. */
export const mailerPorts = [465, 587, 2525, 25] as const

export const MAX_MAILER_CONNECTIONS = 20

/** A name, or an address in brackets or without; what it may be the server decides when it connects. */
const Host = line(1, 253).regex(/^[A-Za-z0-9.:[\]-]+$/, 'invalid')

/** A merchant's own account, as a member writes it. */
export const OwnMailerInput = z.strictObject({
  kind: MailerKind,
  host: Host,
  port: z.int('not_a_number').min(1, 'too_small').max(65_535, 'too_big'),
  /** `tls`: encrypted from the first byte; `starttls`: asked for after the greeting, and required. */
  security: z.enum(['tls', 'starttls']),
  username: line(1, 320),
  /** Left out: the one that is stored, if server and user name are the same. */
  password: z.string().min(1, 'required').max(1_000, 'too_long').optional(),
  /** Mails at once. */
  connections: z.int('not_a_number').min(1, 'too_small').max(MAX_MAILER_CONNECTIONS, 'too_big'),
  /** Only where the server lets mails come back to another domain than the sender's. */
  returns_to_us: z.boolean(),
  /** Of Amazon SES, the SNS topic that tells of bounces; of SendGrid, the verification key of its event webhook; null: it tells nothing. */
  feedback_key: line(1, 2_000).nullable(),
})
export type OwnMailerInput = z.output<typeof OwnMailerInput>

export const OwnMailer = OwnMailerInput.omit({ password: true })
  .extend({
    /** All mail of the merchant goes this way. */
    in_use: z.boolean(),
    /** When a mail to a member went out by it; null: never since it was changed. */
    tested_at: z.iso.datetime().nullable(),
    /** Where its service sends notices of bounces and complaints. */
    feedback_url: z.string(),
    /** The installation has a domain that mails can come back to. */
    can_return_to_us: z.boolean(),
  })
  .meta({ id: 'OwnMailer' })
export type OwnMailer = z.output<typeof OwnMailer>

/** How the servers of a sending service are reached. `user`: what the user name always is. */
export const mailerPresets = {
  ses: { host: (region: string) => `email-smtp.${region}.amazonaws.com`, port: 587, security: 'starttls', user: null },
  sendgrid: { host: () => 'smtp.sendgrid.net', port: 587, security: 'starttls', user: 'apikey' },
} as const satisfies Record<
  Exclude<MailerKind, 'smtp'>,
  { host: (region: string) => string; port: number; security: 'tls' | 'starttls'; user: string | null }
>
