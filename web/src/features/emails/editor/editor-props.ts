import type { Email } from '@okaeri/contract/emails/email'
import type { EmailLanguage } from '../email-language.ts'

/** What both editors of an email are given. */
export interface EditorProps {
  email: Email
  /** Which of its languages is edited. */
  language: EmailLanguage
  show: (language: EmailLanguage) => void
}
