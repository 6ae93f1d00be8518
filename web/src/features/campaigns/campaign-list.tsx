import { Group, Text } from '@mantine/core'
import { type Campaign, type CampaignStatus, goesBy } from '@okaeri/contract/campaigns/campaign'
import { listCampaigns } from '@okaeri/contract/campaigns/routes'
import { IconSend } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { TextLink } from '../../ui/links.tsx'
import { type Column, ListPage } from '../../ui/pages/list-page.tsx'
import { useListState } from '../../ui/pages/list-state.ts'
import { useAbState } from './ab-test/ab-test-notice.tsx'
import { useCampaignActions } from './campaign-actions.tsx'
import { CampaignBadge, followInterval, TestBadge } from './campaign-badge.tsx'
import { CampaignSearch } from './search.ts'

/** The statuses people look for; the short-lived ones are found under "all". */
const tabs: readonly CampaignStatus[] = ['draft', 'reserved', 'waiting', 'sending', 'sent', 'send_failure', 'cancelled']

/** Tests count nowhere, and what was not tracked is not known: neither is zero. */
const hasResults = ({ balance, test_mode, tracking_enabled }: Campaign): boolean =>
  Boolean(balance?.sent) && !test_mode && tracking_enabled

/** What it sends: by LINE first, as it is tried. */
const contentsOf = ({ channels, email, line_message }: Campaign): string =>
  [
    goesBy(channels, 'line') && line_message && `LINE: ${line_message.name}`,
    goesBy(channels, 'email') && email && email.name,
  ]
    .filter(Boolean)
    .join(' · ')

export function CampaignList() {
  const t = useWords('campaigns')
  const format = useFormat()
  const { mayChange } = useMerchant()
  const list = useListState(CampaignSearch)
  const query = useQuery({
    ...queryOf(listCampaigns, { query: { ...list.query, ...(list.search.status && { status: list.search.status }) } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => followInterval(state.data?.data),
  })
  const actionsOf = useCampaignActions()
  const stateOfTest = useAbState()

  const rate = (accessor: 'open_rate' | 'click_rate', title: string): Column<Campaign> => ({
    accessor,
    title,
    width: 104,
    ...(accessor === 'click_rate' && { phone: 'hide' as const }),
    textAlign: 'right',
    render: (campaign) =>
      hasResults(campaign) && (accessor === 'click_rate' || goesBy(campaign.channels, 'email'))
        ? format.percent(campaign[accessor])
        : '—',
  })

  return (
    <ListPage<Campaign>
      title={t('title')}
      description={t('description')}
      {...(mayChange && { create: { label: t('add'), to: paths.campaignNew() } })}
      list={list}
      query={query}
      searchPlaceholder={t('search')}
      tabs={{
        param: 'status',
        label: t('statusLabel'),
        items: tabs.map((value) => ({ value, label: t(`status.${value}`) })),
      }}
      columns={[
        {
          accessor: 'name',
          title: t('name'),
          sortable: true,
          cellsStyle: () => ({ minWidth: 172 }),
          render: (campaign) => (
            <>
              <TextLink to={paths.campaign(campaign.id)}>{campaign.name}</TextLink>
              <Text size="xs" c="dimmed">
                {contentsOf(campaign)}
              </Text>
              {campaign.ab_phase && <Text size="xs">{stateOfTest(campaign)}</Text>}
            </>
          ),
        },
        {
          accessor: 'status',
          title: t('statusLabel'),
          width: 130,
          render: (campaign) => (
            <Group gap={4}>
              <CampaignBadge
                status={campaign.status}
                sendType={campaign.send_type}
                balance={campaign.balance}
                waitReason={campaign.wait_reason}
              />
              {campaign.test_mode && <TestBadge />}
            </Group>
          ),
        },
        {
          accessor: 'segment',
          title: t('segment'),
          width: 106,
          phone: 'hide',
          render: (campaign) => <SegmentOf campaign={campaign} />,
        },
        {
          accessor: 'customer_count',
          title: t('recipients'),
          width: 104,
          textAlign: 'right',
          render: (campaign) => <Recipients campaign={campaign} />,
        },
        rate('open_rate', t('openRate')),
        rate('click_rate', t('clickRate')),
        {
          accessor: 'sales',
          title: t('sales'),
          width: 94,
          phone: 'hide',
          textAlign: 'right',
          render: (campaign) => (hasResults(campaign) ? format.money(campaign.sales) : '—'),
        },
        {
          accessor: 'scheduled_at',
          title: t('when'),
          sortable: true,
          width: 142,
          render: (campaign) => {
            const at = campaign.sent_at ?? campaign.scheduled_at
            return at ? format.dateTime(at) : campaign.send_type === 'immediate' ? t('immediately') : t('notChosen')
          },
        },
      ]}
      rowName={(campaign) => campaign.name}
      rowTo={(campaign) => paths.campaign(campaign.id)}
      rowActions={(campaign) => {
        const { edit, review, report, cancel, stop, duplicate, delete: remove } = actionsOf(campaign)
        const inPlace = campaign.status === 'draft' ? [review, edit] : [report]
        const ways = [cancel, stop].filter((action) => !action.disabledReason)
        return [{ label: t('do.details'), to: paths.campaign(campaign.id) }, ...inPlace, ...ways, duplicate, remove]
      }}
      empty={{ icon: IconSend, title: t('empty.title'), text: t('empty.text') }}
    />
  )
}

export function SegmentOf({ campaign }: { campaign: Pick<Campaign, 'segment_type' | 'customer_segment'> }) {
  const t = useWords('campaigns')
  if (campaign.segment_type === 'all') return t('allCustomers')
  return (
    campaign.customer_segment?.name ?? (
      <Text span inherit c="dimmed">
        {t('notChosen')}
      </Text>
    )
  )
}

/** While it is sending: how many of how many. */
function Recipients({ campaign: { customer_count, status, balance } }: { campaign: Campaign }) {
  const format = useFormat()
  const ui = useWords('ui')
  if (customer_count === null) return '—'
  if (status !== 'sending' || !balance) return format.number(customer_count)
  const done = balance.audience - balance.pending - balance.sending
  return ui('progress.of', { done: format.number(done), total: format.number(balance.audience) })
}
