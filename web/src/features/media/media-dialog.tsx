import { Autocomplete, Button, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core'
import {
  MediaAltText,
  MediaFolder,
  MediaName,
  type MediaUse,
  type MediaUses,
  type UserMedia,
} from '@okaeri/contract/media/media'
import { changeMedia, deleteMedia, getMediaUses } from '@okaeri/contract/media/routes'
import { IconCheck, IconCopy, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords, word } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { ActionButton } from '../../ui/actions.tsx'
import { changesOf } from '../../ui/edit/changes.ts'
import { confirmDelete, type Use } from '../../ui/confirm.tsx'
import { Facts } from '../../ui/pages/detail-page.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { Form } from '../../ui/form.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import classes from './media.module.css'

const useOf = ({ type, id, name }: MediaUse): Use => ({
  label: word('media', `use.${type}`, { name }),
  to: { email: paths.email, email_component: paths.emailComponent, line_message: paths.lineMessage }[type](id),
})

const changeable = z.object({ name: MediaName, folder: MediaFolder, alt_text: MediaAltText })

/** What a picture is, where it is used, and what can be changed about it. */
export function MediaDialog({
  media,
  folders,
  onClose,
}: {
  media: UserMedia
  folders: readonly string[]
  onClose: () => void
}) {
  const t = useWords('media')
  const ui = useWords('ui')
  const format = useFormat()
  const { mayChange } = useMerchant()
  const uses = useQuery(queryOf(getMediaUses, { params: { id: media.id } }))
  const form = useEditForm({
    values: { name: media.name, folder: media.folder, alt_text: media.alt_text },
    schema: changeable,
    save: (values, began) => call(changeMedia, { body: { user_media: { id: media.id, ...changesOf(began, values) } } }),
    fieldPrefix: 'user_media.',
    onSaved: () => {
      void refresh('media')
      onClose()
    },
  })
  const remove = useAction(deleteMedia, { done: 'deleted', onDone: onClose })
  const askToDelete = async (): Promise<void> => {
    const found = await uses.refetch()
    if (!found.data) return toast.failed(found.error)
    const { messages } = found.data
    const isUsed = found.data.uses.length > 0 || messages > 0
    const sure = await confirmDelete(t('remove.title', { name: media.name }), {
      ...(isUsed && {
        body: [
          t('remove.body'),
          ...(messages > 0 ? [t('details.messages', { count: messages, n: format.number(messages) })] : []),
        ].join('\n'),
      }),
      usedBy: found.data.uses.map(useOf),
    })
    if (sure) remove.mutate({ params: { id: media.id }, query: { in_use: 'delete' } })
  }
  return (
    <Dialog opened onClose={onClose} title={media.name} size="lg">
      <Form onSubmit={form.submit}>
        <Stack gap="md">
          {media.state === 'missing' ? (
            <Notice tone="warning">{t('missingText')}</Notice>
          ) : (
            <div className={classes.large}>
              <img src={media.mail?.url ?? media.url} alt={media.alt_text} />
            </div>
          )}
          <TextInput label={t('details.name')} readOnly={!mayChange} {...form.field('name')} />
          <Autocomplete
            label={t('folder')}
            description={t('details.folderHelp')}
            data={[...folders]}
            readOnly={!mayChange}
            {...form.field('folder')}
            onChange={(folder) => form.set('folder', folder)}
          />
          <TextInput
            label={t('details.alt')}
            description={t('details.altHelp')}
            readOnly={!mayChange}
            {...form.field('alt_text')}
          />
          <Facts
            items={[
              { label: t('details.file'), value: factsOf(t, format, media) },
              media.mail !== null && { label: t('details.mailCopy'), value: factsOf(t, format, media.mail) },
              { label: t('details.created'), value: format.dateTime(media.created_at) },
            ]}
          />
          <Address label={t('details.address')} value={media.url} />
          {media.mail && <Address label={t('details.mailAddress')} value={media.mail.url} />}
          <div>
            <Text size="sm" fw={600} mb={4}>
              {t('details.usedBy')}
            </Text>
            {uses.data ? (
              <Uses uses={uses.data} />
            ) : uses.error ? (
              <LoadFailed error={uses.error} retry={() => void uses.refetch()} />
            ) : (
              <Loading lines={1} />
            )}
          </div>
          <Group justify="space-between" gap="sm">
            <ActionButton
              action={{
                label: ui('delete'),
                icon: <IconTrash size={18} aria-hidden />,
                danger: true,
                busy: remove.isPending,
                disabledReason: !mayChange && t('viewerMayNot'),
                onClick: () => void askToDelete(),
              }}
            />
            {mayChange && (
              <Button type="submit" loading={form.saving}>
                {ui('save')}
              </Button>
            )}
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}

const factsOf = (
  t: ReturnType<typeof useWords<'media'>>,
  format: ReturnType<typeof useFormat>,
  { width, height, size_bytes }: { width: number | null; height: number | null; size_bytes: number },
): string => t('size', { width: width ?? 0, height: height ?? 0, bytes: format.bytes(size_bytes) })

function Address({ label, value }: { label: string; value: string }) {
  const t = useWords('media')
  return (
    <Group gap="xs" align="end" wrap="nowrap">
      <TextInput label={label} value={value} readOnly flex={1} />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            onClick={copy}
          >
            {t(copied ? 'details.copied' : 'details.copy')}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}

function Uses({ uses: { uses, messages } }: { uses: MediaUses }) {
  const t = useWords('media')
  const format = useFormat()
  return (
    <Stack gap={4}>
      {uses.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('details.unused')}
        </Text>
      )}
      {uses.map((use) => {
        const { label, to } = useOf(use)
        return (
          <TextLink key={use.id} to={to} size="sm">
            {label}
          </TextLink>
        )
      })}
      {messages > 0 && <Text size="sm">{t('details.messages', { count: messages, n: format.number(messages) })}</Text>}
    </Stack>
  )
}
