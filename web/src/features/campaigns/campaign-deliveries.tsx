import { Group, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type Campaign, channelsOf, goesBy } from '@okaeri/contract/campaigns/campaign'
import { AbGroup } from '@okaeri/contract/campaigns/ab-test'
import { listCampaignDeliveries } from '@okaeri/contract/campaigns/routes'
import { type ChannelName, DeliveryStatus } from '@okaeri/contract/deliveries/delivery'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { Card } from '../../ui/pages/detail-page.tsx'
import { usePages } from '../../ui/pages/pages.ts'
import { ChannelFilter } from '../deliveries/channel-filter.tsx'
import { DeliveryTable } from '../deliveries/delivery-table.tsx'
import { CALM_INTERVAL_MS, isOnItsWay, LIVE_INTERVAL_MS } from './campaign-badge.tsx'

const SEARCH_DELAY_MS = 250

export function Deliveries({ campaign }: { campaign: Campaign }) {
  const t = useWords('campaigns')
  const d = useWords('deliveries')
  const pages = usePages()
  const [status, setStatus] = useState<DeliveryStatus | null>(null)
  const [channel, setChannel] = useState<ChannelName | undefined>()
  const [group, setGroup] = useState<AbGroup | null>(null)
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS)
  const query = useQuery({
    ...queryOf(listCampaignDeliveries, {
      params: { id: campaign.id },
      query: {
        ...pages.query,
        ...(status && { status }),
        ...(channel && { channel }),
        ...(group && { group }),
        ...(q && { q }),
      },
    }),
    placeholderData: keepPreviousData,
    // The campaign may be seen to be done before the last of its messages is.
    refetchInterval: ({ state }) =>
      isOnItsWay(campaign.status) ||
      state.data?.data.some((one) => one.status === 'pending' || one.status === 'sending')
        ? LIVE_INTERVAL_MS
        : CALM_INTERVAL_MS,
  })
  // What the balance says has changed is read at once, not at the next of its own turns.
  const counted = JSON.stringify(campaign.balance)
  const { refetch } = query
  const search = d(goesBy(campaign.channels, 'line') ? 'searchByLine' : 'search')
  useEffect(() => {
    if (counted) void refetch()
  }, [counted, refetch])
  return (
    <Card title={t('deliveries.title')}>
      <Group gap="sm">
        <TextInput
          type="search"
          flex="1 1 220px"
          maw={360}
          aria-label={search}
          placeholder={search}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            pages.toFirst()
          }}
        />
        <Select
          aria-label={d('filterStatus')}
          placeholder={d('allStatuses')}
          clearable
          value={status}
          onChange={(value) => {
            setStatus(DeliveryStatus.safeParse(value).data ?? null)
            pages.toFirst()
          }}
          data={DeliveryStatus.options.map((value) => ({ value, label: d(`status.${value}`) }))}
        />
        {campaign.ab_phase !== null && (
          <Select
            aria-label={t('ab.filter')}
            placeholder={t('ab.allGroups')}
            clearable
            w={{ base: '100%', xs: 180 }}
            value={group}
            onChange={(value) => {
              setGroup(AbGroup.safeParse(value).data ?? null)
              pages.toFirst()
            }}
            data={AbGroup.options.map((value) => ({ value, label: t(`ab.group.${value}`) }))}
          />
        )}
        {channelsOf(campaign.channels).length > 1 && (
          <ChannelFilter
            value={channel}
            onChange={(value) => {
              setChannel(value)
              pages.toFirst()
            }}
          />
        )}
      </Group>
      <DeliveryTable
        query={query}
        columns={['person', 'status', 'reason', 'sent_at', 'reaction']}
        {...pages.paging}
        narrowed={status !== null || channel !== undefined || group !== null || q !== ''}
      />
    </Card>
  )
}
