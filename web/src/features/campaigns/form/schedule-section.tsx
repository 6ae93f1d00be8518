import { Box, Button, Group, Radio, Stack } from '@mantine/core'
import { SendType } from '@okaeri/contract/campaigns/campaign'
import { useFormat } from '../../../app/format.ts'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { fieldReasonText } from '../../../app/reasons.ts'
import { DateTimeField } from '../../../ui/date-time-field.tsx'
import { EditSection } from '../../../ui/pages/edit-page.tsx'
import { type CampaignDraftForm } from '../campaign-values.ts'
import { instantOf, quickPick, quickPicks, wallOf } from '../schedule.ts'

/** Of a day that was chosen without one: not midnight. */
const USUAL_TIME = '10:00'

export function ScheduleSection({ form }: { form: CampaignDraftForm }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const language = useLanguage()
  const { setting } = useMerchant()
  const zone = setting.timezone
  const { values, set, errors } = form
  const pickedAt = instantOf(values.scheduled_at, zone)
  const past = pickedAt !== null && Date.parse(pickedAt) <= Date.now() ? 'in_past' : undefined
  const wrong = errors.scheduled_at ?? past
  return (
    <EditSection title={t('form.whenTitle')}>
      <Radio.Group
        aria-label={t('form.whenTitle')}
        value={values.send_type}
        onChange={(value) => set('send_type', SendType.parse(value))}
      >
        <Stack gap="sm">
          <Radio value="immediate" label={t('form.now')} description={t('form.nowText')} />
          <Radio value="scheduled" label={t('form.scheduled')} description={t('form.scheduledText')} />
        </Stack>
      </Radio.Group>
      {values.send_type === 'scheduled' && (
        <Box>
          <DateTimeField
            label={t('form.dateTime')}
            description={t('form.zone', { zone: `${format.zoneName} (${zone})` })}
            value={values.scheduled_at}
            onChange={(value) => set('scheduled_at', value)}
            defaultTimeValue={USUAL_TIME}
            minDate={wallOf(new Date().toISOString(), zone)?.slice(0, 10) ?? ''}
            error={wrong && fieldReasonText(wrong, language)}
            clearable
            maw={360}
          />
          <Group gap={6} mt={8}>
            {quickPicks.map((pick) => (
              <Button
                key={pick}
                size="compact-sm"
                variant="default"
                onClick={() => set('scheduled_at', quickPick(pick, zone, new Date()))}
              >
                {t(`form.pick.${pick}`)}
              </Button>
            ))}
          </Group>
        </Box>
      )}
    </EditSection>
  )
}
