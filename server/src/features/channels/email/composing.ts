import type { Localized } from '@okaeri/contract/locale'
import {
  type Escape,
  MARKERS,
  type MailParts,
  type MessageData,
  oneLine,
  type Part,
  plainValue,
} from '../../email-rendering/index.ts'
import {
  base64Writer,
  chooseEncoding,
  headerMailbox,
  headerText,
  type PartWriter,
  type Piece,
  quotedPrintableWriter,
  toCrlf,
} from './encoding.ts'

/** What is the same for everyone who gets it: a row of `messages`. */
export interface FrozenMessage {
  id: string
  fromName: string
  fromEmail: string
  replyTo: string | null
}

/** One recipient's part of a mail. */
export interface Recipient {
  deliveryId: string
  /** See link-token.ts. */
  token: string
  /** Addresses on the To line: the customer's, or the test addresses. */
  to: readonly string[]
  /** In test mode: who would have got it. */
  intendedFor: string | null
  data: MessageData
  /** What only the engine can say, made beforehand: see `Part`. */
  texts: readonly string[]
}

/**
 * A whole mail ready for the wire: CRLF line ends, no line begins with a dot, ends with a line end. Written into `scratch` when it fits
 * there (and is then overwritten by the next mail composed into it): a mail of its own memory each would be megabytes a millisecond.
 */
export type Compose = (recipient: Recipient, at: Date, scratch?: Buffer) => Composed
export interface Composed {
  body: Buffer
  /** Of a subject that says something else to each: what it says to this one, as lists show it. Null where it is the same for everybody. */
  subject: string | null
}
/** What is kept of a subject beside its delivery. */
const MAX_KEPT_SUBJECT = 500

/** Of one mail: values are filled in where pages and other mails wait. */
const MAX_VALUE_CHARACTERS = 500_000

/** Answers what a part says to one recipient; throws when the values of one mail are more than any mail says. */
function createSpeaker() {
  let characters = 0
  return {
    begin(): void {
      characters = 0
    },
    say(part: Part, { data, texts }: Recipient, escape: Escape): string {
      if (typeof part === 'string') return part
      // Counted where it was made.
      if ('text' in part) return texts[part.text] ?? ''
      const value = plainValue(part, data, escape)
      characters += value.length
      if (characters > MAX_VALUE_CHARACTERS) throw new Error('its values are longer than any mail')
      return value
    },
  }
}
type Speaker = ReturnType<typeof createSpeaker>

/**
 * Compiles a message once; what it answers fills in one recipient's values. The fixed text is split at tags and markers, encoded
 * for the wire beforehand, and joined with the few dynamic bytes of each recipient.
 */
export function compileMessage(
  message: FrozenMessage,
  { subject, html, text }: MailParts,
  { publicUrl, language }: { publicUrl: string; language: 'ja' | 'en' },
): Compose {
  const speaker = createSpeaker()
  const boundary = `=_${message.id.replaceAll('-', '')}`
  const parts = [
    compilePart('plain', text, { publicUrl, boundary, speaker }),
    compilePart('html', html, { publicUrl, boundary, speaker }),
  ]
  const domain = message.fromEmail.slice(message.fromEmail.lastIndexOf('@') + 1)
  const fixedHead = [
    `From: ${headerMailbox(oneLine(message.fromName), message.fromEmail)}`,
    ...(message.replyTo ? [`Reply-To: <${message.replyTo}>`] : []),
    'MIME-Version: 1.0',
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    `Content-Type: multipart/alternative;\r\n boundary="${boundary}"`,
  ].join('\r\n')
  const end = Buffer.from(`--${boundary}--\r\n`, 'latin1')
  const fixedSubject = subject.every((part) => typeof part === 'string')
    ? headerText(oneLine(subject.join('')), 7)
    : null

  return (recipient, at, scratch) => {
    const { deliveryId, token } = recipient
    speaker.begin()
    const said = (): string => subject.map((part) => speaker.say(part, recipient, 'text')).join('')
    const own = fixedSubject === null ? said() : null
    const line =
      fixedSubject !== null && !recipient.intendedFor
        ? fixedSubject
        : headerText(
            oneLine(`${recipient.intendedFor ? testPrefix(recipient.intendedFor)[language] : ''}${own ?? said()}`),
            7,
          )
    const head = [
      fixedHead,
      `To: ${recipient.to.map((address) => `<${address}>`).join(',\r\n ')}`,
      `Subject: ${line}`,
      `Date: ${rfc5322Date(at)}`,
      // The same at every try: a mailbox that got it twice can tell.
      `Message-ID: <${deliveryId}@${domain}>`,
      `List-Unsubscribe: <${publicUrl}/u/${token}>`,
      `X-Okaeri-Delivery: ${deliveryId}`,
    ].join('\r\n')
    const out: Buffer[] = [Buffer.from(`${head}\r\n\r\n`, 'latin1')]
    for (const write of parts) write(recipient, out)
    out.push(end)
    return { body: join(out, scratch), subject: own === null ? null : shortened(oneLine(own)) }
  }
}

