import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { ApiError } from '@okaeri/contract/client'
import type { DeliveryView } from '@okaeri/contract/deliveries/delivery'
import type { LineFriend } from '@okaeri/contract/line-friends/friend'
import { listLineTesters } from '@okaeri/contract/line-friends/routes'
import { testSendLineMessage } from '@okaeri/contract/line-messages/routes'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { fieldReasonText, useErrorText } from '../../app/reasons.ts'
import { SendingHoldShort } from '../../app/sending-hold.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ButtonLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { CustomerPicker } from '../emails/customer-picker.tsx'

interface TestSendProps {
  lineMessageId: string
  opened: boolean
  onClose: () => void
  /** The page holds changes that a test would not show. */
  unsaved?: boolean
}

export function TestSend({ opened, ...rest }: TestSendProps) {
  const t = useWords('lineMessages')
  return (
    <Dialog opened={opened} onClose={rest.onClose} title={t('test.title')} size="lg">
      <Body {...rest} />
    </Dialog>
  )
}

function Body(props: Omit<TestSendProps, 'opened'>) {
  const t = useWords('lineMessages')
  const query = useQuery(queryOf(listLineTesters, {}))
  if (!query.data)
    return query.error ? <LoadFailed error={query.error} retry={() => void query.refetch()} /> : <Loading lines={4} />
  const { testers } = query.data
  if (testers.some(({ is_friend }) => is_friend)) return <TestSendForm testers={testers} {...props} />
  return (
    <Stack gap="md">
      <Notice tone="warning">{t('test.noTesters')}</Notice>
      <Group justify="flex-end">
        <ButtonLink to={paths.settings()} search={{ tab: 'line' }}>
          {t('test.chooseTesters')}
        </ButtonLink>
      </Group>
    </Stack>
  )
}

function TestSendForm({
  testers,
  lineMessageId,
  onClose,
  unsaved,
}: Omit<TestSendProps, 'opened'> & { testers: readonly LineFriend[] }) {
  const t = useWords('lineMessages')
  const ui = useWords('ui')
  const language = useLanguage()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [customer, setCustomer] = useState<string | null>(null)
  const [missing, setMissing] = useState(false)
  /** Known before the button is: a second press comes before the page has been drawn again. */
  const underWay = useRef(false)
  const reachable = testers.filter(({ is_friend }) => is_friend).map(({ line_user_id: id }) => id)
  const to = reachable.filter((id) => !left.has(id))
  const send = useMutation({
    mutationFn: () =>
      call(testSendLineMessage, {
        params: { id: lineMessageId },
        body: { line_user_ids: to, customer_id: customer },
      }),
    onSuccess: () => void refresh('line_messages'),
    onSettled: () => {
      underWay.current = false
    },
  })
  const submit = () => {
    setMissing(to.length === 0)
    if (to.length === 0 || underWay.current) return
    underWay.current = true
    send.mutate()
  }
  return (
    <Stack gap="md">
      <SendingHoldShort />
      <Text size="sm">{t('test.intro')}</Text>
      {unsaved && <Notice tone="warning">{t('test.unsaved')}</Notice>}
      <Outcome error={send.error} sent={send.data?.deliveries ?? []} />
      <Checkbox.Group
        label={t('test.to')}
        withAsterisk
        value={to}
        error={missing && fieldReasonText('required', language)}
        onChange={(chosen) => {
          setLeft(new Set(reachable.filter((id) => !chosen.includes(id))))
          setMissing(false)
        }}
      >
        <Stack gap="xs" mt={6}>
          {testers.map(({ line_user_id: id, display_name, customer_name, is_friend }) => (
            <Checkbox
              key={id}
              value={id}
              label={display_name ?? customer_name ?? id}
              description={is_friend ? customer_name !== display_name && customer_name : t('test.notAFriend')}
              disabled={!is_friend}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <CustomerPicker label={t('test.as')} value={customer} onChange={(id) => setCustomer(id)} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} disabled={send.isPending}>
          {send.isSuccess ? ui('close') : ui('cancel')}
        </Button>
        <Button loading={send.isPending} onClick={submit}>
          {t('test.send')}
        </Button>
      </Group>
    </Stack>
  )
}

/** What became of the last try. */
function Outcome({ error, sent }: { error: Error | null; sent: readonly DeliveryView[] }) {
  const t = useWords('lineMessages')
  const format = useFormat()
  const language = useLanguage()
  const errorText = useErrorText()
  const [fieldReason] = error instanceof ApiError ? Object.values(error.fields) : []
  if (error)
    return <Notice tone="danger">{fieldReason ? fieldReasonText(fieldReason, language) : errorText(error)}</Notice>
  if (sent.length === 0) return null
  return (
    <Notice tone="success" title={t('test.sent', { count: sent.length })}>
      {format.list(sent.map(({ recipient }) => recipient ?? '—'))}
    </Notice>
  )
}
