import { Group, Select, TextInput } from '@mantine/core'
import { currencyDigits } from '@okaeri/contract/money'
import { isAllowedDuration, MAX_WAIT_DAYS, MIN_WAIT_MINUTES, waitUnits } from '@okaeri/contract/scenarios/duration'
import { type ReactNode, useState } from 'react'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { parseNumber } from '../../segments/editor/number-field.tsx'

// Inputs of the settings. A value that cannot be stored, such as an empty number, is shown as an error and does not change the flow.

interface WholeNumberProps {
  label: string
  description?: string
  value: number
  onChange: (value: number) => void
  min: number
  max: number
  /** So many of what is stored are one of what is typed: cents of a dollar. `min` and `max` are as typed. */
  scale?: number
  /** After the number: 日, %. */
  unit?: ReactNode
  error?: string | undefined
  w?: number
}

/** An amount of money, stored in the smallest unit of its currency and typed as people write it. */
export function AmountField({
  currency,
  min = 1,
  ...field
}: Omit<WholeNumberProps, 'scale' | 'min' | 'unit'> & { currency: string; min?: number }) {
  const format = useFormat()
  const scale = 10 ** currencyDigits(currency)
  return <WholeNumber {...field} min={min / scale} scale={scale} unit={format.currencySymbol(currency)} />
}

export function WholeNumber({
  label,
  description,
  value,
  onChange,
  min,
  max,
  scale = 1,
  unit,
  error,
  w,
}: WholeNumberProps) {
  const t = useWords('flow')
  const format = useFormat()
  const [typed, setTyped] = useState<string | null>(null)
  const [least, most] = [min * scale, max * scale]
  const parsed = typed === null ? value : stored(typed, scale)
  const fits = parsed !== null && parsed >= least && parsed <= most
  // After an undo, or a change elsewhere, the typed text no longer matches the value.
  const shown = typed !== null && (!fits || parsed === value) ? typed : asTyped(value, scale)
  return (
    <TextInput
      label={label}
      {...(description !== undefined && { description })}
      inputMode={scale === 1 ? 'numeric' : 'decimal'}
      maxLength={12}
      {...(w !== undefined && { w })}
      value={shown}
      error={fits ? error : t('number.range', { min: format.number(min), max: format.number(max) })}
      rightSection={unit}
      rightSectionPointerEvents="none"
      {...(unit !== undefined && {
        rightSectionWidth: 'fit-content',
        rightSectionProps: { style: { paddingRight: 10, fontSize: 13 } },
      })}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
        if (by === 0) return
        event.preventDefault()
        setTyped(null)
        onChange(Math.min(most, Math.max(least, value + by * scale)))
      }}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        const next = stored(text, scale)
        if (next !== null && next >= least && next <= most) onChange(next)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

/** Null: not a number, or finer than can be stored. */
function stored(text: string, scale: number): number | null {
  const parsed = parseNumber(text)
  if (typeof parsed !== 'number') return null
  const whole = Math.round(parsed * scale)
  return Math.abs(whole - parsed * scale) < 1e-6 ? whole : null
}

/** Whole amounts without their zeros, others with all of their digits: 50, 19.80. */
const asTyped = (value: number, scale: number): string =>
  (value / scale).toFixed(value % scale === 0 ? 0 : Math.round(Math.log10(scale)))

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
