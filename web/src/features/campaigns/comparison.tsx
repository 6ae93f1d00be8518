import { Table, Text } from '@mantine/core'
import type { CampaignReport } from '@okaeri/contract/campaigns/campaign'
import type { ReactNode } from 'react'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { Card } from '../../ui/detail-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import classes from './comparison.module.css'

type Rates = Pick<NonNullable<CampaignReport['before']>, 'open_rate' | 'click_rate' | 'revenue_per_email'>

/** The campaign beside the one before it and beside the shop's usual; nothing where there is nothing to compare. */
export function Comparison({ report }: { report: CampaignReport }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const { before, usual, delivery_count, open_rate, click_rate, revenue } = report
  if (delivery_count === 0 || (!before && !usual)) return null
  const now: Rates = { open_rate, click_rate, revenue_per_email: revenue.amount / delivery_count }
  const row = (name: ReactNode, of: Rates) => (
    <Table.Tr>
      <Table.Th scope="row" fw={600}>
        {name}
      </Table.Th>
      {(['open_rate', 'click_rate', 'revenue_per_email'] as const).map((key) => (
        <Table.Td key={key} ta="right">
          {key === 'revenue_per_email'
            ? format.moneyEach({ amount: of[key], currency: revenue.currency })
            : format.percent(of[key])}
          {of !== now && <Difference now={now[key]} then={of[key]} points={key !== 'revenue_per_email'} />}
        </Table.Td>
      ))}
    </Table.Tr>
  )
  return (
    <Card title={t('compare.title')}>
      <Table className={`numbers ${classes.table}`} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('compare.campaign')}</Table.Th>
            <Table.Th ta="right">{t('report.openRate')}</Table.Th>
            <Table.Th ta="right">{t('report.clickRate')}</Table.Th>
            <Table.Th ta="right">{t('compare.perRecipient')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {row(t('compare.this'), now)}
          {before &&
            row(
              <>
                <TextLink to={paths.campaignReport(before.id)}>{before.name}</TextLink>
                <Text size="xs" c="dimmed">
                  {[
                    t(before.same_audience ? 'compare.sameAudience' : 'compare.last'),
                    before.sent_at && format.date(before.sent_at),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
              </>,
              before,
            )}
          {usual &&
            row(
              <>
                {t('compare.usual')}
                <Text size="xs" c="dimmed">
                  {t('compare.usualOf', { count: usual.campaigns, n: format.number(usual.campaigns) })}
                </Text>
              </>,
              usual,
            )}
        </Table.Tbody>
      </Table>
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
