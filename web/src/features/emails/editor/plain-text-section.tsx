import { Button, Group, Paper, Radio, Stack, Text, Textarea } from '@mantine/core'
import type { Design } from '@okaeri/contract/emails/design'
import { makePlainText } from '@okaeri/contract/emails/routes'
import { IconWand } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { call } from '../../../api/call.ts'
import { useWords, word } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.ts'
import classes from './plain-text-section.module.css'
import { TagMenu } from './tag-menu.tsx'

interface PlainTextSectionProps {
  /** Empty: made from the mail. */
  value: string
  onChange: (text: string) => void
  error?: string | undefined
  /** What it can begin from: the mail as it is typed now. */
  mail: { content: string } | { design: Design }
  /** As it will be sent; undefined while it is being made. */
  shown: string | undefined
  /** The mail was changed since the text was written. */
  isBehind: boolean
  /** Says that it fits all the same; null while something is unsaved. */
  onFits: (() => void) | null
}

/** The plain-text part of a mail: made from it, or written. */
export function PlainTextSection({ value, onChange, error, mail, shown, isBehind, onFits }: PlainTextSectionProps) {
  const t = useWords('emails')
  const { mayChange } = useMerchant()
  const [isWriting, setIsWriting] = useState(value !== '')
  const [busy, setBusy] = useState(false)
  const writes = isWriting || value !== ''

  const begin = async () => {
    setBusy(true)
    try {
      onChange((await call(makePlainText, { body: mail })).plain_text)
      setIsWriting(true)
    } catch (failure) {
      toast.failed(failure)
    } finally {
      setBusy(false)
    }
  }
  const askAndBegin = async () => {
    const sure =
      value === '' ||
      (await confirm({
        title: word('emails', 'plainText.beginAsk'),
        body: word('emails', 'plainText.beginBody'),
        confirmLabel: word('emails', 'plainText.begin'),
        danger: true,
      }))
    if (sure) await begin()
  }
  const choose = async (mode: string) => {
    if (mode === 'written') return begin()
    const sure =
      value === '' ||
      (await confirm({
        title: word('emails', 'plainText.dropAsk'),
        body: word('emails', 'plainText.dropBody'),
        confirmLabel: word('emails', 'plainText.made'),
        danger: true,
      }))
    if (!sure) return
    onChange('')
    setIsWriting(false)
  }
  return (
    <Paper withBorder p="md" component="section" aria-label={t('plainText.title')}>
      <Stack gap="sm">
        <Text fw={700} size="sm">
          {t('plainText.title')}
        </Text>
        <Text size="sm" c="dimmed">
          {t('plainText.what')}
        </Text>
        <Radio.Group
          aria-label={t('plainText.title')}
          value={writes ? 'written' : 'made'}
          onChange={(mode) => void choose(mode)}
        >
          <Group gap="lg">
            <Radio value="made" label={t('plainText.made')} disabled={!mayChange || busy} />
            <Radio value="written" label={t('plainText.written')} disabled={!mayChange || busy} />
          </Group>
        </Radio.Group>
        {writes && (
          <>
            {isBehind && (
              <Notice
                tone="warning"
                action={
                  onFits && (
                    <Button size="xs" variant="default" onClick={onFits}>
                      {t('plainText.fits')}
                    </Button>
                  )
                }
              >
                {t('plainText.behind')}
              </Notice>
            )}
            <TextPanes
              value={value}
              onChange={onChange}
              error={error}
              shown={shown}
              busy={busy}
              onBegin={() => void askAndBegin()}
            />
          </>
        )}
      </Stack>
    </Paper>
  )
}

/** What is written, and beside it what is sent. */
function TextPanes({
  value,
  onChange,
  error,
  shown,
  busy,
  onBegin,
}: Pick<PlainTextSectionProps, 'value' | 'onChange' | 'error' | 'shown'> & { busy: boolean; onBegin: () => void }) {
  const t = useWords('emails')
  const { mayChange } = useMerchant()
  const input = useRef<HTMLTextAreaElement>(null)
  const insert = (tag: string) => {
    const { selectionStart: start, selectionEnd: end } = input.current ?? { selectionStart: null, selectionEnd: null }
    onChange(value.slice(0, start ?? value.length) + tag + value.slice(end ?? value.length))
    input.current?.focus()
  }
  return (
    <div className={classes.panes}>
      <div>
        <Group gap="xs" mb={6} justify="space-between">
          <Button
            size="xs"
            variant="default"
            loading={busy}
            disabled={!mayChange}
            leftSection={<IconWand size={16} aria-hidden />}
            onClick={onBegin}
          >
            {t('plainText.begin')}
          </Button>
          {mayChange && <TagMenu insert={insert} without={['line', 'components']} />}
        </Group>
        <Textarea
          ref={input}
          aria-label={t('plainText.field')}
          autosize
          minRows={10}
          maxRows={24}
          readOnly={!mayChange}
          classNames={{ input: classes.input ?? '' }}
          value={value}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </div>
      <div>
        <Text size="sm" fw={600} mb={6}>
          {t('plainText.shown')}
        </Text>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
        <pre className={classes.shown} tabIndex={0} aria-label={t('plainText.shown')}>
          {shown ?? ''}
        </pre>
      </div>
    </div>
  )
}
