import { deleteLineMessage, duplicateLineMessage } from '@okaeri/contract/line-messages/routes'
import { useNavigate } from '@tanstack/react-router'
import { currentLanguage, word } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { confirm, confirmDelete } from '../../ui/confirm.tsx'
import { useAction } from '../../ui/use-action.ts'

interface Named {
  id: string
  name: string
}

/** Duplicating and deleting, each with its question. */
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
    if (await confirmDelete(word('lineMessages', 'deleteAsk', { name }))) remove.mutate({ params: { id } })
  }

  return { askAndDuplicate, askAndDelete }
}
