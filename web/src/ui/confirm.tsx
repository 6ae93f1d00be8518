import { List, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { word } from '../app/i18n.ts'

interface Question {
  title: string
  body?: string
  confirmLabel: string
  /** What leaving everything as it is is called, where `cancel` could be misread. */
  cancelLabel?: string
  /** Red button; for what deletes or cannot be taken back. */
  danger?: boolean
  /** Adds the sentence that says so. */
  irreversible?: boolean
  /** Names of the things that use what is about to go. */
  usedBy?: readonly string[]
}

/** Asks before something is done: `if (await confirm({ … })) remove()`. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title: question.title,
      centered: true,
      closeButtonProps: { 'aria-label': word('ui', 'close') },
      children: (
        <Stack gap="sm">
          {question.body && <Text size="sm">{question.body}</Text>}
          {question.usedBy && question.usedBy.length > 0 && (
            <div>
              <Text size="sm" fw={600}>
                {word('ui', 'confirm.usedBy')}
              </Text>
              <List size="sm">
                {question.usedBy.map((name) => (
                  <List.Item key={name}>{name}</List.Item>
                ))}
              </List>
            </div>
          )}
          {question.irreversible && (
            <Text size="sm" fw={600}>
              {word('ui', 'confirm.irreversible')}
            </Text>
          )}
        </Stack>
      ),
      labels: { confirm: question.confirmLabel, cancel: question.cancelLabel ?? word('ui', 'cancel') },
      confirmProps: question.danger ? { color: 'red' } : {},
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
      onClose: () => resolve(false),
    })
  })
}

/** The question before every deletion (spec §5). */
export const confirmDelete = (
  title: string,
  details: { body?: string; usedBy?: readonly string[] } = {},
): Promise<boolean> =>
  confirm({ title, ...details, confirmLabel: word('ui', 'delete'), danger: true, irreversible: true })
