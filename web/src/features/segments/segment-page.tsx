import { Code, List, Stack, Text } from '@mantine/core'
import { explainSegment } from '@okaeri/contract/segments/condition-routes'
import { downloadSegmentMembers, getSegment, getTargetCounts, recountSegment } from '@okaeri/contract/segments/routes'
import type { RemoteSegment, Segment, SegmentUse } from '@okaeri/contract/segments/segment'
import { IconCalculator, IconDownload, IconPencil, IconRefresh, IconSend, IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { call, download } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import type { Action } from '../../ui/actions.tsx'
import { Card, DetailPage, Facts } from '../../ui/pages/detail-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Progress } from '../../ui/progress.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { useCategories, useNames } from './editor/condition-names.ts'
import { asGroup, newGroup } from './editor/condition-tree.ts'
import { Reach } from './reach.tsx'
import { SegmentCustomers } from './segment-customers.tsx'
import { useSegmentRemoval, useSegmentUses } from './segment-removal.ts'
import { Freshness, SegmentStatus } from './segment-status.tsx'
import { SegmentExplanation } from './segment-explanation.tsx'

/** Refresh interval while the segment is being counted. */
const POLL_MS = 2000
const IDLE_POLL_MS = 30_000

export function SegmentPage() {
  const t = useWords('segments')
  const language = useLanguage()
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
  const saveCsv = useMutation({
    mutationFn: () =>
      download(downloadSegmentMembers, { params: { id }, query: { lang: language } }, `segment-${id}.csv`),
    onError: (error) => toast.failed(error),
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
      label: t('csv'),
      icon: <IconDownload size={18} aria-hidden />,
      onClick: () => saveCsv.mutate(),
    },
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
      disabledReason: forbidden || (remote && t('remoteReadonly')),
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
        segment && (
          <>
            {segment.status === 'failed' && (
              <Notice tone="danger" title={t('failedTitle')}>
                {segment.failure && t(`failure.${segment.failure}`)} {t('failedText')}
              </Notice>
            )}
            {remote && <Notice>{t('remoteReadonly')}</Notice>}
          </>
        )
      }
      history={segment && <SegmentCustomers segment={segment} />}
    >
      {segment && (
        <>
          <Overview segment={segment} />
          <Reachable segment={segment} />
          {segment.remote ? (
            <Compared segment={segment} remote={segment.remote} />
          ) : (
            segment.conditions && <Conditions segment={segment} />
          )}
          <UsedBy uses={usedBy} />
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
            value: share === null ? null : t('count.share', { percent: format.share(count ?? 0, share) }),
          },
          { label: t('freshness'), value: <Freshness segment={segment} /> },
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
  const input = { params: { id: segment.id } }
  const query = useQuery({
    // Loaded again when the count next to it changes, so that the two never show different totals.
    queryKey: [getTargetCounts.area, getTargetCounts.path, input, segment.customer_count],
    queryFn: ({ signal }) => call(getTargetCounts, { ...input, signal }),
    placeholderData: keepPreviousData,
  })
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

function Conditions({ segment }: { segment: Segment }) {
  const t = useWords('segments')
  const { categories } = useCategories()
  const kept = JSON.stringify(segment.conditions)
  const conditions = useMemo(
    () => (segment.conditions === null ? newGroup([]) : segment.conditions),
    // oxlint-disable-next-line react/exhaustive-deps -- each fetch brings the same conditions as another object
    [kept],
  )
  const names = useNames(asGroup(conditions))
  return (
    <Card title={t('conditions')}>
      <SegmentExplanation
        conditions={conditions}
        categories={categories}
        names={names}
        ask={(_, customer_id, signal) =>
          call(explainSegment, { params: { id: segment.id }, query: { customer_id }, signal })
        }
      />
    </Card>
  )
}

/** The platform's number next to ours, with an explanation of the difference. */
function Compared({ segment, remote }: { segment: Segment; remote: RemoteSegment }) {
  const t = useWords('segments')
  const format = useFormat()
  const people = (total: number) => t('count.people', { count: total, total: format.number(total) })
  const { customer_count: own, members_at } = segment
  const { store_count, store_counted_at, unknown_count, progress } = remote
  const drift = own === null || store_count === null ? null : own - store_count
  const apart = Math.abs(drift ?? 0)
  return (
    <Card title={t('remoteCard.title')}>
      {progress && <Progress label={t('remoteCard.fetching')} done={progress.fetched} total={progress.total} />}
      <Facts
        items={[
          {
            label: t('remoteCard.store'),
            value:
              store_count === null
                ? t('remoteCard.never')
                : store_counted_at
                  ? t('remoteCard.asOf', { people: people(store_count), time: format.relative(store_counted_at) })
                  : people(store_count),
          },
          {
            label: t('remoteCard.own'),
            value:
              own === null
                ? t('remoteCard.never')
                : members_at
                  ? t('remoteCard.asOf', { people: people(own), time: format.relative(members_at) })
                  : people(own),
          },
        ]}
      />
      {drift !== null && !progress && (
        <Stack gap={4}>
          <Text size="sm" fw={600}>
            {drift === 0
              ? t('remoteCard.same')
              : t(drift < 0 ? 'remoteCard.fewer' : 'remoteCard.more', { count: apart, total: format.number(apart) })}
          </Text>
          {unknown_count > 0 && (
            <Text size="sm">
              {t('remoteCard.unknown', { count: unknown_count, total: format.number(unknown_count) })}
            </Text>
          )}
          {drift !== 0 && (
            <Text size="sm" c="dimmed">
              {t('remoteCard.resyncHint')}
            </Text>
          )}
        </Stack>
      )}
      <div>
        <Text size="sm" c="dimmed" mb={4}>
          {t('remoteCard.query')}
        </Text>
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {remote.query}
        </Code>
      </div>
    </Card>
  )
}

function UsedBy({ uses }: { uses: readonly SegmentUse[] }) {
  const t = useWords('segments')
  const usesOf = useSegmentUses()
  return (
    <Card title={t('usedBy')}>
      {uses.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('notUsed')}
        </Text>
      ) : (
        <List size="sm" spacing={6}>
          {usesOf(uses).map(({ label, to }) => (
            <List.Item key={to}>
              <TextLink to={to}>{label}</TextLink>
            </List.Item>
          ))}
        </List>
      )}
    </Card>
  )
}
