import { Text } from '@mantine/core'
import { useWords } from '../../../../app/i18n.ts'

export function EndForm() {
  const t = useWords('flow')
  return (
    <Text size="sm" c="dimmed">
      {t('end.text')}
    </Text>
  )
}
