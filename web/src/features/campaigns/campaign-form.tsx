import {
  Box,
  Button,
  Checkbox,
  Collapse,
  Group,
  Radio,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core'
import {
  type Campaign,
  CampaignChannels,
  campaignChannels,
  channelsOf,
  DEFAULT_TRACKING_SOURCE,
  goesBy,
  SegmentType,
  SendType,
} from '@okaeri/contract/campaigns/campaign'
import { changeCampaign, createCampaign, getCampaign } from '@okaeri/contract/campaigns/routes'
import { countCustomers } from '@okaeri/contract/customers/routes'
import { getEmail } from '@okaeri/contract/emails/routes'
import { getLineMessage } from '@okaeri/contract/line-messages/routes'
import { getSegment, getTargetCounts, listSegments } from '@okaeri/contract/segments/routes'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { fieldReasonText } from '../../app/reasons.ts'
import { changesOf } from '../../ui/edit/changes.ts'
import { confirm } from '../../ui/confirm.tsx'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { EditPage, EditPageLoading, EditSection } from '../../ui/pages/edit-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { SearchSelect } from '../../ui/search-select.tsx'
import { ChosenEmail } from '../emails/chosen-email.tsx'
import { EmailSelect } from '../emails/email-select.tsx'
import { ChosenLineMessage } from '../line-messages/phone/chosen-line-message.tsx'
import { LineMessageSelect } from '../line-messages/line-message-select.tsx'
import { AbTestSection } from './ab-test/ab-test-section.tsx'
import { bodyOf, draftSchema, emptyValues, FIELD_GROUPS, type Values, valuesOf } from './campaign-values.ts'
import { CampaignNewSearch } from './search.ts'
import { CouponSection } from './coupon-section.tsx'
import { instantOf, quickPick, quickPicks, wallOf } from './schedule.ts'

const CHOICES = 20
/** Of a day that was chosen without one: not midnight. */
const USUAL_TIME = '10:00'

export function CampaignNew() {
  const t = useWords('campaigns')
  const asked = CampaignNewSearch.parse(useSearch({ strict: false }))
  const of = (id = '') => ({ params: { id } })
  const segment = useQuery({ ...queryOf(getSegment, of(asked.segment)), enabled: Boolean(asked.segment) })
  const email = useQuery({ ...queryOf(getEmail, of(asked.email)), enabled: Boolean(asked.email) })
  const line = useQuery({ ...queryOf(getLineMessage, of(asked.line_message)), enabled: Boolean(asked.line_message) })
  // One that is gone is no reason not to begin.
  const loading = [segment, email, line].find((query) => query.isLoading)
  if (loading)
    return (
      <EditPageLoading title={t('form.newTitle')} back={{ to: paths.campaigns(), label: t('back') }} query={loading} />
    )
  return (
    <CampaignForm
      campaign={null}
      segment={segment.data?.customer_segment}
      email={email.data?.email}
      lineMessage={line.data?.line_message}
    />
  )
}

export function CampaignEdit() {
  const t = useWords('campaigns')
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const query = useQuery(queryOf(getCampaign, { params: { id } }))
  const back = { to: paths.campaign(id), label: t('backToCampaign') }
  if (!query.data) return <EditPageLoading title={t('form.editTitle')} back={back} query={query} />
  return <CampaignForm campaign={query.data.campaign} />
}

interface CampaignFormProps {
  campaign: Campaign | null
  /** Chosen already in a new one. */
  segment?: { id: string; name: string; origin: 'own' | 'remote' } | undefined
  email?: { id: string; name: string } | undefined
  lineMessage?: { id: string; name: string } | undefined
}

function CampaignForm({ campaign, segment, email, lineMessage }: CampaignFormProps) {
  const t = useWords('campaigns')
  const navigate = useNavigate()
  const { setting, mayChange } = useMerchant()
  const zone = setting.timezone
  const savedId = useRef(campaign?.id ?? null)
  const next = useRef<'review' | 'page'>('review')
  const form = useEditForm<Values>({
    values: campaign
      ? valuesOf(campaign, zone)
      : {
          ...emptyValues,
          segment_type: segment?.origin ?? 'own',
          customer_segment_id: segment?.id ?? null,
          channels: lineMessage ? 'line' : 'email',
          email_id: email?.id ?? null,
          line_message_id: lineMessage?.id ?? null,
        },
    schema: draftSchema(zone),
    save: async (values, began) => {
      const body = bodyOf(values, zone)
      const answer = campaign
        ? await call(changeCampaign, {
            params: { id: campaign.id },
            body: changesOf(bodyOf(began, zone), body, FIELD_GROUPS),
          })
        : await call(createCampaign, { body })
      savedId.current = answer.campaign.id
      void refresh('campaigns')
    },
    onSaved: () => {
      const id = savedId.current
      if (!id) return
      const to = next.current === 'review' ? paths.campaignReview(id) : paths.campaign(id)
      // In place of the form for a new one: going back must not offer to make it again.
      void navigate({ to, replace: campaign === null })
    },
  })
  const saveAndGo = (where: 'review' | 'page') => {
    next.current = where
    return form.submit()
  }
  const back = campaign
    ? { to: paths.campaign(campaign.id), label: t('backToCampaign') }
    : { to: paths.campaigns(), label: t('back') }
  const readOnlyReason =
    (!mayChange && t('readOnly')) || (campaign !== null && campaign.status !== 'draft' && t('forbidden.edit'))

  return (
    <EditPage
      title={campaign ? t('form.editTitle') : t('form.newTitle')}
      back={back}
      form={{ ...form, submit: () => saveAndGo('review') }}
      labels={{
        name: t('name'),
        customer_segment_id: t('form.segment'),
        email_id: t('email'),
        line_message_id: t('lineMessage'),
        'ab_test.subject': t('ab.form.subjectOfB'),
        'ab_test.email_id': t('ab.form.emailOfB'),
        'ab_test.hours': t('ab.form.hours'),
        scheduled_at: t('form.dateTime'),
        source: t('form.source'),
        'tracking_parameters.source': t('form.source'),
        'tracking_parameters.medium': t('form.medium'),
        'tracking_parameters.campaign': t('form.campaign'),
      }}
      saveLabel={t('form.saveAndReview')}
      secondary={{ label: t('form.saveDraft'), onClick: () => saveAndGo('page') }}
      always
      onCancel={() => void navigate({ to: back.to })}
      readOnlyReason={readOnlyReason}
    >
      <EditSection title={t('form.nameTitle')}>
        <TextInput
          label={t('name')}
          description={t('form.nameHelp')}
          placeholder={t('form.namePlaceholder')}
          withAsterisk
          {...form.field('name')}
        />
      </EditSection>
      <AudienceSection form={form} savedSegmentName={campaign?.customer_segment?.name ?? segment?.name} />
      <ContentSection
        form={form}
        emailName={campaign?.email?.name ?? email?.name}
        lineName={campaign?.line_message?.name ?? lineMessage?.name}
      />
      {form.values.channels === 'email' && <AbTestSection form={form} savedName={campaign?.ab_email?.name} />}
      <CouponSection form={form} />
      <WhenSection form={form} />
      <OptionsSection form={form} />
    </EditPage>
  )
}

type Form = ReturnType<typeof useEditForm<Values>>

/** Numbers of the chosen segment; undefined until known (a count failing is no reason not to go on). */
function useReach(values: Values) {
  const id = values.segment_type === 'all' ? null : values.customer_segment_id
  const query = useQuery({
    ...queryOf(getTargetCounts, { params: { id: id ?? '' }, query: { send_to_all: String(values.send_to_all) } }),
    enabled: id !== null,
  })
  return id === null ? undefined : query.data?.target_counts
}

function AudienceSection({ form, savedSegmentName }: { form: Form; savedSegmentName: string | undefined }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const { values, set, field } = form
  const reach = useReach(values)
  const { error } = field('customer_segment_id')
  const origin = values.segment_type === 'remote' ? 'remote' : 'own'
  return (
    <EditSection title={t('form.audience')} description={t('form.audienceText')}>
      <Radio.Group
        aria-label={t('form.audience')}
        value={values.segment_type}
        onChange={(value) => {
          set('segment_type', SegmentType.parse(value))
          // A segment is of one kind or the other.
          set('customer_segment_id', null)
        }}
      >
        <Stack gap="sm">
          <Radio value="own" label={t('form.own')} description={t('form.ownText')} />
          <Radio value="all" label={t('form.all')} description={t(`form.allText.${values.channels}`)} />
          <Radio value="remote" label={t('form.remote')} description={t('form.remoteText')} />
        </Stack>
      </Radio.Group>
      {values.segment_type !== 'all' && (
        <Box>
          <SearchSelect
            key={values.segment_type}
            label={t('form.segment')}
            placeholder={t('form.segmentPlaceholder')}
            value={values.customer_segment_id}
            valueLabel={savedSegmentName}
            onChange={(id) => set('customer_segment_id', id)}
            error={error}
            clearable
            area={listSegments.area}
            among={origin}
            find={async (q) =>
              (await call(listSegments, { query: { limit: CHOICES, origin, ...(q && { q }) } })).data.map(
                (segment) => ({
                  value: segment.id,
                  label: segment.name,
                  note:
                    segment.customer_count === null
                      ? t('form.segmentCalculating')
                      : t('form.segmentCount', { n: format.number(segment.customer_count) }),
                }),
              )
            }
          />
          <Group justify="space-between" gap="xs" mt={6}>
            <Text size="sm" role="status" mih={22}>
              {reach &&
                t(`form.segmentReach.${values.channels}`, {
                  total: format.number(reach.total),
                  reachable: format.number(reach.reachable),
                  line: format.number(reach.reachable_by_line),
                })}
            </Text>
            {origin === 'own' && (
              <TextLink to={paths.segmentNew()} target="_blank" fz="sm">
                {t('form.newSegment')}
                {t('form.newTab')}
              </TextLink>
            )}
          </Group>
        </Box>
      )}
    </EditSection>
  )
}

/** By which channels, and what each of them says. */
interface ContentProps {
  form: Form
  emailName: string | undefined
  lineName: string | undefined
}

function ContentSection({ form, emailName, lineName }: ContentProps) {
  const t = useWords('campaigns')
  const { values, set } = form
  return (
    <EditSection title={t('form.contentTitle')}>
      <Radio.Group
        aria-label={t('form.channels')}
        value={values.channels}
        onChange={(value) => set('channels', CampaignChannels.parse(value))}
      >
        <Stack gap="sm">
          {campaignChannels.map((value) => (
            <Radio
              key={value}
              value={value}
              label={t(`channels.${value}`)}
              description={t(`form.channelsText.${value}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {goesBy(values.channels, 'line') && <LineField form={form} savedName={lineName} />}
      {goesBy(values.channels, 'email') && <EmailField form={form} savedName={emailName} />}
    </EditSection>
  )
}

interface FieldProps {
  form: Form
  savedName: string | undefined
}

function EmailField({ form: { values, set, field }, savedName }: FieldProps) {
  const t = useWords('campaigns')
  const id = values.email_id
  return (
    <Group align="flex-start" gap="md" wrap="wrap">
      {id && <ChosenEmail id={id} />}
      <Box flex="1 1 280px">
        <EmailSelect
          label={t('email')}
          placeholder={t('form.emailPlaceholder')}
          value={id}
          valueLabel={savedName}
          onChange={(next) => set('email_id', next)}
          error={field('email_id').error}
        />
        <ContentLinks
          open={id && { to: paths.email(id), label: t('form.openEmail') }}
          write={{ to: paths.emailNew(), label: t('form.writeNew') }}
        />
      </Box>
    </Group>
  )
}

function LineField({ form: { values, set, field }, savedName }: FieldProps) {
  const t = useWords('campaigns')
  const id = values.line_message_id
  return (
    <Group align="flex-start" gap="md" wrap="wrap">
      <Box flex="1 1 280px">
        <LineMessageSelect
          label={t('lineMessage')}
          placeholder={t('form.linePlaceholder')}
          value={id}
          valueLabel={savedName}
          onChange={(next) => set('line_message_id', next)}
          error={field('line_message_id').error}
        />
        <ContentLinks
          open={id && { to: paths.lineMessage(id), label: t('form.openLine') }}
          write={{ to: paths.lineMessageNew(), label: t('form.writeLine') }}
        />
      </Box>
      {id && (
        <Box flex="1 1 320px" component="section" aria-label={t('lineMessage')}>
          <ChosenLineMessage id={id} />
        </Box>
      )}
    </Group>
  )
}

interface ContentLink {
  to: string
  label: string
}
function ContentLinks({ open, write }: { open: ContentLink | '' | null; write: ContentLink }) {
  const t = useWords('campaigns')
  return (
    <Group gap="md" mt={8}>
      {[open, write].map(
        (link) =>
          link && (
            <TextLink key={link.to} to={link.to} target="_blank" fz="sm">
              {link.label}
              {t('form.newTab')}
            </TextLink>
          ),
      )}
    </Group>
  )
}

function WhenSection({ form }: { form: Form }) {
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

/** How many of the audience have given no marketing consent; null while no audience is chosen. */
async function withoutConsent({ segment_type, customer_segment_id }: Values): Promise<number | null> {
  if (segment_type === 'all') return (await call(countCustomers, { query: { marketing: 'not_granted' } })).total
  if (!customer_segment_id) return null
  const query = { send_to_all: 'false' }
  return (await call(getTargetCounts, { params: { id: customer_segment_id }, query })).target_counts.no_consent
}

function OptionsSection({ form }: { form: Form }) {
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