/** No character is split. */
const shortened = (text: string): string =>
  text.length <= MAX_KEPT_SUBJECT ? text : `${text.slice(0, MAX_KEPT_SUBJECT).replace(/[\uD800-\uDBFF]$/, '')}…`

function join(pieces: readonly Buffer[], scratch: Buffer | undefined): Buffer {
  let size = 0
  for (const piece of pieces) size += piece.length
  if (!scratch || scratch.length < size) return Buffer.concat(pieces, size)
  let at = 0
  for (const piece of pieces) at += piece.copy(scratch, at)
  return scratch.subarray(0, size)
}

function compilePart(
  kind: 'plain' | 'html',
  parts: readonly Part[],
  { publicUrl, boundary, speaker }: { publicUrl: string; boundary: string; speaker: Speaker },
): PartWriter<Recipient> {
  const escape = kind === 'html' ? 'html' : 'text'
  const pieces = parts.flatMap((part): Piece<Recipient>[] =>
    typeof part === 'string'
      ? splitAtMarkers(part, publicUrl)
      : [(recipient) => fillMarkers(speaker.say(part, recipient, escape), publicUrl, recipient.token)],
  )
  const encoding = chooseEncoding(pieces.filter((piece) => typeof piece !== 'function'))
  const write = encoding === 'base64' ? base64Writer(pieces) : quotedPrintableWriter(pieces)
  const head = Buffer.from(
    `--${boundary}\r\nContent-Type: text/${kind}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`,
    'latin1',
  )
  return (recipient, out) => {
    out.push(head)
    write(recipient, out)
  }
}

const tokenOf = (recipient: Recipient): string => recipient.token

/** Fixed bytes around markers, with the recipient's token as the only thing between them. */
function splitAtMarkers(text: string, publicUrl: string): Piece<Recipient>[] {
  const pieces: Piece<Recipient>[] = []
  let fixed = ''
  let from = 0
  const flush = (): void => {
    if (fixed !== '') pieces.push(Buffer.from(toCrlf(fixed), 'utf8'))
    fixed = ''
  }
  for (const found of text.matchAll(MARKERS)) {
    const [before, after] = addressAround(found[1], publicUrl)
    fixed += text.slice(from, found.index) + before
    flush()
    pieces.push(tokenOf)
    fixed = after
    from = found.index + found[0].length
  }
  fixed += text.slice(from)
  flush()
  return pieces
}

/** Markers inside what a tag rendered (a link within `{% if %}`). */
const fillMarkers = (text: string, publicUrl: string, token: string): string =>
  text.replace(MARKERS, (_, position: string | undefined) => addressAround(position, publicUrl).join(token))

const addressAround = (position: string | undefined, publicUrl: string): [string, string] =>
  position === undefined ? [`${publicUrl}/o/`, '.gif'] : [`${publicUrl}/c/`, `-${position}`]

const testPrefix = (intendedFor: string): Localized => ({
  ja: `[テスト: ${intendedFor} 宛] `,
  en: `[Test for ${intendedFor}] `,
})

/** RFC 5322 date, in UTC; that the zone has a number and no name is all in which it differs from HTTP's. */
const rfc5322Date = (at: Date): string => at.toUTCString().replace('GMT', '+0000')
