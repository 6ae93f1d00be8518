import { Stack, Table, Text } from '@mantine/core'
import { getHoldout, HOLDOUT_MIN_PEOPLE } from '@okaeri/contract/scenarios/holdout'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { Card } from '../../ui/detail-page.tsx'

/** What the scenario brought beside those who entered and were sent nothing. */
export function HoldoutCard({ scenarioId }: { scenarioId: string }) {
  const t = useWords('rehearsal')
  const format = useFormat()
  const { data } = useQuery(queryOf(getHoldout, { params: { id: scenarioId } }))
  const result = data?.holdout
  if (!result) return null
  const { incremental, treated, held_out: heldOut } = result
  const perPerson = ({ executions, revenue }: typeof treated) =>
    executions === 0 ? '—' : format.money({ ...revenue, amount: Math.round(revenue.amount / executions) })
  return (
    <Card title={t('holdout.title')} wide>
      <Stack gap="sm">
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
          <Text size="sm">{t('holdout.tooFew', { n: HOLDOUT_MIN_PEOPLE })}</Text>
        )}
        <Table.ScrollContainer minWidth={420}>
          <Table className="numbers">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('holdout.group')}</Table.Th>
                <Table.Th ta="right">{t('holdout.executions')}</Table.Th>
                <Table.Th ta="right">{t('holdout.orders')}</Table.Th>
                <Table.Th ta="right">{t('holdout.revenue')}</Table.Th>
                <Table.Th ta="right">{t('holdout.perPerson')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {(
                [
                  ['treated', treated],
                  ['heldOut', heldOut],
                ] as const
              ).map(([name, group]) => (
                <Table.Tr key={name}>
                  <Table.Td>{t(`holdout.${name}`)}</Table.Td>
                  <Table.Td ta="right">{format.number(group.executions)}</Table.Td>
                  <Table.Td ta="right">{format.number(group.orders)}</Table.Td>
                  <Table.Td ta="right">{format.money(group.revenue)}</Table.Td>
                  <Table.Td ta="right">{perPerson(group)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        <Text size="xs" c="dimmed">
          {t('holdout.how', { days: result.window_days, time: format.dateTime(result.counted_at) })}
        </Text>
      </Stack>
    </Card>
  )
}
