import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import { MAX_DAYS } from '@okaeri/contract/scenarios/trigger-kinds/trigger-kind'
import { ownWords, useWords } from '../../../../app/i18n.ts'
import { WholeNumber } from '../../../../ui/whole-number.tsx'
import { StartTime, type TriggerFormProps } from './trigger-form.tsx'

const useText = ownWords({
  daysBefore: { ja: '誕生日の何日前', en: 'Days before the birthday' },
  daysBeforeHelp: { ja: '0は誕生日当日です。', en: '0 is the birthday itself.' },
})

export function BirthdayForm({ trigger, onChange }: TriggerFormProps<TriggerOf<'birthday'>>) {
  const t = useText()
  const flow = useWords('flow')
  return (
    <>
      <WholeNumber
        label={t('daysBefore')}
        description={t('daysBeforeHelp')}
        value={trigger.days_before}
        min={0}
        max={MAX_DAYS}
        unit={flow('duration.days')}
        w={220}
        onChange={(days_before) => onChange({ ...trigger, days_before }, 'days')}
      />
      <StartTime value={trigger.time} onChange={(time, typing) => onChange({ ...trigger, time }, typing)} />
    </>
  )
}
