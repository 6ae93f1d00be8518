import type { FailureClass } from '@okaeri/contract/deliveries/delivery'
import { isCarrier } from '../bounces/verdict.ts'

/** A mail server's answer: RFC 5321 code, RFC 3463 enhanced status where there is one, and its text in one line. */
export interface SmtpReply {
  code: number
  enhanced: string | null
  text: string
}

/** The lines of one answer. What begins with no code has the code 0. */
export function parseReply(lines: readonly string[]): SmtpReply {
  const code = Number(lines[0]?.slice(0, 3)) || 0
  // No database text holds a NUL.
  const text = lines
    .map((line) => line.slice(4))
    .join(' ')
    .replaceAll('\0', '')
  const enhanced = /^([245]\.\d{1,3}\.\d{1,3})\b/.exec(text)?.[1] ?? null
  return { code, enhanced, text: `${code} ${text}`.trim().slice(0, 2000) }
}

/**
 * Words by which servers say "you have sent enough for now". Codes alone do not tell: 450, 451 and 452 are used for a full mailbox,
 * for greylisting and for quotas alike (pain 12).
 */
const QUOTA_WORDS =
  /quota exceeded for (?:sending|sender)|sending (?:limit|quota|rate)|daily (?:user )?(?:sending )?(?:limit|quota)|rate.?limit|too many (?:messages|emails|mails|connections|recipients)|maximum (?:sending rate|number of)|throttl|message rate|exceeded (?:the|your) .{0,100}(?:limit|rate|quota)/i

/** Words about what this account or address may send, independent of the recipient. */
const ACCOUNT_WORDS =
  /quota|daily|(?:your|this) (?:account|plan)|sending (?:limit|rate)|throttling failure|credits?\b|per (?:day|month)|too many (?:connections|recipients)/i

/**
 * Words by which a receiving operator says that it takes fewer of ours at a time: Gmail and Yahoo (4.7.0 with TSS or TS codes, 4.7.28),
 * Microsoft (4.7.500, RP-001), Apple, carriers. 4.7.1 is left out: greylisting says it.
 */
const RECEIVER_WORDS =
  /deferred|unexpected volume|unusual rate|server (?:is )?busy|temporarily (?:blocked|rate)|try(?:ing)? again (?:later )?slower|reduce (?:your|the) (?:sending|message) rate|\bRP-00\d\b|\bTSS?\d{2}\b/i

/** Words by which a sending service says that it was too much within a second or a minute: not for the day, and not about the mail. */
const SENDING_RATE_WORDS =
  /maximum (?:sending|send|message|submission) rate|(?:sending|send|message|submission) rate (?:limit )?(?:was |is )?exceeded|exceeded .{0,60}(?:sending|send|message|submission) rate|(?:mails|messages|emails) per (?:second|minute)/i

/** Whether it takes as many as it likes, a little slower. */
export const isSendingRate = ({ code, text }: SmtpReply): boolean =>
  code >= 400 && code < 500 && SENDING_RATE_WORDS.test(text) && !/dai?ly|day|month|hour/i.test(text)

/** Words by which a server says that it takes no further connection of ours. What goes over those that it took is not meant. */
const CONNECTION_WORDS =
  /(?:too many|limit|maximum|concurrent|exceed|max).{0,60}(?:connect|clients|sessions)|(?:connect|clients|sessions)\S{0,10} .{0,60}(?:too many|limit|maximum|exceed)/i

/** Whether a refusal is about one connection more, not about the mail: by its words, or 421 at the door while others of ours are inside. */
export function isCrowded({ code, text }: SmtpReply, stage: SmtpStage, others: number): boolean {
  if (code < 400 || code >= 500 || (stage !== 'connect' && stage !== 'sender')) return false
  return CONNECTION_WORDS.test(text) || (stage === 'connect' && code === 421 && others > 0)
}

/** Where in the conversation a refusal came. A refusal of the sender, or of everything, is not the recipient's fault. */
export type SmtpStage = 'connect' | 'sender' | 'recipient' | 'data' | 'body'

/**
 * What a refusal means for the message. `quota` postpones the whole mailer and burns no attempt; `receiver_limit` slows down what goes to the
 * receiving operator; `configuration` concerns every message of the mailer; `temporary` is tried again for this message; `permanent` and `content` are not.
 */
export function classifyReply(reply: SmtpReply, stage: SmtpStage): Exclude<FailureClass, 'warm_up'> {
  const { code, enhanced, text } = reply
  // 4.7.28 (rate) and 5.4.5 (daily sending limit) are about the mailer, at every stage. 452 4.5.3: too many recipients.
  const quota = QUOTA_WORDS.test(text) || enhanced === '4.7.28' || enhanced === '5.4.5' || enhanced === '4.5.3'
  // What is said before a recipient is named is about us, whatever the words; and so is it when it names the account.
  const namesRecipient = stage !== 'connect' && stage !== 'sender'
  if (namesRecipient && code >= 400 && code < 500 && !ACCOUNT_WORDS.test(text) && isReceiversLimit(reply, quota))
    return 'receiver_limit'
  if (quota) return 'quota'
  if (code === 421) return 'quota'
  if (stage === 'connect' || stage === 'sender') {
    if (code >= 400 && code < 500) return code === 450 || code === 451 || code === 452 ? 'temporary' : 'configuration'
    return 'configuration'
  }
  if (code === 530 || code === 535 || code === 534) return 'configuration'
  if (code >= 400 && code < 500) return 'temporary'
  if (stage === 'body' && (enhanced?.startsWith('5.6') || enhanced === '5.7.1' || code === 554)) return 'content'
  return 'permanent'
}

/** 4.3.x is about the server we talk to, not about who takes the mail in the end (RFC 3463 §3.4). */
function isReceiversLimit({ code, enhanced, text }: SmtpReply, byQuotaWords: boolean): boolean {
  if (enhanced?.startsWith('4.3.')) return false
  if (byQuotaWords) return enhanced !== '4.5.3'
  if (enhanced === '4.7.1') return false
  return RECEIVER_WORDS.test(text) || (code === 421 && (enhanced?.startsWith('4.7.') ?? false))
}

/** RFC 3463: the address itself does not exist. One such answer of a carrier is not believed (domain.md §9). */
const HARD = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10'])
/** Whether a refusal says that the address itself does not exist, so that it is never mailed again. */
export function isHardBounce(reply: SmtpReply, address: string): boolean {
  if (isCarrier(address.toLowerCase())) return false
  return (
    reply.code === 550 &&
    (reply.enhanced
      ? HARD.has(reply.enhanced)
      : /(user|mailbox|recipient|address).{0,100}(unknown|not (?:found|exist))|no such (?:user|mailbox)|unknown user/i.test(
          reply.text,
        ))
  )
}
