import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import { MAX_CART_MINUTES, MIN_CART_MINUTES } from '@okaeri/contract/scenarios/trigger-kinds/baskets'
import { ownWords, useWords } from '../../../../app/i18n.ts'
import { WholeNumber } from '../../../../ui/whole-number.tsx'
import type { TriggerFormProps } from './trigger-form.tsx'

const useText = ownWords({
  afterMinutes: { ja: '購入がないまま経過した時間', en: 'Time without an order' },
})

export function BasketForm({
  trigger,
  onChange,
}: TriggerFormProps<TriggerOf<'cart_abandoned' | 'checkout_abandoned'>>) {
  const t = useText()
  const flow = useWords('flow')
  return (
    <WholeNumber
      label={t('afterMinutes')}
      value={trigger.after_minutes}
      min={MIN_CART_MINUTES}
      max={MAX_CART_MINUTES}
      unit={flow('duration.minutes')}
      w={220}
      onChange={(after_minutes) => onChange({ ...trigger, after_minutes }, 'minutes')}
    />
  )
}
