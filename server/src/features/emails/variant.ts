import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Design } from '@okaeri/contract/emails/design'
import type { EmailVariant, EmailVariantFields } from '@okaeri/contract/emails/email'
import { type Locale, locales, primaryLanguage } from '@okaeri/contract/locale'
import { invalid } from '../../kernel/errors.ts'

/** What an email says in one language. */
export interface LanguageContent {
  subject: string
  preheader: string
  content: string
  design: Design | null
  /** The plain-text part as a person wrote it; null: it is made from the content. */
  plain_text: string | null
}

/** The same email in another language, as it is kept. */
export interface Variant extends LanguageContent {
  language: Locale
  /** The hash of the content the plain text was written for. */
  plain_text_for: string | null
  size_bytes: number
}

/** As PostgreSQL's `md5`. */
export const hashOf = (content: string): string => createHash('md5').update(content).digest('hex')

/** The content was changed since a person wrote the plain text. */
export const isTextBehind = (said: { content: string; plain_text: string | null; plain_text_for: string | null }) =>
  said.plain_text !== null && said.plain_text_for !== hashOf(said.content)

/** For which content the plain text is written after a save. */
export function textWrittenFor(
  after: Pick<LanguageContent, 'content' | 'plain_text'>,
  before: (Pick<LanguageContent, 'plain_text'> & { plain_text_for: string | null }) | undefined,
  fits: boolean | undefined,
): string | null {
  if (after.plain_text === null) return null
  return before && before.plain_text === after.plain_text && !fits ? before.plain_text_for : hashOf(after.content)
}

export const presentVariant = ({ plain_text_for, ...variant }: Variant): EmailVariant => ({
  ...variant,
  plain_text_is_behind: isTextBehind({ ...variant, plain_text_for }),
})

/** As it was typed. Of a design the content is only what was made of it. */
export const typedOf = ({
  language,
  subject,
  preheader,
  content,
  design,
  plain_text,
}: LanguageContent & { language: Locale }) => ({
  language,
  subject,
  preheader,
  plain_text,
  ...(design ? { design } : { content, design: null }),
})
type Typed = EmailVariantFields

export function refuseWithoutContent(variants: readonly EmailVariantFields[]): void {
  const missing = variants.flatMap(({ content, design }, at): [string, 'required' | 'not_allowed'][] => {
    if (design) return content === undefined ? [] : [[`variants.${at}.content`, 'not_allowed']]
    return content === undefined ? [[`variants.${at}.content`, 'required']] : []
  })
  if (missing.length > 0) throw invalid(Object.fromEntries(missing))
}

/**
 * The variants a person wants, laid over those that are saved: what they did not change since they `began` stays what others made of it meanwhile.
 * `lost`: what both changed.
 */
export function mergeVariants(
  before: readonly Typed[],
  wanted: readonly Typed[],
  began: readonly Typed[] | undefined,
): { variants: Typed[]; lost: string[] } {
  if (!began) return { variants: [...wanted], lost: [] }
  const lost: string[] = []
  const variants = locales.flatMap((language): Typed[] => {
    const [old, mine, seen] = [before, wanted, began].map((list) => list.find((one) => one.language === language))
    // Nothing of it is another, but the text may have been looked at.
    if (isSame(mine, seen)) return old ? [{ ...old, ...(mine?.plain_text_fits && { plain_text_fits: true }) }] : []
    if (isSame(old, seen) || isSame(old, mine)) return mine ? [mine] : []
    if (!old || !mine || !seen) {
      lost.push(`variants.${language}`)
      return []
    }
    const merged = { ...mine }
    for (const field of ['subject', 'preheader', 'content', 'design', 'plain_text'] as const) {
      if (isDeepStrictEqual(mine[field], seen[field])) Object.assign(merged, { [field]: old[field] })
      else if (!isDeepStrictEqual(old[field], seen[field]) && !isDeepStrictEqual(old[field], mine[field]))
        lost.push(`variants.${language}.${field}`)
    }
    return [merged]
  })
  return { variants, lost }
}

const isSame = (one: Typed | undefined, other: Typed | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && isDeepStrictEqual(plainOf(one), plainOf(other)))
const plainOf = ({ language, subject, preheader, content, design, plain_text }: Typed) => ({
  language,
  subject,
  preheader,
  content,
  design,
  plain_text,
})

/** Which variant a customer gets, and why; `base`: the language of the base. */
export function variantOf(
  { languages, base }: { languages: readonly Locale[]; base: Locale },
  customer: { language: string | null } | null,
): { language: Locale | null; why: 'language' | 'no_variant' | 'no_language'; customer_language: string | null } {
  const customer_language = customer?.language || null
  const primary = primaryLanguage(customer_language)
  const language = languages.find((one) => one === primary) ?? null
  if (language || primary === base) return { language, why: 'language', customer_language }
  return { language: null, why: primary === null ? 'no_language' : 'no_variant', customer_language }
}

export const languagesOf = ({ variants }: { variants: readonly { language: Locale }[] }): Locale[] =>
  variants.map(({ language }) => language)
