import { Button, Group } from '@mantine/core'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { confirm } from '../../ui/confirm.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { useEmailDraft } from './email-draft.ts'

type Draft<Values extends object> = ReturnType<typeof useEmailDraft<Values>>

/** Offers what was typed and not saved the last time. */
export function DraftNotice<Values extends object>({
  draft,
  onTake,
}: {
  draft: Draft<Values>
  onTake: (values: Values) => void
}) {
  const t = useWords('emails')
  const format = useFormat()
  const { found } = draft
  if (!found) return null
  const discard = async () => {
    const sure = await confirm({
      title: t('draft.discardAsk'),
      body: t('draft.discardBody'),
      confirmLabel: t('draft.discard'),
      danger: true,
    })
    if (sure) draft.answered(false)
  }
  return (
    <Notice tone={found.isBehind ? 'warning' : 'info'}>
      {t(found.isBehind ? 'draft.behind' : 'draft.found', { at: format.dateTime(found.at) })}
      <Group gap="xs" mt="xs">
        <Button
          size="xs"
          onClick={() => {
            onTake(found.values)
            draft.answered(true)
          }}
        >
          {t('draft.take')}
        </Button>
        <Button size="xs" variant="default" onClick={() => void discard()}>
          {t('draft.discard')}
        </Button>
      </Group>
    </Notice>
  )
}
