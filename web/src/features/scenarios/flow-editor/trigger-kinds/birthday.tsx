import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import { MAX_DAYS } from '@okaeri/contract/scenarios/trigger-kinds/trigger-kind'
import { useWords } from '../../../../app/i18n.ts'
import { WholeNumber } from '../fields.tsx'
import { StartTime, type TriggerFormProps } from './trigger-form.tsx'

export function BirthdayForm({ trigger, onChange }: TriggerFormProps<TriggerOf<'birthday'>>) {
  const t = useWords('flow')
  return (
    <>
      <WholeNumber
        label={t('trigger.daysBefore')}
        description={t('trigger.daysBeforeHelp')}
        value={trigger.days_before}
        min={0}
        max={MAX_DAYS}
        unit={t('wait.days')}
        w={220}
        onChange={(days_before) => onChange({ ...trigger, days_before }, 'days')}
      />
      <StartTime value={trigger.time} onChange={(time, typing) => onChange({ ...trigger, time }, typing)} />
    </>
  )
}
