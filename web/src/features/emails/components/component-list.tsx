import { Text } from '@mantine/core'
import type { EmailComponentSummary } from '@okaeri/contract/emails/component'
import { listEmailComponents } from '@okaeri/contract/emails/component-routes'
import { IconLayoutBottombar } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { paths } from '../../../app/paths.ts'
import { TextLink } from '../../../ui/links.tsx'
import { ListPage } from '../../../ui/pages/list-page.tsx'
import { useListState } from '../../../ui/pages/list-state.ts'
import { useComponentActions } from './component-actions.ts'
import { CopyTag } from './component-tag.tsx'
import { ComponentSearch } from '../search.ts'

export function ComponentList() {
  const t = useWords('emails')
  const format = useFormat()
  const { mayChange } = useMerchant()
  const list = useListState(ComponentSearch)
  const query = useQuery({ ...queryOf(listEmailComponents, { query: list.query }), placeholderData: keepPreviousData })
  const { askAndDuplicate, askAndDelete } = useComponentActions()
  const forbidden = !mayChange && t('readOnly')
  return (
    <ListPage<EmailComponentSummary>
      title={t('components.title')}
      description={t('components.description')}
      {...(mayChange && { create: { label: t('components.add'), to: paths.emailComponentNew() } })}
      list={list}
      query={query}
      searchPlaceholder={t('components.search')}
      columns={[
        {
          accessor: 'name',
          title: t('components.name'),
          sortable: true,
          cellsStyle: () => ({ minWidth: 180 }),
          render: ({ id, name }) => <TextLink to={paths.emailComponent(id)}>{name}</TextLink>,
        },
        { accessor: 'tag', title: t('components.tag'), render: ({ tag }) => <CopyTag tag={tag} /> },
        {
          accessor: 'email_count',
          title: t('components.emailCount'),
          width: 130,
          textAlign: 'right',
          render: ({ email_count: count }) =>
            count === 0 ? (
              <Text size="sm" c="dimmed">
                {t('components.unused')}
              </Text>
            ) : (
              t('components.emails', { count })
            ),
        },
        {
          accessor: 'updated_at',
          title: t('updatedAt'),
          sortable: true,
          width: 158,
          render: (component) => format.dateTime(component.updated_at),
        },
      ]}
      rowName={({ name }) => name}
      rowTo={({ id }) => paths.emailComponent(id)}
      rowActions={(component) => [
        { label: t('edit'), to: paths.emailComponent(component.id) },
        { label: t('duplicate'), onClick: () => void askAndDuplicate(component), disabledReason: forbidden },
        { label: t('delete'), danger: true, onClick: () => void askAndDelete(component), disabledReason: forbidden },
      ]}
      empty={{ icon: IconLayoutBottombar, title: t('components.empty.title'), text: t('components.empty.text') }}
    />
  )
}
