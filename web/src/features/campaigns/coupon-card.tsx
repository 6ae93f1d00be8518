import { Button, Progress, Stack, Text } from '@mantine/core'
import { type Campaign, campaignAllows } from '@okaeri/contract/campaigns/campaign'
import { getCampaignCoupons } from '@okaeri/contract/campaigns/routes'
import { flawText } from '@okaeri/contract/coupons/flaw'
import { couponText } from '@okaeri/contract/scenarios/flow/phrases'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import type { Action } from '../../ui/actions.tsx'
import { Card, Facts } from '../../ui/pages/detail-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { CALM_INTERVAL_MS, LIVE_INTERVAL_MS } from './campaign-badge.tsx'

interface CampaignCouponsProps {
  campaign: Pick<Campaign, 'id' | 'status'>
  /** Where a person can have the store asked again. */
  retry?: Action
}

/** The codes of a campaign's recipients: how far they are, and what came of them. Nothing where it has none. */
export function CampaignCouponsCard({ campaign, retry }: CampaignCouponsProps) {
  const t = useWords('campaigns')
  const format = useFormat()
  const language = useLanguage()
  const { currency } = useMerchant()
  const { id, status } = campaign
  const mayMove = campaignAllows('retry_coupons', status)
  const { data, refetch } = useQuery({
    ...queryOf(getCampaignCoupons, { params: { id } }),
    refetchInterval: ({ state }) => {
      const found = state.data?.coupons
      const isMaking = mayMove && (!found || found.made + found.failed < found.total)
      return isMaking ? LIVE_INTERVAL_MS : CALM_INTERVAL_MS
    },
  })
  // When the campaign goes on, it is because the codes did: they are read at once, not at the next of their own turns.
  useEffect(() => {
    if (status) void refetch()
  }, [status, refetch])
  const coupons = data?.coupons
  if (!coupons) return null
  const { terms, total, made, used, failed, expires_at, error, next_try_at, slow_since, next_look_at, revenue } =
    coupons
  const isMaking = mayMove && made + failed < total
  return (
    <Card
      title={t('coupon.title')}
      action={
        <Text size="sm">
          <TextLink to={paths.coupons()} search={{ campaign: id }}>
            {t('coupon.list')}
          </TextLink>
        </Text>
      }
    >
      <Stack gap="sm">
        <Facts
          items={[
            { label: t('coupon.terms'), value: couponText(terms, { language, names: { currency } }) },
            { label: t('coupon.until'), value: format.dateTime(expires_at) },
            {
              label: t('coupon.made'),
              value: t('coupon.madeOf', { made: format.number(made), total: format.number(total) }),
            },
            { label: t('coupon.used'), value: format.number(used) },
            made > 0 && { label: t('coupon.rate'), value: format.percent((used / made) * 100) },
            { label: t('coupon.revenue'), value: format.money(revenue) },
          ]}
        />
        {isMaking && (
          <>
            <Progress value={total === 0 ? 0 : (made / total) * 100} aria-label={t('coupon.made')} />
            <Text size="sm" c="dimmed" role="status">
              {next_try_at
                ? t('coupon.tryingAgain', { time: format.dateTime(next_try_at) })
                : slow_since && next_look_at
                  ? t('coupon.slow', { since: format.dateTime(slow_since), next: format.dateTime(next_look_at) })
                  : t('coupon.making')}
            </Text>
          </>
        )}
        {failed > 0 && (
          <Text size="sm" c="var(--mantine-color-error)">
            {t('coupon.failed', { count: failed, n: format.number(failed) })}
          </Text>
        )}
        {error && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {flawText(error, language) ?? (
              <>
                {t('coupon.storeSays')}
                <span lang="en">{error}</span>
              </>
            )}
          </Text>
        )}
        {failed > 0 && retry && mayMove && (
          <div>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={retry.icon}
              loading={retry.busy ?? false}
              disabled={Boolean(retry.disabledReason)}
              onClick={retry.onClick}
            >
              {retry.label}
            </Button>
          </div>
        )}
        <Text size="xs" c="dimmed">
          {status === 'cancelled' && made > 0 ? t('coupon.remain') : t('coupon.how')}
        </Text>
      </Stack>
    </Card>
  )
}
