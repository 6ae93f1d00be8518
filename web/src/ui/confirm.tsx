import { Button, Group, List, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { word } from '../app/i18n.ts'
import { TextLink } from './links.tsx'

/** A use of something to be deleted, with a link. */
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
  /** The label of the cancel button, if "cancel" could be misread. */
  cancelLabel?: string
  /** Red button, for deletions and actions that cannot be undone. */
  danger?: boolean
  /** Adds the sentence that it cannot be undone. */
  irreversible?: boolean
  usedBy?: readonly Use[]
}

/** Asks before an action: `if (await confirm({ … })) remove()`. */
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

/** For a button: asks, then runs the action. */
export const asked = (question: Question, then: () => void) => (): void =>
  void confirm(question).then((sure) => sure && then())

/** The question before every deletion (spec §5). */
export const confirmDelete = (
  title: string,
  details: { body?: string; usedBy?: readonly Use[] } = {},
): Promise<boolean> =>
  confirm({ title, ...details, confirmLabel: word('ui', 'delete'), danger: true, irreversible: true })

/** Shown instead of that question if something in use cannot be deleted: links to its uses. */
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
