import { TextDecoder } from 'node:util'
import { decodeWords } from 'postal-mime'

/** A mail taken apart as far as a bounce needs it. All texts are shortened. */
export interface MailParts {
  /** The fields of the mail itself, names in lower case; of several with one name the first. */
  headers: ReadonlyMap<string, string>
  /** What people read. */
  text: string
  /** RFC 3464 fields, also where they stand in no part of their own. */
  deliveryStatus: string | null
  /** RFC 5965 fields. */
  feedback: string | null
  /** Headers of the mail that came back. */
  original: string | null
}

/** What a report says stands at its beginning; behind it is the mail that came back, of any size. */
export const READ_BYTES = 128 * 1024
const MAX_TEXT = 16_000
const MAX_FIELDS = 32_000
const MAX_HEAD = 32_000
const MAX_HEADERS = 200
const MAX_DEPTH = 10
const MAX_PARTS = 50
/** Lines of a text that are looked at: more of them are no report. */
const MAX_LINES = 400

interface Part {
  type: string
  headers: Map<string, string>
  isAttachment: boolean
  /** Bytes as characters, not decoded yet. */
  body: string
}

/**
 * Reads the beginning of a mail. Never throws, and takes time in proportion to what is read: libraries that read whole mails take ten times as
 * long, and seconds for some that are made for it (docs/performance.md).
 */
export function readMailParts(mail: Uint8Array): MailParts {
  // No database text holds a NUL.
  const raw = Buffer.from(mail.buffer, mail.byteOffset, Math.min(mail.byteLength, READ_BYTES))
    .toString('latin1')
    .replaceAll('\0', '')
  const parts: Part[] = []
  const root = collect(raw, 0, parts)
  const named = (...types: string[]): Part[] => parts.filter(({ type }) => types.includes(type))
  const joined = (found: Part[]): string | null =>
    found.length === 0 ? null : found.map((part) => textOf(part, MAX_FIELDS)).join('\n\n')
  const read = named('text/plain').filter((part) => !part.isAttachment)
  const html = named('text/html').filter((part) => !part.isAttachment)
  const text = (joined(read)?.trim() || withoutTags(joined(html) ?? '').trim() || bodyOf(raw)).slice(0, MAX_TEXT)
  return {
    headers: new Map([...root].map(([name, value]) => [name, headerText(value)])),
    text: firstLines(text),
    deliveryStatus:
      joined(named('message/delivery-status', 'message/global-delivery-status')) ??
      fieldsIn(raw, 'reporting-mta', 'final-recipient'),
    feedback: joined(named('message/feedback-report')) ?? fieldsIn(raw, 'feedback-type'),
    original: joined(
      named(
        'message/rfc822',
        'text/rfc822-headers',
        'message/global',
        'message/global-headers',
        'message/rfc822-headers',
      ),
    ),
  }
}

/** Some write headers in plain UTF-8. */
const headerText = (value: string): string =>
  decodeWords(/[\x80-\xff]/.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value).replaceAll('\0', '')

/** All parts that hold no others, in their order; returns the headers of the outermost. */
function collect(raw: string, depth: number, parts: Part[]): Map<string, string> {
  const start = endOfHead(raw)
  const headers = readHeaders(raw.slice(0, Math.min(start, MAX_HEAD)))
  const contentType = headers.get('content-type') ?? 'text/plain'
  const type = contentType.split(/[;\s]/, 1)[0]?.toLowerCase() || 'text/plain'
  const body = raw.slice(start)
  const boundary = type.startsWith('multipart/')
    ? /boundary\s{0,3}=\s{0,3}(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType)
    : null
  const children = boundary && depth < MAX_DEPTH ? split(body, boundary[1] ?? boundary[2] ?? '') : []
  if (children.length > 0) {
    for (const child of children) {
      if (parts.length >= MAX_PARTS) break
      collect(child, depth + 1, parts)
    }
    return headers
  }
  const isAttachment = /^\s{0,3}attachment/i.test(headers.get('content-disposition') ?? '')
  parts.push({ type, headers, isAttachment, body })
  return headers
}

