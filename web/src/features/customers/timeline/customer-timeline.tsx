import { Button, SegmentedControl, Select, Text } from '@mantine/core'
import { getTimeline } from '@okaeri/contract/customers/routes'
import { type TimelineEntry, type TimelinePart, timelineParts } from '@okaeri/contract/customers/timeline'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { useWords } from '../../../app/i18n.ts'
import { Card } from '../../../ui/pages/detail-page.tsx'
import { LoadFailed, Loading } from '../../../ui/states.tsx'
import type { Tone } from '../../../ui/status-badge.tsx'
import { deliveryTones } from '../../deliveries/delivery-words.ts'
import { EntryView } from './entry-view.tsx'
import classes from './timeline.module.css'

const PAGE = 30

/** Everything that happened with a customer, newest first; more behind a button. */
export function CustomerTimeline({ customerId }: { customerId: string }) {
  const t = useWords('customers')
  const [part, setPart] = useState<TimelinePart | 'all'>('all')
  const query = useInfiniteQuery({
    queryKey: [getTimeline.area, getTimeline.path, customerId, part],
    queryFn: ({ pageParam, signal }) =>
      call(getTimeline, {
        params: { id: customerId },
        query: { limit: PAGE, ...(pageParam && { cursor: pageParam }), ...(part !== 'all' && { part }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
  })
  const parts = (['all', ...timelineParts] as const).map((value) => ({ value, label: t(`timeline.parts.${value}`) }))
  const choose = (value: string | null) => value && setPart(value as TimelinePart | 'all')
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Card
      title={t('timeline.title')}
      action={
        <>
          <SegmentedControl
            size="xs"
            visibleFrom="sm"
            aria-label={t('timeline.part')}
            value={part}
            data={parts}
            onChange={choose}
          />
          <Select
            hiddenFrom="sm"
            w="100%"
            aria-label={t('timeline.part')}
            value={part}
            data={parts}
            allowDeselect={false}
            onChange={choose}
          />
        </>
      }
    >
      <Text size="sm" c="dimmed">
        {t('timeline.help')}
      </Text>
      {query.error && !query.data ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : query.isPending ? (
        <Loading lines={6} />
      ) : entries.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('timeline.empty')}
        </Text>
      ) : (
        <ol className={classes.timeline}>
          {entries.map((entry) => (
            <li key={entry.id} data-tone={toneOf(entry)}>
              <EntryView entry={entry} />
            </li>
          ))}
        </ol>
      )}
      {query.hasNextPage && (
        <div>
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('timeline.more')}
          </Button>
        </div>
      )}
    </Card>
  )
}

function toneOf(entry: TimelineEntry): Tone {
  switch (entry.kind) {
    case 'message':
      return deliveryTones[entry.message.status]
    case 'order_placed':
    case 'restock_sent':
    case 'line_followed':
    case 'line_linked':
      return 'success'
    case 'consent_changed':
      return entry.to === 'granted' ? 'success' : entry.to === 'withdrawn' ? 'danger' : 'neutral'
    case 'suppressed':
    case 'order_cancelled':
    case 'line_blocked':
      return 'danger'
    case 'change_not_used':
      return 'warning'
    case 'favorite_added':
    case 'product_viewed':
    case 'cart_seen':
    case 'restock_requested':
    case 'segment_entered':
    case 'scenario_entered':
      return 'info'
    case 'scenario_step':
      return entry.outcome === 'failed' ? 'danger' : 'info'
    default:
      return 'neutral'
  }
}
