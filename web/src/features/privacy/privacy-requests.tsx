import { Button, Stack, Text } from '@mantine/core'
import { downloadPrivacyFile, listPrivacyRequests, type PrivacyRequest } from '@okaeri/contract/privacy/routes'
import { IconDownload, IconFileCode, IconFileText, IconShieldLock } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { download } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { TextLink } from '../../ui/links.tsx'
import { ListPage } from '../../ui/pages/list-page.tsx'
import { useListState } from '../../ui/pages/list-state.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { toast } from '../../ui/toast.ts'
import { PrivacySearch } from './search.ts'

const tones = { waiting: 'progress', done: 'success', skipped: 'neutral', failed: 'danger' } as const
/** Refresh interval while a request is being processed. */
const POLL_MS = 2000

export function PrivacyRequests() {
  const t = useWords('privacy')
  const format = useFormat()
  const language = useLanguage()
  const { member } = useMerchant()
  const list = useListState(PrivacySearch)
  const { limit, offset } = list.query
  const query = useQuery({
    ...queryOf(listPrivacyRequests, { query: { limit, offset } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(({ status }) => status === 'waiting') ? POLL_MS : false),
  })
  const nameOf = (request: PrivacyRequest) =>
    t('actionsFor', { kind: t(`kind.${request.kind}`), at: format.dateTime(request.received_at) })
  const save = (request: PrivacyRequest, as: 'html' | 'json') =>
    void download(
      downloadPrivacyFile,
      { params: { id: request.id }, query: { format: as, lang: language } },
      `data-request.${as}`,
    ).catch(toast.failed)
  const forbidden = (request: PrivacyRequest) =>
    request.file === null ? t('noFile') : member.role !== 'owner' && t('ownerOnly')

  return (
    <ListPage<PrivacyRequest>
      title={t('title')}
      description={t('description')}
      list={list}
      query={query}
      columns={[
        { accessor: 'kind', title: t('kind.label'), phone: 'title', render: (request) => t(`kind.${request.kind}`) },
        { accessor: 'about', title: t('about'), render: (request) => <About request={request} /> },
        {
          accessor: 'status',
          title: t('status.label'),
          width: 150,
          render: (request) => (
            <Stack gap={2} align="flex-start">
              <StatusBadge tone={tones[request.status]}>{t(`status.${request.status}`)}</StatusBadge>
              {request.status === 'waiting' && request.attempts > 0 && (
                <Text size="xs" c="dimmed">
                  {t('retrying', { count: request.attempts })}
                </Text>
              )}
            </Stack>
          ),
        },
        {
          accessor: 'result',
          title: t('result'),
          render: (request) => <Result request={request} onSave={() => save(request, 'html')} />,
        },
        {
          accessor: 'received_at',
          title: t('receivedAt'),
          width: 215,
          render: (request) => (
            <Stack gap={2}>
              <span>{format.dateTime(request.received_at)}</span>
              <Text size="xs" c="dimmed">
                {request.done_at
                  ? `${t('doneAt')} ${format.dateTime(request.done_at)}`
                  : `${t('dueAt')} ${format.date(request.due_at)}`}
              </Text>
            </Stack>
          ),
        },
        {
          accessor: 'source',
          title: t('source.label'),
          width: 130,
          phone: 'hide',
          render: (request) => t(`source.${request.source}`),
        },
      ]}
      rowName={nameOf}
      rowActions={(request) =>
        request.kind === 'data_request'
          ? [
              {
                label: t('download.html'),
                icon: <IconFileText size={18} aria-hidden />,
                disabledReason: forbidden(request),
                onClick: () => save(request, 'html'),
              },
              {
                label: t('download.json'),
                icon: <IconFileCode size={18} aria-hidden />,
                disabledReason: forbidden(request),
                onClick: () => save(request, 'json'),
              },
            ]
          : []
      }
      empty={{ icon: IconShieldLock, title: t('empty.title'), text: t('empty.text') }}
    />
  )
}

function About({ request }: { request: PrivacyRequest }) {
  const t = useWords('privacy')
  if (request.kind === 'shop_redact') return t('everything')
  if (request.customer) return <TextLink to={paths.customer(request.customer.id)}>{request.customer.name}</TextLink>
  if (request.person === null) return t('unknown')
  return (
    <Text span size="sm" className="numbers">
      {t('person', { mark: request.person })}
    </Text>
  )
}

/** The result in one line, with details that open below. */
function Result({ request, onSave }: { request: PrivacyRequest; onSave: () => void }) {
  const t = useWords('privacy')
  const format = useFormat()
  const language = useLanguage()
  const { member } = useMerchant()
  if (request.status === 'waiting') return null
  if (request.skip_reason) return t(`skip.${request.skip_reason}`)
  const count = request.outcome.reduce((sum, { rows }) => sum + rows, 0)
  if (count === 0) return t('nothing')
  const isExport = request.kind === 'data_request'
  return (
    <Stack gap={2}>
      <details>
        <summary>{t(isExport ? 'told' : 'erased', { count })}</summary>
        <Text size="xs" c="dimmed" component="ul" m={0} ps="md">
          {request.outcome.map((part) => (
            <li key={part.en}>{t('lineOf', { name: part[language], rows: format.number(part.rows) })}</li>
          ))}
        </Text>
      </details>
      {isExport && (
        <Text size="xs" c="dimmed">
          {request.file ? t('fileUntil', { date: format.date(request.file.expires_at) }) : t('fileGone')}
        </Text>
      )}
      {request.file && member.role === 'owner' && (
        <Button
          size="compact-sm"
          variant="default"
          mt={4}
          style={{ alignSelf: 'flex-start' }}
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={onSave}
        >
          {t('download.button')}
        </Button>
      )}
    </Stack>
  )
}
