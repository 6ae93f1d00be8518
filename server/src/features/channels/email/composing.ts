import { hash } from 'node:crypto'
import type { Localized } from '@okaeri/contract/locale'
import { createDkimSigner, type DkimKey, relaxedHeader } from '../../../integrations/mail/dkim.ts'
import {
  type Escape,
  MARKERS,
  type MailParts,
  type MessageData,
  type OwnProducts,
  oneLine,
  type Part,
  plainValue,
} from '../../email-rendering/index.ts'
import {
  base64Writer,
  type Choice,
  chooseEncoding,
  headerMailbox,
  headerText,
  type PartWriter,
  type Piece,
  quotedPrintableWriter,
  toCrlf,
  type BodyLines,
  write,
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
  /** See bounce-token.ts. */
  bounceToken: string
  /** Addresses on the To line: the customer's, or the test addresses. */
  to: readonly string[]
  /** In test mode: who would have got it. */
  intendedFor: string | null
  data: MessageData
  /** What only the engine can say, made beforehand: see `Part`. */
  texts: readonly string[]
  /** Products of the recipient's own, by their choice. */
  chosen: Readonly<Record<string, readonly ProductCards[]>>
}
/** What the mail's blocks say of one product, by the card's number: one object for all who are shown it. */
export interface ProductCards {
  cards: readonly string[]
}

/**
 * A whole mail ready for the wire: CRLF line ends, no line begins with a dot, ends with a line end. Its signature is still being made: the mail
 * begins after `room` bytes, into which {@link withSignature} writes it. Written into `scratch` when it fits
 * there (and is then overwritten by the next mail composed into it): a mail of its own memory each would be megabytes a millisecond.
 */
export type Compose = (recipient: Recipient, at: Date, scratch?: Buffer) => ComposedBytes
export interface ComposedBytes {
  /** With the room before it. */
  bytes: Buffer
  room: number
  /** The header field that signs it; null where no key does. */
  signature: Promise<Buffer> | null
  /** The subject this recipient got, for lists, if it differs by recipient or comes from a variant. Null where all got the same. */
  subject: string | null
}
/** The mail as it leaves, its signature first. */
export async function withSignature({ bytes, room, signature }: ComposedBytes): Promise<Buffer> {
  if (!signature) return bytes
  const field = await signature
  const start = room - field.length
  field.copy(bytes, start)
  return bytes.subarray(start)
}

/**
 * What a signature vouches for. Fields that mail programs show are named twice, so that no second one can be added. Both fields of one-click
 * unsubscribing have to be among them (RFC 8058 §4).
 */
const SIGNED_FIELDS = ['from', 'to', 'subject', 'date', 'reply-to'] as const
const SIGNED_ONCE = ['message-id', 'mime-version', 'content-type', 'list-unsubscribe', 'list-unsubscribe-post'] as const

/** What is kept of a subject beside its delivery. */
const MAX_KEPT_SUBJECT = 500

/** Most mails fit: Gmail clips them at 102 kB of HTML. */
export const SCRATCH_BYTES = 192 * 1024

/** Per mail: values are filled in on the thread where pages and other mails wait. */
const MAX_VALUE_CHARACTERS = 500_000
/** Per mail: as much as the engine may produce for one. */
const MAX_CARD_CHARACTERS = 2_500_000

/** Returns what a part says to one recipient; throws when the values of one mail are more than any mail says. */
function createPartRenderer() {
  let characters = 0
  let cardCharacters = 0
  return {
    begin(): void {
      characters = 0
      cardCharacters = 0
    },
    render(part: Part, { data, texts }: Recipient, escape: Escape): string {
      if (typeof part === 'string') return part
      // Counted where it was made.
      if ('text' in part) return texts[part.text] ?? ''
      if ('card' in part) throw new Error('products stand in the body alone')
      const value = plainValue(part, data, escape)
      characters += value.length
      if (characters > MAX_VALUE_CHARACTERS) throw new Error('its values are longer than any mail')
      return value
    },
    countCards(count: number): void {
      cardCharacters += count
      if (cardCharacters > MAX_CARD_CHARACTERS) throw new Error('its products are longer than any mail')
    },
  }
}
type PartRenderer = ReturnType<typeof createPartRenderer>

/**
 * Compiles a message once; what it answers fills in one recipient's values. The fixed text is split at tags and markers, encoded
 * for the wire beforehand, and joined with the few dynamic bytes of each recipient.
 */
