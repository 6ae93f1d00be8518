import { Text } from '@mantine/core'
import { type Coupon, listDiscounts } from '@okaeri/contract/coupons/routes'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { Card } from '../../ui/pages/detail-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Records } from '../../ui/pages/records.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { useCouponActions, useCouponColumns } from './coupon-columns.tsx'
import { CouponFigures } from './coupon-figures.tsx'
import { CouponTroubles } from './coupon-troubles.tsx'

const NEWEST = 5

interface CouponCardProps {
  of: { scenario: string } | { customer: string }
  /** Coupons are expected here: the card also says when there are none yet, or when they cannot be loaded. */
  expected?: boolean
}

/** The coupons a scenario issued, or those a customer got: the newest few and the way to all; nothing when there are none. */
export function CouponCard({ of, expected = false }: CouponCardProps) {
  const t = useWords('coupons')
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...queryOf(listDiscounts, {
      query: { limit: NEWEST, ...('scenario' in of ? { action_id: of.scenario } : { customer_id: of.customer }) },
    }),
    placeholderData: keepPreviousData,
  })
  const columns = useCouponColumns([
    'code',
    'status',
    'scenario' in of ? 'customer' : 'scenario',
    'order',
    'issued',
    'expires',
  ])
  const actionsOf = useCouponActions()
  if (!data || data.total === 0)
    return expected ? (
      <Card title={t('title')}>
        {data ? (
          <Text size="sm" c="dimmed">
            {t('noneYet')}
          </Text>
        ) : error ? (
          <LoadFailed error={error} retry={() => void refetch()} />
        ) : (
          <Loading lines={3} />
        )}
      </Card>
    ) : null
  return (
    <Card
      title={t('title')}
      action={
        <Text size="sm">
          <TextLink to={paths.coupons()} search={of}>
            {t('all')}
          </TextLink>
        </Text>
      }
    >
      <CouponTroubles troubles={data.troubles} />
      {'scenario' in of && <CouponFigures totals={data.totals} />}
      <Records<Coupon>
        records={data.data}
        columns={columns}
        rowName={({ code }) => code}
        rowActions={actionsOf}
        refreshing={isPlaceholderData}
        dense
      />
    </Card>
  )
}
