import { Group, Select, Text } from '@mantine/core'
import { DELIVERIES_COUNTED_TO, DeliveryStatus } from '@okaeri/contract/deliveries/delivery'
import { pageSizes } from '@okaeri/contract/paging'
import type { Flow, FlowNode } from '@okaeri/contract/scenarios/flow/flow'
import { listScenarioDeliveries, resendUncertainOfScenario } from '@okaeri/contract/scenarios/mail-routes'
import { nodeTitle, summarizeNode } from '@okaeri/contract/scenarios/words'
import { IconRefresh } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { ActionButton } from '../../ui/actions.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { Card } from '../../ui/pages/detail-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'
import { StepClickMap } from '../campaigns/report/click-map.tsx'
import { ChannelFilter } from '../deliveries/channel-filter.tsx'
import { DeliveryTable } from '../deliveries/delivery-table.tsx'
import { useFlowSaying } from './flow-picture/flow-names.ts'
import { ScenarioPageSearch } from './search.ts'

/** Emails with an unknown outcome. */
export function useUncertainCount(scenarioId: string): number {
  const query = { status: 'uncertain', limit: 20 } as const
  const { data } = useQuery(queryOf(listScenarioDeliveries, { params: { id: scenarioId }, query }))
  return data?.total ?? 0
}

/** The deliveries of a scenario, one per customer and visit of a step. The filters are in the address. */
export function ScenarioMails({ scenarioId, flow }: { scenarioId: string; flow: Flow }) {
  const t = useWords('scenarios')
  const d = useWords('deliveries')
  const label = useMailLabel(flow)
  const navigate = useNavigate()
  const {
    sent: status,
    channel,
    node,
    page = 1,
    size = pageSizes[0],
  } = ScenarioPageSearch.parse(useSearch({ strict: false }))
  const set = (change: Record<string, unknown>) =>
    void navigate({
      to: '.',
      search: { tab: 'messages', sent: status, channel, node, size, ...change },
      replace: true,
      resetScroll: false,
    })
  const query = useQuery({
    ...queryOf(listScenarioDeliveries, {
      params: { id: scenarioId },
      query: {
        limit: size,
        offset: (page - 1) * size,
        ...(status && { status }),
        ...(channel && { channel }),
        ...(node && { node_id: node }),
      },
    }),
    placeholderData: keepPreviousData,
  })
  const narrowed = status !== undefined || channel !== undefined || node !== undefined
  const mails = flow.nodes.filter(({ kind }) => kind === 'send_email' || kind === 'send_line')
  return (
    <Card title={t('mails.title')}>
      <Uncertain scenarioId={scenarioId} />
      {!narrowed && query.data?.total === 0 ? (
        <Text size="sm" c="dimmed">
          {t('mails.none')}
        </Text>
      ) : (
        <>
          <Group gap="sm">
            <Select
              aria-label={d('filterStatus')}
              placeholder={d('allStatuses')}
              clearable
              w={{ base: '100%', xs: 200 }}
              value={status ?? null}
              onChange={(value) => set({ sent: value ?? undefined })}
              data={DeliveryStatus.options.map((value) => ({ value, label: d(`status.${value}`) }))}
            />
            <Select
              aria-label={t('history.filterNode')}
              placeholder={t('history.allNodes')}
              clearable
              w={{ base: '100%', xs: 260 }}
              value={node ?? null}
              onChange={(value) => set({ node: value ?? undefined })}
              data={mails.map((each) => ({ value: each.id, label: label(each) }))}
            />
            {(channel !== undefined || new Set(mails.map(({ kind }) => kind)).size > 1) && (
              <ChannelFilter value={channel} onChange={(value) => set({ channel: value })} />
            )}
          </Group>
          <DeliveryTable
            query={query}
            columns={['person', 'status', 'reason', 'sent_at', 'reaction']}
            page={page}
            size={size}
            countedTo={DELIVERIES_COUNTED_TO}
            onPage={(to) => set({ page: to })}
            onSize={(to) => set({ size: to })}
            narrowed={narrowed}
          />
        </>
      )}
    </Card>
  )
}

/** What is clicked in its emails. */
export function ScenarioClicks({ scenarioId, flow }: { scenarioId: string; flow: Flow }) {
  const label = useMailLabel(flow)
  const steps = flow.nodes
    .filter(({ kind }) => kind === 'send_email')
    .map((node) => ({ id: node.id, label: label(node) }))
  return <StepClickMap scenarioId={scenarioId} steps={steps} />
}

function useMailLabel(flow: Flow): (node: FlowNode) => string {
  const saying = useFlowSaying(flow)
  return (node) => node.name || summarizeNode(node, saying) || nodeTitle(node, saying.language)
}

/** They are resent only if a member says so. */
function Uncertain({ scenarioId }: { scenarioId: string }) {
  const c = useWords('campaigns')
  const format = useFormat()
  const { mayChange } = useMerchant()
  const params = { id: scenarioId }
  const count = useUncertainCount(scenarioId)
  const resend = useAction(resendUncertainOfScenario, { done: { message: c('done.resent') }, areas: ['emails'] })
  if (count === 0) return null
  const values = { count, n: format.number(count) }
  const ask = async () => {
    const sure = await confirm({
      title: c('ask.resendTitle', values),
      body: c('ask.resendBody'),
      confirmLabel: c('ask.resendConfirm', values),
      danger: true,
      irreversible: true,
    })
    if (sure) resend.mutate({ params, body: { uncertain_seen: count } })
  }
  return (
    <Notice
      tone="warning"
      action={
        mayChange && (
          <ActionButton
            action={{
              label: c('do.resend', values),
              icon: <IconRefresh size={17} aria-hidden />,
              busy: resend.isPending,
              onClick: () => void ask(),
            }}
          />
        )
      }
    >
      {c('balance.uncertain', values)}
    </Notice>
  )
}
