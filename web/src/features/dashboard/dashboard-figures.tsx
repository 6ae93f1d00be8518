import type { Dashboard } from '@okaeri/contract/reports/routes'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { Figure } from '../../ui/figure.tsx'
import { rateChange, sumChange } from '../reports/period-change.ts'
import classes from './dashboard.module.css'

interface DashboardFiguresProps {
  /** Undefined while it is loading. */
  dashboard: Dashboard | undefined
  isByLine: boolean
}

/** The sums and rates of the time span, each beside that of the span before. */
export function DashboardFigures({ dashboard, isByLine }: DashboardFiguresProps) {
  const t = useWords('dashboard')
  const r = useWords('reports')
  const format = useFormat()
  const { figures: now, previous: before, customers: people, series } = dashboard ?? {}
  const leftOut = dashboard?.orders_in_other_currencies ?? 0
  const sums = isByLine ? 'all' : 'email'

  const number = (of: 'sent' | 'orders' | 'unsubscribed') => now && format.number(now[of])
  const change = (of: 'sent' | 'orders' | 'unsubscribed' | 'revenue') => sumChange(of, now, before)
  const rate = (of: 'open_rate' | 'click_rate') =>
    now && ((of === 'open_rate' ? now.mails_sent : now.sent) === 0 ? '—' : format.percent(now[of]))
  // Rates have none: who opens on the day after the sending is in a point in which nothing was sent.
  const curve = (of: 'sent' | 'orders' | 'unsubscribed' | 'revenue') => series?.map((point) => point[of])
  const withChange = (made: ReturnType<typeof change>, more = {}) => (made ? { change: { ...made, ...more } } : {})

  return (
    <div className={classes.figures}>
      <Figure
        label={t(`revenue.${sums}`)}
        value={now && format.money({ amount: now.revenue, currency: dashboard?.currency ?? 'JPY' })}
        curve={curve('revenue')}
        {...withChange(change('revenue'))}
      />
      <Figure
        label={t(`orders.${sums}`)}
        value={number('orders')}
        curve={curve('orders')}
        hint={leftOut > 0 && r('otherCurrencies', { n: format.number(leftOut) })}
        {...withChange(change('orders'))}
      />
      <Figure label={t('sent')} value={number('sent')} curve={curve('sent')} {...withChange(change('sent'))} />
      <Figure
        label={t('unsubscribed')}
        value={number('unsubscribed')}
        curve={curve('unsubscribed')}
        {...withChange(change('unsubscribed'), { lowerIsBetter: true })}
      />
      <Figure
        label={t('openRate')}
        value={rate('open_rate')}
        hint={
          isByLine &&
          now &&
          now.mails_sent > 0 &&
          r('ofMails', { count: now.mails_sent, n: format.number(now.mails_sent) })
        }
        {...withChange(rateChange('open_rate', now, before))}
      />
      <Figure
        label={t('clickRate')}
        value={rate('click_rate')}
        {...withChange(rateChange('click_rate', now, before))}
      />
      <Figure label={t('customers')} value={people && format.number(people.total)} />
      <Figure
        label={t('permitted')}
        value={people && format.number(people.marketing_permitted)}
        hint={
          people &&
          people.total > 0 &&
          t('permittedShare', { percent: format.percent((people.marketing_permitted / people.total) * 100) })
        }
      />
    </div>
  )
}
