import { Stack, Table, Text } from '@mantine/core'
import { getHoldout, HOLDOUT_MIN_PEOPLE, type HoldoutResult } from '@okaeri/contract/scenarios/holdout'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { Card } from '../../ui/pages/detail-page.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import classes from './holdout-card.module.css'

/** What the scenario brought, compared with the hold-out group. */
export function HoldoutCard({ scenarioId }: { scenarioId: string }) {
  const t = useWords('rehearsal')
  const query = useQuery(queryOf(getHoldout, { params: { id: scenarioId } }))
  return (
    <Card title={t('holdout.title')} wide>
      {query.data ? (
        <Result result={query.data.holdout} />
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Loading lines={5} />
      )}
    </Card>
  )
}

type Group = HoldoutResult['treated']

function Result({ result }: { result: HoldoutResult }) {
  const t = useWords('rehearsal')
  const format = useFormat()
  const { incremental, treated, held_out: heldOut } = result
  const enough = Math.min(treated.executions, heldOut.executions) >= HOLDOUT_MIN_PEOPLE
  const perPerson = ({ executions, revenue }: Group) =>
    executions === 0 ? '—' : format.money({ ...revenue, amount: Math.round(revenue.amount / executions) })
  const measures: [label: string, of: (group: Group) => string][] = [
    [t('holdout.executions'), ({ executions }) => format.number(executions)],
    [t('holdout.orders'), ({ orders }) => format.number(orders)],
    [t('holdout.revenue'), ({ revenue }) => format.money(revenue)],
    [t('holdout.perPerson'), perPerson],
  ]
  return (
    <Stack gap="sm">
      <div className={classes.columns}>
        {incremental ? (
          <div role="status">
            <Text fw={700} size="xl" className="numbers">
              {format.money(incremental.estimate)}
            </Text>
            <Text size="sm">
              {t('holdout.interval', { low: format.money(incremental.low), high: format.money(incremental.high) })}
            </Text>
            {incremental.low.amount <= 0 && incremental.high.amount >= 0 && (
              <Text size="sm" c="dimmed">
                {t('holdout.unclear')}
              </Text>
            )}
          </div>
        ) : (
          <Text size="sm">{enough ? t('holdout.noOrders') : t('holdout.tooFew', { n: HOLDOUT_MIN_PEOPLE })}</Text>
        )}
        {/* The groups are columns, on a phone too, so that compared figures are in one line. */}
        <Table className={classes.groups} aria-label={t('holdout.title')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>
                <span className="for-screen-readers">{t('holdout.measure')}</span>
              </Table.Th>
              <Table.Th scope="col">{t('holdout.treated')}</Table.Th>
              <Table.Th scope="col">{t('holdout.heldOut')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {measures.map(([label, of]) => (
              <Table.Tr key={label}>
                <Table.Th scope="row">{label}</Table.Th>
                <Table.Td>{of(treated)}</Table.Td>
                <Table.Td>{of(heldOut)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <Text size="xs" c="dimmed">
        {t('holdout.how', { days: result.window_days, time: format.dateTime(result.counted_at) })}
      </Text>
    </Stack>
  )
}
