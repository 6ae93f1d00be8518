import { Textarea } from '@mantine/core'
import { useWords } from '../../../../app/i18n.ts'
import type { NodeFormProps } from './node-form.ts'

export function AddNoteForm({ node, onChange }: NodeFormProps<'add_note'>) {
  const t = useWords('flow')
  return (
    <Textarea
      label={t('note.label')}
      description={t('note.help')}
      autosize
      minRows={4}
      maxRows={14}
      maxLength={1000}
      value={node.settings.text}
      onChange={(event) => onChange({ ...node, settings: { text: event.currentTarget.value } }, 'text')}
    />
  )
}
