import { Button, MultiSelect, TagsInput, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { listStoreValues, type StoreValueField } from '@okaeri/contract/catalog/routes'
import type { ReferenceKind } from '@okaeri/contract/segments/condition-types/condition-type'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ClipboardEvent, useState } from 'react'
import { queryOf } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import classes from './condition-editor.module.css'
import { useNothingFound } from '../../../ui/nothing-found.ts'
import { areaOf, type NamedItem, type NamesOf, searchNamed } from './condition-names.ts'

const SEARCH_DELAY_MS = 200
const SHOWN_VALUES = 30
/** More than this are edited as lines of text: thousands of pills would be useless. */
const MAX_PILLS = 60

interface NamedPickerProps {
  kind: ReferenceKind
  label: string
  placeholder: string
  value: readonly string[]
  onChange: (ids: string[]) => void
  names: NamesOf
  error?: string | undefined
  max?: number
  /** Not offered. */
  except?: string | null
}

/** Selects items that the server searches: products, variants, collections, campaigns, scenarios, segments. */
export function NamedPicker(props: NamedPickerProps) {
  const { kind, label, placeholder, value, onChange, names, error, max, except } = props
  const t = useWords('segments')
  const [typed, setTyped] = useState('')
  const [opened, setOpened] = useState(false)
  /** Items chosen from earlier search results. */
  const [picked, setPicked] = useState<Record<string, NamedItem>>({})
  const [q] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS)
  const search = useQuery({
    queryKey: [areaOf(kind), 'search', kind, q],
    queryFn: () => searchNamed[kind](q),
    enabled: opened,
    placeholderData: keepPreviousData,
    refetchInterval: false,
  })
  const nothingFound = useNothingFound(search)
  const found = (search.data ?? []).filter(({ id }) => id !== except)
  const offered = new Map(found.map((one) => [one.id, one]))
  const named = (id: string): NamedItem | undefined => offered.get(id) ?? names(kind, id) ?? picked[id]
  const shown = [...new Set([...offered.keys(), ...value])]

  return (
    <MultiSelect
      className={classes.picker}
      size="sm"
      aria-label={label}
      placeholder={value.length > 0 ? '' : placeholder}
      searchable
      hidePickedOptions
      maxDropdownHeight={300}
      {...(max !== undefined && { maxValues: max })}
      value={[...value]}
      error={error}
      data={shown.map((id) => ({ value: id, label: named(id)?.name ?? t('editor.gone') }))}
      // The server has filtered already; chosen items are in the field, not in the list of results.
      filter={({ options }) => options.filter((one) => 'value' in one && offered.has(one.value))}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      nothingFoundMessage={nothingFound}
      renderOption={({ option }) => (
        <Option {...named(option.value)} label={option.label} pictured={kind === 'products'} />
      )}
      onChange={(ids) => {
        setPicked(Object.fromEntries(ids.flatMap((id) => [named(id)].flatMap((one) => (one ? [[id, one]] : [])))))
        onChange(ids)
      }}
    />
  )
}

function Option({ label, note, image, pictured }: Partial<NamedItem> & { label: string; pictured: boolean }) {
  return (
    <span className={classes.option}>
      {pictured &&
        (image ? (
          <img src={image} alt="" className={classes.picture} loading="lazy" />
        ) : (
          <span className={classes.picture} />
        ))}
      <span>
        {label}
        {note && <small>{note}</small>}
      </span>
    </span>
  )
}

interface TextsFieldProps {
  label: string
  placeholder: string
  value: readonly (string | number)[]
  onChange: (texts: string[]) => void
  error?: string | undefined
  /** Suggests values of the store; anything else can be typed too. */
  suggest?: StoreValueField | undefined
}

/** Several texts: typed one by one, or pasted as lines of a table. */
export function TextsField({ label, placeholder, value, onChange, error, suggest }: TextsFieldProps) {
  const t = useWords('segments')
  const format = useFormat()
  const [asLines, setAsLines] = useState(value.length > MAX_PILLS)
  const [typed, setTyped] = useState('')
  const [opened, setOpened] = useState(false)
  const [q] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS)
  const search = useQuery({
    ...queryOf(listStoreValues, {
      params: { field: suggest ?? 'customer_tag' },
      query: { limit: SHOWN_VALUES, ...(q && { q }) },
    }),
    enabled: opened && suggest !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: false,
  })
  const paste = (event: ClipboardEvent) => {
    const pieces = piecesOf(event.clipboardData.getData('text'))
    if (pieces.length < 2) return
    event.preventDefault()
    const all = [...new Set([...value.map(String), ...pieces])]
    onChange(all)
    setTyped('')
    setAsLines(all.length > MAX_PILLS)
  }

  if (asLines)
    return (
      <div className={classes.picker}>
        <Lines label={label} value={value} onChange={onChange} error={error} />
        <Button
          size="compact-xs"
          variant="subtle"
          disabled={value.length > MAX_PILLS}
          onClick={() => setAsLines(false)}
        >
          {t('editor.listCount', { count: value.length, total: format.number(value.length) })}
        </Button>
      </div>
    )
  return (
    <TagsInput
      className={classes.picker}
      size="sm"
      aria-label={label}
      placeholder={value.length > 0 ? '' : placeholder}
      acceptValueOnBlur
      splitChars={[',', '、', '\n', '\t']}
      maxDropdownHeight={300}
      value={value.map(String)}
      data={suggest ? (search.data?.data ?? []).map((one) => one.value) : []}
      // The server has filtered already.
      filter={({ options }) => options.filter((one) => 'value' in one && !value.includes(one.value))}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpened(true)}
      onPaste={paste}
      error={error}
      onChange={onChange}
    />
  )
}

function Lines({ label, value, onChange, error }: Pick<TextsFieldProps, 'label' | 'value' | 'onChange' | 'error'>) {
  const t = useWords('segments')
  const [text, setText] = useState(() => value.join('\n'))
  return (
    <Textarea
      size="sm"
      aria-label={label}
      description={t('editor.onePerLine')}
      autosize
      minRows={3}
      maxRows={8}
      value={text}
      error={error}
      onChange={(event) => {
        setText(event.currentTarget.value)
        onChange([...new Set(piecesOf(event.currentTarget.value))])
      }}
    />
  )
}

const piecesOf = (text: string): string[] =>
  text
    .split(/[\n\r\t,、]+/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
