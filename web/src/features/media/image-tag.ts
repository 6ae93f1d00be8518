import type { UserMedia } from '@okaeri/contract/media/media'

/** Mails are so wide; the copy for mails has twice as many pixels. */
const MAIL_WIDTH = 600

/** Braces are tags where mails are filled in. */
const signs: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '{': '&#123;',
  '}': '&#125;',
}
const escaped = (text: string): string => text.replace(/[&<>"{}]/g, (sign) => signs[sign] ?? sign)

/** Outlook takes the width from the attribute, phones make it narrower by the style. */
export function imageTag({
  url,
  mail,
  width,
  alt_text,
}: Pick<UserMedia, 'url' | 'mail' | 'width' | 'alt_text'>): string {
  const shown = Math.min(width ?? MAIL_WIDTH, MAIL_WIDTH)
  return `<img src="${escaped(mail?.url ?? url)}" alt="${escaped(alt_text)}" width="${shown}" style="display:block;max-width:100%;height:auto">`
}
