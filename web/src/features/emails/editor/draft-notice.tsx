import { Button, Group } from '@mantine/core'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { useTypedDraft } from './typed-draft.ts'

type Draft<Values extends object> = ReturnType<typeof useTypedDraft<Values>>

/** Offers what was typed and not saved the last time, and says where two tabs are typed in. */
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
  if (draft.clashes) return <Clash draft={draft} onTake={onTake} />
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

function Clash<Values extends object>({ draft, onTake }: { draft: Draft<Values>; onTake: (values: Values) => void }) {
  const t = useWords('emails')
  const take = async () => {
    const values = await draft.takeOthers()
    if (values) onTake(values)
  }
  return (
    <Notice tone="warning" title={t('draft.otherTab')}>
      {t('draft.otherTabText')}
      <Group gap="xs" mt="xs">
        <Button size="xs" onClick={draft.takeOver}>
          {t('draft.keepHere')}
        </Button>
        <Button size="xs" variant="default" onClick={() => void take()}>
          {t('draft.takeOther')}
        </Button>
      </Group>
    </Notice>
  )
}
