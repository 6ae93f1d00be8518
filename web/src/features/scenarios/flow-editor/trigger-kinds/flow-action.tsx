import { TextInput } from '@mantine/core'
import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import { useWords } from '../../../../app/i18n.ts'
import type { TriggerFormProps } from './trigger-form.tsx'

export function FlowActionForm({ trigger, onChange }: TriggerFormProps<TriggerOf<'flow_action'>>) {
  const t = useWords('flow')
  return (
    <TextInput
      label={t('trigger.handle')}
      description={t('trigger.handleHelp')}
      maxLength={50}
      value={trigger.handle}
      onChange={(event) => onChange({ ...trigger, handle: event.currentTarget.value }, 'handle')}
    />
  )
}
