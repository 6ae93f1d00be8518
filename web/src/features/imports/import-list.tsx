import { Stack, Text, Title } from '@mantine/core'
import type { Import } from '@okaeri/contract/imports/import'
import { deleteImport, listImports } from '@okaeri/contract/imports/routes'
import { IconFileImport } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { confirmDelete } from '../../ui/confirm.tsx'
import { TextLink } from '../../ui/links.tsx'
import { ListPage } from '../../ui/pages/list-page.tsx'
import { useListState } from '../../ui/pages/list-state.ts'
import { useAction } from '../../ui/use-action.ts'
import { ImportBadge } from './import-badge.tsx'
import { ImportUpload } from './import-upload.tsx'
import { ImportSearch } from './search.ts'

const POLL_MS = 2000
const IDLE_POLL_MS = 30_000

export function ImportList() {
  const t = useWords('imports')
  const format = useFormat()
  const { mayChange } = useMerchant()
  const list = useListState(ImportSearch)
  const query = useQuery({
    ...queryOf(listImports, {
      query: { limit: list.query.limit, offset: list.query.offset, status: list.search.status },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === 'running') ? POLL_MS : IDLE_POLL_MS,
  })
  const remove = useAction(deleteImport, { done: 'deleted' })
  const askAndRemove = async (one: Import) => {
    if (await confirmDelete(t('deleteAsk', { name: one.file_name }), { body: t('deleteBody') }))
      remove.mutate({ params: { id: one.id } })
  }
  const forbidden = !mayChange && t('viewerMayNot')
  return (
    <ListPage<Import>
      title={t('title')}
      description={t('description')}
      notice={
        <Stack gap="lg">
          <ImportUpload />
          <div>
            <Title order={2} size="h4">
              {t('past')}
            </Title>
            <Text size="sm" c="dimmed">
              {t('kept')}
            </Text>
          </div>
        </Stack>
      }
      list={list}
      query={query}
      columns={[
        {
          accessor: 'file_name',
          title: t('column.file'),
          phone: 'title',
          render: (one) => <TextLink to={paths.dataImportOne(one.id)}>{one.file_name}</TextLink>,
        },
        { accessor: 'app', title: t('column.app'), width: 190, render: (one) => t(`appName.${one.app}`) },
        { accessor: 'status', title: t('column.status'), width: 140, render: (one) => <ImportBadge one={one} /> },
        {
          accessor: 'rows_count',
          title: t('column.rows'),
          width: 120,
          textAlign: 'right',
          // Nothing was read yet, so the number of rows is unknown.
          render: (one) => (one.status === 'mapping' ? '—' : format.number(one.rows_count)),
        },
        {
          accessor: 'error_count',
          title: t('column.errors'),
          width: 100,
          textAlign: 'right',
          render: (one) => (one.status === 'mapping' ? '—' : format.number(one.error_count)),
        },
        {
          accessor: 'created_at',
          title: t('column.created'),
          width: 150,
          render: (one) => format.dateTime(one.created_at),
        },
      ]}
      rowName={(one) => one.file_name}
      rowTo={(one) => paths.dataImportOne(one.id)}
      rowActions={(one) => [
        { label: t('details'), to: paths.dataImportOne(one.id) },
        {
          label: t('delete'),
          danger: true,
          disabledReason: forbidden || (one.status === 'running' && t('deleteRunning')),
          onClick: () => void askAndRemove(one),
        },
      ]}
      empty={{ title: t('empty.title'), text: t('empty.text'), icon: IconFileImport }}
    />
  )
}
