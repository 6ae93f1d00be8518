import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import { MAX_DAYS } from '@okaeri/contract/scenarios/trigger-kinds/trigger-kind'
import { useWords } from '../../../../app/i18n.ts'
import { WholeNumber } from '../fields.tsx'
import { StartTime, type TriggerFormProps } from './trigger-form.tsx'

export function DaysWithoutOrderForm({ trigger, onChange }: TriggerFormProps<TriggerOf<'days_without_order'>>) {
  const t = useWords('flow')
  return (
    <>
      <WholeNumber
        label={t('trigger.days')}
        value={trigger.days}
        min={1}
        max={MAX_DAYS}
        unit={t('wait.days')}
        w={220}
        onChange={(days) => onChange({ ...trigger, days }, 'days')}
      />
      <StartTime value={trigger.time} onChange={(time, typing) => onChange({ ...trigger, time }, typing)} />
    </>
  )
}
