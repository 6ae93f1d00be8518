import { Button, Checkbox, Group, Text, Tooltip } from '@mantine/core'
import { type Campaign, tooLateToCancel } from '@okaeri/contract/campaigns/campaign'
import type { CampaignReview } from '@okaeri/contract/campaigns/review'
import { reserveCampaign } from '@okaeri/contract/campaigns/routes'
import type { FindingCode } from '@okaeri/contract/emails/email'
import { ApiError } from '@okaeri/contract/client'
import { IconCalendarCheck, IconSend } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { refresh } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { paths } from '../../../app/paths.ts'
import { useErrorText } from '../../../app/reasons.ts'
import { TextLink } from '../../../ui/links.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.ts'
import classes from './campaign-review.module.css'
import { allFindings, SendDialog } from './send-dialog.tsx'
import { type PartProps, Section } from './review-section.tsx'

/** When it goes, from whom, and what holds it. */
export function Start({
  campaign,
  review,
  skipsCanary,
  setSkipsCanary,
}: PartProps & { skipsCanary: boolean; setSkipsCanary: (skipsCanary: boolean) => void }) {
  const t = useWords('campaigns')
  const emails = useWords('emails')
  const format = useFormat()
  const untimed = isUntimed(review)
  /** B's email may have a sender of its own. */
  const sendersOf = ({ sample, ab_test }: CampaignReview): string => {
    const [a = '', b = a] = [sample?.from, ab_test?.sample?.from]
    return a === b ? a : t('ab.review.both', { a, b })
  }
  return (
    <Section title={t('review.start')}>
      {!(campaign.send_type === 'immediate' && review.wait_reason) && (
        <Text size="sm" fw={600}>
          {campaign.send_type === 'immediate'
            ? t('review.startsNow')
            : untimed
              ? t('review.missing.scheduled_at')
              : t('review.starts', { time: format.scheduled(review.starts_at) })}
        </Text>
      )}
      {review.sample?.from && (
        <Text size="sm" className={classes.sender}>
          {t('review.from', { sender: sendersOf(review).replace(/<>$/, () => emails('view.noAddress')) })}
        </Text>
      )}
      {review.sample?.links_by && (
        <Text size="sm" className={classes.sender}>
          {t('review.linksBy', { host: review.sample.links_by.host })}
        </Text>
      )}
      {review.warm_up && (
        <Notice tone="warning" title={t('warmUp.title', { n: review.warm_up.days })}>
          {t('warmUp.text', {
            domain: review.warm_up.domain,
            today: format.number(review.warm_up.today),
          })}{' '}
          <TextLink to={paths.settings()} search={{ tab: 'mail' }}>
            {t('warmUp.open')}
          </TextLink>
        </Notice>
      )}
      {review.canary && (
        <Notice title={t('canary.title')}>
          {t('canary.text', { n: format.number(review.canary.people), minutes: review.canary.minutes })}
          <Checkbox
            mt="xs"
            label={t('canary.skip')}
            checked={skipsCanary}
            onChange={(event) => setSkipsCanary(event.currentTarget.checked)}
          />
        </Notice>
      )}
      {review.wait_reason && !untimed && (
        <Notice tone="warning">
          {t(`review.wait.${review.wait_reason}`)}{' '}
          {review.waits_until && t('review.starts', { time: format.scheduled(review.waits_until) })}
        </Notice>
      )}
    </Section>
  )
}

export const isUntimed = ({ missing }: CampaignReview): boolean => missing.includes('scheduled_at')

const lacksQuota = ({ line_quota }: CampaignReview, sendsWhatFits: boolean): boolean =>
  line_quota !== null && line_quota.missing > 0 && (!sendsWhatFits || line_quota.left === 0)

