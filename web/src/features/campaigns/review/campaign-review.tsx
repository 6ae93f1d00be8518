import { Paper, Stack } from '@mantine/core'
import { type Campaign, campaignAllows, goesBy } from '@okaeri/contract/campaigns/campaign'
import type { CampaignReview } from '@okaeri/contract/campaigns/review'
import { getCampaign, reviewCampaign } from '@okaeri/contract/campaigns/routes'
import { IconPencil } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { queryOf } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { paths } from '../../../app/paths.ts'
import { ActionButton } from '../../../ui/actions.tsx'
import { ButtonLink, TextLink } from '../../../ui/links.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageFrame } from '../../../ui/pages/page-frame.tsx'
import { Loading, LoadFailed } from '../../../ui/states.tsx'
import { SyncProgressCard, useSync } from '../../customers/sync-progress.tsx'
import { AbReview } from '../ab-test/ab-test-review.tsx'
import { CampaignBadge } from '../campaign-badge.tsx'
import classes from './campaign-review.module.css'
import { CouponReview } from './coupon-review.tsx'
import { testersOf } from './testers.ts'
import { Checks, type ReviewProps, MailSection, LineSection } from './review-contents.tsx'
import { Reach, ofWhatFits } from './review-reach.tsx'
import { Section } from './review-section.tsx'
import { Start, isUntimed, useReservation, SendBar } from './review-sending.tsx'

/** The step before anything reaches people: exactly who, what and when. */
export function CampaignReviewPage() {
  const t = useWords('campaigns')
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const [customer, setCustomer] = useState<string | null>(null)
  const campaign = useQuery(queryOf(getCampaign, { params: { id } }))
  const review = useQuery({
    ...queryOf(reviewCampaign, { params: { id }, query: customer ? { customer_id: customer } : {} }),
    placeholderData: keepPreviousData,
    enabled: campaign.data?.campaign.status === 'draft',
  })
  const found = campaign.data?.campaign
  const failed = (!campaign.data && campaign) || (!review.data && review)

  return (
    <PageFrame
      title={t('review.title')}
      description={found?.name}
      back={{ to: paths.campaign(id), label: t('backToCampaign') }}
      actions={
        found?.status === 'draft' && (
          <ActionButton
            action={{
              label: t('review.edit'),
              icon: <IconPencil size={18} aria-hidden />,
              to: paths.campaignEdit(id),
            }}
          />
        )
      }
    >
      {found && !campaignAllows('reserve', found.status) ? (
        <Confirmed campaign={found} />
      ) : found && review.data ? (
        <Review
          campaign={found}
          review={review.data.review}
          stale={review.isPlaceholderData}
          customer={customer}
          setCustomer={setCustomer}
        />
      ) : (
        <Paper withBorder p="lg" mih={400}>
          {failed && failed.error ? (
            <LoadFailed error={failed.error} retry={() => void failed.refetch()} />
          ) : (
            <Loading lines={8} />
          )}
        </Paper>
      )}
    </PageFrame>
  )
}

/** Reloaded, or in a second tab: what was confirmed says what became of it, not that it can no longer be sent. */
function Confirmed({ campaign }: { campaign: Campaign }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const { id, status, send_type, balance, scheduled_at } = campaign
  const scheduled = send_type === 'scheduled' && (status === 'reserved' || status === 'reserving') && scheduled_at
  return (
    <Notice
      tone={status === 'waiting' || status === 'send_failure' ? 'warning' : 'info'}
      title={
        status === 'deleted' || status === 'cancelled'
          ? t(`status.${status}`)
          : t(scheduled ? 'review.isScheduled' : 'review.isConfirmed')
      }
      action={<ButtonLink to={paths.campaign(id)}>{t('review.openCampaign')}</ButtonLink>}
    >
      {scheduled
        ? t('review.starts', { time: format.scheduled(scheduled) })
        : status === 'waiting' && campaign.wait_reason
          ? t(`review.wait.${campaign.wait_reason}`)
          : t('review.followThere')}{' '}
      <CampaignBadge status={status} sendType={send_type} balance={balance} waitReason={campaign.wait_reason} />
    </Notice>
  )
}

