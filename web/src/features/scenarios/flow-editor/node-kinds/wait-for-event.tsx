import { Select, Stack, Text } from '@mantine/core'
import { eventKindNames, triggerRules } from '@okaeri/contract/scenarios/trigger-kinds/index'
import { ownWords, useLanguage } from '../../../../app/i18n.ts'
import { useMerchant } from '../../../../app/merchant.tsx'
import { eventName } from '../../executions/execution-words.ts'
import { DurationField } from '../fields.tsx'
import type { NodeFormProps } from './node-form.ts'

const useText = ownWords({
  label: { ja: '待つイベント', en: 'Event to wait for' },
  limit: { ja: '待つ期限', en: 'Time limit' },
  help: {
    ja: '期限までに起きたら「起きた」へ、起きなければ「時間切れ」へ進みます。',
    en: 'If it happens in time, the customer follows “Happened”. Otherwise, “Timed out”.',
  },
  hoursHelp: {
    ja: '前のメッセージが配信できる時間帯を待っている間は、期限に数えません。',
    en: 'While a message before it waits for the sending hours, the time limit does not run.',
  },
})

const awaited = eventKindNames.filter((kind) => kind === 'coupon_used' || !triggerRules(kind).onlyStarts)

export function WaitForEventForm({ node, onChange }: NodeFormProps<'wait_for_event'>) {
  const t = useText()
  const language = useLanguage()
  const { event } = node.settings
  const { setting } = useMerchant()
  const offered = awaited.includes(event) ? awaited : [event, ...awaited]
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('help')}
      </Text>
      <Select
        label={t('label')}
        value={event}
        data={offered.map((kind) => ({ value: kind, label: eventName(kind, language) }))}
        onChange={(next) =>
          onChange({ ...node, settings: { ...node.settings, event: offered.find((kind) => kind === next) ?? event } })
        }
      />
      <DurationField
        label={t('limit')}
        value={node.settings}
        onChange={(duration, typing) => onChange({ ...node, settings: { ...node.settings, ...duration } }, typing)}
      />
      {setting.sending_hours.enabled && (
        <Text size="xs" c="dimmed">
          {t('hoursHelp')}
        </Text>
      )}
    </Stack>
  )
}
