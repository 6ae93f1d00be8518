import { TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { useFormat } from '../../../app/format.ts'
import { parseNumber } from '../../../ui/parsed-number.ts'
import classes from './condition-editor.module.css'

interface NumberFieldProps {
  label: string
  value: unknown
  onChange: (value: number | string | null) => void
  error?: string | undefined
  /** Room for amounts. */
  wide?: boolean
}

/** A number within a sentence. */
export function NumberField({ label, value, onChange, error, wide }: NumberFieldProps) {
  const format = useFormat()
  const [typed, setTyped] = useState<string | null>(null)
  const settled = typeof value === 'number' ? format.decimal(value) : typeof value === 'string' ? value : ''
  // After an undo, or a change elsewhere, the typed text no longer matches the value.
  const shown = typed !== null && parseNumber(typed) === (value === '' ? null : value) ? typed : settled
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (by === 0 || event.altKey || typeof value !== 'number') return
    event.preventDefault()
    setTyped(null)
    onChange(value + by)
  }
  return (
    <TextInput
      className={wide ? classes.amount : classes.number}
      size="sm"
      aria-label={label}
      inputMode="decimal"
      maxLength={30}
      value={shown}
      error={error}
      onKeyDown={step}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        onChange(parseNumber(event.currentTarget.value))
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