export function compileMessage(
  message: FrozenMessage,
  { subject, html, text }: MailParts,
  {
    publicUrl,
    language,
    dkim = null,
    keepsSubject = false,
  }: {
    publicUrl: string
    language: 'ja' | 'en'
    dkim?: DkimKey | null
    /** For a variant: lists show its subject beside each delivery, not that of the base. */
    keepsSubject?: boolean
  },
): Compose {
  const renderer = createPartRenderer()
  const boundary = `=_${message.id.replaceAll('-', '')}`
  const parts = [
    compilePart('plain', text, { publicUrl, boundary, renderer }),
    compilePart('html', html, { publicUrl, boundary, renderer }),
  ]
  const domain = message.fromEmail.slice(message.fromEmail.lastIndexOf('@') + 1)
  const fixed = [
    `From: ${headerMailbox(oneLine(message.fromName), message.fromEmail)}`,
    ...(message.replyTo ? [`Reply-To: <${message.replyTo}>`] : []),
    'MIME-Version: 1.0',
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    `Content-Type: multipart/alternative;\r\n boundary="${boundary}"`,
  ]
  const fixedHead = fixed.join('\r\n')
  const signing = dkim && createSigning(dkim, fixed)
  const room = signing?.room ?? 0
  const end = Buffer.from(`--${boundary}--\r\n`, 'latin1')
  const fixedSubject = subject.every((part) => typeof part === 'string')
    ? headerText(oneLine(subject.join('')), 7)
    : null

  return (recipient, at, scratch) => {
    const { deliveryId, token, bounceToken } = recipient
    renderer.begin()
    const renderSubject = (): string => subject.map((part) => renderer.render(part, recipient, 'text')).join('')
    const own = fixedSubject === null || keepsSubject ? renderSubject() : null
    const line =
      fixedSubject !== null && !recipient.intendedFor
        ? fixedSubject
        : headerText(
            oneLine(
              `${recipient.intendedFor ? testPrefix(recipient.intendedFor)[language] : ''}${own ?? renderSubject()}`,
            ),
            7,
          )
    const ownHead = [
      `To: ${recipient.to.map((address) => `<${address}>`).join(',\r\n ')}`,
      `Subject: ${line}`,
      `Date: ${rfc5322Date(at)}`,
      // The same at every try: a mailbox that got it twice can tell. Of a mail that comes back it may be all that is left.
      `Message-ID: <${bounceToken}@${domain}>`,
      `List-Unsubscribe: <${publicUrl}/u/${token}>`,
      `X-Okaeri-Delivery: ${deliveryId}`,
    ]
    const head = Buffer.from(`${fixedHead}\r\n${ownHead.join('\r\n')}\r\n\r\n`, 'latin1')
    const body: BodyLines = { wire: [head], signed: signing ? [] : null }
    for (const writePart of parts) writePart(recipient, body)
    write(body, end)
    return {
      bytes: join(body.wire, room, scratch),
      room,
      signature: signing && body.signed ? signing.sign(ownHead, body.signed, at) : null,
      subject: own === null ? null : shortened(oneLine(own)),
    }
  }
}

/** No character is split. */
const shortened = (text: string): string =>
  text.length <= MAX_KEPT_SUBJECT ? text : `${text.slice(0, MAX_KEPT_SUBJECT).replace(/[\uD800-\uDBFF]$/, '')}…`

/** Behind so much room. */
function join(pieces: readonly Buffer[], room: number, scratch: Buffer | undefined): Buffer {
  let size = room
  for (const piece of pieces) size += piece.length
  const into = scratch && scratch.length >= size ? scratch : Buffer.allocUnsafe(size)
  let at = room
  for (const piece of pieces) at += piece.copy(into, at)
  return into.subarray(0, size)
}

/** The fields that are the same for all are made ready once. Nothing of a mail but its hash and its fields is held until it is signed. */
function createSigning(dkim: DkimKey, fixed: readonly string[]) {
  const signer = createDkimSigner(dkim, [...SIGNED_FIELDS.flatMap((name) => [name, name]), ...SIGNED_ONCE])
  const wanted: readonly string[] = [...SIGNED_FIELDS, ...SIGNED_ONCE]
  const placeOf = (field: string): number => wanted.indexOf(field.slice(0, field.indexOf(':')))
  const ready = fixed.map(relaxedHeader)
  // Mails are composed one after the other, each in one turn of the event loop.
  const scratch = Buffer.allocUnsafe(SCRATCH_BYTES)
  return {
    room: signer.room,
    sign(own: readonly string[], body: readonly Buffer[], at: Date): Promise<Buffer> {
      const fields = [...ready, ...own.map(relaxedHeader)].filter((field) => placeOf(field) >= 0)
      fields.sort((one, other) => placeOf(one) - placeOf(other))
      const signature = signer.sign(fields, hash('sha256', join(body, 0, scratch), 'base64'), at)
      // Asked for when its mail is handed over. One that never is, is not missed.
      signature.catch(() => {})
      return signature
    },
  }
}

function compilePart(
  kind: 'plain' | 'html',
  parts: readonly Part[],
  { publicUrl, boundary, renderer }: { publicUrl: string; boundary: string; renderer: PartRenderer },
): PartWriter<Recipient> {
  const escape = kind === 'html' ? 'html' : 'text'
  const pieces = parts.flatMap((part): Piece<Recipient>[] => {
    if (typeof part === 'string') return splitAtMarkers(part, publicUrl)
    if ('card' in part) return [cardsOf(part, publicUrl, renderer)]
    return [(recipient) => fillMarkers(renderer.render(part, recipient, escape), publicUrl, recipient.token)]
  })
  const encoding = chooseEncoding(pieces.filter((piece) => Buffer.isBuffer(piece)))
  const writePart = encoding === 'base64' ? base64Writer(pieces) : quotedPrintableWriter(pieces)
  const head = Buffer.from(
    `--${boundary}\r\nContent-Type: text/${kind}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`,
    'latin1',
  )
  return (recipient, out) => {
    write(out, head)
    writePart(recipient, out)
  }
}

/** The cards of the recipient's products: each is encoded once, and only the token in it differs. */
function cardsOf(
  { card, choice, otherwise }: OwnProducts,
  publicUrl: string,
  renderer: PartRenderer,
): Choice<Recipient> {
  const nothing: readonly ProductCards[] = [{ cards: [] }]
  const textOf = ({ cards }: ProductCards): string => cards[card] ?? otherwise
  return {
    chosen({ chosen }) {
      const products = chosen[choice] ?? []
      const shown = products.length > 0 ? products : nothing
      for (const one of shown) renderer.countCards(textOf(one).length)
      return shown
    },
    piecesOf: (one) => splitAtMarkers(textOf(one as ProductCards), publicUrl),
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
