import { Switch } from '@mantine/core'
import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import { MAX_NTH } from '@okaeri/contract/scenarios/trigger-kinds/orders'
import { useWords } from '../../../../app/i18n.ts'
import { WholeNumber } from '../fields.tsx'
import type { TriggerFormProps } from './trigger-form.tsx'

export function OrderPaidForm({ trigger, onChange }: TriggerFormProps<TriggerOf<'order_paid'>>) {
  const t = useWords('flow')
  return (
    <>
      <Switch
        label={t('trigger.nthOnly')}
        checked={typeof trigger.nth === 'number'}
        onChange={(event) => onChange({ ...trigger, nth: event.currentTarget.checked ? 1 : null })}
      />
      {typeof trigger.nth === 'number' && (
        <WholeNumber
          label={t('trigger.nth')}
          description={t('trigger.nthHelp')}
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
