import { Group, Select } from '@mantine/core'
import { DeliveryStatus } from '@okaeri/contract/deliveries/delivery'
import { pageSizes } from '@okaeri/contract/paging'
import type { Flow } from '@okaeri/contract/scenarios/flow'
import { listScenarioDeliveries, resendUncertainOfScenario } from '@okaeri/contract/scenarios/mail-routes'
import { nodeTitle, summarizeNode } from '@okaeri/contract/scenarios/words'
import { IconRefresh } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { ActionButton } from '../../ui/actions.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { Card } from '../../ui/detail-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'
import { DeliveryTable } from '../deliveries/delivery-table.tsx'
import { useFlowSaying } from './flow-names.ts'

/** The messages of a scenario, one per person and visit of a step; nothing before there is one. */
export function ScenarioMails({ scenarioId, flow }: { scenarioId: string; flow: Flow }) {
  const t = useWords('scenarios')
  const d = useWords('deliveries')
  const saying = useFlowSaying(flow)
  const [page, setPage] = useState(1)
  const [size, setSize] = useState<number>(pageSizes[0])
  const [status, setStatus] = useState<DeliveryStatus | null>(null)
  const [node, setNode] = useState<string | null>(null)
  const query = useQuery({
    ...queryOf(listScenarioDeliveries, {
      params: { id: scenarioId },
      query: { limit: size, offset: (page - 1) * size, ...(status && { status }), ...(node && { node_id: node }) },
    }),
    placeholderData: keepPreviousData,
  })
  const narrowed = status !== null || node !== null
  if (!narrowed && (query.data?.total ?? 0) === 0) return null
  const mails = flow.nodes.filter(({ kind }) => kind === 'send_email' || kind === 'send_line')
  return (
    <Card title={t('mails.title')}>
      <Uncertain scenarioId={scenarioId} />
      <Group gap="sm">
        <Select
          aria-label={d('filterStatus')}
          placeholder={d('allStatuses')}
          clearable
          w={200}
          value={status}
          onChange={(value) => {
            setStatus(DeliveryStatus.safeParse(value).data ?? null)
            setPage(1)
          }}
          data={DeliveryStatus.options.map((value) => ({ value, label: d(`status.${value}`) }))}
        />
        <Select
          aria-label={t('history.filterNode')}
          placeholder={t('history.allNodes')}
          clearable
          w={260}
          value={node}
          onChange={(value) => {
            setNode(value)
            setPage(1)
          }}
          data={mails.map((each) => ({
            value: each.id,
            label: each.name || summarizeNode(each, saying) || nodeTitle(each, saying.language),
          }))}
        />
      </Group>
      <DeliveryTable
        query={query}
        columns={['person', 'status', 'reason', 'sent_at', 'reaction']}
        page={page}
        size={size}
        onPage={setPage}
        onSize={(next) => {
          setSize(next)
          setPage(1)
        }}
        narrowed={narrowed}
      />
    </Card>
  )
}

/** Mails of which it is not known whether they arrived are sent again only when a person says so. */
function Uncertain({ scenarioId }: { scenarioId: string }) {
  const t = useWords('scenarios')
  const c = useWords('campaigns')
  const format = useFormat()
  const { mayChange } = useMerchant()
  const params = { id: scenarioId }
  const { data } = useQuery(queryOf(listScenarioDeliveries, { params, query: { status: 'uncertain', limit: 20 } }))
  const count = data?.total ?? 0
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
        <ActionButton
          action={{
            label: c('do.resend', values),
            icon: <IconRefresh size={17} aria-hidden />,
            busy: resend.isPending,
            disabledReason: mayChange ? null : t('readOnly'),
            onClick: () => void ask(),
          }}
        />
      }
    >
      {c('balance.uncertain', values)}
    </Notice>
  )
}
