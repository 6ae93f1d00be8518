import { Checkbox, Group, Stack, Text } from '@mantine/core'
import type { CampaignReview } from '@okaeri/contract/campaigns/review'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { paths } from '../../../app/paths.ts'
import { TextLink } from '../../../ui/links.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useLanguageName } from '../../emails/email-language.ts'
import classes from './campaign-review.module.css'
import { type PartProps, Section } from './review-section.tsx'

export function Reach({
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
  // People without LINE miss nothing where they get a mail instead.
  const always = review.parts.length === 1
  // Whether everyone gets it is not decided while messages are missing.
  if (total === 0 && review.line_quota && review.line_quota.missing > 0) return null
  if (total === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('review.noOneLeftOut')}
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

/** With the numbers of those who get it where it is sent to as many as the messages of the month allow. */
export const ofWhatFits = (review: CampaignReview): CampaignReview => {
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
