import { Avatar, Group, Stack, Text } from '@mantine/core'
import { downloadRestocks, listRestocksAggregated, type RestocksOfProduct } from '@okaeri/contract/restocks/routes'
import { getRestockOutlook } from '@okaeri/contract/restocks/wave-routes'
import { IconBellRinging, IconDownload, IconPackage } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { download } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { ActionButton } from '../../ui/actions.tsx'
import { ButtonLink, TextLink } from '../../ui/links.tsx'
import { type Column, ListPage } from '../../ui/pages/list-page.tsx'
import { useListState } from '../../ui/pages/list-state.ts'
import { toast } from '../../ui/toast.ts'
import { holdsAllOf } from './held-by.ts'
import { OpenReturns } from './open-returns.tsx'
import { RestockNotices } from './restock-notices.tsx'
import { RestockSearch } from './search.ts'

type Row = RestocksOfProduct & { id: string }

/** Products people wait for, and above them what happens next. */
export function RestockList() {
  const t = useWords('restocks')
  const format = useFormat()
  const language = useLanguage()
  const list = useListState(RestockSearch)
  const { limit, offset, q } = list.query
  const query = useQuery({
    ...queryOf(listRestocksAggregated, { query: { limit, offset, ...(q && { q }) } }),
    placeholderData: keepPreviousData,
    select: (page) => ({ ...page, data: page.data.map((row): Row => ({ ...row, id: row.store_product_id })) }),
  })
  const outlook = useQuery(queryOf(getRestockOutlook, {})).data?.outlook
  const nameOf = (row: RestocksOfProduct): string =>
    row.product_name ?? t('unknownProduct', { id: row.store_product_id })
  const people = (total: number): string => t('people', { total: format.number(total), count: total })
  const columns: Column<Row>[] = [
    {
      accessor: 'product_name',
      title: t('product'),
      phone: 'title',
      render: (row) => (
        <Group gap="sm" wrap="nowrap">
          <Avatar src={row.image_url} alt="" radius="sm" size={36}>
            <IconPackage size={18} aria-hidden />
          </Avatar>
          <TextLink to={paths.restockProduct(row.store_product_id)} fw={600}>
            {nameOf(row)}
          </TextLink>
        </Group>
      ),
    },
    {
      accessor: 'active_count',
      title: t('waiting'),
      width: 130,
      render: ({ active_count: count }) => <Text size="sm">{people(count)}</Text>,
    },
    {
      accessor: 'sent_count',
      title: t('notified'),
      width: 130,
      render: ({ sent_count: count }) => <Text size="sm">{people(count)}</Text>,
    },
    {
      accessor: 'latest_registered_at',
      title: t('latest'),
      width: 170,
      render: ({ latest_registered_at: at }) => format.dateTime(at),
    },
    {
      accessor: 'first_registered_at',
      title: t('first'),
      width: 170,
      render: ({ first_registered_at: at }) => format.dateTime(at),
    },
  ]
  const saveCsv = () =>
    void download(downloadRestocks, { query: { lang: language } }, 'restocks.csv').catch(toast.failed)
  const isEmpty = query.data?.total === 0 && !list.narrowed
  return (
    <ListPage<Row>
      title={t('title')}
      description={t('description')}
      headerActions={
        !isEmpty && (
          <ActionButton action={{ label: t('csv'), icon: <IconDownload size={18} aria-hidden />, onClick: saveCsv }} />
        )
      }
      notice={
        outlook &&
        !isEmpty && (
          <Stack gap="md">
            <RestockNotices outlook={outlook} />
            {outlook.open.length > 0 && (
              <OpenReturns
                title={t('next.listTitle')}
                open={outlook.open}
                total={outlook.open_count}
                named
                holdsAll={holdsAllOf(outlook)}
              />
            )}
          </Stack>
        )
      }
      list={list}
      query={query}
      searchPlaceholder={t('search')}
      columns={columns}
      rowName={nameOf}
      rowTo={(row) => paths.restockProduct(row.store_product_id)}
      empty={{
        icon: IconBellRinging,
        title: t('empty.title'),
        text: t('empty.text'),
        action: (
          <Group justify="center">
            <ButtonLink to={paths.settings()} search={{ tab: 'restock' }}>
              {t('empty.settings')}
            </ButtonLink>
            <ButtonLink variant="default" to={paths.dataImport()}>
              {t('empty.import')}
            </ButtonLink>
          </Group>
        ),
      }}
    />
  )
}
