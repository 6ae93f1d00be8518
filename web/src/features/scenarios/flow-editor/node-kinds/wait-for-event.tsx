import { Select, Stack, Text } from '@mantine/core'
import { eventKindNames, triggerRules } from '@okaeri/contract/scenarios/trigger-kinds/index'
import { useLanguage, useWords } from '../../../../app/i18n.ts'
import { eventName } from '../../executions/execution-words.ts'
import { DurationField } from '../fields.tsx'
import type { NodeFormProps } from './node-form.ts'

const awaited = eventKindNames.filter((kind) => kind === 'coupon_used' || !triggerRules(kind).onlyStarts)

export function WaitForEventForm({ node, onChange }: NodeFormProps<'wait_for_event'>) {
  const t = useWords('flow')
  const language = useLanguage()
  const { event } = node.settings
  const offered = awaited.includes(event) ? awaited : [event, ...awaited]
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('event.help')}
      </Text>
      <Select
        label={t('event.label')}
        value={event}
        data={offered.map((kind) => ({ value: kind, label: eventName(kind, language) }))}
        onChange={(next) =>
          onChange({ ...node, settings: { ...node.settings, event: offered.find((kind) => kind === next) ?? event } })
        }
      />
      <DurationField
        label={t('event.limit')}
        value={node.settings}
        onChange={(duration, typing) => onChange({ ...node, settings: { ...node.settings, ...duration } }, typing)}
      />
    </Stack>
  )
}
