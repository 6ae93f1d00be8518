import { Text } from '@mantine/core'
import type { LineMessagePart, LineMessageSummary } from '@okaeri/contract/line-messages/message'
import { listLineMessages } from '@okaeri/contract/line-messages/routes'
import { IconHistory, IconMessageCircle } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { ButtonLink, TextLink } from '../../ui/links.tsx'
import { ListPage } from '../../ui/pages/list-page.tsx'
import { useListState } from '../../ui/pages/list-state.ts'
import { LineNotice } from '../line-accounts/line-notice.tsx'
import { partTypes } from './blank-parts.ts'
import { useLineMessageActions } from './line-message-actions.ts'
import { LineMessageSearch } from './search.ts'

type Type = LineMessagePart['type']
const isType = (text: string): text is Type => (partTypes as readonly string[]).includes(text)

export function LineMessageList() {
  const t = useWords('lineMessages')
  const deliveries = useWords('deliveries')
  const format = useFormat()
  const { mayChange } = useMerchant()
  const list = useListState(LineMessageSearch)
  const query = useQuery({ ...queryOf(listLineMessages, { query: list.query }), placeholderData: keepPreviousData })
  const { askAndDuplicate, askAndDelete } = useLineMessageActions()
  const forbidden = !mayChange && t('readOnly')
  return (
    <ListPage<LineMessageSummary>
      title={t('title')}
      description={t('description')}
      {...(mayChange && { create: { label: t('add'), to: paths.lineMessageNew() } })}
      headerActions={
        <ButtonLink to={paths.lineHistory()} variant="default" leftSection={<IconHistory size={18} aria-hidden />}>
          {deliveries('history.title')}
        </ButtonLink>
      }
      list={list}
      query={query}
      notice={<LineNotice />}
      searchPlaceholder={t('search')}
      columns={[
        {
          accessor: 'name',
          title: t('name'),
          sortable: true,
          phone: 'title',
          cellsStyle: () => ({ minWidth: 200 }),
          render: ({ id, name }) => <TextLink to={paths.lineMessage(id)}>{name}</TextLink>,
        },
        {
          accessor: 'begin',
          title: t('begin'),
          cellsStyle: () => ({ minWidth: 200 }),
          render: ({ begin }) => (
            <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
              {begin}
            </Text>
          ),
        },
        {
          accessor: 'types',
          title: t('types'),
          width: 220,
          render: ({ types }) => format.list(types.filter(isType).map((type) => t(`type.${type}.name`))),
        },
        {
          accessor: 'updated_at',
          title: t('updatedAt'),
          sortable: true,
          width: 158,
          render: ({ updated_at }) => format.dateTime(updated_at),
        },
        {
          accessor: 'created_at',
          title: t('createdAt'),
          sortable: true,
          width: 158,
          phone: 'hide',
          render: ({ created_at }) => format.dateTime(created_at),
        },
      ]}
      rowName={({ name }) => name}
      rowTo={({ id }) => paths.lineMessage(id)}
      rowActions={(message) => [
        { label: t('details'), to: paths.lineMessage(message.id) },
        { label: t('edit'), to: paths.lineMessageEdit(message.id), disabledReason: forbidden },
        { label: t('duplicate'), onClick: () => void askAndDuplicate(message), disabledReason: forbidden },
        { label: t('delete'), danger: true, onClick: () => void askAndDelete(message), disabledReason: forbidden },
      ]}
      empty={{ icon: IconMessageCircle, title: t('empty.title'), text: t('empty.text') }}
    />
  )
}
