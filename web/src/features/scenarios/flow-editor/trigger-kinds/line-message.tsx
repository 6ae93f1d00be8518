import { Radio, Stack, TextInput } from '@mantine/core'
import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import { useWords } from '../../../../app/i18n.ts'
import type { TriggerFormProps } from './trigger-form.tsx'

export function LineMessageForm({ trigger, onChange }: TriggerFormProps<TriggerOf<'line_message'>>) {
  const t = useWords('flow')
  return (
    <>
      <TextInput
        label={t('trigger.keyword')}
        description={t('trigger.keywordHelp')}
        maxLength={100}
        value={trigger.keyword}
        onChange={(event) => onChange({ ...trigger, keyword: event.currentTarget.value }, 'keyword')}
      />
      <Radio.Group
        label={t('trigger.match')}
        value={trigger.match}
        onChange={(match) => onChange({ ...trigger, match: match === 'part' ? 'part' : 'whole' })}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="whole" label={t('trigger.matchWhole')} />
          <Radio value="part" label={t('trigger.matchPart')} />
        </Stack>
      </Radio.Group>
    </>
  )
}
