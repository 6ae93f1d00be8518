import { List, Text } from '@mantine/core'
import type { Condition } from '@okaeri/contract/segments/condition'
import { getSegment, getTargetCounts, recountSegment } from '@okaeri/contract/segments/routes'
import type { Segment } from '@okaeri/contract/segments/segment'
import { IconCalculator, IconPencil, IconRefresh, IconSend, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useCallback } from 'react'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import type { Action } from '../../ui/actions.tsx'
import { Card, DetailPage, Facts } from '../../ui/detail-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { productIdsOf } from './condition-tree.ts'
import { useConditionWords, useProducts } from './condition-words.ts'
import { Reach } from './reach.tsx'
import { SegmentCustomers } from './segment-customers.tsx'
import { useSegmentRemoval } from './segment-removal.ts'
import { SegmentStatus } from './segment-status.tsx'

/** While it is counted the page looks again this often. */
const POLL_MS = 2000
const IDLE_POLL_MS = 30_000

export function SegmentPage() {
  const t = useWords('segments')
  const { id = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const { mayChange } = useMerchant()
  const query = useQuery({
    ...queryOf(getSegment, { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.customer_segment.status === 'calculating' ? POLL_MS : IDLE_POLL_MS),
  })
  const segment = query.data?.customer_segment
  const usedBy = query.data?.used_by ?? []
  const remove = useSegmentRemoval(() => void navigate({ to: paths.segments() }))
  const recount = useMutation({
    mutationFn: (force: boolean) => call(recountSegment, { params: { id }, body: { force } }),
    onSuccess: () => {
      toast.done(t('recalculating'))
      void refresh('segments')
    },
    // Spec §8.
    onError: () => toast.error(t('recalculateFailed')),
  })

  const remote = segment?.origin === 'remote'
  const forbidden = !mayChange && t('viewerMayNot')
  const actions: Action[] = [
    {
      label: t('edit'),
      icon: <IconPencil size={18} aria-hidden />,
      to: paths.segmentEdit(id),
      disabledReason: forbidden || (remote && t('remoteReadonly')),
    },
    {
      label: t(remote ? 'resync' : 'recalculate'),
      icon: <IconCalculator size={18} aria-hidden />,
      busy: recount.isPending,
      disabledReason: forbidden,
      onClick: () => recount.mutate(false),
    },
    {
      label: t('reload'),
      icon: <IconRefresh size={18} aria-hidden />,
      busy: query.isRefetching && !query.isPlaceholderData && segment?.status !== 'calculating',
      onClick: () => void refresh('segments'),
    },
    {
      label: t('sendCampaign'),
      icon: <IconSend size={18} aria-hidden />,
      primary: true,
      disabledReason: forbidden,
      to: paths.campaignNew(),
      search: { segment: id },
    },
  ]
  const moreActions: Action[] = [
    {
      label: t(remote ? 'forceResync' : 'forceRecalculate'),
      icon: <IconCalculator size={18} aria-hidden />,
      disabledReason: forbidden,
      onClick: () => recount.mutate(true),
    },
    {
      label: t('delete'),
      icon: <IconTrash size={18} aria-hidden />,
      danger: true,
      disabledReason:
        forbidden || (usedBy.length > 0 && t('inUse', { names: usedBy.map(({ name }) => name).join(', ') })),
      onClick: () => segment && remove(segment),
    },
  ]

  return (
    <DetailPage
      back={{ to: paths.segments(), label: t('title') }}
      title={segment?.name ?? t('title')}
      badge={segment && <SegmentStatus segment={segment} />}
      query={query}
      actions={actions}
      moreActions={moreActions}
      notice={
        segment?.status === 'failed' && (
          <Notice tone="danger" title={t('failedTitle')}>
            {t('failedText')}
          </Notice>
        )
      }
      history={segment && <SegmentCustomers segment={segment} />}
    >
      {segment && (
        <>
          <Overview segment={segment} />
          <Reachable segment={segment} />
          <Card title={t('conditions')}>
            {segment.conditions ? (
              <Outline conditions={segment.conditions} />
            ) : (
              <Text size="sm">{t('remoteConditions')}</Text>
            )}
          </Card>
          <Card title={t('usedBy')}>
            {usedBy.length === 0 ? (
              <Text size="sm" c="dimmed">
                {t('notUsed')}
              </Text>
            ) : (
              <List size="sm" spacing={6}>
                {usedBy.map((campaign) => (
                  <List.Item key={campaign.id}>
                    <TextLink to={paths.campaign(campaign.id)}>{campaign.name}</TextLink>
                  </List.Item>
                ))}
              </List>
            )}
          </Card>
        </>
      )}
    </DetailPage>
  )
}

function Overview({ segment }: { segment: Segment }) {
  const t = useWords('segments')
  const format = useFormat()
  const { customer_count: count, customer_percentage: share } = segment
  return (
    <Card title={t('overview')}>
      <Facts
        items={[
          {
            label: t('customers'),
            value: (
              <Text span fw={700} size="lg" className="numbers">
                {count === null ? '—' : t('count.people', { count, total: format.number(count) })}
              </Text>
            ),
          },
          {
            label: t('percentage'),
            value: share === null ? null : t('count.share', { percent: format.percent(share) }),
          },
          {
            label: t('countedAt'),
            value: segment.counted_at ? format.dateTime(segment.counted_at) : t('count.notYet'),
          },
          { label: t('origin'), value: t(segment.origin === 'remote' ? 'remoteHint' : 'own') },
          { label: t('createdAt'), value: format.dateTime(segment.created_at) },
          { label: t('updatedAt'), value: format.dateTime(segment.updated_at) },
        ]}
      />
    </Card>
  )
}

function Reachable({ segment }: { segment: Segment }) {
  const t = useWords('segments')
  const query = useQuery(queryOf(getTargetCounts, { params: { id: segment.id } }))
  return (
    <Card title={t('reach')}>
      {query.data ? (
        query.data.target_counts.total === 0 ? (
          <Text size="sm">{t('count.nobody')}</Text>
        ) : (
          <Reach counts={query.data.target_counts} />
        )
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Loading lines={5} />
      )}
    </Card>
  )
}

/** The conditions in words, as a list within lists. */
function Outline({ conditions }: { conditions: Condition }) {
  const products = useProducts(productIdsOf(conditions))
  const productName = useCallback((id: string) => products.get(id)?.title, [products])
  const { leaf } = useConditionWords(productName)
  return <Part part={conditions} leaf={leaf} />
}

function Part({ part, leaf }: { part: Condition; leaf: ReturnType<typeof useConditionWords>['leaf'] }) {
  const t = useWords('segments')
  if (part.type === 'condition') return <Text size="sm">{leaf(part)}</Text>
  return (
    <div>
      {part.children.length > 1 && (
        <Text size="sm" fw={600} c="dimmed">
          {t(part.operator === 'and' ? 'matchAnd' : 'matchOr')}
        </Text>
      )}
      <List size="sm" spacing={4} mt={4} withPadding={part.children.length > 1}>
        {part.children.map((child) => (
          <List.Item key={child.id}>
            <Part part={child} leaf={leaf} />
          </List.Item>
        ))}
      </List>
    </div>
  )
}
