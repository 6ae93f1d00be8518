import PostalMime, { decodeWords } from 'postal-mime'

/** What the list shows of a message, read from its first bytes without parsing the rest. */
export interface MailHead {
  from: string
  to: string
  subject: string
  messageId: string
}

// Enough for the headers of any mail we are sent; a longer block only loses what stands behind it in the list.
const headLimitBytes = 64 * 1024

/** The four headers the list needs. Never fails: a message without headers has four empty strings. */
export function readHead(raw: Buffer): MailHead {
  const limit = Math.min(raw.length, headLimitBytes)
  const end = raw.subarray(0, limit).indexOf('\r\n\r\n')
  const block = `\n${raw.toString('utf8', 0, end === -1 ? limit : end)}`
  const value = (name: RegExp) => decodeWords((name.exec(block)?.[1] ?? '').replace(/\r?\n[ \t]+/g, ' ').trim())
  return {
    from: value(/\nfrom:((?:[^\r\n]|\r?\n[ \t])*)/i),
    to: value(/\nto:((?:[^\r\n]|\r?\n[ \t])*)/i),
    subject: value(/\nsubject:((?:[^\r\n]|\r?\n[ \t])*)/i),
    messageId: value(/\nmessage-id:((?:[^\r\n]|\r?\n[ \t])*)/i),
  }
}

export interface MailLink {
  href: string
  text: string
}

export interface ParsedMail {
  headers: { name: string; value: string }[]
  html: string | null
  text: string | null
  links: MailLink[]
  attachments: { filename: string | null; mime_type: string; size: number; content_id: string | null }[]
}

/** The whole message, parsed. Inline images (`cid:`) become data addresses in the HTML. */
export async function parseSource(raw: Buffer): Promise<ParsedMail> {
  const email = await PostalMime.parse(raw)
  let html = email.html ?? null
  const attachments: ParsedMail['attachments'] = []
  for (const attachment of email.attachments) {
    const content =
      typeof attachment.content === 'string'
        ? Buffer.from(attachment.content)
        : Buffer.from(attachment.content as ArrayBuffer)
    const contentId = attachment.contentId?.replace(/^<|>$/g, '') ?? null
    if (html !== null && contentId !== null && contentId !== '') {
      html = html.replaceAll(`cid:${contentId}`, `data:${attachment.mimeType};base64,${content.toString('base64')}`)
    }
    attachments.push({
      filename: attachment.filename,
      mime_type: attachment.mimeType,
      size: content.length,
      content_id: contentId,
    })
  }
  const text = email.text ?? null
  return {
    headers: email.headers.map(({ originalKey, value }) => ({ name: originalKey, value: decodeWords(value) })),
    html,
    text,
    links: listLinks(html, text),
    attachments,
  }
}

/** Links in the order a reader meets them: those of the HTML, or of the text where there is no HTML. */
export function listLinks(html: string | null, text: string | null): MailLink[] {
  if (html === null) {
    return [...(text ?? '').matchAll(/https?:\/\/[^\s<>"'）」]+/g)].map(([href]) => ({ href, text: href }))
  }
  const links: MailLink[] = []
  for (const [, attributes, inside] of html.matchAll(/<a\b((?:[^>"']|"[^"]*"|'[^']*')*)>([\s\S]*?)<\/a\s*>/gi)) {
    const href = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes ?? '')
    if (href === null) continue
    const address = decodeEntities(href[1] ?? href[2] ?? href[3] ?? '').trim()
    links.push({ href: address, text: visibleText(inside ?? '') || altText(inside ?? '') })
  }
  return links
}

/** The words of an HTML mail as a reader sees them, on one line. */
export function visibleText(html: string): string {
  return decodeEntities(
    html
      .replace(/<!--[\s\S]*?-->/g, ' ')
      .replace(/<(style|script|head|title)\b[\s\S]*?<\/\1\s*>/gi, ' ')
      .replace(/<[^>]*>/g, ' '),
  )
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * The words of every text part, for searching: several times faster than parsing the message, and content to skip what
 * it does not understand.
 */
export function readWords(raw: Buffer, depth = 0): string {
  const split = raw.indexOf('\r\n\r\n')
  const head = `\n${raw.toString('latin1', 0, split === -1 ? raw.length : split)}`.replace(/\r?\n[ \t]+/g, ' ')
  const body = split === -1 ? Buffer.alloc(0) : raw.subarray(split + 4)
  const contentType = /\ncontent-type:[ \t]*([^\r\n]*)/i.exec(head)?.[1] ?? 'text/plain'
  const type = contentType.toLowerCase()
  if (type.startsWith('multipart/')) {
    const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType)
    // RFC 2046 puts no end to nesting; a reader may.
    if (boundary === null || depth > 8) return ''
    return partsOf(body, `--${boundary[1] ?? boundary[2]}`)
      .map((part) => readWords(part, depth + 1))
      .join(' ')
  }
  if (!type.startsWith('text/')) return ''
  const encoding = (/\ncontent-transfer-encoding:[ \t]*([^\s;]*)/i.exec(head)?.[1] ?? '').toLowerCase()
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body.toString('latin1'), 'base64')
      : encoding === 'quoted-printable'
        ? decodeQuotedPrintable(body)
        : body
  const text = decodeBytes(bytes, /;\s*charset="?([^\s;"]+)/.exec(type)?.[1] ?? 'utf-8')
  return type.startsWith('text/html') ? visibleText(text) : text
}

function partsOf(body: Buffer, delimiter: string): Buffer[] {
  const parts: Buffer[] = []
  let from = body.indexOf(delimiter)
  while (from !== -1) {
    const start = body.indexOf('\n', from) + 1
    const next = body.indexOf(`\n${delimiter}`, from + delimiter.length)
    if (start === 0 || next === -1) break
    parts.push(body.subarray(start, next))
    from = next + 1
  }
  return parts
}

function decodeQuotedPrintable(encoded: Buffer): Buffer {
  const decoded = Buffer.allocUnsafe(encoded.length)
  let length = 0
  for (let at = 0; at < encoded.length; at++) {
    const byte = encoded[at] ?? 0
    if (byte !== 0x3d) {
      decoded[length++] = byte
      continue
    }
    const next = encoded[at + 1]
    if (next === 0x0d && encoded[at + 2] === 0x0a) at += 2
    else if (next === 0x0a) at += 1
    else {
      const value = Number.parseInt(encoded.toString('latin1', at + 1, at + 3), 16)
      if (Number.isNaN(value)) decoded[length++] = byte
      else {
        decoded[length++] = value
        at += 2
      }
    }
  }
  return decoded.subarray(0, length)
}

function decodeBytes(bytes: Buffer, charset: string): string {
  if (charset === 'utf-8' || charset === 'us-ascii') return bytes.toString()
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    // An unknown charset: ASCII words are still found.
    return bytes.toString('latin1')
  }
}

/** Makes words comparable in a search: full and half width, upper and lower case are one. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

function altText(html: string): string {
  const alt = /\salt\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(html)
  return decodeEntities(alt?.[1] ?? alt?.[2] ?? '')
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', yen: '¥' }

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole
    const point = decimal !== undefined ? Number(decimal) : Number.parseInt(String(hex), 16)
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
}
