import { Group, Text } from '@mantine/core'
import { type Campaign } from '@okaeri/contract/campaigns/campaign'
import { getCampaign } from '@okaeri/contract/campaigns/routes'
import { retriable } from '@okaeri/contract/deliveries/delivery'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { queryOf } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import type { Action } from '../../ui/actions.tsx'
import { DetailPage } from '../../ui/pages/detail-page.tsx'
import { ReceiverPaces } from '../deliveries/receiver-paces.tsx'
import { AbNotice, isRunningTest, useAbState } from './ab-test/ab-test-notice.tsx'
import { type CampaignAction, hasBegun, useCampaignActions } from './campaign-actions.tsx'
import { CampaignBadge, followInterval, TestBadge } from './campaign-badge.tsx'
import { UndoNotice } from './undo-notice.tsx'
import { ContentFailed, Waiting } from './campaign-notices.tsx'
import { isBeingChosen, Cards } from './campaign-cards.tsx'
import { Deliveries } from './campaign-deliveries.tsx'

export function CampaignPage() {
  const t = useWords('campaigns')
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const navigate = useNavigate()
  const query = useQuery({
    ...queryOf(getCampaign, { params: { id } }),
    refetchInterval: ({ state }) => followInterval(state.data && [state.data.campaign]),
  })
  const actionsOf = useCampaignActions({ onDeleted: () => void navigate({ to: paths.campaigns() }) })
  const campaign = query.data?.campaign
  const actions = campaign && actionsOf(campaign)
  const shown = campaign ? buttonsOf(campaign) : []
  const stateOfTest = useAbState()
  // While it runs the notice says more.
  const abState = campaign && !isRunningTest(campaign) && stateOfTest(campaign)

  return (
    <DetailPage
      back={{ to: paths.campaigns(), label: t('back') }}
      title={campaign?.name ?? t('title')}
      badge={
        campaign && (
          <Group gap={6}>
            <CampaignBadge
              status={campaign.status}
              sendType={campaign.send_type}
              balance={campaign.balance}
              waitReason={campaign.wait_reason}
            />
            {campaign.test_mode && <TestBadge />}
            {abState && <Text size="sm">{abState}</Text>}
          </Group>
        )
      }
      query={query}
      actions={
        actions
          ? shown.map(
              (action, at): Action => ({
                ...actions[action],
                primary: at === shown.length - 1 && !actions[action].danger,
              }),
            )
          : []
      }
      moreActions={
        actions
          ? order.filter((action) => !shown.includes(action) && action !== 'resend').map((action) => actions[action])
          : []
      }
      notice={
        campaign &&
        actions && (
          <>
            <ContentFailed campaign={campaign} />
            <UndoNotice campaign={campaign} at={query.dataUpdatedAt} />
            <Waiting campaign={campaign} actions={actions} />
            {campaign.status === 'sending' && campaign.balance?.pending !== 0 && <ReceiverPaces />}
            <AbNotice campaign={campaign} actions={actions} />
          </>
        )
      }
      history={campaign?.balance && !isBeingChosen(campaign) && <Deliveries campaign={campaign} />}
    >
      {campaign && actions && <Cards campaign={campaign} actions={actions} />}
    </DetailPage>
  )
}

/** All of them, so that what is not possible says why; in the menu where it is not among the buttons. */
const order: readonly CampaignAction[] = [
  'review',
  'edit',
  'report',
  'resync',
  'resolve',
  'duplicate',
  'cancel',
  'stop',
  'delete',
]

/** What one comes to the page for in each status; the last is the filled button. */
function buttonsOf({ status, balance, send_type }: Campaign): CampaignAction[] {
  switch (status) {
    case 'draft':
      return ['edit', 'review']
    case 'collecting':
    case 'reserving':
    case 'reserved':
      // What is sent at once is undone, not cancelled.
      return send_type === 'immediate' ? ['duplicate'] : ['duplicate', 'cancel']
    case 'waiting':
      return hasBegun(balance) ? ['report', 'stop'] : ['duplicate', 'cancel']
    case 'sending':
      return ['stop', 'report']
    case 'send_failure':
      return balance && retriable(balance) > 0 ? ['resolve', 'report', 'resync'] : ['resolve', 'report', 'duplicate']
    case 'sent':
    case 'resolved':
      return balance && retriable(balance) > 0 && status === 'sent'
        ? ['duplicate', 'resync', 'report']
        : ['duplicate', 'report']
    case 'cancelled':
      return hasBegun(balance) ? ['duplicate', 'report'] : ['duplicate']
    case 'deleted':
      return ['duplicate']
  }
}
