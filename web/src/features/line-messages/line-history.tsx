import { Button, Select, Text } from '@mantine/core'
import { DELIVERIES_COUNTED_TO, DeliveryKind, deliveryStatuses } from '@okaeri/contract/deliveries/delivery'
import { downloadLineHistories, type LineDelivery, listLineHistories } from '@okaeri/contract/line-messages/routes'
import { IconDownload, IconHistory } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { download } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { ButtonLink, TextLink } from '../../ui/links.tsx'
import { ListPage } from '../../ui/pages/list-page.tsx'
import { useListState } from '../../ui/pages/list-state.ts'
import { toast } from '../../ui/toast.ts'
import { useDeliveryColumns } from '../deliveries/delivery-columns.tsx'
import { DaysField } from '../segments/editor/value-parts.tsx'
import { LineHistorySearch } from './search.ts'

/** What was sent by LINE: to whom, what they got, and what became of it. */
export function LineHistory() {
  const t = useWords('lineMessages')
  const deliveries = useWords('deliveries')
  const lang = useLanguage()
  const list = useListState(LineHistorySearch)
  const { limit, offset } = list.query
  const { kind, status, from, to } = list.search
  const filter = {
    ...(list.q && { q: list.q }),
    ...(kind && { kind }),
    ...(status && { status }),
    ...(from && { from }),
    ...(to && { to }),
  }
  const query = useQuery({
    ...queryOf(listLineHistories, { query: { ...filter, limit, offset } }),
    placeholderData: keepPreviousData,
  })
  const { person, campaign, status: state, reason, sent_at, clicked_at } = useDeliveryColumns()
  return (
    <ListPage<LineDelivery>
      title={deliveries('history.title')}
      back={{ to: paths.lineMessages(), label: t('back') }}
      description={t('history.description')}
      headerActions={
        <Button
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden />}
          onClick={() =>
            void download(downloadLineHistories, { query: { ...filter, lang } }, 'line-history.csv').catch(toast.failed)
          }
        >
          {t('history.csv')}
        </Button>
      }
      list={list}
      query={query}
      countedTo={DELIVERIES_COUNTED_TO}
      searchPlaceholder={t('history.search')}
      tabs={{
        param: 'kind',
        label: deliveries('kindLabel'),
        items: DeliveryKind.options.map((value) => ({ value, label: deliveries(`kind.${value}`) })),
      }}
      filters={
        <>
          <Select
            aria-label={deliveries('filterStatus')}
            w={{ base: '100%', xs: 200 }}
            value={status ?? ''}
            data={[
              { value: '', label: deliveries('allStatuses') },
              ...deliveryStatuses.map((value) => ({ value, label: deliveries(`status.${value}`) })),
            ]}
            onChange={(value) => list.set({ status: value || undefined })}
          />
          <DaysField
            id="sent"
            label={t('history.days')}
            clearLabel={t('history.anyDay')}
            error={undefined}
            from={from}
            to={to}
            onChange={([first, last]) => list.set({ from: first || undefined, to: last || undefined })}
          />
        </>
      }
      columns={[
        { ...person, phone: 'title', width: 190 },
        {
          accessor: 'line_message_name',
          title: t('history.message'),
          cellsStyle: () => ({ minWidth: 200 }),
          render: (row) => <Message row={row} />,
        },
        { ...campaign, width: 140, phone: 'hide' },
        { ...state, width: 130 },
        { ...reason, width: 170 },
        { ...sent_at, width: 150 },
        { ...clicked_at, width: 150 },
      ]}
      rowName={(row) => row.customer_name || row.recipient || '—'}
      empty={{
        icon: IconHistory,
        title: t('history.emptyTitle'),
        text: t('history.emptyText'),
        action: (
          <ButtonLink to={paths.lineMessages()} variant="default">
            {t('back')}
          </ButtonLink>
        ),
      }}
    />
  )
}

/** Its name, and the first words this person got. */
function Message({ row }: { row: LineDelivery }) {
  const { line_message_id: id, line_message_name: name, line_message_deleted: isDeleted, subject } = row
  return (
    <>
      {id && name && !isDeleted ? <TextLink to={paths.lineMessage(id)}>{name}</TextLink> : (name ?? '—')}
      {subject && (
        <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {subject}
        </Text>
      )}
    </>
  )
}
