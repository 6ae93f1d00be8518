import { type MailParts, readMailParts } from './mail-parts.ts'
import { type Notice, readSesNotice } from './notices.ts'
import { type BounceReport, emptyReport, type ReadBounce } from './report.ts'
import { judgeAnswer, statusIn } from './verdict.ts'

const MAX_REPORTS = 50
const MAX_DIAGNOSTIC = 1_000
const MAX_EVIDENCE = 4_000
const ADDRESS = /[^\s<>()[\]:;,"@]{1,64}@[a-z0-9.-]{1,255}[a-z0-9]/i

/** What a mail that came to a bounce address says. Any bytes are read, at most the first {@link READ_BYTES}; never throws. */
export function readBounce(mail: Uint8Array): ReadBounce {
  const parts = readMailParts(mail)
  const [own, behind] = splitAtOriginal(parts.text)
  const original = parts.original ?? (behind || null)
  const reports = reportsOf(parts, own, original).slice(0, MAX_REPORTS)
  const { messageId, unsubscribeLinks } = readOriginal(original ?? '')
  const written = new Date(parts.headers.get('date') ?? '')
  return {
    reports: [reports[0] ?? emptyReport, ...reports.slice(1)],
    messageId,
    unsubscribeLinks,
    sentTo: DELIVERED.flatMap((name) => addressIn(parts.headers.get(name) ?? '') ?? []),
    writtenAt: Number.isNaN(written.getTime()) ? null : written,
    evidence: evidenceOf(parts, own),
  }
}

const DELIVERED = ['delivered-to', 'x-original-to', 'envelope-to', 'to']

function reportsOf(parts: MailParts, own: string, original: string | null): BounceReport[] {
  if (parts.feedback !== null) return feedbackOf(parts.feedback, original)
  if (isComplaint(parts)) return [{ ...emptyReport, verdict: 'complaint', recipient: toOf(original) }]
  const fields = parts.deliveryStatus === null ? [] : statusReports(parts.deliveryStatus, own)
  if (fields.length > 0) return fields
  const notice = noticeIn(parts.text)
  if (notice) return notice.reports
  if (isAutoReply(parts, own)) return [{ ...emptyReport, verdict: 'auto_reply' }]
  if (!looksReturned(parts, own)) return [emptyReport]
  return freeReports(parts, own)
}

/** Complaints of RFC 5965. The other types do not ask to stop the mails. */
const COMPLAINTS = new Set(['abuse', 'fraud', 'opt-out', 'opt-out-list', 'complaint'])
function feedbackOf(feedback: string, original: string | null): BounceReport[] {
  const fields = readFields(feedback)
  const verdict = COMPLAINTS.has((fields.get('feedback-type') ?? '').toLowerCase()) ? 'complaint' : 'not_a_bounce'
  const named = listOf(feedback, 'original-rcpt-to').map(addressIn)
  const removed = listOf(feedback, 'removal-recipient').map(addressIn)
  const recipients = [...new Set([...named, ...removed].filter((one) => one !== null))]
  if (recipients.length === 0) recipients.push(toOf(original) ?? '')
  return recipients.map((recipient) => ({
    ...emptyReport,
    verdict,
    recipient: recipient || null,
    diagnostic: fields.get('feedback-type') ?? null,
    server: fields.get('source-ip') ?? fields.get('reporting-mta')?.replace(/^.*;\s*/, '') ?? null,
  }))
}

/** As Hotmail reports them, and what mail programs write that unsubscribe by mail. */
const isComplaint = ({ headers, text }: MailParts): boolean =>
  /^complaint about message from/i.test(headers.get('subject') ?? '') || /sent this email to unsubscribe/i.test(text)

const toOf = (original: string | null): string | null =>
  addressIn(/^(?:x-hmxmroriginalrecipient|to):([^\r\n]{1,400})/im.exec(original ?? '')?.[1] ?? '')

/** Nothing is known of the address before the report that ends it. */
const DELAYED = { verdict: 'soft', isDoubted: false } as const

/** RFC 3464: a block for the whole mail, and one for each recipient. */
function statusReports(deliveryStatus: string, own: string): BounceReport[] {
  const blocks = deliveryStatus.split(/\r?\n[ \t]{0,80}\r?\n/, MAX_REPORTS * 2).map(readFields)
  const reporting = hostOf(blocks.find((block) => block.has('reporting-mta'))?.get('reporting-mta'))
  const people = blocks
    .filter((block) => block.has('final-recipient') || block.has('original-recipient') || block.has('action'))
    .slice(0, MAX_REPORTS)
  return people.map((block) => {
    const recipient = addressIn(block.get('final-recipient') ?? '')
    const originalRecipient = addressIn(block.get('original-recipient') ?? '')
    const action = (block.get('action') ?? '').toLowerCase()
    const status = /[245]\.\d{1,3}\.\d{1,3}/.exec(block.get('status') ?? '')?.[0] ?? null
    const said = (block.get('diagnostic-code') ?? '').replace(/^[\w-]{1,20}\s*;\s*/, '')
    const server = hostOf(block.get('remote-mta')) ?? reporting
    const report = {
      ...emptyReport,
      recipient: recipient ?? originalRecipient,
      originalRecipient,
      status,
      diagnostic: shortened(said),
      server,
    }
    if (/^(?:deliver|relayed|expanded)/.test(action) || (action !== 'failed' && status?.startsWith('2'))) return report
    const isDelay = action.startsWith('delayed')
    const segment = segmentFor(own, recipient, originalRecipient) || (people.length === 1 ? own : '')
    const comment = /\(([^()]{1,200})\)/.exec(block.get('status') ?? '')?.[1] ?? ''
    // A local delivery program in words of its own, under the code of the server.
    const local = /was automatically rejected:\s{0,9}([^\r\n]{1,300})/.exec(own)?.[1] ?? ''
    const judged = judgeAnswer({
      status,
      words: local || said || comment,
      // What the program that reports makes of a code, "mailbox disabled", counts less than the server's words.
      around: `${comment} ${segment}`,
      recipient: originalRecipient ?? recipient,
      server,
    })
    return {
      ...report,
      isDelay,
      diagnostic: shortened(said || segmentFor(own, recipient, originalRecipient)),
      ...(isDelay && judged.verdict === 'hard' ? DELAYED : judged),
    }
  })
}

const BEGINS_ORIGINAL =
  /^(?:[ \t>]*-{2,}[^\r\n]{0,30}(?:below this line|this is a copy|original message|returned message|message header|included is a copy|unsent message|returned mail follows)[^\r\n]{0,80}|message headers follow[^\r\n]{0,40}|old message:|original message (?:headers|follows)[:.]?|[ \t]?\|-{4,}[^\r\n]{0,20}message text follows[^\r\n]{0,40}|(?:received|return-path): [^\r\n]{1,200}|[^\r\n]{0,60}(?:the headers? of (?:the|your) (?:original )?message|copy of (?:your|the original) message|bounced e-?mail)[^\r\n]{0,60})/im

/** The report's own words, and behind them the mail that came back. */
function splitAtOriginal(text: string): [own: string, original: string] {
  const found = BEGINS_ORIGINAL.exec(text)
  return found ? [text.slice(0, found.index), text.slice(found.index)] : [text, '']
}

/** From the line that names the recipient to the next that names another. */
function segmentFor(own: string, ...recipients: (string | null)[]): string {
  const lines = own.split(/\r?\n/)
  const from = lines.findIndex((line) => recipients.some((one) => one !== null && line.toLowerCase().includes(one)))
  if (from === -1) return ''
  const next = lines.findIndex(
    (line, i) =>
      i > from &&
      /^\s{0,4}<?[^\s<>@]{1,64}@[^\s<>@]{1,255}>?/.test(line) &&
      !recipients.some((one) => one !== null && line.toLowerCase().includes(one)),
  )
  return lines
    .slice(from, next === -1 ? from + 12 : Math.min(next, from + 12))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const AUTO_SUBJECT =
  /^(?:auto(?:matic(?:ally)?|mated)?[ _-]?(?:reply|response|generated)|auto:|out of (?:the )?office|away|vacation|abwesenheit|absence|自動(?:返信|応答|送信)|不在)|out of (?:the )?office|automatic reply|自動返信|自動応答/i
/** What Amazon sends to a topic may be subscribed by mail. */
function noticeIn(text: string): Notice | null {
  const json =
    /^\{"(?:notificationType|eventType)":.*(?:\r?\n ?.*){0,40}?\}\}$/m.exec(text)?.[0] ??
    /^\{\s{0,4}"Type"\s?:\s?"Notification".*(?:\r?\n.*){0,60}?\r?\n\}$/m.exec(text)?.[0]
  if (json === undefined) return null
  try {
    const read: unknown = JSON.parse(json.replaceAll(/!?\r?\n ?/g, ''))
    const { Message: within } = read as { Message?: unknown }
    return readSesNotice(typeof within === 'string' ? JSON.parse(within) : read)
  } catch {
    // Broken on its way.
    return null
  }
}

/** RFC 3834, and what programs wrote before it. */
function isAutoReply({ headers }: MailParts, own: string): boolean {
  const submitted = (headers.get('auto-submitted') ?? '').toLowerCase()
  const says =
    submitted.startsWith('auto-replied') ||
    submitted.startsWith('auto-generated') ||
    headers.has('x-autoreply') ||
    headers.has('x-autorespond') ||
    headers.has('x-auto-response-suppress') ||
    /auto_reply|junk/i.test(headers.get('precedence') ?? '') ||
    AUTO_SUBJECT.test(headers.get('subject') ?? '')
  if (!says || headers.has('x-failed-recipients')) return false
  return !isFromDaemon(headers) && !FAILED_WORDS.test(own)
}

const isFromDaemon = (headers: MailParts['headers']): boolean =>
  /mailer-daemon|\bmdaemon@|post_?master|mail delivery|mail ?administrator|mail system|メール配信|<>/i.test(
    headers.get('from') ?? '',
  )

const FAILED_SUBJECT =
  /undeliver|mail failed|errors from|error sending|deliver\w* (?:\w{1,20} ){0,3}(?:fail|error|problem|status|has failed)|fail\w* (?:\w{1,20} ){0,3}(?:deliver|notice|notif)|failure|returned mail|return(?:ed)? to sender|mail (?:system )?error|mail(?:er)? daemon|bounce|could not be|not be delivered|delivery warning|user unknown|processing error|non.?deliver|nondeliver|rejected|warning: message|are not (?:a )?member|メールエラー|配信(?:不能|エラー|できません)|宛先不明|エラー通知|不達|送信できません|失败|失敗|退信/i
const FAILED_WORDS =
  /unknown host|transcript of session follows|(?:could ?n[o']t|can ?n[o']t|was ?n[o']t|not|unable to|failed to|wasn't able to) (?:be )?(?:deliver|reach|sent|able to deliver)|undeliver|delivery (?:to the following|has failed|failed|failure|error)|permanent (?:fatal )?error|fatal errors?|following address(?:es)?(?:\(es\))? (?:failed|had)|was (?:rejected|automatically rejected)|returned to (?:the )?sender|(?:mail|message) has been returned|no such user|no user by that name|postponed due|rejected (?:by|recipient)|invalid user address|trouble delivering|did not receive|delivery problems|remote host said|smtp error|not a member of (?:this|the) (?:mailing )?list|送信できませんでした|配信できませんでした|届けることができませんでした|見つかりません|无法(?:发送|投递|送达)|(?:发送|投递)失败/i

function looksReturned({ headers }: MailParts, own: string): boolean {
  if (headers.has('x-failed-recipients')) return true
  const subject = headers.get('subject') ?? ''
  const returnPath = headers.get('return-path') ?? ''
  const daemon = isFromDaemon(headers) || /^<>$|mailer-daemon/i.test(returnPath.trim())
  return (
    (daemon && (FAILED_SUBJECT.test(subject) || FAILED_WORDS.test(own))) ||
    (FAILED_SUBJECT.test(subject) && FAILED_WORDS.test(own))
  )
}

/** A report in words alone: of Postfix before 2.3, Exim, qmail, Exchange, carriers … */
function freeReports({ headers, text }: MailParts, own: string): BounceReport[] {
  const failed = (headers.get('x-failed-recipients') ?? '').split(',').map(addressIn)
  const recipients = [...new Set([...failed, ...addressesAtLineStart(own)].filter((one) => one !== null))].slice(
    0,
    MAX_REPORTS,
  )
  const server =
    hostOf(/host (\S{1,255}) ?\[/.exec(own)?.[1]) ??
    hostOf(/(?:from|by) (\S{1,255})/.exec(headers.get('received') ?? '')?.[1])
  const whole = own.trim() === '' ? text : own
  if (recipients.length === 0) recipients.push(addressIn(own.slice(0, 4_000)) ?? '')
  return recipients.map((recipient) => {
    const segment = recipients.length > 1 ? segmentFor(own, recipient) : ''
    const around = segment || whole
    // The lines that hold a server's answer.
    const words = around
      .split(/\r?\n/)
      .filter((line) => /(?:^|[\s:<[])[45]\d\d[\s-]/.test(line))
      .join(' ')
    const status = statusIn(words) ?? statusIn(around)
    const isDelay =
      /will (?:continue|keep) (?:to )?(?:try|be)|no need to resend|has not yet been delivered|this is a warning message only|temporary failure report|action: delayed/i.test(
        whole,
      ) && !/permanent/i.test(whole)
    const judged = judgeAnswer({ status, words, around, recipient: recipient || null, server, isFreeForm: true })
    return {
      ...emptyReport,
      recipient: recipient || null,
      status,
      diagnostic: shortened(words || around),
      server,
      isDelay,
      ...(isDelay && judged.verdict === 'hard' ? DELAYED : judged),
    }
  })
}

function addressesAtLineStart(own: string): string[] {
  const found: string[] = []
  for (const line of own.split(/\r?\n/)) {
    if (found.length >= MAX_REPORTS) break
    const address =
      /^[ \t]{0,12}(?:(?:recipient|to|user|address|the mail address|recipient address)(?:\s{0,3}:\s{0,3}|\s{1,3}))?[<"]?([^\s<>()[\]:;,"@]{1,64}@[a-z0-9.-]{1,255}[a-z0-9])>?/i.exec(
        line,
      )?.[1]
    if (address) found.push(address.toLowerCase())
  }
  return found
}

/** Fields of a block with their folded lines; names in lower case, of several with one name the first. */
function readFields(block: string): Map<string, string> {
  const fields = new Map<string, string>()
  let name = ''
  for (const line of block.split(/\r?\n/)) {
    if (/^[ \t]/.test(line) && name) {
      if (line.trim() !== '') fields.set(name, `${fields.get(name)} ${line.trim()}`)
      continue
    }
    const colon = line.indexOf(':')
    name = colon > 0 ? line.slice(0, colon).trim().toLowerCase() : ''
    if (name && fields.has(name)) name = ''
    if (name) fields.set(name, line.slice(colon + 1).trim())
  }
  return fields
}

const listOf = (block: string, name: string): string[] =>
  block
    .split(/\r?\n/)
    .flatMap((line) => (line.toLowerCase().startsWith(`${name}:`) ? [line.slice(name.length + 1)] : []))

const addressIn = (text: string): string | null => ADDRESS.exec(text.slice(0, 4_000))?.[0].toLowerCase() ?? null
function hostOf(field: string | undefined): string | null {
  const host = field
    ?.replace(/^[\w-]{1,20}\s*;\s*/, '')
    .trim()
    .split(/[\s([,]/)[0]
    ?.slice(0, 255)
    .toLowerCase()
  return host || null
}
const shortened = (text: string): string | null => text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_DIAGNOSTIC) || null

function readOriginal(original: string): Pick<ReadBounce, 'messageId' | 'unsubscribeLinks'> {
  const head = original.slice(0, 16_000).replaceAll(/\r?\n[ \t]+/g, ' ')
  const messageId = /^message-id:\s{0,5}<?([^\s<>]{1,300})>?/im.exec(head)?.[1] ?? null
  const links = /^list-unsubscribe:([^\r\n]{1,2000})/im.exec(head)?.[1] ?? ''
  return {
    messageId,
    unsubscribeLinks: [...links.matchAll(/<(https?:[^<>\s]{1,1000})>/gi)].map(([, link]) => link ?? ''),
  }
}

const SHOWN_HEADERS = ['from', 'to', 'date', 'subject', 'message-id', 'auto-submitted']
function evidenceOf({ headers, deliveryStatus, feedback }: MailParts, own: string): string {
  const head = SHOWN_HEADERS.flatMap((name) => (headers.has(name) ? [`${name}: ${headers.get(name)}`] : []))
  const fields = deliveryStatus ?? feedback ?? ''
  return [head.join('\n'), fields.slice(0, MAX_EVIDENCE / 2), own]
    .map((text) =>
      text
        .replaceAll(/\r\n?/g, '\n')
        .replaceAll(/\n{3,}/g, '\n\n')
        .trim(),
    )
    .filter((text) => text !== '')
    .join('\n\n')
    .slice(0, MAX_EVIDENCE)
}
