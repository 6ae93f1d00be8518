import { Group, MultiSelect, NumberInput, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { listProducts, type Product } from '@okaeri/contract/catalog/routes'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import classes from './condition-editor.module.css'
import { useProducts } from './condition-words.ts'

const SEARCH_DELAY_MS = 250
const SHOWN = 30
/** Contract: a comparison names at most so many products. */
const MAX_PRODUCTS = 100
const DEFAULT_DAYS = 90

interface Chosen {
  ids: string[]
  within_days: number | null
}
interface ProductPickerProps {
  label: string
  /** Of the row. */
  name: string
  value: Chosen | null
  error: string | undefined
  onChange: (value: Chosen | null) => void
}

/** Products of the store, searched by title, and the time within which they were bought. */
export function ProductPicker({ label, name, value, error, onChange }: ProductPickerProps) {
  const t = useWords('segments')
  const ids = value?.ids ?? []
  const [typed, setTyped] = useState('')
  const [opened, setOpened] = useState(false)
  const [q] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS)
  const search = useQuery({
    ...queryOf(listProducts, { query: { ...(q && { q }), limit: SHOWN } }),
    enabled: opened,
    placeholderData: keepPreviousData,
  })
  const chosen = useProducts(ids)
  const found = search.data?.data ?? []
  const products = new Map<string, Product>([...chosen, ...found.map((product) => [product.id, product] as const)])
  const shown = [...new Set([...found.map(({ id }) => id), ...ids])]
  const within = value?.within_days ?? null
  const set = (change: Partial<Chosen>) => {
    const next = { ids, within_days: within, ...change }
    onChange(next.ids.length === 0 && next.within_days === null ? null : next)
  }

  return (
    <>
      <MultiSelect
        className={classes.wide}
        aria-label={label}
        placeholder={ids.length > 0 ? '' : t('editor.products')}
        searchable
        maxValues={MAX_PRODUCTS}
        value={ids}
        error={error}
        data={shown.map((id) => ({ value: id, label: products.get(id)?.title ?? '…' }))}
        // The server has filtered already; what is chosen stands in the field, not in the list of a search.
        filter={({ options }) =>
          q ? options.filter((one) => 'value' in one && found.some(({ id }) => id === one.value)) : options
        }
        searchValue={typed}
        onSearchChange={setTyped}
        onDropdownOpen={() => setOpened(true)}
        nothingFoundMessage={t('editor.noProducts')}
        renderOption={({ option }) => (
          <ProductOption title={option.label} image={products.get(option.value)?.image_url} />
        )}
        onChange={(next) => set({ ids: next })}
      />
      <Group gap="xs" className={classes.wide}>
        <Select
          aria-label={`${name}: ${t('editor.withinLabel')}`}
          flex="1 1 180px"
          maw={260}
          data={[
            { value: 'ever', label: t('editor.anytime') },
            { value: 'within', label: t('editor.within') },
          ]}
          value={within === null ? 'ever' : 'within'}
          onChange={(kind) => set({ within_days: kind === 'within' ? DEFAULT_DAYS : null })}
        />
        {within !== null && (
          <NumberInput
            aria-label={`${name}: ${t('editor.daysBack')}`}
            w={110}
            min={1}
            max={3650}
            clampBehavior="blur"
            allowDecimal={false}
            allowNegative={false}
            suffix={` ${t('editor.days')}`}
            value={within}
            onChange={(days) => typeof days === 'number' && set({ within_days: days })}
          />
        )}
      </Group>
    </>
  )
}

const ProductOption = ({ title, image }: { title: string; image: string | null | undefined }) => (
  <span className={classes.product}>
    {image ? (
      <img src={image} alt="" className={classes.picture} loading="lazy" />
    ) : (
      <span className={classes.picture} />
    )}
    <span>{title}</span>
  </span>
)
