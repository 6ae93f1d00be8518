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
