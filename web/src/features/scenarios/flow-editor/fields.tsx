import { Group, Select, TextInput } from '@mantine/core'
import { isAllowedDuration, MAX_WAIT_DAYS, MIN_WAIT_MINUTES, waitUnits } from '@okaeri/contract/scenarios/duration'
import { useWords } from '../../../app/i18n.ts'
import { WholeNumber } from '../../../ui/whole-number.tsx'

// Inputs of the settings. A value that cannot be stored, such as an empty number, is shown as an error and does not change the flow.

type Duration = { amount: number; unit: (typeof waitUnits)[number] }
/** A larger number is no typing mistake; the error of the interval explains it. */
const MAX_AMOUNT = 999_999

/** A length of time. Outside the allowed range it shows the specification's message. */
export function DurationField({
  label,
  value,
  onChange,
}: {
  label: string
  value: Duration
  onChange: (value: Duration, typing?: string) => void
}) {
  const t = useWords('flow')
  const wrong = isAllowedDuration(value)
    ? undefined
    : t('duration.range', { minutes: MIN_WAIT_MINUTES, days: MAX_WAIT_DAYS })
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <div style={{ flex: 1 }}>
        <WholeNumber
          label={label}
          value={value.amount}
          min={1}
          max={MAX_AMOUNT}
          error={wrong}
          onChange={(amount) => onChange({ ...value, amount }, 'amount')}
        />
      </div>
      <Select
        w={110}
        label={t('duration.unit')}
        value={value.unit}
        data={waitUnits.map((unit) => ({ value: unit, label: t(`duration.${unit}`) }))}
        onChange={(unit) => onChange({ ...value, unit: waitUnits.find((each) => each === unit) ?? 'days' })}
      />
    </Group>
  )
}

/** HH:MM. Changes nothing while it is incomplete. */
export function TimeField({
  label,
  description,
  value,
  onChange,
}: {
  label: string
  description?: string
  value: string
  onChange: (time: string) => void
}) {
  return (
    <TextInput
      type="time"
      label={label}
      {...(description !== undefined && { description })}
      w={160}
      value={value}
      onChange={(event) => {
        const time = event.currentTarget.value.slice(0, 5)
        if (/^\d\d:\d\d$/.test(time)) onChange(time)
      }}
    />
  )
}
