import type { EmailSummary } from '@okaeri/contract/emails/email'
import { deleteEmail, duplicateEmail, getEmail } from '@okaeri/contract/emails/routes'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { currentLanguage, word } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { confirm, confirmDelete, showInUse } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { asUse } from './program-uses.tsx'

type Named = Pick<EmailSummary, 'id' | 'name'>

/** Duplicating and deleting, each with its question; deleting names what uses the email. */
export function useEmailActions(options: { onDeleted?: () => void } = {}) {
  const navigate = useNavigate()
  const copy = useAction(duplicateEmail, {
    done: 'duplicated',
    onDone: ({ email }) => void navigate({ to: paths.email(email.id) }),
  })
  const remove = useAction(deleteEmail, { done: 'deleted', ...(options.onDeleted && { onDone: options.onDeleted }) })

  async function askAndDuplicate({ id, name }: Named): Promise<void> {
    const sure = await confirm({
      title: word('emails', 'duplicateAsk', { name }),
      body: word('emails', 'duplicateBody'),
      confirmLabel: word('emails', 'duplicate'),
    })
    if (sure) copy.mutate({ params: { id }, body: { language: currentLanguage() } })
  }

  async function askAndDelete({ id, name }: Named): Promise<void> {
    try {
      const { used_by } = await call(getEmail, { params: { id } })
      if (used_by.length > 0) return showInUse(name, used_by.map(asUse))
      if (await confirmDelete(word('emails', 'deleteAsk', { name }))) remove.mutate({ params: { id } })
    } catch (error) {
      toast.failed(error)
    }
  }

  return { askAndDuplicate, askAndDelete, busy: copy.isPending || remove.isPending }
}
