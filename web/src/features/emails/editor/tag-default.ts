import type { ContentTag } from '@okaeri/contract/emails/email'

/** What a customer or an event may lack, so that something else can stand there. */
export const mayBeEmpty = ({ category, value }: Pick<ContentTag, 'category' | 'value'>): boolean =>
  value === 'text' && (category === 'customer' || category === 'metafields' || category === 'scenario')

/** `{{ customer.name | default: "…" }}`. Whichever quotes are not in the text stand around it. */
export function withDefault(tag: string, instead: string): string {
  // Two braces or a sign of control would end the tag, or the text.
  const text = instead.replaceAll(/[{}\p{Cc}]/gu, '').trim()
  if (text === '') return tag
  const quoted = text.includes('"') ? `'${text.replaceAll("'", '’')}'` : `"${text}"`
  return tag.replace(/ ?\}\}$/, ` | default: ${quoted} }}`)
}
