import { Select, Stack, Text } from '@mantine/core'
import {
  deleteRestock,
  downloadRestocks,
  listRestocks,
  type RestockRequest,
  RestockStatus,
} from '@okaeri/contract/restocks/routes'
import {
  continueRestockWaves,
  getRestockOutlook,
  getRestockProduct,
  stopRestockWaves,
} from '@okaeri/contract/restocks/wave-routes'
import type { RestockWave } from '@okaeri/contract/restocks/waves'
import { IconDownload, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { call, download } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import type { Action } from '../../ui/actions.tsx'
import { confirm, confirmDelete } from '../../ui/confirm.tsx'
import { Card, DetailPage } from '../../ui/pages/detail-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { usePages } from '../../ui/pages/pages.ts'
import { type Column, Records } from '../../ui/pages/records.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { holdsAllOf } from './held-by.ts'
import { OpenReturns } from './open-returns.tsx'
import { RestockNotices } from './restock-notices.tsx'
import { RestockProductSearch } from './search.ts'
import { variantName } from './variant-name.ts'
import { WavePeople } from './wave-people.tsx'
import { WaveTable } from './wave-table.tsx'

/** One product: what comes next, who was notified when and what they bought, and everyone who registered. */
export function RestockProduct() {
  const t = useWords('restocks')
  const format = useFormat()
  const language = useLanguage()
  const { mayChange } = useMerchant()
  const { id = '' } = useParams({ strict: false })
  const [shownWave, setShownWave] = useState<RestockWave | null>(null)
  const query = useQuery(queryOf(getRestockProduct, { params: { productId: id } }))
  const outlook = useQuery(queryOf(getRestockOutlook, {})).data?.outlook
  const product = query.data?.product
  const stop = useAction(stopRestockWaves, { done: { message: t('stopped') } })
  const goOn = useAction(continueRestockWaves, { done: { message: t('continued') } })
  const open = product?.open ?? []
  const isStopped = open.some(({ due_at, held_by }) => due_at === null && (held_by === 'stopped' || held_by === 'many'))
  const forbidden = !mayChange && t('viewerMayNot')

  const askToStop = async (): Promise<void> => {
    const agreed = await confirm({
      title: t('stopConfirm.title'),
      body: t('stopConfirm.text'),
      confirmLabel: t('stop'),
    })
    if (agreed) stop.mutate({ params: { productId: id } })
  }
  const askToGoOn = async (): Promise<void> => {
    // Read again: the number is what the member agrees to.
    const { data } = await query.refetch()
    const people = (data?.product.open ?? []).reduce(
      (sum, { due_at, next_people }) => sum + (due_at === null ? next_people : 0),
      0,
    )
    const agreed = await confirm({
      title: t('continueConfirm.title', { total: format.number(people), count: people }),
      body: t('continueConfirm.text'),
      confirmLabel: t('continue'),
    })
    if (agreed) goOn.mutate({ params: { productId: id }, body: { people } })
  }
  const actions: Action[] = [
    {
      label: t('csv'),
      icon: <IconDownload size={18} aria-hidden />,
      onClick: () =>
        void download(downloadRestocks, { query: { product_id: id, lang: language } }, `restock-${id}.csv`).catch(
          toast.failed,
        ),
    },
    ...(open.length === 0
      ? []
      : isStopped
        ? [
            {
              label: t('continue'),
              icon: <IconPlayerPlay size={18} aria-hidden />,
              onClick: () => void askToGoOn(),
              disabledReason: forbidden,
              busy: goOn.isPending,
              primary: true,
            },
          ]
        : [
            {
              label: t('stop'),
              icon: <IconPlayerPause size={18} aria-hidden />,
              onClick: () => void askToStop(),
              disabledReason: forbidden,
              busy: stop.isPending,
            },
          ]),
  ]
  return (
    <DetailPage
      back={{ to: paths.restock(), label: t('title') }}
      title={product ? (product.product_name ?? t('unknownProduct', { id })) : t('product')}
      description={product && t('waitingPeople', { total: format.number(product.waiting), count: product.waiting })}
      actions={actions}
      query={query}
      notice={outlook && <RestockNotices outlook={{ ...outlook, asking: { returns: 0, people: 0 } }} />}
      history={
        product && (
          <Stack gap="md">
            <OpenReturns title={t('next.title')} open={open} holdsAll={outlook ? holdsAllOf(outlook) : null} />
            <Card title={t('waves.title')} wide>
              <WaveTable waves={product.waves} onPeople={setShownWave} />
            </Card>
            <Card title={t('subscribers.title')} wide>
              <Subscribers productId={id} />
            </Card>
            <WavePeople wave={shownWave} onClose={() => setShownWave(null)} />
          </Stack>
        )
      }
    >
      {null}
    </DetailPage>
  )
}

const tones: Record<RestockStatus, Tone> = { active: 'info', sent: 'success', deleted: 'neutral', unknown: 'warning' }

function Subscribers({ productId }: { productId: string }) {
  const t = useWords('restocks')
  const { mayChange } = useMerchant()
  const { status } = RestockProductSearch.parse(useSearch({ strict: false }))
  const navigate = useNavigate()
  const { query: page, paging, toFirst } = usePages()
  const query = useQuery({
    ...queryOf(listRestocks, { query: { ...page, product_id: productId, ...(status && { status }) } }),
    placeholderData: keepPreviousData,
  })
  const remove = useMutation({
    mutationFn: (restockId: string) => call(deleteRestock, { params: { restockId } }),
    onSuccess: () => {
      toast.done(t('deleted'))
      void refresh('restock', 'customers')
    },
    onError: () => toast.error(t('deleteFailed')),
  })
  const nameOf = useNameOf()
  const columns = useColumns(query.data?.data ?? [])
  const ask = async (row: RestockRequest): Promise<void> => {
    const agreed = await confirmDelete(t('deleteConfirm.title', { name: nameOf(row) }), {
      body: t('deleteConfirm.text'),
    })
    if (agreed) remove.mutate(row.id)
  }
  if (!query.data)
    return query.error ? <LoadFailed error={query.error} retry={() => void query.refetch()} /> : <Loading lines={4} />
  const { data, total } = query.data
  return (
    <Stack gap="sm">
      <Select
        aria-label={t('subscribers.filter')}
        w={{ base: '100%', xs: 220 }}
        value={status ?? 'all'}
        data={[
          { value: 'all', label: t('subscribers.all') },
          ...RestockStatus.options.map((value) => ({ value, label: t(`status.${value}`) })),
        ]}
        allowDeselect={false}
        onChange={(value) => {
          toFirst()
          void navigate({ to: '.', search: value === 'all' ? {} : { status: value }, replace: true })
        }}
      />
      {total === 0 ? (
        <Text c="dimmed">{t('subscribers.none')}</Text>
      ) : (
        <Records<RestockRequest>
          records={data}
          columns={columns}
          rowName={nameOf}
          rowActions={(row) =>
            !mayChange || row.status === 'deleted'
              ? []
              : [
                  {
                    label: t('delete'),
                    icon: <IconTrash size={16} aria-hidden />,
                    danger: true,
                    onClick: () => void ask(row),
                  },
                ]
          }
          refreshing={query.isPlaceholderData}
          paging={{ ...paging, total }}
        />
      )}
    </Stack>
  )
}

function useNameOf(): (row: RestockRequest) => string {
  const t = useWords('restocks')
  return (row) => row.customer_name || row.customer_email || t('subscribers.noName')
}

function useColumns(rows: readonly RestockRequest[]): Column<RestockRequest>[] {
  const t = useWords('restocks')
  const format = useFormat()
  const nameOf = useNameOf()
  const variantOf = ({ store_variant_id: id, variant }: RestockRequest): string | null =>
    id === null ? t('wholeProduct') : variantName(id, variant)
  return [
    {
      accessor: 'customer_name',
      title: t('subscribers.name'),
      phone: 'title',
      render: (row) =>
        row.customer_id ? (
          <TextLink to={paths.customer(row.customer_id)} fw={600}>
            {nameOf(row)}
          </TextLink>
        ) : (
          nameOf(row)
        ),
    },
    {
      accessor: 'customer_email',
      title: t('subscribers.email'),
      cellsStyle: () => ({ minWidth: 240 }),
      render: ({ customer_email: email }) => (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {email ?? '—'}
        </Text>
      ),
    },
    {
      accessor: 'restock_type',
      title: t('subscribers.type'),
      width: 90,
      render: ({ restock_type: type }) => t(`channel.${type}`),
    },
    // For a product without variants there is nothing to show.
    ...(rows.some((row) => variantOf(row) !== null)
      ? [
          {
            accessor: 'variant' as const,
            title: t('subscribers.variant'),
            width: 140,
            render: (row: RestockRequest) => variantOf(row) ?? '—',
          },
        ]
      : []),
    {
      accessor: 'status',
      title: t('subscribers.status'),
      width: 150,
      render: ({ status, sent_at, ended_by }) => (
        <>
          <StatusBadge tone={tones[status]}>{t(`status.${status}`)}</StatusBadge>
          {status === 'deleted' && ended_by && (
            <Text size="xs" c="dimmed" mt={2}>
              {t(`subscribers.endedBy.${ended_by}`)}
            </Text>
          )}
          {sent_at && (
            <Text size="xs" c="dimmed" mt={2}>
              {t('subscribers.notifiedAt', { time: format.dateTime(sent_at) })}
            </Text>
          )}
        </>
      ),
    },
    {
      accessor: 'first_registered_at',
      title: t('subscribers.registered'),
      width: 160,
      render: ({ first_registered_at: at }) => format.dateTime(at),
    },
  ]
}
