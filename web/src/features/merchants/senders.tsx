import { Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { deleteSender, MAX_SENDERS, NewSender, putSender, type SavedSender } from '@okaeri/contract/merchants/senders'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { z } from 'zod'
import { call } from '../../api/call.ts'
import { refresh } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { UnconfirmedAddresses } from '../../app/unconfirmed-addresses.tsx'
import { ActionButton } from '../../ui/actions.tsx'
import { asked } from '../../ui/confirm.tsx'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { EditSection } from '../../ui/pages/edit-page.tsx'
import { Form } from '../../ui/form.tsx'
import { TextLink } from '../../ui/links.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useAction } from '../../ui/use-action.ts'

/** Settings, Mail: who emails may be from. The default one is part of the basic settings. */
export function Senders() {
  const t = useWords('merchants')
  const { setting, senders, mayChange } = useMerchant()
  const { sender_name, sender_email, reply_to } = setting
  return (
    <EditSection title={t('senders.title')} description={t('senders.text')}>
      <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        <li>
          <Group gap="xs" justify="space-between">
            <SenderText name={sender_name} email={sender_email} replyTo={reply_to} />
            <Group gap="sm">
              <StatusBadge tone="info">{t('senders.default')}</StatusBadge>
              <TextLink to={paths.settings()} size="sm">
                {t('senders.change')}
              </TextLink>
            </Group>
          </Group>
        </li>
        {senders.map((sender) => (
          <Saved key={sender.id} sender={sender} />
        ))}
      </Stack>
      <UnconfirmedAddresses purpose="sender" emails={[sender_email, ...senders.map(({ email }) => email)]} />
      {mayChange && senders.length < MAX_SENDERS && <Add />}
    </EditSection>
  )
}

function SenderText({ name, email, replyTo }: { name: string; email: string; replyTo: string | null }) {
  const t = useWords('merchants')
  return (
    <div style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      <Text size="sm">{email || t('senders.none')}</Text>
      {replyTo && (
        <Text size="sm" c="dimmed">
          {t('senders.repliesTo', { email: replyTo })}
        </Text>
      )}
    </div>
  )
}

function Saved({ sender: { id, name, email, reply_to } }: { sender: SavedSender }) {
  const t = useWords('merchants')
  const { mayChange } = useMerchant()
  const remove = useAction(deleteSender, { done: 'deleted' })
  return (
    <li>
      <Group gap="xs" justify="space-between">
        <SenderText name={name} email={email} replyTo={reply_to} />
        {mayChange && (
          <ActionButton
            action={{
              label: t('senders.remove'),
              icon: <IconTrash size={16} />,
              busy: remove.isPending,
              onClick: asked(
                {
                  title: t('senders.removeTitle', { email }),
                  body: t('senders.removeText'),
                  confirmLabel: t('senders.remove'),
                  danger: true,
                },
                () => remove.mutate({ params: { id } }),
              ),
            }}
          />
        )}
      </Group>
    </li>
  )
}

const senderOf = (values: { name: string; email: string; reply_to: string }) => ({
  ...values,
  reply_to: values.reply_to.trim() || null,
})

function Add() {
  const t = useWords('merchants')
  const form = useEditForm({
    values: { name: '', email: '', reply_to: '' },
    schema: z.preprocess((values) => senderOf(values as { name: string; email: string; reply_to: string }), NewSender),
    fieldPrefix: 'sender.',
    emptiesAfterSave: true,
    save: async (values) => {
      await call(putSender, { body: { sender: senderOf(values) } })
      await refresh(putSender.area)
    },
  })
  return (
    <Form onSubmit={() => form.submit()}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <TextInput label={t('senders.name')} {...form.field('name')} />
          <TextInput label={t('senders.email')} type="email" autoComplete="off" {...form.field('email')} />
          <TextInput label={t('senders.replyTo')} type="email" autoComplete="off" {...form.field('reply_to')} />
        </SimpleGrid>
        <div>
          <ActionButton
            action={{
              label: t('senders.add'),
              icon: <IconPlus size={18} />,
              busy: form.saving,
              onClick: () => form.submit(),
            }}
          />
        </div>
      </Stack>
    </Form>
  )
}
