import { getCouponFailures, renewCoupons } from '@okaeri/contract/scenarios/coupon-failures'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { couponText } from '@okaeri/contract/scenarios/flow/phrases'
import { IconTicket } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryOf } from '../../../api/queries.ts'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { ActionButton } from '../../../ui/actions.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { useCounted } from '../counted.ts'
import { useFlowSaying } from '../flow-picture/flow-names.ts'

/** Executions that stopped without a valid coupon, and one button that issues new ones. */
export function CouponFailures({ scenarioId, flow, look }: { scenarioId: string; flow: Flow; look: ReactNode }) {
  const t = useWords('scenarios')
  const { mayChange } = useMerchant()
  const { inWords } = useCounted()
  const saying = useFlowSaying(flow)
  const params = { id: scenarioId }
  const { data } = useQuery(queryOf(getCouponFailures, { params }))
  const renew = useAction(renewCoupons, { done: { message: t('couponFailures.done') } })
  const { count = 0, terms = [] } = data?.coupon_failures ?? {}
  if (count === 0) return null
  const ask = async () => {
    const sure = await confirm({
      title: t('couponFailures.askTitle', inWords(count)),
      body: [
        t('couponFailures.askBody'),
        ...terms.map((each) => t('couponFailures.worth', { coupon: couponText(each, saying) })),
      ].join('\n'),
      confirmLabel: t('couponFailures.renew'),
    })
    if (sure) renew.mutate({ params })
  }
  return (
    <Notice
      tone="danger"
      title={t('couponFailures.title', inWords(count))}
      action={
        mayChange &&
        terms.length > 0 && (
          <ActionButton
            action={{
              label: t('couponFailures.renew'),
              icon: <IconTicket size={17} aria-hidden />,
              busy: renew.isPending,
              onClick: () => void ask(),
            }}
          />
        )
      }
    >
      {t(terms.length > 0 ? 'couponFailures.text' : 'couponFailures.noStep')} {look}
    </Notice>
  )
}
