import { Button, Group, List, Stack, Text } from '@mantine/core'
import { SkipReason } from '@okaeri/contract/deliveries/delivery'
import { channelOfKind, contentOf, type Flow } from '@okaeri/contract/scenarios/flow/flow'
import { nodeRules } from '@okaeri/contract/scenarios/node-kinds/index'
import { getRehearsal, type Rehearsal, RehearsedEnd, rehearseScenario } from '@okaeri/contract/scenarios/rehearsal'
import type { Scenario } from '@okaeri/contract/scenarios/scenario'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { queryOf } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { paths } from '../../../app/paths.ts'
import { Card } from '../../../ui/pages/detail-page.tsx'
import { Figure, Figures } from '../../../ui/figure.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { Records } from '../../../ui/pages/records.tsx'
import { LoadFailed, Loading } from '../../../ui/states.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { useFlowSaying } from '../flow-picture/flow-names.ts'
import { LinePace } from './line-pace.tsx'

/** Charts are large, and most visits of the page need none. */
const RehearsalChart = lazy(() => import('./rehearsal-chart.tsx'))

const RUNNING_INTERVAL_MS = 1000
const CALM_INTERVAL_MS = 30_000

export function RehearsalCard({ scenario, flow }: { scenario: Scenario; flow: Flow }) {
  const t = useWords('rehearsal')
  const { mayChange } = useMerchant()
  const query = useQuery({
    ...queryOf(getRehearsal, { params: { id: scenario.id } }),
    refetchInterval: ({ state }) =>
      state.data?.rehearsal?.status === 'running' ? RUNNING_INTERVAL_MS : CALM_INTERVAL_MS,
  })
  const begin = useAction(rehearseScenario)
  const rehearsal = query.data?.rehearsal ?? null
  const isRunning = begin.isPending || rehearsal?.status === 'running'
  return (
    <Card
      title={t('title')}
      wide
      action={
        mayChange && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            loading={isRunning}
            onClick={() => begin.mutate({ params: { id: scenario.id }, body: {} })}
          >
            {t(rehearsal ? 'again' : 'run')}
          </Button>
        )
      }
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('intro')}
        </Text>
        {!query.data &&
          (query.error ? <LoadFailed error={query.error} retry={() => void query.refetch()} /> : <Loading lines={4} />)}
        {query.data && !rehearsal && !mayChange && <Text size="sm">{t('notYet')}</Text>}
        {rehearsal?.status === 'running' && (
          <Progress label={t('running')} done={rehearsal.progress_percent} total={100} />
        )}
        {rehearsal?.status === 'failed' && <Notice tone="danger">{t('failed')}</Notice>}
        {rehearsal?.status === 'done' && <Result rehearsal={rehearsal} flow={flow} />}
      </Stack>
    </Card>
  )
}

function Result({ rehearsal, flow }: { rehearsal: Rehearsal; flow: Flow }) {
  const t = useWords('rehearsal')
  const format = useFormat()
  const { busiest_day: busiest } = rehearsal
  return (
    <Stack gap="md">
      <Text size="xs" c="dimmed">
        {t('of', {
          from: format.date(rehearsal.from),
          to: format.date(rehearsal.to),
          asked: format.dateTime(rehearsal.asked_at),
        })}
      </Text>
      {rehearsal.outdated && <Notice tone="warning">{t('outdated')}</Notice>}
      {rehearsal.events === 0 ? (
        <Text size="sm">{t('none')}</Text>
      ) : (
        <>
          <Figures>
            <Figure label={t('mails')} value={t('count', { n: format.number(rehearsal.mails) })} />
            {sendsLine(flow) && (
              <Figure label={t('lineMessages')} value={t('count', { n: format.number(rehearsal.line_messages) })} />
            )}
            <Figure label={t('people')} value={t('persons', { n: format.number(rehearsal.people) })} />
            <Figure
              label={t('entered')}
              value={t('times', { n: format.number(rehearsal.entered) })}
              hint={t('enteredOf', { n: format.number(rehearsal.events) })}
            />
            <Figure
              label={t('busiest')}
              value={busiest ? t('count', { n: format.number(busiest.mails + busiest.line_messages) }) : '—'}
              hint={busiest && t('busiestOn', { day: format.calendarDay(busiest.day) })}
            />
            <Figure label={t('mostToOne')} value={t('count', { n: format.number(rehearsal.most_to_one) })} />
          </Figures>
          <LinePace rehearsal={rehearsal} />
          <KeptOut rehearsal={rehearsal} />
          <WithoutMessage rehearsal={rehearsal} />
          <Stuck rehearsal={rehearsal} flow={flow} />
          <Suspense fallback={null}>
            <RehearsalChart rehearsal={rehearsal} sendsLine={sendsLine(flow)} />
          </Suspense>
          <Samples rehearsal={rehearsal} flow={flow} />
        </>
      )}
      <Text size="xs" c="dimmed">
        {t('how')}
      </Text>
    </Stack>
  )
}

