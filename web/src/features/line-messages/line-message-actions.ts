import { deleteLineMessage, duplicateLineMessage, getLineMessage } from '@okaeri/contract/line-messages/routes'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { currentLanguage, word } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { confirm, confirmDelete, showInUse } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { asUse } from '../emails/program-uses.tsx'

interface Named {
  id: string
  name: string
}

/** Duplicating and deleting, each with its question; deleting names what uses the message. */
export function useLineMessageActions(options: { onDeleted?: () => void } = {}) {
  const navigate = useNavigate()
  const copy = useAction(duplicateLineMessage, {
    done: 'duplicated',
    onDone: ({ line_message }) => void navigate({ to: paths.lineMessage(line_message.id) }),
  })
  const remove = useAction(deleteLineMessage, {
    done: 'deleted',
    ...(options.onDeleted && { onDone: options.onDeleted }),
  })

  async function askAndDuplicate({ id, name }: Named): Promise<void> {
    const sure = await confirm({
      title: word('lineMessages', 'duplicateAsk', { name }),
      body: word('lineMessages', 'duplicateBody'),
      confirmLabel: word('lineMessages', 'duplicate'),
    })
    if (sure) copy.mutate({ params: { id }, body: { language: currentLanguage() } })
  }

  async function askAndDelete({ id, name }: Named): Promise<void> {
    try {
      const { used_by } = await call(getLineMessage, { params: { id } })
      if (used_by.length > 0) return showInUse(name, used_by.map(asUse))
      if (await confirmDelete(word('lineMessages', 'deleteAsk', { name }))) remove.mutate({ params: { id } })
    } catch (error) {
      toast.failed(error)
    }
  }

  return { askAndDuplicate, askAndDelete }
}
