import type { Trigger } from '@okaeri/contract/scenarios/trigger'
import { useWords } from '../../../../app/i18n.ts'
import { TimeField } from '../fields.tsx'

export interface TriggerFormProps<T extends Trigger> {
  trigger: T
  onChange: (trigger: Trigger, typing?: string) => void
}

/** The time of day of a daily trigger. */
export function StartTime({ value, onChange }: { value: string; onChange: (time: string, typing: string) => void }) {
  const t = useWords('flow')
  return <TimeField label={t('trigger.time')} value={value} onChange={(time) => onChange(time, 'time')} />
}
