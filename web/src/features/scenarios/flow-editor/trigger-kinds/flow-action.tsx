import { TextInput } from '@mantine/core'
import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import { ownWords } from '../../../../app/i18n.ts'
import type { TriggerFormProps } from './trigger-form.tsx'

const useText = ownWords({
  handle: { ja: '呼び出しの名前', en: 'Handle' },
  handleHelp: {
    ja: 'ストアのフロー機能で、アクションに入力する名前と同じものにします。',
    en: 'Enter the same handle in the action in Shopify Flow.',
  },
})

export function FlowActionForm({ trigger, onChange }: TriggerFormProps<TriggerOf<'flow_action'>>) {
  const t = useText()
  return (
    <TextInput
      label={t('handle')}
      description={t('handleHelp')}
      maxLength={50}
      value={trigger.handle}
      onChange={(event) => onChange({ ...trigger, handle: event.currentTarget.value }, 'handle')}
    />
  )
}
