import { useWords } from '../../../app/i18n.ts'
import { toast } from '../../../ui/toast.ts'
import type { EmailLanguage } from '../email-language.ts'

/** Goes to another language of the email; not while something is unsaved, which is of this one. */
export function useLanguageChange(dirty: boolean, show: (language: EmailLanguage) => void) {
  const t = useWords('emails')
  return (language: EmailLanguage): void => {
    if (dirty) toast.error(t('languages.unsaved'))
    else show(language)
  }
}
