import { Button, Checkbox, Group, Paper, SegmentedControl, Stack, Text, Title, Tooltip } from '@mantine/core'
import { AbChoice } from '@okaeri/contract/campaigns/ab-test'
import { type Campaign, type CampaignReview, campaignAllows, goesBy } from '@okaeri/contract/campaigns/campaign'
import { getCampaign, reserveCampaign, reviewCampaign } from '@okaeri/contract/campaigns/routes'
import type { FindingCode } from '@okaeri/contract/emails/email'
import { getEmail } from '@okaeri/contract/emails/routes'
import { ApiError } from '@okaeri/contract/client'
import { IconCalendarCheck, IconPencil, IconSend } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { useErrorText } from '../../app/reasons.ts'
import { ActionButton } from '../../ui/actions.tsx'
import { ButtonLink, TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { SyncProgressCard, useSync } from '../customers/sync-progress.tsx'
import { CustomerPicker } from '../emails/customer-picker.tsx'
import { CustomerVariant } from '../emails/customer-variant.tsx'
import { useLanguageName } from '../emails/email-language.ts'
import { FindingList } from '../emails/finding-list.tsx'
import { useLinkChecks } from '../emails/link-checks.ts'
import { LinkSummary } from '../emails/link-summary.tsx'
import { MailPreview } from '../emails/mail-preview.tsx'
import { SizeMeter } from '../emails/size-meter.tsx'
import { TestSend } from '../emails/test-send.tsx'
import { ChosenLineMessage } from '../line-messages/chosen-line-message.tsx'
import { AbReview } from './ab-test-review.tsx'
import { CampaignBadge } from './campaign-badge.tsx'
import classes from './campaign-review.module.css'
import { CouponReview } from './coupon-review.tsx'
import { allFindings, SendDialog } from './send-dialog.tsx'
import { testersOf } from './testers.ts'

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

interface ReviewProps {
  campaign: Campaign
  review: CampaignReview
  stale: boolean
  customer: string | null
  setCustomer: (id: string | null) => void
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

interface PartProps {
  campaign: Campaign
  review: CampaignReview
}

/** Who gets it and who does not. */
function Reach({
  campaign,
  review,
  reached,
  sendsWhatFits,
  setSendsWhatFits,
}: PartProps & {
  /** With less, where no more than what is left of the plan is sent. */
  reached: CampaignReview
  sendsWhatFits: boolean
  setSendsWhatFits: (sendsWhatFits: boolean) => void
}) {
  const t = useWords('campaigns')
  const format = useFormat()
  return (
    <Section title={review.test_mode ? t('review.willReachTest') : t('review.willReach')}>
      <div className={classes.number}>
        {t(campaign.channels === 'both' ? 'review.messages' : 'review.people', {
          count: reached.recipients,
          n: format.number(reached.recipients),
        })}
      </div>
      <Parts review={reached} />
      <Languages review={review} />
      <Text size="sm" c="dimmed">
        {t('review.audience', { n: format.number(review.audience) })}
        {' — '}
        {campaign.segment_type === 'all' ? t('allCustomers') : (campaign.customer_segment?.name ?? t('notChosen'))}
      </Text>
      {review.without_consent > 0 && (
        <Notice tone="warning" title={t('review.withoutConsent', { n: format.number(review.without_consent) })}>
          {t('review.withoutConsentText')}
        </Notice>
      )}
      {review.audience > 0 && <LeftOut review={review} overQuota={review.recipients - reached.recipients} />}
      {campaign.channels === 'line' && review.left_out.not_linked > 0 && (
        <Text size="sm">
          {t('review.notLinkedHelp')}{' '}
          <TextLink to={paths.settings()} search={{ tab: 'line' }} underline="always">
            {t('review.notLinkedOpen')}
          </TextLink>
        </Text>
      )}
      <Quota review={review} sendsWhatFits={sendsWhatFits} onChange={setSendsWhatFits} />
    </Section>
  )
}

/** When it goes, from whom, and what holds it. */
function Start({
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
const isUntimed = ({ missing }: CampaignReview): boolean => missing.includes('scheduled_at')

/** What is found in what will be sent. */
function Checks({ campaign, review }: PartProps) {
  const t = useWords('campaigns')
  return (
    <Section title={t('review.checks')}>
      <Unsaved review={review} campaignId={campaign.id} />
      <FindingList
        findings={review.findings}
        campaignAt={paths.campaignEdit(campaign.id)}
        {...(campaign.email && {
          editorAt: { to: paths.emailEditor(campaign.email.id), search: { campaign: campaign.id } },
        })}
      />
      {review.ab_test && review.ab_test.findings.length > 0 && (
        <>
          <Text fw={600}>{t('ab.review.findingsOfB')}</Text>
          <FindingList findings={review.ab_test.findings} campaignAt={paths.campaignEdit(campaign.id)} />
        </>
      )}
      {review.sample && <SizeMeter sizeBytes={review.sample.size_bytes} />}
      {goesBy(campaign.channels, 'email') && campaign.email && (
        <Links campaignId={campaign.id} emailId={campaign.email.id} />
      )}
    </Section>
  )
}

/** What the member typed is theirs alone: what is saved is sent. */
function Unsaved({ review: { unsaved }, campaignId }: { review: CampaignReview; campaignId: string }) {
  const t = useWords('campaigns')
  const format = useFormat()
  if (unsaved.length === 0) return null
  return (
    <Notice tone="warning" title={t('review.unsaved')}>
      {t('review.unsavedText')}
      {unsaved.map(({ kind, id, name, saved_at }) => (
        <div key={id}>
          <TextLink
            to={kind === 'email' ? paths.emailEditor(id) : paths.emailComponent(id)}
            search={{ campaign: campaignId }}
            fz="sm"
          >
            {t('review.unsavedAt', { name, at: format.dateTime(saved_at) })}
          </TextLink>
        </div>
      ))}
    </Notice>
  )
}

/** Opening the review has the links looked at; what comes back is among the checks then. */
function Links({ campaignId, emailId }: { campaignId: string; emailId: string }) {
  const { data } = useQuery(queryOf(getEmail, { params: { id: emailId } }))
  const checks = useLinkChecks(emailId, data?.email.updated_at)
  return <LinkSummary emailId={emailId} campaignId={campaignId} checks={checks} />
}

function MailSection({ campaign, review, stale, customer, setCustomer }: ReviewProps) {
  const t = useWords('campaigns')
  const emails = useWords('emails')
  const { mayChange } = useMerchant()
  const [chosen, setChosen] = useState<AbChoice>('a')
  const [testing, setTesting] = useState(false)
  const second = review.ab_test?.sample
  const shown = chosen === 'b' && second ? second : review.sample
  const email = shown === second && campaign.ab_test?.differs === 'email' ? campaign.ab_email : campaign.email
  return (
    <Section title={t('review.mail')}>
      {second && (
        <SegmentedControl
          aria-label={t('ab.review.shown')}
          style={{ alignSelf: 'flex-start' }}
          value={chosen}
          onChange={(value) => setChosen(AbChoice.parse(value))}
          data={AbChoice.options.map((value) => ({ value, label: t(`ab.group.${value}`) }))}
        />
      )}
      {shown ? (
        <>
          <CustomerPicker
            label={t('review.seenAs')}
            placeholder={review.sample_customer?.name || emails('editor.exampleCustomer')}
            value={customer}
            onChange={(id) => setCustomer(id)}
          />
          <CustomerVariant chosen={shown.customer_variant} />
          <MailPreview mail={shown} stale={stale} />
          {second && email && mayChange && (
            <>
              <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => setTesting(true)}>
                {t('ab.review.sendTest', { group: t(`ab.group.${chosen}`) })}
              </Button>
              <TestSend
                key={chosen}
                emailId={email.id}
                subject={chosen === 'b' && campaign.ab_test?.differs === 'subject' ? campaign.ab_test.subject : null}
                opened={testing}
                onClose={() => setTesting(false)}
              />
            </>
          )}
          {email && (
            <TextLink to={paths.emailEditor(email.id)} fz="sm" target="_blank">
              {email.name} — {emails('openEditor')}
              {t('form.newTab')}
            </TextLink>
          )}
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {t('review.noSample')}
        </Text>
      )}
    </Section>
  )
}

function LineSection({ campaign: { line_message: message } }: { campaign: Campaign }) {
  const t = useWords('campaigns')
  return (
    <Section title={t('lineMessage')}>
      {message ? (
        <>
          <ChosenLineMessage id={message.id} />
          <TextLink to={paths.lineMessageEdit(message.id)} fz="sm" target="_blank">
            {message.name} — {t('review.openLine')}
            {t('form.newTab')}
          </TextLink>
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {t('review.noLine')}
        </Text>
      )}
    </Section>
  )
}

/** How many by which channel, where there are several. */
function Parts({ review }: { review: CampaignReview }) {
  const t = useWords('campaigns')
  const format = useFormat()
  if (review.parts.length < 2) return null
  return (
    <Group gap="lg">
      {review.parts.map(({ channel, recipients }) => (
        <Text key={channel} size="sm" fw={600}>
          {t('review.part', {
            channel: t(`channels.${channel}`),
            people: t('review.people', { count: recipients, n: format.number(recipients) }),
          })}
        </Text>
      ))}
    </Group>
  )
}

/** How many get which of the email's languages, where it has several. */
function Languages({ review }: { review: CampaignReview }) {
  const t = useWords('campaigns')
  const emails = useWords('emails')
  const format = useFormat()
  const nameOf = useLanguageName()
  if (review.languages.length === 0) return null
  const mails = review.parts.find(({ channel }) => channel === 'email')?.recipients
  const counted = review.languages.reduce((sum, { people }) => sum + people, 0)
  return (
    <div>
      <Group gap="lg" role="group" aria-label={emails('languages.title')}>
        {review.languages.map(({ language, people }) => (
          <Text key={language ?? 'base'} size="sm" fw={600}>
            {emails('languages.people', {
              name: nameOf(language),
              people: t('review.people', { count: people, n: format.number(people) }),
            })}
          </Text>
        ))}
      </Group>
      {counted !== mails && (
        <Text size="xs" c="dimmed">
          {t('review.languagesBeforeCap')}
        </Text>
      )}
    </div>
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <Paper withBorder p="lg" component="section" aria-label={title}>
    <Stack gap="sm">
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  </Paper>
)

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

/** Until the store is copied the numbers below are not the last word; when it is, they are asked for anew. */
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

const reasonOrder = {
  email: ['no_consent', 'paused', 'no_address', 'suppressed', 'duplicate_address', 'frequency_cap'],
  line: ['not_linked', 'not_a_friend', 'blocked', 'frequency_cap'],
} as const

function LeftOut({ review, overQuota }: { review: CampaignReview; overQuota: number }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const shown = review.parts.map(({ channel }) => reasonOrder[channel]).flat()
  const reasons = [...new Set(shown.filter((reason) => reason !== 'frequency_cap')), 'frequency_cap' as const]
  const total = reasons.reduce((sum, reason) => sum + review.left_out[reason], overQuota)
  // Who has no LINE is left out of nothing where they get a mail instead.
  const always = review.parts.length === 1
  // Whether everyone gets it is not decided while messages are missing.
  if (total === 0 && review.line_quota && review.line_quota.missing > 0) return null
  if (total === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('review.nobodyLeftOut')}
      </Text>
    )
  return (
    <table className={classes.table}>
      <caption>{t('review.leftOut')}</caption>
      <tbody>
        {reasons
          .filter(
            (reason) => review.left_out[reason] > 0 || (always && reason !== 'frequency_cap' && reason !== 'paused'),
          )
          .map((reason) => (
            <tr key={reason}>
              <th scope="row">{t(`review.reason.${reason}`)}</th>
              <td>{format.number(review.left_out[reason])}</td>
            </tr>
          ))}
        {overQuota > 0 && (
          <tr>
            <th scope="row">{t('review.overQuota')}</th>
            <td>{format.number(overQuota)}</td>
          </tr>
        )}
        <tr className={classes.sum}>
          <th scope="row">{t('review.total')}</th>
          <td>{format.number(total)}</td>
        </tr>
      </tbody>
    </table>
  )
}

const lacksQuota = ({ line_quota }: CampaignReview, sendsWhatFits: boolean): boolean =>
  line_quota !== null && line_quota.missing > 0 && (!sendsWhatFits || line_quota.left === 0)

/** With the numbers of those who get it where it is sent to as many as the messages of the month allow. */
const ofWhatFits = (review: CampaignReview): CampaignReview => {
  const missing = review.line_quota?.missing ?? 0
  const parts = review.parts.map((part) =>
    part.channel === 'line' ? { ...part, recipients: part.recipients - missing } : part,
  )
  return { ...review, parts, recipients: review.recipients - missing }
}

interface QuotaProps {
  review: CampaignReview
  sendsWhatFits: boolean
  onChange: (sendsWhatFits: boolean) => void
}

/** Whether the LINE messages of the month suffice; where not, a person says that those who fit get it. */
function Quota({ review: { line_quota: quota, parts }, sendsWhatFits, onChange }: QuotaProps) {
  const t = useWords('campaigns')
  const format = useFormat()
  if (!quota || quota.left === null || quota.limit === null) return null
  const needed = parts.find(({ channel }) => channel === 'line')?.recipients ?? 0
  const values = {
    left: format.number(quota.left),
    limit: format.number(quota.limit),
    needed: format.number(needed),
    missing: format.number(quota.missing),
  }
  if (quota.missing === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('review.quota.fits', values)}
      </Text>
    )
  return (
    <Notice tone="warning" title={t('review.quota.missing', values)}>
      <Stack gap="xs">
        {t('review.quota.left', values)}
        {quota.left === 0 ? (
          <div>{t('review.quota.none')}</div>
        ) : (
          <Checkbox
            label={t('review.quota.sendWhatFits', values)}
            description={t('review.quota.order')}
            checked={sendsWhatFits}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
        )}
      </Stack>
    </Notice>
  )
}

/** Reserving by the number that was seen; when it has changed meanwhile, the new one is fetched and shown. */
function useReservation(
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

function SendBar({ campaign, review, reservation, sendsWhatFits }: SendBarProps) {
  const t = useWords('campaigns')
  const format = useFormat()
  const errorText = useErrorText()
  const { mayChange } = useMerchant()
  const [asking, setAsking] = useState(false)
  const immediate = campaign.send_type === 'immediate'
  const past = !immediate && campaign.scheduled_at !== null && Date.parse(campaign.scheduled_at) <= Date.now()
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
                : t(immediate ? 'review.sure' : 'review.cancelUntil'))}
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
