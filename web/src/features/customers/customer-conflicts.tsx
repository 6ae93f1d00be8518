import { Stack, Text } from '@mantine/core'
import { type ConflictField, conflictFields, type CustomerConflict } from '@okaeri/contract/customers/customer'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { phoneText } from './customer-facts.ts'

/** A conflict is shown for this long; after that it is only in the timeline. */
export const NEWS_MS = 7 * 86_400_000

const isField = (field: string): field is ConflictField => (conflictFields as readonly string[]).includes(field)

export function useFieldLabel(): (field: string) => string {
  const t = useWords('customers')
  const labels: Record<ConflictField, string> = {
    first_name: t('firstName'),
    last_name: t('lastName'),
    email: t('email'),
    phone: t('phone'),
    language: t('language'),
    tags: t('tags'),
    birthday: t('birthday'),
    address: t('address'),
  }
  return (field) => (isField(field) ? labels[field] : field)
}

/** The value that was not used, and the one that stayed. */
export function ConflictText({ conflict }: { conflict: CustomerConflict }) {
  const t = useWords('customers')
  const format = useFormat()
  const label = useFieldLabel()
  const value = (text: string | null) => {
    if (text === null) return t('conflict.nothing')
    return conflict.field === 'phone' ? phoneText(text) : text.split('\n').filter(Boolean).join(', ')
  }
  return (
    <Stack gap={2}>
      <Text size="sm" fw={600}>
        {t('conflict.text', {
          field: label(conflict.field),
          who: t(`conflict.${conflict.used_from}`),
          time: format.dateTime(conflict.used_at),
        })}
      </Text>
      <Text size="sm">{t('conflict.used', { value: value(conflict.used_value) })}</Text>
      <Text size="sm">{t('conflict.unused', { value: value(conflict.unused_value) })}</Text>
    </Stack>
  )
}
