import { Anchor, Text } from '@mantine/core'
import type { RenderedEmail } from '@okaeri/contract/emails/email'
import { useWords } from '../../../app/i18n.ts'
import { type EmailLanguage, useLanguageName } from '../email-language.ts'

interface CustomerVariantProps {
  /** Which of the languages the chosen customer gets; undefined: no customer, or no variants. */
  chosen: RenderedEmail['customer_variant'] | undefined
  /** The one on the page. */
  shown?: EmailLanguage
  /** Shows theirs. */
  onShow?: (language: EmailLanguage) => void
}

/** Says which of an email's languages the customer gets, and why. */
export function CustomerVariant({ chosen, shown, onShow }: CustomerVariantProps) {
  const t = useWords('emails')
  const nameOf = useLanguageName()
  if (!chosen) return null
  const { language, why, customer_language: tag } = chosen
  const isOther = onShow !== undefined && language !== shown
  return (
    <Text size="sm" role="status" c={isOther ? undefined : 'dimmed'}>
      {t(`languages.why.${why}`, { name: nameOf(language), tag: tag ?? '' })}{' '}
      {isOther && (
        <Anchor component="button" type="button" size="sm" onClick={() => onShow(language)}>
          {t('languages.show', { name: nameOf(language) })}
        </Anchor>
      )}
    </Text>
  )
}
