import { Group, Stack, Text, TextInput } from '@mantine/core'
import { type LineRelay, MAX_RELAYS, NewLineRelay } from '@okaeri/contract/line-relays/relay'
import { addLineRelay, deleteLineRelay, listLineRelays } from '@okaeri/contract/line-relays/routes'
import { IconHistory, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { ActionButton } from '../../ui/actions.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { EditSection } from '../../ui/pages/edit-page.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useAction } from '../../ui/use-action.ts'
import { RelayLog } from './relay-log.tsx'

/** Other systems of the merchant that get what LINE sends. */
export function LineRelays() {
  const t = useWords('lineRelays')
  const { member } = useMerchant()
  const [logOpen, setLogOpen] = useState(false)
  const query = useQuery(queryOf(listLineRelays, {}))
  const relays = query.data?.relays
  return (
    <EditSection title={t('title')} description={t('text')}>
      {!relays ? (
        query.error ? (
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Loading lines={2} />
        )
      ) : (
        <>
          {relays.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t('none')}
            </Text>
          ) : (
            <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
              {relays.map((relay) => (
                <Relay key={relay.id} relay={relay} />
              ))}
            </Stack>
          )}
          {relays.some(({ failed }) => failed > 0) && <Notice tone="warning">{t('failedHelp')}</Notice>}
          {member.role === 'owner' && relays.length < MAX_RELAYS && <Add />}
          {relays.length > 0 && (
            <div>
              <ActionButton
                action={{ label: t('log'), icon: <IconHistory size={18} />, onClick: () => setLogOpen(true) }}
              />
            </div>
          )}
          <RelayLog opened={logOpen} onClose={() => setLogOpen(false)} />
        </>
      )}
    </EditSection>
  )
}

function Relay({ relay }: { relay: LineRelay }) {
  const t = useWords('lineRelays')
  const { member } = useMerchant()
  const remove = useAction(deleteLineRelay, { done: 'deleted' })
  const { url } = relay
  const askAndRemove = async () => {
    const sure = await confirm({
      title: t('removeAsk', { url }),
      body: t('removeText'),
      confirmLabel: t('remove'),
      danger: true,
    })
    if (sure) remove.mutate({ params: { id: relay.id } })
  }
  return (
    <Group component="li" gap="sm" justify="space-between" wrap="nowrap">
      <Group gap="xs" miw={0}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Text>
        {relay.waiting > 0 && <StatusBadge tone="progress">{t('waiting', { count: relay.waiting })}</StatusBadge>}
        {relay.failed > 0 && <StatusBadge tone="danger">{t('failed', { count: relay.failed })}</StatusBadge>}
      </Group>
      {member.role === 'owner' && (
        <div style={{ flex: 'none' }}>
          <ActionButton
            action={{
              label: t('remove'),
              icon: <IconTrash size={16} />,
              busy: remove.isPending,
              onClick: () => void askAndRemove(),
            }}
          />
        </div>
      )}
    </Group>
  )
}

function Add() {
  const t = useWords('lineRelays')
  const form = useEditForm({
    values: { url: '' },
    schema: NewLineRelay,
    fieldPrefix: 'relay.',
    emptiesAfterSave: true,
    save: async (relay) => {
      await call(addLineRelay, { body: { relay } })
      await refresh(addLineRelay.area)
    },
  })
  return (
    <Form onSubmit={() => form.submit()}>
      <Group gap="sm" align="flex-end">
        <TextInput
          label={t('url')}
          placeholder="https://"
          inputMode="url"
          autoComplete="off"
          maw={480}
          style={{ flex: '1 1 16rem' }}
          {...form.field('url')}
        />
        <ActionButton
          action={{
            label: t('add'),
            icon: <IconPlus size={18} />,
            busy: form.saving,
            onClick: () => form.submit(),
          }}
        />
      </Group>
    </Form>
  )
}
