import { Checkbox, Divider, Group, Radio, Select, Stack, Text } from '@mantine/core'
import { EndsOn, endsOn, type Flow, type Reentry } from '@okaeri/contract/scenarios/flow/flow'
import { capitalized } from '@okaeri/contract/scenarios/flow/phrases'
import type { Trigger } from '@okaeri/contract/scenarios/trigger'
import { triggerRules } from '@okaeri/contract/scenarios/trigger-kinds/index'
import { endsOnWords } from '@okaeri/contract/scenarios/words'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { ConditionField } from './condition-field.tsx'
import { WholeNumber } from '../../../ui/whole-number.tsx'
import { offeredTriggers, triggerForms, triggerGroups } from './trigger-kinds/index.ts'

const MAX_REENTRY_DAYS = 3650

interface StartSettingsProps {
  flow: Flow
  onChange: (flow: Flow, typing?: string) => void
  strict: boolean
}

export function StartSettings({ flow, onChange, strict }: StartSettingsProps) {
  const t = useWords('flow')
  const language = useLanguage()
  const { trigger } = flow
  const { Form } = triggerForms[trigger.kind]
  return (
    <Stack gap="md">
      <Select
        label={t('trigger.kind')}
        description={triggerRules(trigger.kind).words.description[language]}
        maxDropdownHeight={420}
        searchable
        openOnFocus={false}
        value={trigger.kind}
        data={triggerGroups.map((group) => ({
          group: t(`trigger.groups.${group}`),
          items: offeredTriggers
            .filter((kind) => triggerForms[kind].group === group)
            .map((kind) => ({ value: kind, label: triggerRules(kind).words.name[language] })),
        }))}
        onChange={(chosen) => {
          const kind = offeredTriggers.find((each) => each === chosen)
          if (kind && kind !== trigger.kind)
            onChange({ ...flow, trigger: { kind, ...triggerRules(kind).initial } as Trigger })
        }}
      />
      {Form && <Form trigger={trigger} onChange={(next, typing) => onChange({ ...flow, trigger: next }, typing)} />}
      <Divider />
      <div>
        <Text size="sm" fw={600}>
          {t('trigger.condition')}
        </Text>
        <Text size="xs" c="dimmed" mb="xs">
          {flow.condition === null ? t('trigger.everyone') : t('trigger.conditionHelp')}
        </Text>
        <ConditionField
          value={flow.condition}
          addLabel={t('trigger.addCondition')}
          removeLabel={t('trigger.removeCondition')}
          strict={strict}
          onChange={(condition, typing) => onChange({ ...flow, condition }, typing)}
        />
      </div>
      <Divider />
      <ReentrySettings reentry={flow.reentry} onChange={(reentry, typing) => onChange({ ...flow, reentry }, typing)} />
      <Divider />
      <Checkbox.Group
        label={t('trigger.endsOn')}
        value={flow.ends_on}
        onChange={(chosen) => onChange({ ...flow, ends_on: EndsOn.options.filter((each) => chosen.includes(each)) })}
      >
        <Stack gap={8} mt={6}>
          {endsOn.map((each) => (
            <Checkbox key={each} value={each} label={capitalized(endsOnWords[each][language])} />
          ))}
        </Stack>
      </Checkbox.Group>
    </Stack>
  )
}

const reentryModes = ['once', 'every_days', 'when_none_runs', 'always'] as const
function ReentrySettings({
  reentry,
  onChange,
}: {
  reentry: Reentry
  onChange: (to: Reentry, typing?: string) => void
}) {
  const t = useWords('flow')
  return (
    <Radio.Group
      label={t('trigger.reentry')}
      value={reentry.mode}
      onChange={(chosen) => {
        const mode = reentryModes.find((each) => each === chosen) ?? 'once'
        onChange(mode === 'every_days' ? { mode, days: 30 } : { mode })
      }}
    >
      <Stack gap={8} mt={6}>
        {reentryModes.map((mode) => (
          <Radio key={mode} value={mode} label={t(`trigger.${mode}`)} />
        ))}
      </Stack>
      {reentry.mode === 'every_days' && (
        <Group mt="xs">
          <WholeNumber
            label={t('trigger.reentryDays')}
            value={reentry.days}
            min={1}
            max={MAX_REENTRY_DAYS}
            unit={t('duration.days')}
            w={220}
            onChange={(days) => onChange({ mode: 'every_days', days }, 'days')}
          />
        </Group>
      )}
    </Radio.Group>
  )
}
