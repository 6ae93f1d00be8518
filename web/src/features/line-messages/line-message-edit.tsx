import { ApiError } from '@okaeri/contract/client'
import type { LineMessage } from '@okaeri/contract/line-messages/message'
import { changeLineMessage, type CheckedByLine, getLineMessage } from '@okaeri/contract/line-messages/routes'
import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { ActionButton } from '../../ui/actions.tsx'
import { changesOf } from '../../ui/edit/changes.ts'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { EditPageLoading } from '../../ui/pages/edit-page.tsx'
import { EditConflictNotice } from '../../ui/edit/edit-conflict-notice.tsx'
import { useFieldLabels } from './field-labels.ts'
import { LineEditor } from './line-editor.tsx'
import { LineSchema, type LineValues } from './line-form.ts'
import { TestSend } from './test-send.tsx'

export function LineMessageEdit() {
  const t = useWords('lineMessages')
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const query = useQuery(queryOf(getLineMessage, { params: { id } }))
  const back = { to: paths.lineMessage(id), label: t('backToMessage') }
  if (!query.data) return <EditPageLoading title={t('editor.title')} back={back} query={query} />
  return <Editor key={id} message={query.data.line_message} />
}

const CHANGED_MEANWHILE = 'line_message_changed_meanwhile'

function Editor({ message }: { message: LineMessage }) {
  const t = useWords('lineMessages')
  const { mayChange } = useMerchant()
  const labelOf = useFieldLabels()
  const [testing, setTesting] = useState(false)
  const [checked, setChecked] = useState<CheckedByLine | null>(null)
  const saved = useMemo(
    (): LineValues => ({ name: message.name, messages: message.messages, quick_replies: message.quick_replies }),
    [message.name, message.messages, message.quick_replies],
  )
  const form = useEditForm<LineValues>({
    values: saved,
    schema: LineSchema,
    save: async (now, began, seen) => {
      setChecked(await saveChanges(message.id, { now, began, seen }))
    },
  })
  return (
    <>
      <LineEditor
        title={message.name}
        back={{ to: paths.lineMessage(message.id), label: t('backToMessage') }}
        form={form}
        checked={checked}
        actions={
          <ActionButton
            action={{
              label: t('testSend'),
              icon: <IconSend size={18} aria-hidden />,
              onClick: () => setTesting(true),
              disabledReason: !mayChange && t('readOnly'),
            }}
          />
        }
        hidesFailure={form.failure?.reason === CHANGED_MEANWHILE}
        notice={
          <EditConflictNotice
            form={{ ...form, values: asTexts(form.values), began: asTexts(form.began) }}
            saved={asTexts(saved)}
            labels={{
              name: labelOf('name'),
              messages: labelOf('messages'),
              quick_replies: labelOf('quick_replies'),
            }}
            overwrite={form.overwrite}
          />
        }
      />
      <TestSend lineMessageId={message.id} unsaved={form.dirty} opened={testing} onClose={() => setTesting(false)} />
    </>
  )
}

/** To be compared by eye. */
const asTexts = ({ name, messages, quick_replies }: LineValues): Record<string, string> => ({
  name,
  messages: JSON.stringify(messages, null, 2),
  quick_replies: JSON.stringify(quick_replies, null, 2),
})

/** Sends what was changed here; the server refuses what another member has changed since it was `seen`, and that is then loaded. */
async function saveChanges(
  id: string,
  { now, began, seen }: { now: LineValues; began: LineValues; seen: LineValues },
): Promise<CheckedByLine> {
  const changes = changesOf(began, now)
  const compared = Object.fromEntries(Object.entries(seen).filter(([name]) => name in changes)) as Partial<LineValues>
  try {
    const { checked_by_line } = await call(changeLineMessage, { params: { id }, body: { ...changes, began: compared } })
    await refresh('line_messages')
    return checked_by_line
  } catch (error) {
    if (error instanceof ApiError && error.reason === CHANGED_MEANWHILE) await refresh('line_messages')
    throw error
  }
}
