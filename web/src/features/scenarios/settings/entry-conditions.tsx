import type { Reentry } from '@okaeri/contract/scenarios/flow/flow'
import type { FormConditions } from '@okaeri/contract/scenarios/scenario'
import { describeReentry } from '@okaeri/contract/scenarios/words'
import { Group, Radio, Stack, Text } from '@mantine/core'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { EditSection } from '../../../ui/pages/edit-page.tsx'
import { ConditionField } from '../flow-editor/condition-field.tsx'
import { CouponUse } from '../../coupons/coupon-terms.tsx'
import { WholeNumber } from '../../../ui/whole-number.tsx'

const MAX_REENTRY_DAYS = 3650
const USUAL_REENTRY_DAYS = 30
const reentryModes = ['once', 'every_days', 'when_none_runs', 'always'] as const

interface EntryConditionsProps {
  value: FormConditions
  onChange: (value: FormConditions) => void
  /** Whether the form issues a coupon. */
  coupon: boolean
  /** The template's re-entry, used if nothing else is selected; null until it is known. */
  templates: Reentry | null
  /** Shows all errors, not only those of fields already used. */
  strict: boolean
}

/** Spec §3, without the flow editor: who may enter, how often, and the coupon's terms. */
export function EntryConditions({ value, onChange, coupon, templates, strict }: EntryConditionsProps) {
  const t = useWords('scenarios')
  return (
    <>
      <EditSection title={t('conditions.title')} description={t('conditions.help')}>
        <div role="group" aria-label={t('conditions.who')}>
          <Text size="sm" fw={700}>
            {t('conditions.who')}
          </Text>
          <Text size="xs" c="dimmed" mb="xs">
            {t(value.condition === null ? 'conditions.everyone' : 'conditions.narrowed')}
          </Text>
          <ConditionField
            value={value.condition}
            addLabel={t('conditions.add')}
            removeLabel={t('conditions.remove')}
            strict={strict}
            onChange={(condition) => onChange({ ...value, condition })}
          />
        </div>
        <EnteringAgain
          value={value.reentry}
          templates={templates}
          onChange={(reentry) => onChange({ ...value, reentry })}
        />
      </EditSection>
      {coupon && (
        <EditSection title={t('conditions.coupon')}>
          <CouponUse value={value.coupon} onChange={(use) => onChange({ ...value, coupon: use })} />
        </EditSection>
      )}
    </>
  )
}

interface EnteringAgainProps {
  value: Reentry | null
  templates: Reentry | null
  onChange: (value: Reentry | null) => void
}
function EnteringAgain({ value, templates, onChange }: EnteringAgainProps) {
  const t = useWords('scenarios')
  const language = useLanguage()
  return (
    <Radio.Group
      label={t('conditions.reentry')}
      value={value?.mode ?? 'templates'}
      onChange={(chosen) => {
        const mode = reentryModes.find((each) => each === chosen)
        if (!mode) return onChange(null)
        onChange(mode === 'every_days' ? { mode, days: USUAL_REENTRY_DAYS } : { mode })
      }}
    >
      <Stack gap="sm" mt={6}>
        <Radio
          value="templates"
          label={t('conditions.templates')}
          description={templates && describeReentry(templates, language)}
        />
        {reentryModes.map((mode) => (
          <Radio key={mode} value={mode} label={t(`conditions.${mode}`)} />
        ))}
      </Stack>
      {value?.mode === 'every_days' && (
        <Group mt="xs">
          <WholeNumber
            label={t('conditions.days')}
            value={value.days}
            min={1}
            max={MAX_REENTRY_DAYS}
            unit={t('conditions.daysUnit')}
            w={220}
            onChange={(days) => onChange({ mode: 'every_days', days })}
          />
        </Group>
      )}
    </Radio.Group>
  )
}
