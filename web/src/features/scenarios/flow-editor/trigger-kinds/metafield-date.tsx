import { Select, Switch } from '@mantine/core'
import { listMetafieldSettings } from '@okaeri/contract/metafields/routes'
import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import { MAX_DAYS } from '@okaeri/contract/scenarios/trigger-kinds/trigger-kind'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../../api/queries.ts'
import { ownWords, useWords } from '../../../../app/i18n.ts'
import { useNothingFound } from '../../../../ui/nothing-found.ts'
import { WholeNumber } from '../../../../ui/whole-number.tsx'
import { StartTime, type TriggerFormProps } from './trigger-form.tsx'

const useText = ownWords({
  offset: { ja: '日付との差（日）', en: 'Days from the date' },
  offsetHelp: {
    ja: '0は当日、-3は3日前、3は3日後です。',
    en: '0 is the day itself, -3 is three days before, 3 is three days after.',
  },
  everyYear: { ja: '毎年繰り返す', en: 'Repeat every year' },
  metafield: { ja: 'メタフィールド', en: 'Metafield' },
  metafieldPlaceholder: { ja: '日付のメタフィールドを選択', en: 'Select a date metafield' },
  metafieldNone: {
    ja: '日付のメタフィールドがありません。先に作成してください。',
    en: 'No date metafields yet. Create one first.',
  },
})

export function MetafieldDateForm({ trigger, onChange }: TriggerFormProps<TriggerOf<'metafield_date'>>) {
  const t = useText()
  const flow = useWords('flow')
  return (
    <>
      <MetafieldPicker value={trigger.metafield} onChange={(metafield) => onChange({ ...trigger, metafield })} />
      <WholeNumber
        label={t('offset')}
        description={t('offsetHelp')}
        value={trigger.offset_days}
        min={-MAX_DAYS}
        max={MAX_DAYS}
        unit={flow('duration.days')}
        w={220}
        onChange={(offset_days) => onChange({ ...trigger, offset_days }, 'days')}
      />
      <StartTime value={trigger.time} onChange={(time, typing) => onChange({ ...trigger, time }, typing)} />
      <Switch
        label={t('everyYear')}
        checked={trigger.every_year}
        onChange={(event) => onChange({ ...trigger, every_year: event.currentTarget.checked })}
      />
    </>
  )
}

const MANY = 100
function MetafieldPicker({ value, onChange }: { value: string | null; onChange: (value: string | null) => void }) {
  const t = useText()
  const settings = useQuery(queryOf(listMetafieldSettings, { query: { limit: MANY } }))
  const nothingFound = useNothingFound(settings, t('metafieldNone'))
  const dates = (settings.data?.data ?? []).filter(
    ({ value_type }) => value_type === 'date' || value_type === 'date_time',
  )
  const missing = value !== null && !dates.some(({ key }) => key === value)
  return (
    <Select
      label={t('metafield')}
      placeholder={t('metafieldPlaceholder')}
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
