import { type BounceReport, type BounceVerdict, emptyReport } from './report.ts'
import { judgeAnswer } from './verdict.ts'

/** What a sending service tells of one mail by HTTP. */
export interface Notice {
  reports: BounceReport[]
  /** The Message-ID of the mail it is about, without brackets. */
  messageId: string | null
  /** The envelope's sender, which may be a VERP address of ours. */
  sender: string | null
  unsubscribeLinks: readonly string[]
  at: Date | null
  evidence: string
}

const MAX_RECIPIENTS = 50
const MAX_TEXT = 1_000
const MAX_EVIDENCE = 4_000

/** A notification or event of Amazon SES; null for anything else. What is of another shape than documented counts as absent. */
export function readSesNotice(value: unknown): Notice | null {
  const notice = object(value)
  const kind = text(notice['notificationType']) ?? text(notice['eventType'])
  if (kind === null) return null
  const mail = object(notice['mail'])
  const headers = list(mail['headers']).map(object)
  const header = (name: string): string | null =>
    text(headers.find((one) => text(one['name'])?.toLowerCase() === name)?.['value'])
  const of = object(notice[kind.toLowerCase()])
  const reports =
    kind === 'Bounce'
      ? sesBounces(of)
      : kind === 'Complaint'
        ? sesComplaints(of)
        : [{ ...emptyReport, diagnostic: kind }]
  return {
    reports,
    messageId: withoutBrackets(header('message-id') ?? text(object(mail['commonHeaders'])['messageId'])),
    sender: text(mail['source'])?.toLowerCase() ?? null,
    unsubscribeLinks: [...(header('list-unsubscribe') ?? '').matchAll(/<(https?:[^<>\s]{1,1000})>/gi)].map(
      ([, link]) => link ?? '',
    ),
    at: date(text(of['timestamp'])),
    evidence: evidence(notice),
  }
}

function sesBounces(bounce: Record<string, unknown>): BounceReport[] {
  const type = text(bounce['bounceType'])
  const subType = text(bounce['bounceSubType']) ?? ''
  const server = text(bounce['reportingMTA'])?.replace(/^[\w-]{1,20}\s*;\s*/, '') ?? null
  return list(bounce['bouncedRecipients'])
    .slice(0, MAX_RECIPIENTS)
    .map(object)
    .map((one) => {
      const recipient = text(one['emailAddress'])?.toLowerCase() ?? null
      const status = text(one['status'])
      const diagnostic = text(one['diagnosticCode'])?.replace(/^[\w-]{1,20}\s*;\s*/, '') ?? null
      const known = SES_KINDS[subType]
      // Amazon reads the answer too; where there is one, it says more.
      const words = diagnostic ?? (type === 'Permanent' ? 'address does not exist' : '')
      const judged = known
        ? { verdict: known, isDoubted: false }
        : judgeAnswer({ status, words, recipient, server: null })
      const report = {
        ...emptyReport,
        recipient,
        status,
        diagnostic: diagnostic ?? (subType || type),
        server,
        ...judged,
      }
      // What it holds for transient ends no address.
      return type === 'Permanent' || report.verdict !== 'hard' ? report : { ...report, verdict: 'soft' as const }
    })
}
const SES_KINDS: Readonly<Record<string, BounceVerdict | undefined>> = {
  Suppressed: 'hard',
  OnAccountSuppressionList: 'hard',
  NoEmail: 'hard',
  MailboxFull: 'full',
  MessageTooLarge: 'blocked',
  ContentRejected: 'blocked',
  AttachmentRejected: 'blocked',
}

const NO_COMPLAINTS = new Set(['not-spam', 'auth-failure', 'virus'])
function sesComplaints(complaint: Record<string, unknown>): BounceReport[] {
  const type = text(complaint['complaintFeedbackType']) ?? text(complaint['complaintSubType'])
  const verdict = NO_COMPLAINTS.has(type ?? '') ? 'not_a_bounce' : 'complaint'
  return list(complaint['complainedRecipients'])
    .slice(0, MAX_RECIPIENTS)
    .map((one) => ({
      ...emptyReport,
      verdict,
      recipient: text(object(one)['emailAddress'])?.toLowerCase() ?? null,
      diagnostic: type,
      server: text(complaint['userAgent']),
    }))
}

/** One event of SendGrid's event webhook; null for those that say nothing of a mail that came back. */
export function readSendgridEvent(value: unknown): Notice | null {
  const event = object(value)
  const kind = text(event['event'])
  const recipient = text(event['email'])?.toLowerCase() ?? null
  const reason = text(event['reason'])
  const status = /[245]\.\d{1,3}\.\d{1,3}/.exec(text(event['status']) ?? '')?.[0] ?? null
  const judged = sendgridVerdict(kind, { type: text(event['type']), reason, status, recipient })
  if (!judged) return null
  const seconds = event['timestamp']
  return {
    reports: [
      { ...emptyReport, recipient, status, diagnostic: reason ?? kind, server: text(event['mx_server']), ...judged },
    ],
    messageId: withoutBrackets(text(event['smtp-id'])),
    sender: null,
    unsubscribeLinks: [],
    at: typeof seconds === 'number' && Number.isFinite(seconds) ? date(new Date(seconds * 1000)) : null,
    evidence: evidence(event),
  }
}

function sendgridVerdict(
  kind: string | null,
  {
    type,
    reason,
    status,
    recipient,
  }: { type: string | null; reason: string | null; status: string | null; recipient: string | null },
): { verdict: BounceVerdict; isDoubted: boolean } | null {
  if (kind === 'spamreport') return { verdict: 'complaint', isDoubted: false }
  if (kind === 'dropped') {
    if (/spam report/i.test(reason ?? '')) return { verdict: 'complaint', isDoubted: false }
    if (/bounced address|invalid/i.test(reason ?? '')) return { verdict: 'hard', isDoubted: false }
    return null
  }
  if (kind !== 'bounce') return null
  const judged = judgeAnswer({ status, words: reason ?? '', recipient, server: null })
  // "Blocked" is SendGrid's word for all that is no fault of the address.
  if (type === 'blocked' && judged.verdict === 'hard') return { verdict: 'soft', isDoubted: true }
  return judged
}

const object = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
// No database text holds a NUL.
const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.replaceAll('\0', '').slice(0, MAX_TEXT) : null
const evidence = (value: unknown): string =>
  JSON.stringify(value, null, 1).replaceAll('\\u0000', '').slice(0, MAX_EVIDENCE)
const withoutBrackets = (id: string | null): string | null => id?.replace(/^<|>$/g, '') || null
function date(value: string | Date | null): Date | null {
  const at = new Date(value ?? '')
  return Number.isNaN(at.getTime()) ? null : at
}
