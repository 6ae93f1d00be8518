import { Select } from '@mantine/core'
import { currencyDigits } from '@okaeri/contract/money'
import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import { MAX_FALL, MAX_LOW_STOCK, MAX_PERCENT } from '@okaeri/contract/scenarios/trigger-kinds/products'
import { useWords } from '../../../../app/i18n.ts'
import { useMerchant } from '../../../../app/merchant.tsx'
import { AmountField, WholeNumber } from '../fields.tsx'
import type { TriggerFormProps } from './trigger-form.tsx'

/** By how much the price must fall. */
export function PriceFallForm({
  trigger,
  onChange,
}: TriggerFormProps<TriggerOf<'favorite_price_dropped' | 'viewed_price_dropped'>>) {
  const t = useWords('flow')
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
        label={t('trigger.fall')}
        value={fall?.unit ?? 'any'}
        data={(['any', 'percent', 'amount'] as const).map((each) => ({
          value: each,
          label: t(`trigger.fallBy.${each}`),
        }))}
        allowDeselect={false}
        onChange={choose}
      />
      {fall?.unit === 'percent' && (
        <WholeNumber
          label={t('trigger.fallPercent')}
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
          label={t('trigger.fallAmount')}
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
  const t = useWords('flow')
  return (
    <WholeNumber
      label={t('trigger.atMost')}
      description={t('trigger.atMostHelp')}
      value={trigger.at_most}
      min={1}
      max={MAX_LOW_STOCK}
      unit={t('trigger.pieces')}
      w={220}
      onChange={(at_most) => onChange({ ...trigger, at_most }, 'at_most')}
    />
  )
}
