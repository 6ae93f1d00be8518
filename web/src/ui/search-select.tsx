import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useNothingFound } from './nothing-found.ts'

const SEARCH_DELAY_MS = 250

interface Choice {
  value: string
  label: string
  /** Below the label, in the list. */
  note?: string
}

export interface SearchSelectProps
  extends Pick<
    SelectProps,
    'placeholder' | 'description' | 'clearable' | 'disabled' | 'error' | 'name' | 'size' | 'w'
  > {
  label: string
  /** For a row of filters: the label is only for screen readers. */
  hideLabel?: boolean
  value: string | null
  /** The name of the chosen item, until a search has returned it. */
  valueLabel?: string | null | undefined
  onChange: (value: string | null, label: string | null) => void
  /** The endpoint's area, whose changes reload the search. */
  area: string
  /** Distinguishes searches of one area that find different items. */
  among?: string
  /** The first ones for a search text; for '' the first of all. */
  find: (q: string) => Promise<readonly Choice[]>
}

/** Selects one of many items that the server searches. */
export function SearchSelect({
  area,
  among,
  find,
  value,
  valueLabel,
  onChange,
  label,
  hideLabel,
  ...rest
}: SearchSelectProps) {
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState<Choice | null>(null)
  const [opened, setOpened] = useState(false)
  const chosenLabel = picked?.value === value ? picked?.label : (valueLabel ?? undefined)
  // The field shows the name of the choice, which is not a search text.
  const [q] = useDebouncedValue(typed === chosenLabel ? '' : typed.trim(), SEARCH_DELAY_MS)
  const search = useQuery({
    queryKey: [area, 'choices', among, q],
    queryFn: () => find(q),
    enabled: opened,
    placeholderData: keepPreviousData,
  })
  const nothingFound = useNothingFound(search)
  const found = search.data ?? []
  const notes = new Map(found.map((choice) => [choice.value, choice.note]))
  const missing = value !== null && !found.some((choice) => choice.value === value)
  const shown = missing ? [{ value, label: chosenLabel ?? '…' }, ...found] : found

  const option = ({ option }: { option: { value: string; label: string } }): ReactNode => (
    <span>
      {option.label}
      {notes.get(option.value) && (
        <span style={{ display: 'block', fontSize: 12, color: 'var(--mantine-color-dimmed)' }}>
          {notes.get(option.value)}
        </span>
      )}
    </span>
  )

  return (
    <Select
      {...rest}
      {...(hideLabel ? { 'aria-label': label } : { label })}
      searchable
      value={value}
      data={shown.map(({ value, label }) => ({ value, label }))}
      // The server has filtered already.
      filter={({ options }) => options}
      renderOption={option}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      nothingFoundMessage={nothingFound}
      onChange={(next) => {
        const choice = shown.find((one) => one.value === next) ?? null
        setPicked(choice)
        onChange(next, choice?.label ?? null)
      }}
    />
  )
}
