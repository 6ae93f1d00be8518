import { Button, CopyButton, Group, Stack, Text } from '@mantine/core'
import type { ApiError } from '@okaeri/contract/client'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { confirm } from '../confirm.tsx'
import { Dialog } from '../dialog.tsx'
import { Notice } from '../notice.tsx'
import { clashesOf, comparedLines } from './edit-conflict.ts'
import classes from './edit-conflict-notice.module.css'

interface MeanwhileNoticeProps<Values extends Record<string, string>> {
  form: { values: Values; began: Values; saving: boolean; failure: ApiError | null; reset: () => void }
  /** As it stands on the server now. */
  saved: Values
  labels: Record<string, string>
  /** Saves what was typed here over what is saved now. */
  overwrite: () => void
}

/** Says that another member changed what was changed here too, and leaves the choice to the person: nothing is lost before they choose. */
export function EditConflictNotice<Values extends Record<string, string>>(props: MeanwhileNoticeProps<Values>) {
  const { form, saved, labels, overwrite } = props
  const t = useWords('ui')
  const format = useFormat()
  const [comparing, setComparing] = useState(false)
  const clashes = form.saving ? [] : clashesOf({ began: form.began, mine: form.values, saved })
  const notice = useRef<HTMLDivElement>(null)
  const answered = useRef<ApiError | null>(null)
  const isShown = clashes.length > 0
  // Only after a save of one's own was refused: what another member saves meanwhile takes no one out of the field they type in.
  useEffect(() => {
    if (!isShown || !form.failure || answered.current === form.failure) return
    answered.current = form.failure
    notice.current?.focus({ preventScroll: true })
    notice.current?.scrollIntoView({ block: 'center' })
  }, [isShown, form.failure])
  if (!isShown) return null

  const takeTheirs = async () => {
    const sure = await confirm({
      title: t('meanwhile.discardAsk'),
      body: t('meanwhile.discardBody'),
      confirmLabel: t('meanwhile.discard'),
      danger: true,
    })
    if (!sure) return
    setComparing(false)
    form.reset()
  }
  const saveMine = async () => {
    const sure = await confirm({
      title: t('meanwhile.overwriteAsk'),
      body: t('meanwhile.overwriteBody'),
      confirmLabel: t('meanwhile.overwrite'),
      danger: true,
    })
    if (!sure) return
    setComparing(false)
    overwrite()
  }
  const choices = (
    <>
      <Button size="xs" variant="default" onClick={() => void takeTheirs()}>
        {t('meanwhile.discard')}
      </Button>
      <Button size="xs" variant="default" onClick={() => void saveMine()}>
        {t('meanwhile.overwrite')}
      </Button>
    </>
  )
  return (
    <>
      <div ref={notice} tabIndex={-1}>
        <Notice tone="warning">
          {t('meanwhile.text', { fields: format.list(clashes.map((name) => labels[name] ?? name)) })}
          <Group gap="xs" mt="xs">
            <Button size="xs" onClick={() => setComparing(true)}>
              {t('meanwhile.compare')}
            </Button>
            {choices}
          </Group>
        </Notice>
      </div>
      <Dialog opened={comparing} onClose={() => setComparing(false)} title={t('meanwhile.compareTitle')} size="80rem">
        <Stack gap="md">
          <Text size="sm">{t('meanwhile.compareText')}</Text>
          {clashes.map((name) => (
            <section key={name} aria-label={labels[name]}>
              <Text fw={700} size="sm">
                {labels[name]}
              </Text>
              <div className={classes.pair}>
                <Version title={t('meanwhile.theirs')} text={saved[name] ?? ''} other={form.values[name] ?? ''} />
                <Version title={t('meanwhile.mine')} text={form.values[name] ?? ''} other={saved[name] ?? ''} />
              </div>
            </section>
          ))}
          <Group justify="flex-end" gap="xs">
            {choices}
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}

/** Far down a long text the first differing line would be hard to find. */
function showFirstDifference(text: HTMLDivElement | null): void {
  const first = text?.querySelector('[data-differs]')
  if (text && first instanceof HTMLElement) text.scrollTop = first.offsetTop - text.clientHeight / 3
}

function Version({ title, text, other }: { title: string; text: string; other: string }) {
  const t = useWords('ui')
  return (
    <div>
      <div className={classes.head}>
        {title}
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              size="compact-xs"
              variant="default"
              leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
              onClick={copy}
            >
              {t(copied ? 'meanwhile.copied' : 'meanwhile.copy')}
            </Button>
          )}
        </CopyButton>
      </div>
      {/* In the order of the keyboard, so that it can be scrolled without a mouse. */}
      <div ref={showFirstDifference} className={classes.text} tabIndex={0} role="group" aria-label={title}>
        {comparedLines(text, other).map(({ line, differs }, at) => (
          <div key={`${at}-${line.length}`} className={classes.line} data-differs={differs || undefined}>
            {line}
          </div>
        ))}
      </div>
    </div>
  )
}
