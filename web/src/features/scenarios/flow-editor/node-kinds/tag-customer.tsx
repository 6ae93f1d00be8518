import { Stack, Text } from '@mantine/core'
import { ownWords } from '../../../../app/i18n.ts'
import { TextsField } from '../../../segments/editor/pickers.tsx'
import type { NodeFormProps } from './node-form.ts'

const useText = ownWords({
  add: { ja: '追加するタグ', en: 'Tags to add' },
  remove: { ja: '削除するタグ', en: 'Tags to remove' },
  placeholder: { ja: 'タグを入力してEnter', en: 'Type a tag and press Enter' },
})

const MAX_TAGS = 20
const MAX_TAG_LENGTH = 255

export function TagCustomerForm({ node, onChange }: NodeFormProps<'tag_customer'>) {
  const t = useText()
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
            {t(which)}
          </Text>
          <TextsField
            label={t(which)}
            placeholder={t('placeholder')}
            value={which === 'add' ? add : remove}
            suggest="customer_tag"
            onChange={(tags) => onChange({ ...node, settings: { add, remove, [which]: kept(tags) } })}
          />
        </div>
      ))}
    </Stack>
  )
}
