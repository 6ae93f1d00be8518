import { Text } from '@mantine/core'
import type { CampaignReport } from '@okaeri/contract/campaigns/report'
import type { ReactNode } from 'react'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { paths } from '../../../app/paths.ts'
import { Card } from '../../../ui/pages/detail-page.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { type Column, Records } from '../../../ui/pages/records.tsx'

type Rates = Pick<NonNullable<CampaignReport['before']>, 'open_rate' | 'click_rate' | 'revenue_per_message'>
interface Compared extends Rates {
  id: string
  name: string
  label: ReactNode
}

/** The campaign beside the one before it and beside the shop's usual; nothing where there is nothing to compare. */
export function Comparison({ report }: { report: CampaignReport }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const { id, before, usual, delivery_count, open_rate, click_rate, revenue } = report
  if (delivery_count === 0 || (!before && !usual)) return null
  const now: Compared = {
    id,
    name: report.name,
    label: t('compare.this'),
    open_rate,
    click_rate,
    revenue_per_message: revenue.amount / delivery_count,
  }
  const sentOn = before?.sent_at ? format.date(before.sent_at) : ''
  const rows: Compared[] = [
    now,
    ...(before
      ? [
          {
            ...before,
            label: (
              <>
                <TextLink to={paths.campaignReport(before.id)}>{before.name}</TextLink>
                <Text size="xs" c="dimmed" fw={400}>
                  {t(before.same_audience ? 'compare.sameAudience' : 'compare.last')}
                  {sentOn && ` · ${sentOn}`}
                </Text>
              </>
            ),
          },
        ]
      : []),
    ...(usual
      ? [
          {
            ...usual,
            id: 'usual',
            name: t('compare.usual'),
            label: (
              <>
                {t('compare.usual')}
                <Text size="xs" c="dimmed" fw={400}>
                  {t('compare.usualOf', { count: usual.campaigns, n: format.number(usual.campaigns) })}
                </Text>
              </>
            ),
          },
        ]
      : []),
  ]
  const column = (accessor: keyof Rates, title: string): Column<Compared> => ({
    accessor,
    title,
    textAlign: 'right',
    render: (row) => (
      <>
        {accessor === 'revenue_per_message'
          ? format.moneyEach({ amount: row.revenue_per_message, currency: revenue.currency })
          : format.percent(row[accessor])}
        {row !== now && (
          <Difference now={now[accessor]} then={row[accessor]} points={accessor !== 'revenue_per_message'} />
        )}
      </>
    ),
  })
  return (
    <Card title={t('compare.title')}>
      <Records
        dense
        records={rows}
        rowName={({ name }) => name}
        columns={[
          { accessor: 'label', title: t('compare.campaign'), render: ({ label }) => label },
          ...(report.channels === 'line' ? [] : [column('open_rate', t('report.openRate'))]),
          column('click_rate', t('report.clickRate')),
          column('revenue_per_message', t('compare.perRecipient')),
        ]}
      />
    </Card>
  )
}

/** By how much this campaign is above or below; no percentage leads from nothing to something. */
function Difference({ now, then, points }: { now: number; then: number; points: boolean }) {
  const t = useWords('campaigns')
  const format = useFormat()
  if (!points && then === 0) return null
  const rounded = Math.round((points ? now - then : ((now - then) / then) * 100) * 10) / 10
  const value = points ? `${format.percent(rounded).replace('%', '')} pt` : format.percent(rounded)
  return (
    <Text size="xs" c="dimmed">
      {t('compare.difference', { value: rounded > 0 ? `+${value}` : value })}
    </Text>
  )
}
