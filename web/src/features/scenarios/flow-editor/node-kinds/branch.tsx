import { Stack, Text } from '@mantine/core'
import { ownWords } from '../../../../app/i18n.ts'
import { ConditionField } from '../condition-field.tsx'
import type { NodeFormProps } from './node-form.ts'

const useText = ownWords({
  help: {
    ja: 'ここに着いた時点で、顧客が条件に当てはまるかを確認します。',
    en: 'Checks whether the customer meets the condition when they reach this step.',
  },
  add: { ja: '条件を設定', en: 'Set condition' },
  remove: { ja: '条件を削除', en: 'Remove condition' },
})

export function BranchForm({ node, onChange, strict }: NodeFormProps<'branch'>) {
  const t = useText()
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('help')}
      </Text>
      <ConditionField
        value={node.settings.condition}
        addLabel={t('add')}
        removeLabel={t('remove')}
        strict={strict}
        onChange={(condition, typing) => onChange({ ...node, settings: { condition } }, typing)}
      />
    </Stack>
  )
}
