import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import { MAX_DAYS } from '@okaeri/contract/scenarios/trigger-kinds/trigger-kind'
import { ownWords, useWords } from '../../../../app/i18n.ts'
import { WholeNumber } from '../../../../ui/whole-number.tsx'
import { StartTime, type TriggerFormProps } from './trigger-form.tsx'

const useText = ownWords({
  days: { ja: '最後の注文からの日数', en: 'Days since the last order' },
})

export function DaysWithoutOrderForm({ trigger, onChange }: TriggerFormProps<TriggerOf<'days_without_order'>>) {
  const t = useText()
  const flow = useWords('flow')
  return (
    <>
      <WholeNumber
        label={t('days')}
        value={trigger.days}
        min={1}
        max={MAX_DAYS}
        unit={flow('duration.days')}
        w={220}
        onChange={(days) => onChange({ ...trigger, days }, 'days')}
      />
      <StartTime value={trigger.time} onChange={(time, typing) => onChange({ ...trigger, time }, typing)} />
    </>
  )
}
