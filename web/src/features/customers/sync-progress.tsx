import { Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import type { SyncProgress } from '@okaeri/contract/customers/customer'
import { getSync, startSync } from '@okaeri/contract/customers/routes'
import { IconCircleCheck, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { queryOf, refresh } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Progress } from '../../ui/progress.tsx'
import { useAction } from '../../ui/use-action.ts'

const POLL_MS = 2000
const IDLE_POLL_MS = 30_000

/** The copy of the store, loaded every two seconds while it runs; when it ends, the copied data is loaded again. */
export function useSync(): SyncProgress | undefined {
  const { data } = useQuery({
    ...queryOf(getSync, {}),
    refetchInterval: ({ state }) => (state.data?.sync.status === 'running' ? POLL_MS : IDLE_POLL_MS),
  })
  const sync = data?.sync
  const before = useRef(sync?.status)
  useEffect(() => {
    if (before.current === 'running' && sync && sync.status !== 'running')
      void refresh('customers', 'segments', 'campaigns', 'reports', 'data')
    before.current = sync?.status
  }, [sync])
  return sync
}

/** Reasons for a failed copy that a retry cannot remove. */
const failures = ['access_denied', 'store_not_connected', 'internal'] as const

interface SyncProgressCardProps {
  sync: SyncProgress | undefined
  /** Shown only in these states; by default in all except `idle`. */
  onlyWhile?: readonly SyncProgress['status'][]
}

/** The progress of the store's copy, and a button to copy it again. */
export function SyncProgressCard({ sync, onlyWhile = ['running', 'done', 'failed'] }: SyncProgressCardProps) {
  const t = useWords('customers')
  const format = useFormat()
  if (!sync || !onlyWhile.includes(sync.status)) return null
  if (sync.status === 'failed') {
    return (
      <Notice tone="danger" title={t('sync.failedTitle')} action={<CopyAgain />}>
        {t(`sync.failure.${failures.find((one) => one === sync.error) ?? 'internal'}`)} {t('sync.failedText')}
      </Notice>
    )
  }
  if (sync.status === 'done') {
    return (
      <Group gap="sm" justify="space-between">
        <Group gap={6} wrap="nowrap">
          <IconCircleCheck size={18} aria-hidden color="var(--mantine-color-anchor)" style={{ flex: 'none' }} />
          <Text size="sm">
            {t('sync.doneTitle')}
            {sync.finished_at && (
              <Text span c="dimmed">
                {` · ${t('sync.doneText', { time: format.relative(sync.finished_at) })}`}
              </Text>
            )}
          </Text>
        </Group>
        <CopyAgain quiet />
      </Group>
    )
  }
  return (
    <Paper withBorder p="lg" component="section" aria-label={t('sync.title')}>
      <Stack gap="md">
        <div>
          <Group justify="space-between" gap="xs">
            <Title order={2} size="h4">
              {t('sync.title')}
            </Title>
            {sync.seconds_left !== null && (
              <Text size="sm" fw={600} className="numbers">
                {t('sync.left', { time: format.duration(sync.seconds_left) })}
              </Text>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            {t('sync.text')}
          </Text>
        </div>
        {sync.trouble && (
          <Notice tone="warning" title={t(`sync.trouble.${sync.trouble.reason}`)} action={<TryNow />}>
            {t('sync.troubleSince', { time: format.dateTime(sync.trouble.since) })}{' '}
            {sync.trouble.next_try_at
              ? t('sync.nextTry', { time: format.dateTime(sync.trouble.next_try_at) })
              : t('sync.tryingNow')}
          </Notice>
        )}
        {sync.slow_export && <SlowExport {...sync.slow_export} />}
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="lg">
          {sync.steps.map((step) => (
            <SyncStep key={step.kind} step={step} />
          ))}
        </SimpleGrid>
      </Stack>
    </Paper>
  )
}

/** The store takes long to prepare one kind of data. */
function SlowExport({
  kind,
  since,
  stands_since: stands,
  given_up_at: until,
  given_up: givenUp,
}: NonNullable<SyncProgress['slow_export']>) {
  const t = useWords('customers')
  const format = useFormat()
  return (
    <Notice
      tone="warning"
      title={t('sync.slow.title', { kind: t(`sync.${kind}`) })}
      action={!givenUp && <ExportAgain />}
    >
      <Text size="sm">
        {t('sync.slow.since', { time: format.dateTime(since) })}{' '}
        {stands && t('sync.slow.stands', { time: format.dateTime(stands) })}
      </Text>
      <Text size="sm">{givenUp ? t('sync.slow.asked') : t('sync.slow.next', { time: format.dateTime(until) })}</Text>
    </Notice>
  )
}

/** Nothing that was copied is lost; the store begins this kind again. */
function ExportAgain() {
  const t = useWords('customers')
  const { mayChange } = useMerchant()
  const start = useAction(startSync, { done: { message: t('sync.slow.asked') } })
  const ask = async () => {
    const sure = await confirm({
      title: t('sync.slow.askTitle'),
      body: t('sync.slow.askBody'),
      confirmLabel: t('sync.slow.again'),
    })
    if (sure) start.mutate({})
  }
  if (!mayChange) return null
  return (
    <Button variant="default" size="sm" loading={start.isPending} onClick={() => void ask()}>
      {t('sync.slow.again')}
    </Button>
  )
}

function SyncStep({ step }: { step: SyncProgress['steps'][number] }) {
  const t = useWords('customers')
  const format = useFormat()
  const label = t(`sync.${step.kind}`)
  const { status, exported_count, loaded_count } = step
  if (status === 'loading') return <Progress label={label} done={loaded_count} total={exported_count} />
  if (status === 'done') return <Progress label={label} done={loaded_count} total={loaded_count} />
  return (
    <Stack gap={2}>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Text size="sm" c="dimmed" className="numbers">
        {status === 'exporting' ? t('sync.exporting', { count: format.number(exported_count) }) : t(`sync.${status}`)}
      </Text>
    </Stack>
  )
}

/** For a copy that keeps trying. */
function TryNow() {
  const t = useWords('customers')
  const { mayChange } = useMerchant()
  const start = useAction(startSync, { done: { message: t('sync.tryingNow') } })
  if (!mayChange) return null
  return (
    <Button variant="default" size="sm" loading={start.isPending} onClick={() => start.mutate({})}>
      {t('sync.tryNow')}
    </Button>
  )
}

function CopyAgain({ quiet }: { quiet?: boolean }) {
  const t = useWords('customers')
  const { mayChange } = useMerchant()
  const start = useAction(startSync, { done: { message: t('sync.started') } })
  const ask = async () => {
    const sure = await confirm({
      title: t('sync.againAsk'),
      body: t('sync.againBody'),
      confirmLabel: t('sync.again'),
    })
    if (sure) start.mutate({})
  }
  if (!mayChange) return null
  return (
    <Button
      variant={quiet ? 'subtle' : 'default'}
      size={quiet ? 'compact-sm' : 'sm'}
      leftSection={<IconRefresh size={16} aria-hidden />}
      loading={start.isPending}
      onClick={() => void ask()}
    >
      {t('sync.again')}
    </Button>
  )
}
