import { ActionIcon, Button, Checkbox, Group, Popover, Stack, Text, TextInput } from '@mantine/core'
import {
  CustomerViewBody,
  createCustomerView,
  deleteCustomerView,
  listCustomerViews,
} from '@okaeri/contract/customers/routes'
import type { CustomerView, CustomerViewSearch } from '@okaeri/contract/customers/view'
import { IconBookmark, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { confirmDelete } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { Form } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import classes from './customer-list.module.css'

interface CustomerViewsProps {
  /** What the list shows now. */
  current: CustomerViewSearch
  onOpen: (search: CustomerViewSearch) => void
}

/** Saved views of the list: the member's own, and the shared ones. */
export function CustomerViews({ current, onOpen }: CustomerViewsProps) {
  const t = useWords('customers')
  const { mayChange } = useMerchant()
  const [opened, setOpened] = useState(false)
  const [saving, setSaving] = useState(false)
  const { data } = useQuery(queryOf(listCustomerViews, {}))
  const remove = useAction(deleteCustomerView, { done: 'deleted' })
  const views = data?.views ?? []
  const askAndRemove = async (view: CustomerView) => {
    const body = t(view.shared ? 'views.sharedDeleteBody' : 'views.deleteBody')
    if (await confirmDelete(t('views.deleteAsk', { name: view.name }), { body }))
      remove.mutate({ params: { id: view.id } })
  }
  const part = (label: string, of: readonly CustomerView[]) =>
    of.length > 0 && (
      <div>
        <Text size="xs" c="dimmed" fw={600} px="xs">
          {label}
        </Text>
        <ul className={classes.views}>
          {of.map((view) => (
            <li key={view.id}>
              <Button
                variant="subtle"
                justify="flex-start"
                fullWidth
                onClick={() => {
                  onOpen(view.search)
                  setOpened(false)
                }}
              >
                {view.name}
              </Button>
              {mayChange && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={36}
                  aria-label={t('views.delete', { name: view.name })}
                  onClick={() => void askAndRemove(view)}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              )}
            </li>
          ))}
        </ul>
      </div>
    )
  return (
    <>
      <Popover
        opened={opened}
        onChange={setOpened}
        position="bottom-start"
        shadow="md"
        width={300}
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <Button
            variant="default"
            leftSection={<IconBookmark size={16} aria-hidden />}
            onClick={() => setOpened((is) => !is)}
          >
            {t('views.open')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('views.open')} p="xs" mah={440} style={{ overflowY: 'auto' }}>
          <Stack gap="xs">
            {part(
              t('views.own'),
              views.filter(({ shared }) => !shared),
            )}
            {part(
              t('views.shared'),
              views.filter(({ shared }) => shared),
            )}
            {views.length === 0 && (
              <Text size="sm" c="dimmed" px="xs">
                {t('views.none')}
              </Text>
            )}
            {mayChange && (
              <Button
                variant="default"
                onClick={() => {
                  setOpened(false)
                  setSaving(true)
                }}
              >
                {t('views.save')}
              </Button>
            )}
          </Stack>
        </Popover.Dropdown>
      </Popover>
      {saving && <SaveView search={current} onClose={() => setSaving(false)} />}
    </>
  )
}

function SaveView({ search, onClose }: { search: CustomerViewSearch; onClose: () => void }) {
  const t = useWords('customers')
  const ui = useWords('ui')
  const form = useEditForm({
    values: { name: '', shared: false },
    schema: CustomerViewBody.pick({ name: true, shared: true }),
    save: async (values) => {
      await call(createCustomerView, { body: { ...values, search } })
      await refresh('customers')
    },
    saysSaved: false,
    onSaved: () => {
      toast.done(t('views.saved'))
      onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={t('views.saveTitle')}>
      <Form onSubmit={() => form.submit()}>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t('views.saveText')}
          </Text>
          <TextInput label={t('views.name')} data-autofocus maxLength={60} autoComplete="off" {...form.field('name')} />
          <Checkbox label={t('views.share')} {...form.field('shared', { type: 'checkbox' })} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {ui('cancel')}
            </Button>
            <Button type="submit" loading={form.saving}>
              {ui('save')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}