/** Where the body begins; at the end where there is none. A part may begin with an empty line: it has no headers. */
function endOfHead(raw: string): number {
  if (raw.startsWith('\n')) return 1
  if (raw.startsWith('\r\n')) return 2
  const [plain, crlf] = [raw.indexOf('\n\n'), raw.indexOf('\n\r\n')]
  if (plain === -1 && crlf === -1) return raw.length
  return crlf === -1 || (plain !== -1 && plain < crlf) ? plain + 2 : crlf + 3
}

function split(body: string, boundary: string): string[] {
  const delimiter = `--${boundary}`
  const children: string[] = []
  let begin = -1
  for (
    let at = body.indexOf(delimiter);
    at !== -1 && children.length < MAX_PARTS;
    at = body.indexOf(delimiter, at + delimiter.length)
  ) {
    // One report of mail history puts a space before it.
    if (at > 0 && body[at - 1] !== '\n' && !(body[at - 1] === ' ' && (at === 1 || body[at - 2] === '\n'))) continue
    if (begin !== -1) children.push(body.slice(begin, at))
    const line = body.indexOf('\n', at)
    begin = line === -1 ? body.length : line + 1
    if (body.startsWith('--', at + delimiter.length)) return children
  }
  // Cut off, or never ended.
  if (begin !== -1 && children.length < MAX_PARTS) children.push(body.slice(begin))
  return children
}

function readHeaders(head: string): Map<string, string> {
  const headers = new Map<string, string>()
  let name = ''
  for (const line of head.split('\n', MAX_HEADERS)) {
    if (line.startsWith(' ') || line.startsWith('\t')) {
      if (name) headers.set(name, `${headers.get(name)} ${line.trim()}`)
      continue
    }
    const colon = line.indexOf(':')
    name = colon > 0 ? line.slice(0, colon).trim().toLowerCase() : ''
    if (name && headers.has(name)) name = ''
    if (name)
      headers.set(
        name,
        line
          .slice(colon + 1)
          .trim()
          .slice(0, 2_000),
      )
  }
  return headers
}

function textOf({ type, headers, body }: Part, most: number): string {
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase() ?? ''
  // Headers of a mail that came back stand as they were.
  const whole = body.slice(0, most * 2)
  const bytes = encoding.startsWith('base64')
    ? Buffer.from(whole, 'base64')
    : encoding.startsWith('quoted-printable')
      ? Buffer.from(unquoted(whole), 'latin1')
      : Buffer.from(whole, 'latin1')
  const charset = /charset\s{0,3}=\s{0,3}"?([\w-]{1,40})/i.exec(
    type.startsWith('text/') ? (headers.get('content-type') ?? '') : '',
  )?.[1]
  return decoded(bytes, charset).slice(0, most).replaceAll('\0', '')
}

const unquoted = (text: string): string =>
  text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

const decoders = new Map<string, TextDecoder>()
/** Carriers write ISO-2022-JP also where they do not say so. */
function decoded(bytes: Buffer, charset: string | undefined): string {
  const name = bytes.includes('\u001B$') ? 'iso-2022-jp' : (charset?.toLowerCase() ?? 'utf-8')
  if (name === 'utf-8' || name === 'us-ascii') return bytes.toString('utf8')
  try {
    let decoder = decoders.get(name)
    if (!decoder) {
      decoder = new TextDecoder(name)
      if (decoders.size < 50) decoders.set(name, decoder)
    }
    return decoder.decode(bytes)
  } catch {
    // An unknown charset: its words in ASCII can still be read.
    return bytes.toString('latin1')
  }
}

const firstLines = (text: string): string => text.split('\n', MAX_LINES).join('\n')
/** The body of a mail whose parts cannot be separated. */
const bodyOf = (raw: string): string =>
  decoded(Buffer.from(raw.slice(endOfHead(raw), endOfHead(raw) + MAX_TEXT * 2), 'latin1'), undefined)

/** For a report whose parts are broken: the text from where its fields begin. */
function fieldsIn(raw: string, ...names: string[]): string | null {
  const folded = raw.toLowerCase()
  const found = names.map((name) => folded.indexOf(`\n${name}:`)).filter((at) => at !== -1)
  const first = Math.min(...found)
  return found.length === 0 ? null : raw.slice(first + 1, first + 1 + MAX_FIELDS)
}

const withoutTags = (html: string): string =>
  html
    .replaceAll(/<(?:br|\/p|\/div|\/tr|\/h\d|\/li)\b[^<>]{0,200}>/gi, '\n')
    .replaceAll(/<[^<>]{0,2000}>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
