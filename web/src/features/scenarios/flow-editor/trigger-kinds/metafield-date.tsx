import { Select, Switch } from '@mantine/core'
import { listMetafieldSettings } from '@okaeri/contract/metafields/routes'
import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import { MAX_DAYS } from '@okaeri/contract/scenarios/trigger-kinds/trigger-kind'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../../api/queries.ts'
import { useWords } from '../../../../app/i18n.ts'
import { useNothingFound } from '../../../../ui/nothing-found.ts'
import { WholeNumber } from '../fields.tsx'
import { StartTime, type TriggerFormProps } from './trigger-form.tsx'

export function MetafieldDateForm({ trigger, onChange }: TriggerFormProps<TriggerOf<'metafield_date'>>) {
  const t = useWords('flow')
  return (
    <>
      <MetafieldPicker value={trigger.metafield} onChange={(metafield) => onChange({ ...trigger, metafield })} />
      <WholeNumber
        label={t('trigger.offset')}
        description={t('trigger.offsetHelp')}
        value={trigger.offset_days}
        min={-MAX_DAYS}
        max={MAX_DAYS}
        unit={t('wait.days')}
        w={220}
        onChange={(offset_days) => onChange({ ...trigger, offset_days }, 'days')}
      />
      <StartTime value={trigger.time} onChange={(time, typing) => onChange({ ...trigger, time }, typing)} />
      <Switch
        label={t('trigger.everyYear')}
        checked={trigger.every_year}
        onChange={(event) => onChange({ ...trigger, every_year: event.currentTarget.checked })}
      />
    </>
  )
}

const MANY = 100
function MetafieldPicker({ value, onChange }: { value: string | null; onChange: (value: string | null) => void }) {
  const t = useWords('flow')
  const settings = useQuery(queryOf(listMetafieldSettings, { query: { limit: MANY } }))
  const nothingFound = useNothingFound(settings, t('trigger.metafieldNone'))
  const dates = (settings.data?.data ?? []).filter(
    ({ value_type }) => value_type === 'date' || value_type === 'date_time',
  )
  const missing = value !== null && !dates.some(({ key }) => key === value)
  return (
    <Select
      label={t('trigger.metafield')}
      placeholder={t('trigger.metafieldPlaceholder')}
      searchable
      clearable
      value={value}
      data={[
        ...(missing ? [{ value, label: value }] : []),
        ...dates.map(({ key, name }) => ({ value: key, label: `${name}（${key}）` })),
      ]}
      nothingFoundMessage={nothingFound}
      onChange={onChange}
    />
  )
}