const sendsLine = ({ nodes }: Flow): boolean => nodes.some(({ kind }) => channelOfKind(kind) === 'line')

const rules = ['registered', 'condition', 'reentry'] as const

function KeptOut({ rehearsal }: { rehearsal: Rehearsal }) {
  const t = useWords('rehearsal')
  const format = useFormat()
  const kept = rules.filter((rule) => (rehearsal.kept_out[rule] ?? 0) > 0)
  if (kept.length === 0) return null
  return (
    <Group gap="lg">
      <Text size="sm" fw={600}>
        {t('keptOut')}
      </Text>
      {kept.map((rule) => (
        <Text key={rule} size="sm">
          {t('keptOutBy', {
            rule: t(`rule.${rule}`),
            times: t('times', { n: format.number(rehearsal.kept_out[rule] ?? 0) }),
          })}
        </Text>
      ))}
    </Group>
  )
}

/** Why the numbers of entries and of messages differ. */
function WithoutMessage({ rehearsal }: { rehearsal: Rehearsal }) {
  const t = useWords('rehearsal')
  const d = useWords('deliveries')
  const format = useFormat()
  const why = Object.entries(rehearsal.without_message).sort(([, one], [, other]) => other - one)
  if (why.length === 0) return null
  const total = why.reduce((sum, [, times]) => sum + times, 0)
  const wordsOf = (reason: string): string => {
    const skip = SkipReason.safeParse(reason)
    const end = RehearsedEnd.safeParse(reason)
    return skip.success ? d(`skip.${skip.data}`) : end.success ? t(`without.${end.data}`) : reason
  }
  return (
    <div>
      <Text size="sm" fw={600}>
        {t('without.title', { count: total, n: format.number(total) })}
      </Text>
      <List size="sm" mt={4}>
        {why.map(([reason, times]) => (
          <List.Item key={reason}>
            {t('keptOutBy', { rule: wordsOf(reason), times: t('times', { n: format.number(times) }) })}
          </List.Item>
        ))}
      </List>
    </div>
  )
}

function useStepName(flow: Flow): (id: string) => string {
  const { language, names } = useFlowSaying(flow)
  return (id) => {
    const node = flow.nodes.find((each) => each.id === id)
    if (!node) return id
    const content = contentOf(node)
    return node.name || (content && names?.contentName?.(content)) || nodeRules(node.kind).words.name[language]
  }
}

function Stuck({ rehearsal, flow }: { rehearsal: Rehearsal; flow: Flow }) {
  const t = useWords('rehearsal')
  const format = useFormat()
  const nameOf = useStepName(flow)
  const places = rehearsal.by_node.filter(({ stuck }) => stuck > 0)
  if (places.length === 0) return null
  return (
    <Notice tone="danger" title={t('stuck')}>
      <List size="sm">
        {places.map(({ node_id, stuck }) => (
          <List.Item key={node_id}>{t('stuckAt', { step: nameOf(node_id), n: format.number(stuck) })}</List.Item>
        ))}
      </List>
    </Notice>
  )
}

type Sample = Rehearsal['samples'][number] & { id: string }

function Samples({ rehearsal, flow }: { rehearsal: Rehearsal; flow: Flow }) {
  const t = useWords('rehearsal')
  const format = useFormat()
  const d = useWords('deliveries')
  const nameOf = useStepName(flow)
  const channelOf = (id: string) => {
    const node = flow.nodes.find((each) => each.id === id)
    return node && channelOfKind(node.kind)
  }
  if (rehearsal.samples.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600} mb="xs">
        {t('samples')}
      </Text>
      <Records<Sample>
        records={rehearsal.samples.map((sample, at) => ({ id: String(at), ...sample }))}
        columns={[
          {
            accessor: 'customer_name',
            title: t('customer'),
            phone: 'title',
            render: ({ customer_id, customer_name }) => (
              <TextLink to={paths.customer(customer_id)}>{customer_name}</TextLink>
            ),
          },
          {
            accessor: 'entered_at',
            title: t('enteredAt'),
            width: 170,
            render: ({ entered_at }) => format.dateTime(entered_at),
          },
          {
            accessor: 'messages',
            title: t('got'),
            render: ({ messages }) =>
              messages.map(({ node_id, at }) => {
                const channel = channelOf(node_id)
                return (
                  <div key={`${node_id} ${at}`}>
                    {format.dateTime(at)}{' '}
                    {channel
                      ? d('byChannel', { channel: d(`channel.${channel}`), what: nameOf(node_id) })
                      : nameOf(node_id)}
                  </div>
                )
              }),
          },
        ]}
        rowName={({ customer_name }) => customer_name}
        dense
      />
    </div>
  )
}
