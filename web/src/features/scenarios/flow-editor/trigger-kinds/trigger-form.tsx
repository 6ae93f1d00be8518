import type { Trigger } from '@okaeri/contract/scenarios/trigger'
import { ownWords } from '../../../../app/i18n.ts'
import { TimeField } from '../fields.tsx'

const useText = ownWords({
  time: { ja: '始める時刻', en: 'Time to start' },
})

export interface TriggerFormProps<T extends Trigger> {
  trigger: T
  onChange: (trigger: Trigger, typing?: string) => void
}

/** The time of day of a daily trigger. */
export function StartTime({ value, onChange }: { value: string; onChange: (time: string, typing: string) => void }) {
  const t = useText()
  return <TimeField label={t('time')} value={value} onChange={(time) => onChange(time, 'time')} />
}
