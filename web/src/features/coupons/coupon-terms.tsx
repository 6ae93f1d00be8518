import { MultiSelect, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { listCollections, listProducts } from '@okaeri/contract/catalog/routes'
import type { CouponTerms } from '@okaeri/contract/coupons/coupon'
import { currencyDigits } from '@okaeri/contract/money'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { ownWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { useNothingFound } from '../../ui/nothing-found.ts'
import { AmountField, WholeNumber } from '../../ui/whole-number.tsx'

const useText = ownWords({
  prefix: { ja: 'コードの先頭', en: 'Code prefix' },
  prefixHelp: {
    ja: '半角の英大文字と数字、12文字まで。後ろに顧客ごとの文字が付きます。',
    en: 'Capital letters A–Z and digits, up to 12. A unique ending is added for each customer.',
  },
  prefixWrong: { ja: '半角の英大文字と数字で入力してください。', en: 'Use capital letters A–Z and digits.' },
  ratio: { ja: '割引率', en: 'Discount' },
  days: { ja: '有効期間', en: 'Valid for' },
  daysUnit: { ja: '日', en: 'days' },
  minimum: { ja: '利用条件', en: 'Minimum requirement' },
  none: { ja: 'なし', en: 'None' },
  subtotal: { ja: '購入金額', en: 'Subtotal' },
  quantity: { ja: '購入点数', en: 'Number of items' },
  amountFrom: { ja: '最低金額', en: 'Minimum amount' },
  quantityFrom: { ja: '最低点数', en: 'Minimum quantity' },
  items: { ja: '点', en: 'items' },
  applies: { ja: '対象の商品', en: 'Applies to' },
  all: { ja: 'すべての商品', en: 'All products' },
  collections: { ja: 'コレクションを選ぶ', en: 'Specific collections' },
  products: { ja: '商品を選ぶ', en: 'Specific products' },
  choose: { ja: '名前で検索', en: 'Search by name' },
  chooseSome: {
    ja: '1つ以上選んでください。選ぶまでは「すべての商品」のままです。',
    en: 'Choose at least one. Until then, the coupon applies to all products.',
  },
})

const MAX_RATIO = 100
const MAX_DAYS = 365
const MAX_ITEMS = 1000
const MAX_AMOUNT = 9_999_999
const MAX_CHOSEN = 100
const SHOWN = 30
const SEARCH_DELAY_MS = 250

interface CouponTermsFieldsProps {
  value: CouponTerms
  /** `typing`: what is being typed into; its changes are one step to undo. */
  onChange: (value: CouponTerms, typing?: string) => void
}

/** What a code is worth. Campaigns show these too. */
export function CouponTermsFields({ value, onChange }: CouponTermsFieldsProps) {
  const t = useText()
  const [prefix, setPrefix] = useState<string | null>(null)
  const prefixFits = prefix === null || /^[A-Z0-9]{1,12}$/.test(prefix)
  return (
    <>
      <WholeNumber
        label={t('ratio')}
        value={value.ratio_percent}
        min={1}
        max={MAX_RATIO}
        unit="%"
        w={160}
        onChange={(ratio_percent) => onChange({ ...value, ratio_percent }, 'ratio')}
      />
      <WholeNumber
        label={t('days')}
        value={value.valid_days}
        min={1}
        max={MAX_DAYS}
        unit={t('daysUnit')}
        w={160}
        onChange={(valid_days) => onChange({ ...value, valid_days }, 'days')}
      />
      <TextInput
        label={t('prefix')}
        description={t('prefixHelp')}
        maxLength={12}
        value={prefix !== null && !prefixFits ? prefix : value.prefix}
        error={prefixFits ? undefined : t('prefixWrong')}
        onChange={(event) => {
          const next = event.currentTarget.value.normalize('NFKC').toUpperCase().trim()
          setPrefix(next)
          if (/^[A-Z0-9]{1,12}$/.test(next)) onChange({ ...value, prefix: next }, 'prefix')
        }}
        onBlur={() => setPrefix(null)}
      />
      <CouponUse value={value} onChange={(use, typing) => onChange({ ...value, ...use }, typing)} />
    </>
  )
}

type Use = Pick<CouponTerms, 'minimum' | 'applies_to'>
interface CouponUseProps {
  value: Use
  onChange: (value: Use, typing?: string) => void
}

/** The minimum order and the products of a coupon. Forms of templates show these too. */
export function CouponUse({ value, onChange }: CouponUseProps) {
  const t = useText()
  const { currency } = useMerchant()
  const { minimum, applies_to: applies } = value
  const scale = 10 ** currencyDigits(currency)
  /** The kind is selected but nothing in it. The contract wants at least one, so the terms do not change yet. */
  const [choosing, setChoosing] = useState<'collections' | 'products' | null>(null)
  const kind = choosing ?? applies.kind
  return (
    <>
      <Select
        label={t('minimum')}
        value={minimum.kind}
        data={(['none', 'subtotal', 'quantity'] as const).map((each) => ({ value: each, label: t(each) }))}
        onChange={(next) =>
          onChange({
            ...value,
            minimum:
              next === 'subtotal'
                ? { kind: 'subtotal', amount: 5000 * (scale === 1 ? 1 : scale / 100) }
                : next === 'quantity'
                  ? { kind: 'quantity', quantity: 2 }
                  : { kind: 'none' },
          })
        }
      />
      {minimum.kind === 'subtotal' && (
        <AmountField
          label={t('amountFrom')}
          value={minimum.amount}
          currency={currency}
          max={MAX_AMOUNT}
          w={200}
          onChange={(amount) => onChange({ ...value, minimum: { kind: 'subtotal', amount } }, 'minimum')}
        />
      )}
      {minimum.kind === 'quantity' && (
        <WholeNumber
          label={t('quantityFrom')}
          value={minimum.quantity}
          min={1}
          max={MAX_ITEMS}
          unit={t('items')}
          w={160}
          onChange={(quantity) => onChange({ ...value, minimum: { kind: 'quantity', quantity } }, 'minimum')}
        />
      )}
      <Select
        label={t('applies')}
        value={kind}
        data={(['all', 'collections', 'products'] as const).map((each) => ({
          value: each,
          label: t(each),
        }))}
        onChange={(next) => {
          setChoosing(next === 'collections' || next === 'products' ? next : null)
          if (applies.kind !== 'all') onChange({ ...value, applies_to: { kind: 'all' } })
        }}
      />
      {kind !== 'all' && (
        <StoreItems
          key={kind}
          kind={kind}
          label={t(kind)}
          value={applies.kind === kind ? applies.ids : []}
          onChange={(ids) => {
            setChoosing(ids.length === 0 ? kind : null)
            onChange({ ...value, applies_to: ids.length === 0 ? { kind: 'all' } : { kind, ids: [...ids] } })
          }}
        />
      )}
    </>
  )
}

interface StoreItem {
  number: string
  title: string
}
const searches = {
  collections: async (q: string): Promise<StoreItem[]> =>
    (await call(listCollections, { query: { limit: SHOWN, ...(q && { q }) } })).data.map((one) => ({
      number: one.store_collection_id,
      title: one.title,
    })),
  products: async (q: string): Promise<StoreItem[]> =>
    (await call(listProducts, { query: { limit: SHOWN, ...(q && { q }) } })).data.map((one) => ({
      number: one.store_product_id,
      title: one.title,
    })),
}

interface StoreItemsProps {
  kind: 'collections' | 'products'
  label: string
  /** Ids of the store platform. */
  value: readonly number[]
  onChange: (ids: readonly number[]) => void
}
function StoreItems({ kind, label, value, onChange }: StoreItemsProps) {
  const t = useText()
  const [typed, setTyped] = useState('')
  const [seen, setSeen] = useState<ReadonlyMap<string, string>>(new Map())
  const [q] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS)
  const search = useQuery({
    queryKey: [listProducts.area, 'coupon', kind, q],
    queryFn: async () => {
      const found = await searches[kind](q)
      setSeen((before) => new Map([...before, ...found.map(({ number, title }) => [number, title] as const)]))
      return found
    },
    placeholderData: keepPreviousData,
    refetchInterval: false,
  })
  const nothingFound = useNothingFound(search)
  const found = search.data ?? []
  const chosen = value.map(String)
  const offered = new Set(found.map(({ number }) => number))
  const titleOf = (number: string): string =>
    found.find((one) => one.number === number)?.title ?? seen.get(number) ?? `#${number}`
  return (
    <MultiSelect
      label={label}
      placeholder={chosen.length === 0 ? t('choose') : ''}
      searchable
      hidePickedOptions
      maxValues={MAX_CHOSEN}
      value={chosen}
      error={chosen.length === 0 ? t('chooseSome') : undefined}
      data={[...new Set([...offered, ...chosen])].map((number) => ({ value: number, label: titleOf(number) }))}
      // The server has already filtered.
      filter={({ options }) => options.filter((one) => 'value' in one && offered.has(one.value))}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={nothingFound}
      onChange={(numbers) => onChange(numbers.map(Number))}
    />
  )
}
