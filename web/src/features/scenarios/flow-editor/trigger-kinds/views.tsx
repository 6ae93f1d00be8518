import { Switch } from '@mantine/core'
import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import { MAX_CART_MINUTES, MIN_CART_MINUTES } from '@okaeri/contract/scenarios/trigger-kinds/baskets'
import { MAX_LOOKS, MAX_VIEWED_DAYS } from '@okaeri/contract/scenarios/trigger-kinds/views'
import { useWords } from '../../../../app/i18n.ts'
import { WholeNumber } from '../fields.tsx'
import { PriceFallForm } from './favorites.tsx'
import type { TriggerFormProps } from './trigger-form.tsx'

export function BrowseForm({ trigger, onChange }: TriggerFormProps<TriggerOf<'browse_abandoned'>>) {
  const t = useWords('flow')
  return (
    <>
      <WholeNumber
        label={t('trigger.afterView')}
        value={trigger.after_minutes}
        min={MIN_CART_MINUTES}
        max={MAX_CART_MINUTES}
        unit={t('wait.minutes')}
        w={220}
        onChange={(after_minutes) => onChange({ ...trigger, after_minutes }, 'minutes')}
      />
      <WholeNumber
        label={t('trigger.leastLooks')}
        description={t('trigger.leastLooksHelp')}
        value={trigger.least_looks}
        min={1}
        max={MAX_LOOKS}
        unit={t('trigger.times')}
        w={220}
        onChange={(least_looks) => onChange({ ...trigger, least_looks }, 'looks')}
      />
      <Switch
        label={t('trigger.unlessCart')}
        description={t('trigger.unlessCartHelp')}
        checked={trigger.unless_cart}
        onChange={(event) => onChange({ ...trigger, unless_cart: event.currentTarget.checked })}
      />
      <Switch
        label={t('trigger.withoutSoldOut')}
        checked={trigger.leaves_out_sold_out}
        onChange={(event) => onChange({ ...trigger, leaves_out_sold_out: event.currentTarget.checked })}
      />
    </>
  )
}

export function ViewedPriceForm({ trigger, onChange }: TriggerFormProps<TriggerOf<'viewed_price_dropped'>>) {
  const t = useWords('flow')
  return (
    <>
      <WholeNumber
        label={t('trigger.withinDays')}
        value={trigger.within_days}
        min={1}
        max={MAX_VIEWED_DAYS}
        unit={t('wait.days')}
        w={220}
        onChange={(within_days) => onChange({ ...trigger, within_days }, 'within_days')}
      />
      <PriceFallForm trigger={trigger} onChange={onChange} />
    </>
  )
}