function Review({ campaign, review, stale, customer, setCustomer }: ReviewProps) {
  const t = useWords('campaigns')
  const [sendsWhatFits, setSendsWhatFits] = useState(false)
  const [skipsCanary, setSkipsCanary] = useState(false)
  const reservation = useReservation(campaign, review, { sendsWhatFits, skipsCanary })
  const reached = sendsWhatFits ? ofWhatFits(review) : review
  return (
    <>
      {reservation.changed && <Notice tone="warning">{t('review.changed')}</Notice>}
      <Missing campaign={campaign} review={review} />
      {!review.store_copied && <Copying />}
      <div className={classes.columns}>
        <Stack gap="md">
          <TestMode review={review} />
          <Reach
            campaign={campaign}
            review={review}
            reached={reached}
            sendsWhatFits={sendsWhatFits}
            setSendsWhatFits={setSendsWhatFits}
          />
          {review.ab_test && (
            <Section title={t('ab.title')}>
              <AbReview campaign={campaign} review={review} isTimed={!isUntimed(review)} />
            </Section>
          )}
          {review.coupon && (
            <Section title={t('coupon.title')}>
              <CouponReview campaign={campaign} review={review} />
            </Section>
          )}
          <Start campaign={campaign} review={review} skipsCanary={skipsCanary} setSkipsCanary={setSkipsCanary} />
          {!review.missing.includes('email') && !review.missing.includes('line_message') && (
            <Checks campaign={campaign} review={review} />
          )}
        </Stack>
        <Stack gap="md">
          {goesBy(campaign.channels, 'line') && <LineSection campaign={campaign} />}
          {goesBy(campaign.channels, 'email') && (
            <MailSection
              campaign={campaign}
              review={review}
              stale={stale}
              customer={customer}
              setCustomer={setCustomer}
            />
          )}
        </Stack>
      </div>
      <SendBar campaign={campaign} review={reached} reservation={reservation} sendsWhatFits={sendsWhatFits} />
    </>
  )
}

function Missing({ campaign, review }: { campaign: Campaign; review: CampaignReview }) {
  const t = useWords('campaigns')
  if (review.missing.length === 0) return null
  return (
    <Notice
      tone="danger"
      title={t('review.missingTitle')}
      action={<ButtonLink to={paths.campaignEdit(campaign.id)}>{t('review.edit')}</ButtonLink>}
    >
      {review.missing.map((what) => (
        <div key={what}>{t(`review.missing.${what}`)}</div>
      ))}
    </Notice>
  )
}

/** Until the store is copied the numbers below may change; when it is, they are loaded again. */
function Copying() {
  const t = useWords('campaigns')
  const sync = useSync()
  return (
    <>
      <Notice tone="warning" title={t('review.copying')}>
        {t('review.copyingText')}
      </Notice>
      <SyncProgressCard sync={sync} onlyWhile={['running', 'failed']} />
    </>
  )
}

function TestMode({ review }: { review: CampaignReview }) {
  const t = useWords('campaigns')
  const emails = useWords('emails')
  const format = useFormat()
  if (!review.test_mode) return null
  const missing = review.parts
    .map(({ channel }) => channel)
    .find((channel) => review.test_recipients[channel].length === 0)
  return (
    <Notice
      tone="warning"
      title={t('review.testMode')}
      action={
        missing && (
          <TextLink to={paths.settings()} search={missing === 'line' ? { tab: 'line' } : {}}>
            {emails('findings.settings')}
          </TextLink>
        )
      }
    >
      {missing
        ? t(`review.testModeNone.${missing}`)
        : t('review.testModeText', { cap: format.number(review.test_cap), recipients: format.list(testersOf(review)) })}
    </Notice>
  )
}
