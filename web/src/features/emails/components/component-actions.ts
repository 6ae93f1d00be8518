import type { EmailComponentUses } from '@okaeri/contract/emails/component'
import {
  deleteEmailComponent,
  duplicateEmailComponent,
  getEmailComponent,
} from '@okaeri/contract/emails/component-routes'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../../api/call.ts'
import { currentLanguage, word } from '../../../app/i18n.ts'
import { paths } from '../../../app/paths.ts'
import { confirm, confirmDelete, showInUse, type Use } from '../../../ui/confirm.tsx'
import { toast } from '../../../ui/toast.ts'
import { useAction } from '../../../ui/use-action.ts'

interface Named {
  id: string
  name: string
}

/** Where its tag is written. */
export const directUses = ({ emails, components }: EmailComponentUses): Use[] => [
  ...emails
    .filter(({ direct }) => direct)
    .map(({ id, name }) => ({ label: word('emails', 'components.uses.email', { name }), to: paths.emailEditor(id) })),
  ...components.map(({ id, name }) => ({
    label: word('emails', 'components.uses.component', { name }),
    to: paths.emailComponent(id),
  })),
]

/** Duplicating and deleting, each with its question; deleting names what uses the component. */
export function useComponentActions(options: { onDeleted?: () => void } = {}) {
  const navigate = useNavigate()
  const copy = useAction(duplicateEmailComponent, {
    done: 'duplicated',
    onDone: ({ email_component }) => void navigate({ to: paths.emailComponent(email_component.id) }),
  })
  const remove = useAction(deleteEmailComponent, {
    done: 'deleted',
    ...(options.onDeleted && { onDone: options.onDeleted }),
  })

  async function askAndDuplicate({ id, name }: Named): Promise<void> {
    const sure = await confirm({
      title: word('emails', 'components.duplicateAsk', { name }),
      body: word('emails', 'components.duplicateBody'),
      confirmLabel: word('emails', 'duplicate'),
    })
    if (sure) copy.mutate({ params: { id }, body: { language: currentLanguage() } })
  }

  async function askAndDelete({ id, name }: Named): Promise<void> {
    try {
      const { used_by } = await call(getEmailComponent, { params: { id } })
      const uses = directUses(used_by)
      if (uses.length > 0) return showInUse(name, uses)
      if (await confirmDelete(word('emails', 'components.deleteAsk', { name }))) remove.mutate({ params: { id } })
    } catch (error) {
      toast.failed(error)
    }
  }

  return { askAndDuplicate, askAndDelete }
}
