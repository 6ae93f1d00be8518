import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useWords } from '../app/i18n.ts'

const SEARCH_DELAY_MS = 250

interface Choice {
  value: string
  label: string
  /** Under the label, in the list. */
  note?: string
}

interface SearchSelectProps<Reply, Query extends UseQueryOptions<Reply, Error, Reply, readonly unknown[]>>
  extends Pick<
    SelectProps,
    'placeholder' | 'description' | 'clearable' | 'disabled' | 'error' | 'name' | 'size' | 'w'
  > {
  label: string
  value: string | null
  /** What the chosen one is called, as long as no search has shown it. */
  valueLabel?: string | null | undefined
  onChange: (value: string | null, label: string | null) => void
  /** The first ones for a search text: `(q) => queryOf(listX, { query: { q, limit: 20 } })`. */
  search: (q: string) => Query
  choices: (reply: Reply) => readonly Choice[]
}

/** A choice of one among many that the server searches. */
export function SearchSelect<Reply, Query extends UseQueryOptions<Reply, Error, Reply, readonly unknown[]>>({
  search,
  choices,
  value,
  valueLabel,
  onChange,
  ...rest
}: SearchSelectProps<Reply, Query>) {
  const t = useWords('ui')
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState<Choice | null>(null)
  const [opened, setOpened] = useState(false)
  const chosenLabel = picked?.value === value ? picked?.label : (valueLabel ?? undefined)
  // The text of the choice itself stands in the field and is no search.
  const [q] = useDebouncedValue(typed === chosenLabel ? '' : typed.trim(), SEARCH_DELAY_MS)
  const { data } = useQuery<Reply, Error, Reply, readonly unknown[]>({
    ...search(q),
    enabled: opened,
    placeholderData: keepPreviousData,
  } as UseQueryOptions<Reply, Error, Reply, readonly unknown[]>)
  const found = data ? choices(data) : []
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
      nothingFoundMessage={data ? t('list.noMatch') : t('loading')}
      onChange={(next) => {
        const choice = shown.find((one) => one.value === next) ?? null
        setPicked(choice)
        onChange(next, choice?.label ?? null)
      }}
    />
  )
}
