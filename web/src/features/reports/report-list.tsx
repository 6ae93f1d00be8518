import { Group } from '@mantine/core'
import { downloadClicks, downloadRecipients, listReports, type ReportSummary } from '@okaeri/contract/reports/routes'
import { IconChartBar, IconDownload } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { download } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { ButtonLink, TextLink } from '../../ui/links.tsx'
import { ListPage } from '../../ui/pages/list-page.tsx'
import { useListState } from '../../ui/pages/list-state.ts'
import { toast } from '../../ui/toast.ts'
import { TestBadge } from '../campaigns/campaign-badge.tsx'
import { ReportSearch } from './search.ts'

/** The reports of what was sent; each opens as the campaign's. */
export function ReportList() {
  const t = useWords('reports')
  const format = useFormat()
  const lang = useLanguage()
  const list = useListState(ReportSearch)
  const { limit, offset } = list.query
  const query = useQuery({
    ...queryOf(listReports, { query: { limit, offset } }),
    placeholderData: keepPreviousData,
  })
  const save = (file: Promise<void>) => void file.catch((error: unknown) => toast.failed(error))
  const icon = <IconDownload size={18} />
  return (
    <ListPage<ReportSummary>
      title={t('title')}
      description={t('description')}
      list={list}
      query={query}
      columns={[
        {
          accessor: 'name',
          title: t('name'),
          render: ({ id, name, test_mode }) => (
            <Group gap="xs">
              <TextLink to={paths.campaignReport(id)}>{name}</TextLink>
              {test_mode && <TestBadge />}
            </Group>
          ),
        },
        {
          accessor: 'delivery_count',
          title: t('sent'),
          width: 140,
          textAlign: 'right',
          render: (report) => format.number(report.delivery_count),
        },
        {
          accessor: 'sent_at',
          title: t('sentAt'),
          width: 180,
          render: (report) => (report.sent_at ? format.dateTime(report.sent_at) : '—'),
        },
      ]}
      rowName={({ name }) => name}
      rowTo={({ id }) => paths.campaignReport(id)}
      rowActions={({ id, name }) => [
        { label: t('details'), to: paths.campaignReport(id) },
        {
          label: t('csvRecipients'),
          icon,
          onClick: () => save(download(downloadRecipients, { params: { id }, query: { lang } }, `${name}.csv`)),
        },
        {
          label: t('csvClicks'),
          icon,
          onClick: () => save(download(downloadClicks, { params: { id }, query: { lang } }, `${name}-clicks.csv`)),
        },
      ]}
      empty={{
        icon: IconChartBar,
        title: t('empty.title'),
        text: t('empty.text'),
        action: <ButtonLink to={paths.campaigns()}>{t('empty.action')}</ButtonLink>,
      }}
    />
  )
}
