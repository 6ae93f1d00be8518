import { Design } from '@okaeri/contract/emails/design'
import { type Email, EmailFields } from '@okaeri/contract/emails/email'
import { useMemo } from 'react'
import { z } from 'zod'
import { useEditForm } from '../../../ui/edit/edit-form.ts'
import { saveChanges } from '../../../ui/edit/edit-conflict.ts'
import { changeInLanguage, type EmailLanguage, inLanguage, pathOf } from '../email-language.ts'
import { withPlainText } from '../editor/plain-text.ts'

const { subject, preheader } = EmailFields
/** The design as JSON: so it is compared, and shown beside another member's, as a text. */
const Draft = z.object({ subject, preheader, design: z.string(), plain_text: z.string() })
export type Draft = z.output<typeof Draft>
export const written = (design: Design): string => JSON.stringify(design, null, 1)
export const read = (text: string): Design => JSON.parse(text) as Design

/** The fields of an email made of blocks, and how they are saved. */
export function useDesignForm(whole: Email, language: EmailLanguage, given: Design) {
  const email = inLanguage(whole, language)
  const saved = useMemo(
    // Parsed, so that the order of the fields does not depend on what wrote them.
    () => ({
      subject: email.subject,
      preheader: email.preheader,
      design: written(Design.parse(given)),
      plain_text: email.plain_text ?? '',
    }),
    [email.subject, email.preheader, email.plain_text, given],
  )
  const form = useEditForm({
    values: saved,
    schema: Draft,
    fieldPrefix: pathOf(whole, language),
    save: (now, began, seen) =>
      saveChanges<Draft>(
        (body) => {
          const {
            began: { design: begun, ...rest },
            design,
            ...changed
          } = withPlainText(body)
          return changeInLanguage(whole, language, {
            ...changed,
            ...(design !== undefined && { design: read(design) }),
            began: { ...rest, ...(begun !== undefined && { design: read(begun) }) },
          })
        },
        { began, now, seen },
      ),
  })
  return { form, saved }
}
