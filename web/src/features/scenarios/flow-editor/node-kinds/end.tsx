import { Text } from '@mantine/core'
import { ownWords } from '../../../../app/i18n.ts'

const useText = ownWords({
  text: {
    ja: 'ここに着いた顧客は、シナリオを終了します。',
    en: 'The scenario ends for customers who reach this step.',
  },
})

export function EndForm() {
  const t = useText()
  return (
    <Text size="sm" c="dimmed">
      {t('text')}
    </Text>
  )
}
