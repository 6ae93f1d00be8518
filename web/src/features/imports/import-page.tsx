import { downloadImportErrors } from '@okaeri/contract/imports/routes'
import { Paper, Progress as Bar, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import type { ImportDetail } from '@okaeri/contract/imports/import'
import { cancelImport, deleteImport, getImport } from '@okaeri/contract/imports/routes'
import { IconDownload, IconPlayerStop, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { download } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { confirm, confirmDelete } from '../../ui/confirm.tsx'
import { Card, DetailPage, Facts } from '../../ui/pages/detail-page.tsx'
import { Figure } from '../../ui/figure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Records } from '../../ui/pages/records.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { ImportBadge } from './import-badge.tsx'
import { ImportMapping } from './import-mapping.tsx'

const POLL_MS = 1000
const IDLE_POLL_MS = 30_000

export function ImportPage() {
  const t = useWords('imports')
  const language = useLanguage()
  const navigate = useNavigate()
  const { mayChange } = useMerchant()
  const { id } = useParams({ strict: false }) as { id: string }
  const query = useQuery({
    ...queryOf(getImport, { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.import.status === 'running' ? POLL_MS : IDLE_POLL_MS),
  })
  const one = query.data?.import
  useWhenOver(one?.status)
  const cancel = useAction(cancelImport, { done: { message: t('cancelled') } })
  const remove = useAction(deleteImport, { done: 'deleted', onDone: () => void navigate({ to: paths.dataImport() }) })
  const forbidden = !mayChange && t('viewerMayNot')
  const askAndCancel = async () => {
    const sure = await confirm({ title: t('cancelAsk'), body: t('cancelBody'), confirmLabel: t('cancel') })
    if (sure) cancel.mutate({ params: { id } })
  }
  const askAndRemove = async (name: string) => {
    if (await confirmDelete(t('deleteAsk', { name }), { body: t('deleteBody') })) remove.mutate({ params: { id } })
  }
  return (
    <DetailPage
      back={{ to: paths.dataImport(), label: t('title') }}
      title={one?.file_name ?? t('title')}
      badge={one && <ImportBadge one={one} />}
      description={one && t(`appName.${one.app}`)}
      query={query}
      actions={
        one
          ? [
              ...(one.status === 'running'
                ? [
                    {
                      label: t('cancel'),
                      icon: <IconPlayerStop size={18} aria-hidden />,
                      onClick: () => void askAndCancel(),
                      busy: cancel.isPending,
                      disabledReason: forbidden,
                    },
                  ]
                : []),
              ...(one.error_count > 0
                ? [
                    {
                      label: t('errors.download'),
                      icon: <IconDownload size={18} aria-hidden />,
                      onClick: () =>
                        void download(
                          downloadImportErrors,
                          { params: { id }, query: { lang: language } },
                          'errors.csv',
                        ).catch(toast.failed),
                    },
                  ]
                : []),
            ]
          : []
      }
      moreActions={
        one
          ? [
              {
                label: t('delete'),
                icon: <IconTrash size={18} aria-hidden />,
                danger: true,
                onClick: () => void askAndRemove(one.file_name),
                disabledReason: forbidden || (one.status === 'running' && t('deleteRunning')),
              },
            ]
          : []
      }
      notice={one && <Ending one={one} />}
      history={one && one.errors.length > 0 && <Refused one={one} />}
    >
      {one && (one.status === 'mapping' ? <ImportMapping key={one.id} one={one} /> : <Outcome one={one} />)}
    </DetailPage>
  )
}

/** Reloads imported data on all pages when it is finished. */
function useWhenOver(status: ImportDetail['status'] | undefined): void {
  const before = useRef(status)
  useEffect(() => {
    if (before.current === 'running' && status && status !== 'running')
      void refresh('customers', 'segments', 'restock', 'metafields', 'data')
    before.current = status
  }, [status])
}

function Ending({ one }: { one: ImportDetail }) {
  const t = useWords('imports')
  if (one.status === 'failed' && one.failure)
    return (
      <Notice tone="danger" title={t('failure.title')}>
        {t(`failure.${one.failure}`)}
      </Notice>
    )
  if (one.status === 'cancelled') return <Notice>{t('cancelledText')}</Notice>
  return null
}

function Outcome({ one }: { one: ImportDetail }) {
  const t = useWords('imports')
  const format = useFormat()
  const imported = one.columns.filter(({ field }) => field !== null)
  return (
    <>
      <Card title={t('result')} wide>
        {one.status === 'running' && (
          <Stack gap={6} role="status">
            <Group justify="space-between" gap="xs">
              <Text size="sm" fw={600} className="numbers">
                {format.percent(one.read_percent)}
              </Text>
              <Text size="sm" c="dimmed" className="numbers">
                {t('readSoFar', { rows: format.number(one.rows_count) })}
                {one.seconds_left !== null && ` · ${t('left', { time: format.duration(one.seconds_left) })}`}
              </Text>
            </Group>
            <Bar value={one.read_percent} animated aria-label={t('status.running')} />
            <Text size="sm" c="dimmed">
              {t('runsOn')}
            </Text>
          </Stack>
        )}
        <SimpleGrid cols={{ base: 2, sm: 5 }} spacing="md">
          <Figure label={t('count.rows')} value={format.number(one.rows_count)} />
          <Figure label={t('count.created')} value={format.number(one.created_count)} />
          <Figure label={t('count.changed')} value={format.number(one.changed_count)} />
          <Figure label={t('count.unchanged')} value={format.number(one.unchanged_count)} />
          <Figure label={t('count.errors')} value={format.number(one.error_count)} />
        </SimpleGrid>
      </Card>
      <Card title={t('facts.title')} wide>
        <Facts
          items={[
            { label: t('column.file'), value: one.file_name },
            { label: t('facts.size'), value: format.bytes(one.size_bytes) },
            { label: t('reading.encoding'), value: t(`reading.${one.encoding}`) },
            { label: t('facts.started'), value: one.started_at && format.dateTime(one.started_at) },
            { label: t('facts.finished'), value: one.finished_at && format.dateTime(one.finished_at) },
            {
              label: t('facts.columns'),
              value: format.list(
                imported.map(({ field, metafield }) =>
                  field === 'metafield' ? `${t('field.metafield')} ${metafield}` : t(`field.${field ?? 'email'}`),
                ),
              ),
            },
          ]}
        />
      </Card>
    </>
  )
}

function Refused({ one }: { one: ImportDetail }) {
  const t = useWords('imports')
  const format = useFormat()
  const rows = one.errors.map((error) => ({ ...error, id: String(error.line) }))
  return (
    <Paper withBorder component="section" aria-label={t('errors.title')} mt="md">
      <Stack gap="md" p="lg">
        <div>
          <Text component="h2" fw={700} size="lg" m={0}>
            {t('errors.title')}
          </Text>
          <Text size="sm" c="dimmed" maw={720}>
            {t('errors.text')}
          </Text>
        </div>
        <Facts
          items={one.error_reasons.map(({ reason, count }) => ({
            label: t(`reason.${reason}`),
            value: format.number(count),
          }))}
        />
      </Stack>
      <Records
        records={rows}
        rowName={({ line }) => `${t('errors.line')} ${line}`}
        columns={[
          {
            accessor: 'line',
            title: t('errors.line'),
            width: 90,
            textAlign: 'right',
            render: ({ line }) => format.number(line),
          },
          {
            accessor: 'reason',
            title: t('errors.reason'),
            phone: 'title',
            width: 320,
            render: ({ reason, header }) =>
              header ? t('errors.in', { reason: t(`reason.${reason}`), column: header }) : t(`reason.${reason}`),
          },
          {
            accessor: 'cells',
            title: t('errors.cells'),
            render: ({ cells }) => (
              <Text size="sm" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                {cells.map((cell) => cell.slice(0, 80) || '—').join(' · ')}
              </Text>
            ),
          },
        ]}
      />
      {one.error_count > one.errors.length && (
        <Text size="sm" c="dimmed" p="md">
          {t('errors.more', { count: format.number(one.errors.length) })}
        </Text>
      )}
    </Paper>
  )
}
