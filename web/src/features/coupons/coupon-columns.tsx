import { Text } from '@mantine/core'
import type { CouponStatus } from '@okaeri/contract/coupons/coupon'
import type { Coupon } from '@okaeri/contract/coupons/routes'
import { flawText } from '@okaeri/contract/coupons/flaw'
import { couponText } from '@okaeri/contract/scenarios/flow/phrases'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import type { Action } from '../../ui/actions.tsx'
import { TextLink } from '../../ui/links.tsx'
import type { Column } from '../../ui/pages/records.tsx'
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx'

const tones: Record<CouponStatus, Tone> = {
  wanted: 'progress',
  made: 'info',
  used: 'success',
  expired: 'neutral',
  failed: 'danger',
}

export type CouponColumn = 'code' | 'status' | 'customer' | 'scenario' | 'order' | 'issued' | 'expires'

/** Columns of lists of coupons: what each is, whose, and what came of it. */
export function useCouponColumns(names: readonly CouponColumn[]): Column<Coupon>[] {
  const t = useWords('coupons')
  const format = useFormat()
  const language = useLanguage()
  const { currency } = useMerchant()
  const columns: Record<CouponColumn, Column<Coupon>> = {
    code: {
      accessor: 'code',
      title: t('code'),
      phone: 'title',
      cellsStyle: () => ({ minWidth: 170 }),
      render: ({ code, terms }) => (
        <>
          <Text span size="sm" fw={600} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {code}
          </Text>
          <Text size="xs" c="dimmed">
            {couponText(terms, { language, names: { currency } })}
          </Text>
        </>
      ),
    },
    status: {
      accessor: 'status',
      title: t('statusLabel'),
      width: 140,
      render: ({ status, used_at, error, campaign_id }) => (
        <>
          <StatusBadge tone={tones[status]}>{t(`status.${status}`)}</StatusBadge>
          {used_at && (
            <Text size="xs" c="dimmed" mt={2}>
              {format.dateTime(used_at)}
            </Text>
          )}
          {(status === 'failed' || status === 'wanted') && (
            <Text size="xs" c="dimmed" mt={2}>
              {t(status === 'wanted' ? 'wantedWhy' : campaign_id ? 'failedWhyOfCampaign' : 'failedWhy')}
            </Text>
          )}
          {status === 'failed' && error && (
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {flawText(error, language) ?? <span lang="en">{error}</span>}
            </Text>
          )}
        </>
      ),
    },
    customer: {
      accessor: 'customer_name',
      title: t('person'),
      cellsStyle: () => ({ minWidth: 120 }),
      render: ({ customer_id, customer_name }) =>
        customer_id && customer_name !== null ? (
          <TextLink to={paths.customer(customer_id)}>{customer_name || '—'}</TextLink>
        ) : (
          <Text size="sm" c="dimmed">
            {t('guest')}
          </Text>
        ),
    },
    scenario: {
      accessor: 'scenario_name',
      title: t('issuedBy'),
      cellsStyle: () => ({ minWidth: 130 }),
      render: ({ scenario_id, scenario_name, campaign_id, campaign_name }) =>
        campaign_id ? (
          campaign_name === null ? (
            <Text size="sm" c="dimmed">
              {t('campaignGone')}
            </Text>
          ) : (
            <TextLink to={paths.campaign(campaign_id)}>{campaign_name}</TextLink>
          )
        ) : scenario_id && scenario_name !== null ? (
          <TextLink to={paths.scenario(scenario_id)}>{scenario_name}</TextLink>
        ) : (
          <Text size="sm" c="dimmed">
            {t('scenarioGone')}
          </Text>
        ),
    },
    order: {
      accessor: 'order',
      title: t('order'),
      width: 125,
      render: ({ order }) =>
        order ? (
          <>
            <span className="numbers">{format.money(order.amount)}</span>
            <Text size="xs" c="dimmed">
              {order.cancelled ? `${order.name} · ${t('cancelled')}` : order.name}
            </Text>
          </>
        ) : (
          '—'
        ),
    },
    issued: {
      accessor: 'created_at',
      title: t('issuedAt'),
      width: 150,
      render: ({ created_at }) => format.dateTime(created_at),
    },
    expires: {
      accessor: 'expires_at',
      title: t('expiresAt'),
      width: 115,
      render: ({ expires_at }) => (expires_at ? format.date(expires_at) : '—'),
    },
  }
  return names.map((name) => columns[name])
}

/** Where one gets from a coupon. */
export function useCouponActions(): (coupon: Coupon) => Action[] {
  const t = useWords('coupons')
  return ({ execution_id, customer_id }) => [
    ...(execution_id ? [{ label: t('openExecution'), to: paths.execution(execution_id) }] : []),
    ...(customer_id ? [{ label: t('openCustomer'), to: paths.customer(customer_id) }] : []),
  ]
}
