import type { Email, EmailVariant, EmailVariantFields } from '@okaeri/contract/emails/email'
import type { Design } from '@okaeri/contract/emails/design'
import { changeEmail } from '@okaeri/contract/emails/routes'
import { footerWhy } from '@okaeri/contract/emails/starter-design'
import { type Locale, languageNames } from '@okaeri/contract/locale'
import { call } from '../../api/call.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'

/** One of an email's variants; null: the email itself, its base. */
export type EmailLanguage = Locale | null

/** What an email says in one language. */
interface SaidChange {
  subject?: string
  preheader?: string
  content?: string
  design?: Design | null
  plain_text?: string | null
}
export type Change = SaidChange & { plain_text_fits?: boolean; began?: SaidChange }

/** The email as it is in one of its languages. */
export function inLanguage(email: Email, language: EmailLanguage): Email {
  const variant = email.variants.find((one) => one.language === language)
  if (!variant) return email
  const { language: _, ...said } = variant
  return { ...email, ...said, type: variant.design ? 'VISUAL' : 'HTML' }
}

/** Saves what was changed in one of its languages. The server leaves the others as they are. */
export function changeInLanguage(email: Email, language: EmailLanguage, change: Change): Promise<{ email: Email }> {
  const { began = {}, plain_text_fits, ...said } = change
  if (language === null) return call(changeEmail, { params: { id: email.id }, body: change })
  const with_ = (part: SaidChange): EmailVariantFields[] =>
    email.variants.map((variant) => typedOf(variant.language === language ? { ...variant, ...part } : variant))
  const variants = with_(said).map((variant) => ({
    ...variant,
    ...(variant.language === language && plain_text_fits && { plain_text_fits }),
  }))
  return call(changeEmail, { params: { id: email.id }, body: { variants, began: { variants: with_(began) } } })
}

const typedOf = ({
  language,
  subject,
  preheader,
  content,
  design,
  plain_text,
}: Omit<EmailVariant, 'plain_text_is_behind' | 'size_bytes'>): EmailVariantFields => ({
  language,
  subject,
  preheader,
  plain_text,
  design,
  ...(!design && { content }),
})

/** Where the server finds faults of this language. */
export const pathOf = (email: Email, language: EmailLanguage): string =>
  language === null ? '' : `variants.${email.variants.findIndex((one) => one.language === language)}.`

/** A variant begins as a copy of the base. Words that are ours are in its language at once. */
export function addLanguage(email: Email, language: Locale): Promise<{ email: Email }> {
  const { subject, preheader, content, design } = email
  const copy = { language, subject, preheader, plain_text: null }
  const made: EmailVariantFields = design
    ? { ...copy, design: translated(design, language) }
    : // As our templates begin.
      { ...copy, content: content.replace('<html lang="ja">', `<html lang="${language}">`), design: null }
  return call(changeEmail, {
    params: { id: email.id },
    body: {
      variants: [...email.variants.map(typedOf), made],
      began: { variants: email.variants.map(typedOf) },
    },
  })
}

export const removeLanguage = (email: Email, language: Locale): Promise<{ email: Email }> =>
  call(changeEmail, {
    params: { id: email.id },
    body: {
      variants: email.variants.filter((one) => one.language !== language).map(typedOf),
      began: { variants: email.variants.map(typedOf) },
    },
  })

const translated = (design: Design, language: Locale): Design => ({
  ...design,
  language,
  blocks: design.blocks.map((block) =>
    block.kind === 'footer' && block.why === footerWhy[design.language]
      ? { ...block, why: footerWhy[language] }
      : block,
  ),
})

/** `English`, or of the base `日本語（基本）`. */
export function useLanguageName(): (language: EmailLanguage) => string {
  const t = useWords('emails')
  const { setting } = useMerchant()
  return (language) =>
    language === null ? t('languages.base', { language: languageNames[setting.language] }) : languageNames[language]
}
