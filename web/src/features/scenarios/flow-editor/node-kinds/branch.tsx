import { Stack, Text } from '@mantine/core'
import { useWords } from '../../../../app/i18n.ts'
import { ConditionField } from '../condition-field.tsx'
import type { NodeFormProps } from './node-form.ts'

export function BranchForm({ node, onChange, strict }: NodeFormProps<'branch'>) {
  const t = useWords('flow')
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('branch.help')}
      </Text>
      <ConditionField
        value={node.settings.condition}
        addLabel={t('branch.add')}
        removeLabel={t('branch.remove')}
        strict={strict}
        onChange={(condition, typing) => onChange({ ...node, settings: { condition } }, typing)}
      />
    </Stack>
  )
}
