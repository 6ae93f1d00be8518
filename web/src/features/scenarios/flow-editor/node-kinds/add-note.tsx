import { Textarea } from '@mantine/core'
import { ownWords } from '../../../../app/i18n.ts'
import type { NodeFormProps } from './node-form.ts'

const useText = ownWords({
  label: { ja: 'メモの内容', en: 'Note text' },
  help: { ja: '顧客のメモの末尾に書き加えます。', en: 'Added to the end of the customer’s note.' },
})

export function AddNoteForm({ node, onChange }: NodeFormProps<'add_note'>) {
  const t = useText()
  return (
    <Textarea
      label={t('label')}
      description={t('help')}
      autosize
      minRows={4}
      maxRows={14}
      maxLength={1000}
      value={node.settings.text}
      onChange={(event) => onChange({ ...node, settings: { text: event.currentTarget.value } }, 'text')}
    />
  )
}
