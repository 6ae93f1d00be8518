import { Stack, Table, Text } from '@mantine/core'
import type { AbResult, AbTest } from '@okaeri/contract/campaigns/ab-test'
import type { Campaign } from '@okaeri/contract/campaigns/campaign'
import type { CampaignReport } from '@okaeri/contract/campaigns/report'
import { getCampaignReport } from '@okaeri/contract/campaigns/routes'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords, type Words } from '../../../app/i18n.ts'
import { paths } from '../../../app/paths.ts'
import { Card } from '../../../ui/pages/detail-page.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { Loading, LoadFailed } from '../../../ui/states.tsx'
import classes from './ab-test-groups.module.css'
import { CALM_INTERVAL_MS } from '../campaign-badge.tsx'

type Report = NonNullable<CampaignReport['ab_test']>
type Row = Report['groups'][number]
type Known = Pick<CampaignReport, 'tracking_enabled'>

/** On the campaign's page: as in the report, so that who decides sees what came of both. */
export function AbTestCard({ campaign }: { campaign: Campaign }) {
  const t = useWords('campaigns')
  const query = useQuery({
    ...queryOf(getCampaignReport, { params: { id: campaign.id } }),
    refetchInterval: CALM_INTERVAL_MS,
  })
  const report = query.data?.report
  if (report && !report.ab_test) return null
  return (
    <Card title={t('ab.title')}>
      {report?.ab_test ? (
        <AbTestGroups report={report.ab_test} known={report} />
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Loading lines={4} />
      )}
    </Card>
  )
}

/** Both groups and the rest side by side, and who won and why. */
export function AbTestGroups({ report, known }: { report: Report; known: Known }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const { test, phase, result, groups } = report
  // What was not tracked, or not sent, is no zero.
  const counted =
    (value: (row: Row) => string) =>
    (row: Row): string =>
      !known.tracking_enabled || row.delivery_count === 0 ? '—' : value(row)
  const lines: readonly [string, (row: Row) => string][] = [
    [t('ab.table.audience'), (row) => format.number(row.audience)],
    [t('report.delivered'), (row) => format.number(row.delivery_count)],
    [t('report.bounces'), (row) => format.number(row.bounce_count)],
    [t('report.unsubscribes'), (row) => format.number(row.unsubscribe_count)],
    [t('report.clicks'), counted((row) => format.number(row.click_count))],
    [t('report.clickRate'), counted((row) => format.percent(row.click_rate))],
    [t('report.orders'), counted((row) => format.number(row.order_count))],
    [t('report.revenue'), counted((row) => format.money(row.revenue))],
    [
      t('ab.table.revenueEach'),
      counted(({ revenue, delivery_count }) =>
        format.moneyEach({ amount: revenue.amount / delivery_count, currency: revenue.currency }),
      ),
    ],
  ]
  return (
    <Stack gap="sm">
      {result && <Result result={result} measure={test.decides_by} currency={groups[0]?.revenue.currency ?? ''} />}
      {phase === 'ended' && <Text size="sm">{t('ab.result.ended')}</Text>}
      <Table className={`numbers ${classes.groups}`} verticalSpacing="xs" aria-label={t('ab.table.label')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th aria-label={t('ab.review.gets')} />
            {groups.map((row) => (
              <Table.Th key={row.group} ta="right" data-won={result?.winner === row.group || undefined}>
                {nameOf(t, row)}
                {result?.winner === row.group && <div className={classes.won}>{t('ab.result.won')}</div>}
                {row.group !== 'rest' && (
                  <Text size="xs" c="dimmed" fw={400} className={classes.subject}>
                    {row.email && test.differs === 'email' ? (
                      <TextLink to={paths.email(row.email.id)} fz="xs">
                        {row.subject}
                      </TextLink>
                    ) : (
                      row.subject
                    )}
                  </Text>
                )}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map(([label, value]) => (
            <Table.Tr key={label}>
              <Table.Th scope="row" fw={400}>
                {label}
              </Table.Th>
              {groups.map((row) => (
                <Table.Td key={row.group} ta="right">
                  {value(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {result && (
        <Text size="xs" c="dimmed">
          {t('ab.table.note')}
        </Text>
      )}
    </Stack>
  )
}

const nameOf = (t: Words<'campaigns'>, { group, content }: Row): string =>
  group === 'rest' && content ? t('ab.group.restGot', { content: t(`ab.group.${content}`) }) : t(`ab.group.${group}`)

interface ResultProps {
  result: AbResult
  measure: AbTest['decides_by']
  currency: string
}

function Result({ result, measure, currency }: ResultProps) {
  const t = useWords('campaigns')
  const format = useFormat()
  const { winner, why, by, decided_at, figures } = result
  const values = { winner: t(`ab.group.${winner}`), name: by ?? '' }
  const then = (of: 'a' | 'b') =>
    measure === 'revenue'
      ? format.money({ amount: figures[of].revenue, currency })
      : t('ab.result.clicksOf', { count: figures[of].clicks, n: format.number(figures[of].clicks) })
  const figure = measure === 'person' ? 'clicks' : measure
  const said =
    why === 'person'
      ? t(by ? 'ab.result.person' : 'ab.result.personGone', values)
      : why === 'tie'
        ? t('ab.result.tie')
        : t(`ab.result.${why}.${figure}`, values)
  return (
    <Text size="sm">
      <strong>{said}</strong> {format.dateTime(decided_at)}
      {' · '}
      {t('ab.result.atThatTime', { a: then('a'), b: then('b') })}
    </Text>
  )
}
