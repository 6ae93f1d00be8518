import { Text } from '@mantine/core'
import type { CampaignStatus } from '@okaeri/contract/campaigns/campaign'
import { type Balance, deliveryStatuses, failureClasses, skipReasons } from '@okaeri/contract/deliveries/delivery'
import type { ReactNode } from 'react'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { Progress } from '../../ui/progress.tsx'
import classes from './balance-view.module.css'
import { useSecondsLeft } from './time-left.ts'

interface BalanceViewProps {
  balance: Balance
  status: CampaignStatus
  /** At the row of uncertain ones: what can be done about them. */
  uncertainAction?: ReactNode
}

/** Where everyone of the audience is: the sum always comes out. */
export function BalanceView({ balance, status, uncertainAction }: BalanceViewProps) {
  const t = useWords('campaigns')
  const d = useWords('deliveries')
  const format = useFormat()
  const done = balance.audience - balance.pending - balance.sending
  const sending = status === 'sending'
  const left = useSecondsLeft(done, balance.audience, sending)
  const reasons: Partial<Record<(typeof deliveryStatuses)[number], [string, number][]>> = {
    skipped: skipReasons.flatMap((reason) => named(d(`skip.${reason}`), balance.skipped_by_reason[reason])),
    failed: failureClasses.flatMap((name) => named(d(`failure.${name}`), balance.failed_by_class[name])),
  }
  // In the order of a life: what is done first, what is open last.
  const order = ['sent', 'skipped', 'failed', 'uncertain', 'sending', 'pending'] as const
  return (
    <div>
      {sending ? (
        <>
          <Progress label={t('balance.progress')} done={done} total={balance.audience} secondsLeft={left} />
          <Text size="xs" c="dimmed" mt={4} mb="sm">
            {t('balance.leaveAlone')}
          </Text>
        </>
      ) : (
        <Bar balance={balance} order={order} />
      )}
      <table className={classes.table}>
        <caption className="for-screen-readers">{t('balance.title')}</caption>
        <tbody>
          {order.map((name) => (
            <Rows
              key={name}
              mark={name}
              label={d(`status.${name}`)}
              count={balance[name]}
              parts={reasons[name] ?? []}
              extra={name === 'uncertain' && balance.uncertain > 0 ? uncertainAction : undefined}
            />
          ))}
          <tr className={classes.sum}>
            <th scope="row">{t('balance.audience')}</th>
            <td>{format.number(balance.audience)}</td>
          </tr>
        </tbody>
      </table>
      <Text size="xs" c="dimmed" mt={6}>
        {t('balance.adds')}
      </Text>
    </div>
  )
}

const named = (label: string, count: number | undefined): [string, number][] => (count ? [[label, count]] : [])

function Rows(props: { mark: string; label: string; count: number; parts: [string, number][]; extra: ReactNode }) {
  const format = useFormat()
  return (
    <>
      <tr>
        <th scope="row">
          <span className={classes.mark} data-mark={props.mark} aria-hidden />
          {props.label}
          {props.extra && <div className={classes.extra}>{props.extra}</div>}
        </th>
        <td>{format.number(props.count)}</td>
      </tr>
      {props.parts.map(([label, count]) => (
        <tr key={label} className={classes.part}>
          <th scope="row">{label}</th>
          <td>{format.number(count)}</td>
        </tr>
      ))}
    </>
  )
}

/** The same as one stripe. */
const Bar = ({ balance, order }: { balance: Balance; order: readonly (typeof deliveryStatuses)[number][] }) => (
  <div className={classes.bar} aria-hidden>
    {order.map(
      (name) =>
        balance[name] > 0 && (
          <span key={name} data-mark={name} style={{ flexGrow: balance[name] }} className={classes.slice} />
        ),
    )}
  </div>
)
