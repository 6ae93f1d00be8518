import { Stack, Text } from '@mantine/core'
import { useWords } from '../../../../app/i18n.ts'
import { TextsField } from '../../../segments/editor/pickers.tsx'
import type { NodeFormProps } from './node-form.ts'

const MAX_TAGS = 20
const MAX_TAG_LENGTH = 255

export function TagCustomerForm({ node, onChange }: NodeFormProps<'tag_customer'>) {
  const t = useWords('flow')
  const { add, remove } = node.settings
  const kept = (tags: readonly string[]) =>
    tags
      .map((tag) => tag.trim().slice(0, MAX_TAG_LENGTH))
      .filter((tag) => tag !== '')
      .slice(0, MAX_TAGS)
  return (
    <Stack gap="sm">
      {(['add', 'remove'] as const).map((which) => (
        <div key={which}>
          <Text size="sm" fw={600} mb={4}>
            {t(`tag.${which}`)}
          </Text>
          <TextsField
            label={t(`tag.${which}`)}
            placeholder={t('tag.placeholder')}
            value={which === 'add' ? add : remove}
            suggest="customer_tag"
            onChange={(tags) => onChange({ ...node, settings: { add, remove, [which]: kept(tags) } })}
          />
        </div>
      ))}
    </Stack>
  )
}