/** Reserving by the number that was seen; when it has changed meanwhile, the new one is fetched and shown. */
export function useReservation(
  campaign: Campaign,
  review: CampaignReview,
  { sendsWhatFits, skipsCanary }: { sendsWhatFits: boolean; skipsCanary: boolean },
) {
  const t = useWords('campaigns')
  const navigate = useNavigate()
  const { setting } = useMerchant()
  const [changed, setChanged] = useState(false)
  const reserve = useMutation({
    mutationFn: (accepted: FindingCode[]) =>
      call(reserveCampaign, {
        params: { id: campaign.id },
        body: {
          recipients_seen: review.recipients,
          groups_seen: review.ab_test?.people ?? null,
          fingerprint_seen: review.fingerprint,
          accepted,
          send_what_fits: sendsWhatFits,
          skips_canary: skipsCanary,
          undo_seconds: setting.undo_seconds,
        },
      }),
    onSuccess: () => {
      toast.done(campaign.send_type === 'immediate' ? t('review.started') : t('review.reserved'))
      void refresh('campaigns', 'emails', 'segments')
      void navigate({ to: paths.campaign(campaign.id) })
    },
    onError: (error) => {
      // Confirmed in another tab, or by a press before: its page says how far it is.
      if (error instanceof ApiError && error.reason === 'campaign_not_draft') {
        void refresh('campaigns')
        void navigate({ to: paths.campaign(campaign.id) })
        return
      }
      setChanged(error instanceof ApiError && error.reason === 'campaign_changed_since_review')
      toast.failed(error)
      void refresh('campaigns')
    },
  })
  return { ...reserve, changed }
}

interface SendBarProps {
  campaign: Campaign
  review: CampaignReview
  reservation: ReturnType<typeof useReservation>
  sendsWhatFits: boolean
}

export function SendBar({ campaign, review, reservation, sendsWhatFits }: SendBarProps) {
  const t = useWords('campaigns')
  const format = useFormat()
  const errorText = useErrorText()
  const { mayChange } = useMerchant()
  const [asking, setAsking] = useState(false)
  const immediate = campaign.send_type === 'immediate'
  const past = !immediate && campaign.scheduled_at !== null && Date.parse(campaign.scheduled_at) <= Date.now()
  const isNear = campaign.scheduled_at !== null && tooLateToCancel(new Date(campaign.scheduled_at), new Date())
  const reason = !mayChange
    ? t('readOnly')
    : review.missing.length > 0
      ? t('review.why.missing')
      : past
        ? t('review.why.past')
        : allFindings(review).some((finding) => finding.level === 'blocks')
          ? t('review.why.findings')
          : !review.store_copied && !review.test_mode
            ? t('review.why.copying')
            : lacksQuota(review, sendsWhatFits)
              ? t('review.why.quota')
              : review.recipients === 0
                ? t('review.why.nobody')
                : review.can_reserve
                  ? null
                  : t('review.why.other')

  const values = {
    count: review.recipients,
    n: format.number(review.recipients),
    time: format.dateTime(review.starts_at),
  }
  const label = immediate
    ? review.test_mode
      ? t('review.sendTest')
      : t(campaign.channels === 'both' ? 'review.sendMessages' : 'review.send', values)
    : review.missing.includes('scheduled_at')
      ? t('review.reserveUntimed')
      : review.test_mode
        ? t('review.reserveTest', values)
        : t(campaign.channels === 'both' ? 'review.reserveMessages' : 'review.reserve', values)
  const other = reservation.error ? (reservation.changed ? t('review.changed') : errorText(reservation.error)) : null
  return (
    <div className={classes.bar} data-save-bar>
      <Group justify="space-between" gap="sm" className={classes.barInner}>
        <Text size="sm" flex="1 1 220px" c={other ? 'var(--mantine-color-error)' : undefined} role="status">
          {other ??
            reason ??
            (review.wait_reason === 'sending_held'
              ? t('review.wait.sending_held')
              : review.test_mode
                ? t('review.testMode')
                : t(immediate ? 'review.sure' : isNear ? 'review.cannotCancel' : 'review.cancelUntil'))}
        </Text>
        <Tooltip
          label={reason ?? ''}
          disabled={reason === null}
          multiline
          maw={320}
          events={{ hover: true, focus: true, touch: true }}
        >
          <Button
            size="md"
            leftSection={immediate ? <IconSend size={20} aria-hidden /> : <IconCalendarCheck size={20} aria-hidden />}
            data-disabled={reason !== null || undefined}
            aria-disabled={reason !== null || undefined}
            onClick={() => reason === null && setAsking(true)}
          >
            {label}
          </Button>
        </Tooltip>
      </Group>
      {asking && (
        <SendDialog
          campaign={campaign}
          review={review}
          busy={reservation.isPending || reservation.isSuccess}
          onClose={() => setAsking(false)}
          onConfirm={(accepted) => reservation.mutate(accepted, { onError: () => setAsking(false) })}
        />
      )}
    </div>
  )
}
