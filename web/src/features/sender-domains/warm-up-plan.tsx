import { Table, Text } from '@mantine/core'
import { WARM_UP_PLAN, type WarmUp } from '@okaeri/contract/sender-domains/warm-up'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'

/** The days of a warm-up: what was sent on those before, what today allows, and what is to come. */
export function WarmUpPlan({ warmUp: { days } }: { warmUp: WarmUp }) {
  const t = useWords('senderDomains')
  const format = useFormat()
  const today = days.length - 1
  if (days[today]?.limit === null) return <Text size="sm">{t('warmUp.over')}</Text>
  return (
    <div>
      <Table.ScrollContainer minWidth={280}>
        <Table aria-label={t('warmUp.title')} maw={480}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('warmUp.title')}</Table.Th>
              <Table.Th scope="col" ta="right">
                {t('warmUp.limit')}
              </Table.Th>
              <Table.Th scope="col" ta="right">
                {t('warmUp.sent')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {WARM_UP_PLAN.map((limit, index) => {
              const day = days[index]
              return (
                <Table.Tr key={limit} fw={index === today ? 700 : undefined}>
                  <Table.Td>
                    {t('warmUp.day', { n: index + 1 })}
                    {day && ` · ${index === today ? t('warmUp.today') : format.calendarDay(day.day)}`}
                  </Table.Td>
                  <Table.Td ta="right">{format.number(limit)}</Table.Td>
                  <Table.Td ta="right">{day ? format.number(day.sent) : ''}</Table.Td>
                </Table.Tr>
              )
            })}
            <Table.Tr>
              <Table.Td>{t('warmUp.day', { n: WARM_UP_PLAN.length + 1 })}</Table.Td>
              <Table.Td ta="right">{t('warmUp.noLimit')}</Table.Td>
              <Table.Td />
            </Table.Tr>
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="xs" c="dimmed" mt={4}>
        {t('warmUp.skipped')}
      </Text>
    </div>
  )
}
