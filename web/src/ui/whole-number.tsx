import { TextInput } from '@mantine/core'
import { currencyDigits } from '@okaeri/contract/money'
import { type ReactNode, useState } from 'react'
import { useFormat } from '../app/format.ts'
import { ownWords } from '../app/i18n.ts'
import { parseNumber } from './parsed-number.ts'

// A value that cannot be stored, such as an empty number, is shown as an error and changes nothing.

const useText = ownWords({
  wholeRange: {
    ja: '{{min}}から{{max}}までの整数を入力してください。',
    en: 'Enter a whole number from {{min}} to {{max}}.',
  },
  range: { ja: '{{min}}から{{max}}までの数値を入力してください。', en: 'Enter a number from {{min}} to {{max}}.' },
})

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
  const t = useText()
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
      error={
        fits ? error : t(scale === 1 ? 'wholeRange' : 'range', { min: format.number(min), max: format.number(max) })
      }
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
