import { Switch } from '@mantine/core'
import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import { MAX_NTH } from '@okaeri/contract/scenarios/trigger-kinds/orders'
import { ownWords } from '../../../../app/i18n.ts'
import { WholeNumber } from '../../../../ui/whole-number.tsx'
import type { TriggerFormProps } from './trigger-form.tsx'

const useText = ownWords({
  nthOnly: { ja: '何回目の注文で始めるかを決める', en: 'Only for a customer’s first, second, … order' },
  nth: { ja: '何回目の注文か', en: 'Which order' },
  nthHelp: {
    ja: '1は初めての注文です。キャンセルされた注文は数えません。',
    en: '1 is the customer’s first order. Cancelled orders are not counted.',
  },
})

export function OrderPaidForm({ trigger, onChange }: TriggerFormProps<TriggerOf<'order_paid'>>) {
  const t = useText()
  return (
    <>
      <Switch
        label={t('nthOnly')}
        checked={typeof trigger.nth === 'number'}
        onChange={(event) => onChange({ ...trigger, nth: event.currentTarget.checked ? 1 : null })}
      />
      {typeof trigger.nth === 'number' && (
        <WholeNumber
          label={t('nth')}
          description={t('nthHelp')}
          value={trigger.nth}
          min={1}
          max={MAX_NTH}
          w={220}
          onChange={(nth) => onChange({ ...trigger, nth }, 'nth')}
        />
      )}
    </>
  )
}
