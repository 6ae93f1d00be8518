import { Select } from '@mantine/core'
import { currencyDigits } from '@okaeri/contract/money'
import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import { MAX_FALL, MAX_LOW_STOCK, MAX_PERCENT } from '@okaeri/contract/scenarios/trigger-kinds/products'
import { ownWords } from '../../../../app/i18n.ts'
import { useMerchant } from '../../../../app/merchant.tsx'
import { AmountField, WholeNumber } from '../../../../ui/whole-number.tsx'
import type { TriggerFormProps } from './trigger-form.tsx'

const useText = ownWords({
  fall: { ja: '値下げの幅', en: 'How much the price must drop' },
  fallBy: {
    any: { ja: 'いくらでも', en: 'By any amount' },
    percent: { ja: '割合で決める', en: 'By a percentage' },
    amount: { ja: '金額で決める', en: 'By an amount' },
  },
  fallPercent: { ja: '値下げの割合（以上）', en: 'Percent, at least' },
  fallAmount: { ja: '値下げの金額（以上）', en: 'Amount, at least' },
  atMost: { ja: '残りの数（以下）', en: 'Left in stock, at most' },
  atMostHelp: {
    ja: '在庫がこの数まで減ったときに始まります。売り切れたときは始まりません。',
    en: 'Starts when stock falls to this number. Does not start when it is sold out.',
  },
  pieces: { ja: '点', en: 'pcs' },
})

/** By how much the price must fall. */
export function PriceFallForm({
  trigger,
  onChange,
}: TriggerFormProps<TriggerOf<'favorite_price_dropped' | 'viewed_price_dropped'>>) {
  const t = useText()
  const { currency } = useMerchant()
  const scale = 10 ** currencyDigits(currency)
  const { fall } = trigger
  const choose = (unit: string | null) =>
    onChange({
      ...trigger,
      fall:
        unit === 'percent'
          ? { unit, least: 5 }
          : unit === 'amount'
            ? { unit, least: 500 * (scale === 1 ? 1 : scale / 100) }
            : null,
    })
  return (
    <>
      <Select
        label={t('fall')}
        value={fall?.unit ?? 'any'}
        data={(['any', 'percent', 'amount'] as const).map((each) => ({
          value: each,
          label: t(`fallBy.${each}`),
        }))}
        allowDeselect={false}
        onChange={choose}
      />
      {fall?.unit === 'percent' && (
        <WholeNumber
          label={t('fallPercent')}
          value={fall.least}
          min={1}
          max={MAX_PERCENT}
          unit="%"
          w={220}
          onChange={(least) => onChange({ ...trigger, fall: { unit: 'percent', least } }, 'fall')}
        />
      )}
      {fall?.unit === 'amount' && (
        <AmountField
          label={t('fallAmount')}
          value={fall.least}
          currency={currency}
          max={MAX_FALL / scale}
          w={220}
          onChange={(least) => onChange({ ...trigger, fall: { unit: 'amount', least } }, 'fall')}
        />
      )}
    </>
  )
}

export function LowStockForm({ trigger, onChange }: TriggerFormProps<TriggerOf<'favorite_low_stock'>>) {
  const t = useText()
  return (
    <WholeNumber
      label={t('atMost')}
      description={t('atMostHelp')}
      value={trigger.at_most}
      min={1}
      max={MAX_LOW_STOCK}
      unit={t('pieces')}
      w={220}
      onChange={(at_most) => onChange({ ...trigger, at_most }, 'at_most')}
    />
  )
}
