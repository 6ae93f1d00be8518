import type { Email } from '@okaeri/contract/emails/email'
import { refresh } from '../../../api/queries.ts'
import { toast } from '../../../ui/toast.ts'
import { changeInLanguage, type EmailLanguage } from '../email-language.ts'

/** A field holds '' where the email holds null: the text is made from the mail. */
export function withPlainText<Part extends { plain_text?: string }>({ began, ...body }: Part & { began: Part }) {
  return { ...asWritten(body), began: asWritten(began) }
}

function asWritten<Part extends { plain_text?: string }>({ plain_text, ...rest }: Part) {
  return { ...rest, ...(plain_text !== undefined && { plain_text: plain_text || null }) }
}

/** In what is typed the mail was changed and the plain text was not, or that was so when it was saved. */
export function isTextBehind<Key extends string>({
  email,
  values,
  saved,
  what,
}: {
  email: Email
  values: Record<Key | 'plain_text', string>
  saved: Record<Key | 'plain_text', string>
  /** What the mail is made of. */
  what: Key
}): boolean {
  if (values.plain_text === '' || values.plain_text !== saved.plain_text) return false
  return email.plain_text_is_behind || values[what] !== saved[what]
}

export async function sayTextFits(email: Email, language: EmailLanguage): Promise<void> {
  try {
    await changeInLanguage(email, language, { plain_text_fits: true })
    await refresh('emails')
  } catch (error) {
    toast.failed(error)
  }
}
