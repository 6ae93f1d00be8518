import { z } from 'zod'
import { line } from '../fields.ts'
import { WarmUp } from './warm-up.ts'

/** More than these are not kept for one merchant. */
export const MAX_SENDER_DOMAINS = 10

/**
 * `pending`: not proved yet. `verified`: proof and key are published. `failing`: one of them went away, and mail still leaves for
 * `FAILING_DAYS`. `lost`: it stayed away; the domain has to be proved again.
 */
export const senderDomainStatuses = ['pending', 'verified', 'failing', 'lost'] as const
export const SenderDomainStatus = z.enum(senderDomainStatuses)
export type SenderDomainStatus = z.output<typeof SenderDomainStatus>
/** Whether mail may leave from the domain, and is signed by its key. */
export const maySendFrom = (status: SenderDomainStatus): boolean => status === 'verified' || status === 'failing'
export const FAILING_DAYS = 3

export const domainRecordKinds = ['ownership', 'dkim', 'dkim_next', 'spf', 'dmarc', 'mx', 'tracking'] as const
export type DomainRecordKind = (typeof domainRecordKinds)[number]

/** What there is to say of a record besides whether it was found. */
export const domainRecordNotes = [
  // wrong
  'other_value',
  'cut_off',
  'revoked',
  'several',
  'name_doubled',
  'not_included',
  'allows_all',
  'no_policy',
  'no_mail',
  'no_https',
  // found
  'policy_none',
  'policy_quarantine',
  'policy_reject',
  'other_domain',
  // unanswered
  'timeout',
  'servfail',
  'refused',
  'unreachable',
  'bad_answer',
  'no_web_answer',
  'waits_for_proof',
] as const
export type DomainRecordNote = (typeof domainRecordNotes)[number]

export const DomainRecord = z
  .object({
    kind: z.enum(domainRecordKinds),
    type: z.enum(['TXT', 'MX', 'CNAME']),
    name: z.string(),
    /** What is to be published there; null where any value will do. */
    expected: z.string().nullable(),
    /** `unanswered`: the name servers did not say. `unchecked`: not asked yet. */
    state: z.enum(['found', 'missing', 'wrong', 'unanswered', 'unchecked']),
    found: z.array(z.string()),
    note: z.enum(domainRecordNotes).nullable(),
    /** The domain is verified by it. Others help that mail arrives. */
    required: z.boolean(),
    /** When it was last as it should be. */
    last_found_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'SenderDomainRecord' })
export type DomainRecord = z.output<typeof DomainRecord>

export const SenderDomain = z
  .object({
    id: z.uuid(),
    /** As DNS writes it. */
    name: z.string(),
    /** As people write it, where that differs: other scripts can look alike. */
    unicode_name: z.string().nullable(),
    status: SenderDomainStatus,
    records: z.array(DomainRecord),
    verified_at: z.iso.datetime().nullable(),
    failing_since: z.iso.datetime().nullable(),
    /** What was there and went away, found so by two checks. */
    warns: z.boolean(),
    checked_at: z.iso.datetime().nullable(),
    next_check_at: z.iso.datetime(),
    /** Where links and pictures of mails from this domain lead; null: to the installation's own host. */
    link_domain: z.object({ host: z.string(), verified_at: z.iso.datetime().nullable() }).nullable(),
    /** Where such a host has to point; null: not possible here. */
    link_target: z.string().nullable(),
    /** Null: as much as there is may be sent from it. */
    warm_up: WarmUp.nullable(),
    /** Selectors that signed before: their records stay until then. */
    former_selectors: z.array(z.object({ name: z.string(), published_until: z.iso.datetime() })),
  })
  .meta({ id: 'SenderDomain' })
export type SenderDomain = z.output<typeof SenderDomain>

export const NewSenderDomain = z.strictObject({ name: line(1, 253) })

export const NewLinkDomain = z.strictObject({ host: line(1, 253) })
