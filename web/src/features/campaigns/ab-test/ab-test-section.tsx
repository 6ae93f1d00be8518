import { Box, Collapse, Group, NumberInput, Radio, Slider, Stack, Switch, Text, TextInput } from '@mantine/core'
import { AbTest, abMeasures, MAX_HOURS, MAX_SHARE, MIN_SHARE } from '@okaeri/contract/campaigns/ab-test'
import { useWords } from '../../../app/i18n.ts'
import { paths } from '../../../app/paths.ts'
import { EditSection } from '../../../ui/pages/edit-page.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { ChosenEmail } from '../../emails/chosen-email.tsx'
import { EmailSelect } from '../../emails/email-select.tsx'
import type { AbValues, CampaignDraftForm } from '../campaign-values.ts'

const STEP = 10
const differences = ['subject', 'email'] as const

interface AbTestSectionProps {
  form: CampaignDraftForm
  /** Of B's email. */
  savedName: string | undefined
}

/** What is tested, on how many, and what decides. */
export function AbTestSection({ form, savedName }: AbTestSectionProps) {
  const t = useWords('campaigns')
  const test = form.values.ab_test
  const set = (change: Partial<AbValues>) => form.set('ab_test', { ...test, ...change })
  return (
    <EditSection title={t('ab.title')} description={t('ab.form.text')}>
      <Switch
        label={t('ab.form.on')}
        checked={test.on}
        onChange={(event) => set({ on: event.currentTarget.checked })}
      />
      <Collapse expanded={test.on}>
        <Stack gap="lg">
          <Radio.Group
            label={t('ab.form.differs')}
            value={test.differs}
            onChange={(value) => set({ differs: AbTest.shape.differs.parse(value) })}
          >
            <Stack gap="sm" mt={8}>
              {differences.map((value) => (
                <Radio
                  key={value}
                  value={value}
                  label={t(`ab.form.${value}`)}
                  description={t(`ab.form.${value}Text`)}
                />
              ))}
            </Stack>
          </Radio.Group>
          {test.differs === 'subject' ? (
            <TextInput
              label={t('ab.form.subjectOfB')}
              description={t('ab.form.subjectOfA')}
              {...form.field('ab_test.subject')}
            />
          ) : (
            <EmailOfB form={form} savedName={savedName} set={set} />
          )}
          <Share test={test} set={set} />
          <Radio.Group
            label={t('ab.form.decides')}
            value={test.decides_by}
            onChange={(value) => set({ decides_by: AbTest.shape.decides_by.parse(value) })}
          >
            <Stack gap="sm" mt={8}>
              {abMeasures.map((value) => (
                <Radio
                  key={value}
                  value={value}
                  label={t(`ab.form.measure.${value}`)}
                  description={t(`ab.form.measureText.${value}`)}
                />
              ))}
            </Stack>
          </Radio.Group>
          {test.decides_by !== 'person' && !form.values.tracking_enabled && (
            <Text size="sm" c="var(--mantine-color-error)">
              {t('ab.form.tracking')}
            </Text>
          )}
          <NumberInput
            label={t('ab.form.hours')}
            description={t('ab.form.hoursText')}
            suffix={` ${t('ab.form.hoursUnit')}`}
            min={1}
            max={MAX_HOURS}
            allowDecimal={false}
            maw={420}
            {...form.field('ab_test.hours')}
          />
          {test.decides_by !== 'person' && (
            <Text size="sm" c="dimmed">
              {t('ab.form.even')}
            </Text>
          )}
        </Stack>
      </Collapse>
    </EditSection>
  )
}

type Set = (change: Partial<AbValues>) => void

function EmailOfB({ form, savedName, set }: AbTestSectionProps & { set: Set }) {
  const t = useWords('campaigns')
  const id = form.values.ab_test.email_id
  return (
    <Group align="flex-start" gap="md" wrap="wrap">
      {id && <ChosenEmail id={id} />}
      <Box flex="1 1 280px">
        <EmailSelect
          label={t('ab.form.emailOfB')}
          placeholder={t('form.emailPlaceholder')}
          value={id}
          valueLabel={savedName}
          onChange={(email_id) => set({ email_id })}
          error={form.field('ab_test.email_id').error}
        />
        {id && (
          <TextLink to={paths.email(id)} target="_blank" fz="sm" mt={8}>
            {t('form.openEmail')}
            {t('form.newTab')}
          </TextLink>
        )}
      </Box>
    </Group>
  )
}

function Share({ test, set }: { test: AbValues; set: Set }) {
  const t = useWords('campaigns')
  return (
    <Box maw={420}>
      <Text size="sm" fw={600} id="ab-share">
        {t('ab.form.share')}
      </Text>
      <Text size="xs" c="dimmed" mb={6}>
        {t('ab.form.shareOf', { percent: test.share })} — {t('ab.form.shareText')}
      </Text>
      <Slider
        aria-labelledby="ab-share"
        thumbLabel={t('ab.form.share')}
        value={test.share}
        onChange={(share) => set({ share })}
        min={MIN_SHARE}
        max={MAX_SHARE}
        step={STEP}
        label={(value) => `${value}%`}
        marks={[10, 20, 30, 40, 50].map((value) => ({ value, label: `${value}%` }))}
        mb="lg"
      />
    </Box>
  )
}
