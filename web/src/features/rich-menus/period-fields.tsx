import { SimpleGrid } from '@mantine/core'
import type { RichMenuPeriod } from '@okaeri/contract/rich-menus/menu'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { fieldReasonText } from '../../app/reasons.ts'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { instantOf, wallOf } from '../campaigns/schedule.ts'

interface PeriodFieldsProps {
  period: RichMenuPeriod
  errors: Record<string, string>
  disabled?: boolean
  onChange: (change: Partial<RichMenuPeriod>) => void
}

/** When a menu is shown; both ends may be open. */
export function PeriodFields({ period, errors, disabled = false, onChange }: PeriodFieldsProps) {
  const t = useWords('richMenus')
  const language = useLanguage()
  const { zone } = useFormat()
  const errorOf = (name: string) => (errors[name] ? fieldReasonText(errors[name], language) : undefined)
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <DateTimeField
        label={t('startsAt')}
        description={t('startsHelp')}
        clearable={!disabled}
        value={wallOf(period.starts_at, zone)}
        onChange={(wall) => onChange({ starts_at: instantOf(wall, zone) })}
        error={errorOf('starts_at')}
      />
      <DateTimeField
        label={t('endsAt')}
        description={t('endsHelp')}
        clearable={!disabled}
        value={wallOf(period.ends_at, zone)}
        onChange={(wall) => onChange({ ends_at: instantOf(wall, zone) })}
        error={errorOf('ends_at')}
      />
    </SimpleGrid>
  )
}
