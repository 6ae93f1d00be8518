import { type Finding, SIZE_CLIPPING_BYTES, SIZE_WARNING_BYTES } from '@okaeri/contract/emails/email'
import type { PreparedContent } from '../content.ts'
import { finding } from './finding.ts'
import type { MessageData } from '../data/message-data.ts'
import { MARKERS, OPEN_MARKER } from '../parts.ts'

/** base64url of two ids and a MAC: what stands for a recipient in each link of the mail. */
const LINK_TOKEN_LENGTH = 56
const EXAMPLE_TOKEN = 'x'.repeat(LINK_TOKEN_LENGTH)

/** Bytes of the final HTML, links and pixel as long as they will be; markers are still in it. */
export function sizeOfRendered(html: string, publicUrl: string): number {
  const final = html.replace(MARKERS, (_, position: string | undefined) =>
    position === undefined ? `${publicUrl}/o/${EXAMPLE_TOKEN}.gif` : `${publicUrl}/c/${EXAMPLE_TOKEN}-${position}`,
  )
  return Buffer.byteLength(final)
}

export interface MailToCheck {
  prepared: PreparedContent
  /** As rendered; null when that cannot be rendered. Then what is in the mail cannot be said. */
  subject: string | null
  /** Made from the HTML. */
  text: string | null
  /** Written by a person; null where none is, or it cannot be rendered. */
  written: string | null
  /** Who the data shows it to: a real customer or an example. */
  data: MessageData
  sizeBytes: number | null
  /** The sender's domain is one of public mail services. */
  publicSender: boolean
}

/**
 * What keeps a mail from being sent, or should be looked at first (Japanese law on advertising mail: sender's name, postal address, a
 * contact and the way to unsubscribe must be in the mail). Read from the plain text part: what is hidden or only in a picture does
 * not count.
 */
export function preflight({ prepared, subject, text, written, data, sizeBytes, publicSender }: MailToCheck): Finding[] {
  const found = [...prepared.findings]
  if (subject === '') found.push(finding('no_subject'))
  if (text !== null) {
    if (text.trim() === '' && !hasPicture(prepared.html)) found.push(finding('no_content'))
    for (const lack of lacking(text, prepared, data)) found.push(finding(`no_${lack}`))
  }
  if (written !== null) {
    // Who reads the text sees nothing of the HTML.
    if (written.trim() === '') found.push(finding('text_empty'))
    for (const lack of lacking(written, { ...prepared, html: '' }, data)) found.push(finding(`text_no_${lack}`))
  }
  if (!data.sender.email) found.push(finding('sender_missing'))
  else if (publicSender) found.push(finding('sender_domain_public', data.sender.email))
  if (sizeBytes !== null && sizeBytes > SIZE_CLIPPING_BYTES) found.push(finding('size_clipped', String(sizeBytes)))
  else if (sizeBytes !== null && sizeBytes > SIZE_WARNING_BYTES)
    found.push(finding('size_near_clipping', String(sizeBytes)))
  return found
}

function lacking(text: string, prepared: PreparedContent, data: MessageData) {
  const lacks: ('postal_address' | 'contact' | 'sender_name')[] = []
  if (!data.store.postal_address || !shows(text, data.store.postal_address)) lacks.push('postal_address')
  if (!showsContact(text, prepared, data)) lacks.push('contact')
  const names = [data.sender.name, data.store.name].filter(Boolean)
  if (!data.sender.name || !names.some((name) => shows(text, name))) lacks.push('sender_name')
  return lacks
}

const hasPicture = (html: string): boolean => /<img\b/i.test(html.replace(`<img src="${OPEN_MARKER}"`, ''))

/** Blanks and width differ between what is typed in the settings and into a mail. */
const folded = (text: string): string => text.normalize('NFKC').replace(/\s+/g, '').toLowerCase()
const shows = (text: string, value: string): boolean => folded(text).includes(folded(value))
const digits = (text: string): string => text.normalize('NFKC').replace(/[^\d]/g, '')

// Bounded: without it a long run of letters takes quadratic time, and the whole process stands still meanwhile.
const ADDRESS_OR_NUMBER =
  /[\w.+-]{1,64}@[\w-]{1,63}\.\w|(?:\+81|0)\d{1,4}[-‐ー ]\d{1,4}[-‐ー ]\d{3,4}|\b0(?:120|[5789]0)\d{6,8}\b/
const CONTACT_WORDS = /contact|inquir|enquir|support|help|toiawase|問い?合わ?せ|お問合せ|サポート/i

/** A mail address, a phone number, or a link to a page for questions. */
function showsContact(text: string, prepared: PreparedContent, { store, customer }: MessageData): boolean {
  // The recipient's own address is no contact.
  const own = customer.email ? text.replaceAll(customer.email, '') : text
  if (store.contact_email && shows(own, store.contact_email)) return true
  if (store.contact_phone && digits(own).includes(digits(store.contact_phone).replace(/^81/, ''))) return true
  if (/href=["']?(?:mailto|tel):[^"'{]/i.test(prepared.html) || ADDRESS_OR_NUMBER.test(own.normalize('NFKC')))
    return true
  return (
    prepared.links.some((link) => CONTACT_WORDS.test(link)) ||
    /(?:問い?合わ?せ|contact)[^\n]{0,40}(?:\p{Cc}L|https?:)/iu.test(own)
  )
}
