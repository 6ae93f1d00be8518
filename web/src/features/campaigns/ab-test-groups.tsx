import { Badge, Group, Stack, Text } from '@mantine/core'
import type { AbResult, AbTest } from '@okaeri/contract/campaigns/ab-test'
import type { Campaign, CampaignReport } from '@okaeri/contract/campaigns/campaign'
import { getCampaignReport } from '@okaeri/contract/campaigns/routes'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { Card } from '../../ui/detail-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Records } from '../../ui/records.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'
import { CALM_INTERVAL_MS } from './campaign-badge.tsx'

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
  const each = ({ revenue, delivery_count }: Row): string =>
    delivery_count === 0 || !known.tracking_enabled
      ? '—'
      : format.moneyEach({ amount: revenue.amount / delivery_count, currency: revenue.currency })
  const counted = (row: Row, value: string): string =>
    !known.tracking_enabled || row.delivery_count === 0 ? '—' : value
  return (
    <Stack gap="sm">
      {result && <Result result={result} measure={test.decides_by} />}
      {phase === 'ended' && <Text size="sm">{t('ab.result.ended')}</Text>}
      <Records
        dense
        records={groups.map((row) => ({ ...row, id: row.group }))}
        rowName={(row) => nameOf(t, row)}
        columns={[
          {
            accessor: 'group',
            title: t('ab.review.gets'),
            cellsStyle: () => ({ minWidth: 150 }),
            render: (row) => (
              <>
                <Group gap={6}>
                  <Text span inherit fw={600}>
                    {nameOf(t, row)}
                  </Text>
                  {result?.winner === row.group && (
                    <Badge size="sm" variant="light" color="teal">
                      {t('ab.result.won')}
                    </Badge>
                  )}
                </Group>
                {row.group !== 'rest' && (
                  <Text size="xs" c="dimmed">
                    {row.email && test.differs === 'email' ? (
                      <TextLink to={paths.email(row.email.id)} fz="xs">
                        {row.subject}
                      </TextLink>
                    ) : (
                      row.subject
                    )}
                  </Text>
                )}
              </>
            ),
          },
          ...numbers(t, [
            ['audience', 'ab.table.audience', (row) => format.number(row.audience)],
            ['delivery_count', 'report.delivered', (row) => format.number(row.delivery_count)],
            ['bounce_count', 'report.bounces', (row) => format.number(row.bounce_count)],
            [
              'click_rate',
              'report.clickRate',
              (row) =>
                counted(
                  row,
                  t('facts.countAndRate', { n: format.number(row.click_count), rate: format.percent(row.click_rate) }),
                ),
            ],
            ['order_count', 'report.orders', (row) => counted(row, format.number(row.order_count))],
            ['revenue', 'report.revenue', (row) => counted(row, format.money(row.revenue))],
            ['each', 'ab.table.revenueEach', each],
          ]),
        ]}
      />
      {result && (
        <Text size="xs" c="dimmed">
          {t('ab.table.note')}
        </Text>
      )}
    </Stack>
  )
}

type T = ReturnType<typeof useWords<'campaigns'>>
const numbers = (t: T, columns: readonly [string, Parameters<T>[0], (row: Row) => string][]) =>
  columns.map(([accessor, title, render]) => ({ accessor, title: t(title), textAlign: 'right' as const, render }))

const nameOf = (t: T, { group, content }: Row): string =>
  group === 'rest' && content ? t('ab.group.restGot', { content: t(`ab.group.${content}`) }) : t(`ab.group.${group}`)

function Result({ result, measure }: { result: AbResult; measure: AbTest['decides_by'] }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const { winner, why, by, decided_at, figures } = result
  const values = { winner: t(`ab.group.${winner}`), name: by ?? '' }
  const clicks = (of: 'a' | 'b') =>
    t('ab.result.clicksOf', { count: figures[of].clicks, n: format.number(figures[of].clicks) })
  const by_figures = measure === 'person' ? 'clicks' : measure
  const said =
    why === 'person'
      ? t(by ? 'ab.result.person' : 'ab.result.personGone', values)
      : why === 'tie'
        ? t('ab.result.tie')
        : t(`ab.result.${why}.${by_figures}`, values)
  return (
    <Text size="sm">
      <strong>{said}</strong> {format.dateTime(decided_at)}
      {' · '}
      {t('ab.result.atThatTime', { a: clicks('a'), b: clicks('b') })}
    </Text>
  )
}
