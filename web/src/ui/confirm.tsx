import { Button, Group, List, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { word } from '../app/i18n.ts'
import { TextLink } from './links.tsx'

/** What uses something that is about to go, and where it is changed. */
export interface Use {
  label: string
  to: string
  search?: Record<string, string>
}

interface Question {
  title: string
  /** Lines of it are paragraphs. */
  body?: string
  confirmLabel: string
  /** What leaving everything as it is is called, where `cancel` could be misread. */
  cancelLabel?: string
  /** Red button; for what deletes or cannot be taken back. */
  danger?: boolean
  /** Adds the sentence that says so. */
  irreversible?: boolean
  usedBy?: readonly Use[]
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
          {question.body && (
            <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
              {question.body}
            </Text>
          )}
          {question.usedBy && question.usedBy.length > 0 && (
            <div>
              <Text size="sm" fw={600}>
                {word('ui', 'confirm.usedBy')}
              </Text>
              <Uses uses={question.usedBy} />
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

/** For a button: asks, and does it then. */
export const asked = (question: Question, then: () => void) => (): void =>
  void confirm(question).then((sure) => sure && then())

/** The question before every deletion (spec §5). */
export const confirmDelete = (
  title: string,
  details: { body?: string; usedBy?: readonly Use[] } = {},
): Promise<boolean> =>
  confirm({ title, ...details, confirmLabel: word('ui', 'delete'), danger: true, irreversible: true })

/** Said instead of that question where something in use cannot be deleted: a way to each of what uses it. */
export function showInUse(name: string, uses: readonly Use[]): void {
  modals.open({
    title: word('ui', 'confirm.inUse', { name }),
    centered: true,
    closeButtonProps: { 'aria-label': word('ui', 'close') },
    children: (
      <Stack gap="sm">
        <Text size="sm">{word('ui', 'confirm.inUseText')}</Text>
        <Uses uses={uses} />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => modals.closeAll()}>
            {word('ui', 'close')}
          </Button>
        </Group>
      </Stack>
    ),
  })
}

const Uses = ({ uses }: { uses: readonly Use[] }) => (
  <List size="sm">
    {uses.map(({ label, to, search }) => (
      <List.Item key={`${to} ${label}`}>
        <TextLink to={to} {...(search && { search })} underline="always" onClick={() => modals.closeAll()}>
          {label}
        </TextLink>
      </List.Item>
    ))}
  </List>
)
