import { Stack, Text } from '@mantine/core'
import type { Campaign } from '@okaeri/contract/campaigns/campaign'
import type { CampaignReview } from '@okaeri/contract/campaigns/review'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { Notice } from '../../../ui/notice.tsx'
import classes from '../review/campaign-review.module.css'

const HOUR_MS = 3_600_000

interface AbReviewProps {
  campaign: Campaign
  review: CampaignReview
  /** When it starts is known. */
  isTimed: boolean
}

/** Exactly how many get A, how many B, how many wait, until when and for what. */
export function AbReview({ campaign, review, isTimed }: AbReviewProps) {
  const t = useWords('campaigns')
  const format = useFormat()
  const { ab_test: test } = campaign
  const { ab_test: planned, sample } = review
  if (!test || !planned) return null
  const { a, b, rest } = planned.people
  const people = (count: number) => t('ab.review.people', { count, n: format.number(count) })
  const decidesAt = new Date(Date.parse(review.starts_at) + test.hours * HOUR_MS).toISOString()
  return (
    <Stack gap="sm">
      <table className={classes.table}>
        <tbody>
          <tr>
            <th scope="row">
              {t('ab.group.a')}
              <Text size="xs" c="dimmed">
                {sample?.subject ?? campaign.email?.name}
              </Text>
            </th>
            <td>{people(a)}</td>
          </tr>
          <tr>
            <th scope="row">
              {t('ab.group.b')}
              <Text size="xs" c="dimmed">
                {planned.sample?.subject}
              </Text>
            </th>
            <td>{people(b)}</td>
          </tr>
          <tr>
            <th scope="row">
              {t('ab.group.rest')}
              <Text size="xs" c="dimmed">
                {t('ab.review.waits')}
              </Text>
            </th>
            <td>{people(rest)}</td>
          </tr>
          <tr className={classes.sum}>
            <th scope="row">{t('review.total')}</th>
            <td>{people(a + b + rest)}</td>
          </tr>
        </tbody>
      </table>
      <Text size="sm">
        {t(`ab.review.decides.${test.decides_by}`, {
          count: test.hours,
          hours: format.number(test.hours),
          rest: format.number(rest),
        })}{' '}
        {isTimed && t('ab.review.about', { time: format.scheduled(decidesAt) })}
      </Text>
      <Text size="sm">{t('ab.review.earlier')}</Text>
      {planned.is_watched && <Text size="sm">{t('ab.review.watched')}</Text>}
      {planned.is_small && <Notice tone="warning">{t('ab.review.small')}</Notice>}
    </Stack>
  )
}
