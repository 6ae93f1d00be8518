import { TextInput } from '@mantine/core'
import { type Campaign } from '@okaeri/contract/campaigns/campaign'
import { changeCampaign, createCampaign, getCampaign } from '@okaeri/contract/campaigns/routes'
import { getEmail } from '@okaeri/contract/emails/routes'
import { getLineMessage } from '@okaeri/contract/line-messages/routes'
import { getSegment } from '@okaeri/contract/segments/routes'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { changesOf } from '../../ui/edit/changes.ts'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { EditPage, EditPageLoading, EditSection } from '../../ui/pages/edit-page.tsx'
import { AbTestSection } from './ab-test/ab-test-section.tsx'
import { bodyOf, draftSchema, emptyValues, FIELD_GROUPS, type Values, valuesOf } from './campaign-values.ts'
import { CampaignNewSearch } from './search.ts'
import { CouponSection } from './form/coupon-section.tsx'
import { AudienceSection } from './form/audience-section.tsx'
import { ContentSection } from './form/content-section.tsx'
import { ScheduleSection } from './form/schedule-section.tsx'
import { OptionsSection } from './form/options-section.tsx'

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
      <ScheduleSection form={form} />
      <OptionsSection form={form} />
    </EditPage>
  )
}
