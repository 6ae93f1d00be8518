import { Checkbox, Collapse, SimpleGrid, Switch, Text, TextInput } from '@mantine/core'
import { channelsOf, DEFAULT_TRACKING_SOURCE, goesBy } from '@okaeri/contract/campaigns/campaign'
import { countCustomers } from '@okaeri/contract/customers/routes'
import { getTargetCounts } from '@okaeri/contract/segments/routes'
import { call } from '../../../api/call.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { EditSection } from '../../../ui/pages/edit-page.tsx'
import { type CampaignDraftForm, type Values } from '../campaign-values.ts'

/** How many of the audience have given no marketing consent; null while no audience is chosen. */
async function withoutConsent({ segment_type, customer_segment_id }: Values): Promise<number | null> {
  if (segment_type === 'all') return (await call(countCustomers, { query: { marketing: 'not_granted' } })).total
  if (!customer_segment_id) return null
  const query = { send_to_all: 'false' }
  return (await call(getTargetCounts, { params: { id: customer_segment_id }, query })).target_counts.no_consent
}

export function OptionsSection({ form }: { form: CampaignDraftForm }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const { values, set, field } = form

  const askSendToAll = async (on: boolean) => {
    // The question is asked all the same, and says that the number is not known.
    const concerned = on ? await withoutConsent(values).catch(() => null) : null
    const sure =
      !on ||
      (await confirm({
        title: t('form.sendToAllAsk'),
        body:
          concerned === null ? t('form.sendToAllUnknown') : t('form.sendToAllCount', { n: format.number(concerned) }),
        confirmLabel: t('form.sendToAllConfirm'),
        danger: true,
      }))
    if (sure) set('send_to_all', on)
  }

  return (
    <EditSection title={t('form.options')}>
      {goesBy(values.channels, 'email') && (
        <Checkbox
          label={t('form.sendToAll')}
          description={t('form.sendToAllText')}
          checked={values.send_to_all}
          onChange={(event) => void askSendToAll(event.currentTarget.checked)}
        />
      )}
      <Switch
        label={t(values.channels === 'line' ? 'form.trackingClicks' : 'form.tracking')}
        description={t(values.channels === 'line' ? 'form.trackingClicksText' : 'form.trackingText')}
        {...field('tracking_enabled', { type: 'checkbox' })}
      />
      <Collapse expanded={values.tracking_enabled}>
        <Text fw={600} size="sm">
          {t('form.utm')}
        </Text>
        <Text size="xs" c="dimmed" mb={8}>
          {t('form.utmText')}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TextInput label={t('form.source')} placeholder={DEFAULT_TRACKING_SOURCE} {...field('source')} />
          <TextInput
            label={t('form.medium')}
            placeholder={channelsOf(values.channels).join(' / ')}
            {...field('medium')}
          />
          <TextInput
            label={t('form.campaign')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            description={t('form.campaignHelp')}
            {...field('campaign')}
          />
          <TextInput
            label={t('form.content')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            description={t('form.contentHelp')}
            value={t('form.contentAuto')}
            disabled
            readOnly
          />
        </SimpleGrid>
      </Collapse>
    </EditSection>
  )
}
