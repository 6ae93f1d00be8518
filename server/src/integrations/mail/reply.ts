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

/** Where in the conversation a refusal came. A refusal of the sender, or of everything, is not the recipient's fault. */
export type SmtpStage = 'connect' | 'sender' | 'recipient' | 'data' | 'body'

/**
 * What a refusal means for the message. `quota` postpones the whole mailer and burns no attempt; `configuration` concerns every
 * message of the mailer; `temporary` is tried again for this message; `permanent` and `content` are not.
 */
export function classifyReply(reply: SmtpReply, stage: SmtpStage): FailureClass {
  const { code, enhanced, text } = reply
  // 4.7.28 (rate) and 5.4.5 (daily sending limit) are about the mailer, at every stage. 452 4.5.3: too many recipients.
  const quota = QUOTA_WORDS.test(text) || enhanced === '4.7.28' || enhanced === '5.4.5' || enhanced === '4.5.3'
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
