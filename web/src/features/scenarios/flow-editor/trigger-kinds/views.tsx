import { Switch } from '@mantine/core'
import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import { MAX_CART_MINUTES, MIN_CART_MINUTES } from '@okaeri/contract/scenarios/trigger-kinds/baskets'
import { MAX_LOOKS, MAX_VIEWED_DAYS } from '@okaeri/contract/scenarios/trigger-kinds/views'
import { ownWords, useWords } from '../../../../app/i18n.ts'
import { WholeNumber } from '../../../../ui/whole-number.tsx'
import { PriceFallForm } from './favorites.tsx'
import type { TriggerFormProps } from './trigger-form.tsx'

const useText = ownWords({
  afterView: { ja: '最後の閲覧から経過した時間', en: 'Time since the last view' },
  leastLooks: { ja: '同じ商品を閲覧した回数（以上）', en: 'Views of the same product, at least' },
  leastLooksHelp: {
    ja: '1は、1回でも閲覧した商品です。10分以内の閲覧は1回と数えます。',
    en: '1 is any product that was viewed. Views within 10 minutes count once.',
  },
  times: { ja: '回', en: 'times' },
  unlessCart: { ja: 'カートに商品を残した顧客を除く', en: 'Not for customers who left a cart' },
  unlessCartHelp: {
    ja: 'カートやチェックアウトを残した顧客は、カート離脱とチェックアウト離脱のシナリオにまかせます。',
    en: 'Customers who left a cart or a checkout are for the scenarios of carts and checkouts.',
  },
  withoutSoldOut: { ja: '売り切れの商品を除く', en: 'Without sold-out products' },
  withinDays: { ja: '閲覧してからの日数（以内）', en: 'Viewed within' },
})

export function BrowseForm({ trigger, onChange }: TriggerFormProps<TriggerOf<'browse_abandoned'>>) {
  const t = useText()
  const flow = useWords('flow')
  return (
    <>
      <WholeNumber
        label={t('afterView')}
        value={trigger.after_minutes}
        min={MIN_CART_MINUTES}
        max={MAX_CART_MINUTES}
        unit={flow('duration.minutes')}
        w={220}
        onChange={(after_minutes) => onChange({ ...trigger, after_minutes }, 'minutes')}
      />
      <WholeNumber
        label={t('leastLooks')}
        description={t('leastLooksHelp')}
        value={trigger.least_looks}
        min={1}
        max={MAX_LOOKS}
        unit={t('times')}
        w={220}
        onChange={(least_looks) => onChange({ ...trigger, least_looks }, 'looks')}
      />
      <Switch
        label={t('unlessCart')}
        description={t('unlessCartHelp')}
        checked={trigger.unless_cart}
        onChange={(event) => onChange({ ...trigger, unless_cart: event.currentTarget.checked })}
      />
      <Switch
        label={t('withoutSoldOut')}
        checked={trigger.leaves_out_sold_out}
        onChange={(event) => onChange({ ...trigger, leaves_out_sold_out: event.currentTarget.checked })}
      />
    </>
  )
}

export function ViewedPriceForm({ trigger, onChange }: TriggerFormProps<TriggerOf<'viewed_price_dropped'>>) {
  const t = useText()
  const flow = useWords('flow')
  return (
    <>
      <WholeNumber
        label={t('withinDays')}
        value={trigger.within_days}
        min={1}
        max={MAX_VIEWED_DAYS}
        unit={flow('duration.days')}
        w={220}
        onChange={(within_days) => onChange({ ...trigger, within_days }, 'within_days')}
      />
      <PriceFallForm trigger={trigger} onChange={onChange} />
    </>
  )
}
