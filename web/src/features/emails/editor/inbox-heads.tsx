import { Text, TextInput } from '@mantine/core'
import type { RenderedEmail } from '@okaeri/contract/emails/email'
import { type ReactNode, useRef } from 'react'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { EmojiMenu } from './emoji-menu.tsx'
import classes from './inbox-heads.module.css'
import { cutAt, PREHEADER_UNITS, SUBJECT_UNITS, widthOf } from './inbox-width.ts'

interface InboxHeadsProps {
  form: {
    field: (path: 'subject' | 'preheader') => object
    set: (path: 'subject', value: string) => void
    values: { subject: string; preheader: string }
  }
  /** As the customer chosen for the preview gets it. Undefined while it is being made. */
  mail: Pick<RenderedEmail, 'subject' | 'preheader' | 'from'> | undefined
}

/** Subject and preheader, how much of them a phone shows, and the line they make in its inbox. */
export function InboxHeads({ form, mail }: InboxHeadsProps) {
  const t = useWords('emails')
  const { mayChange } = useMerchant()
  const input = useRef<HTMLInputElement>(null)
  const { subject, preheader } = form.values
  const insert = (emoji: string) => {
    const { selectionStart: start, selectionEnd: end } = input.current ?? { selectionStart: null, selectionEnd: null }
    form.set('subject', subject.slice(0, start ?? subject.length) + emoji + subject.slice(end ?? subject.length))
    input.current?.focus()
  }
  const seen = {
    subject: saidBy(subject, mail?.subject),
    preheader: saidBy(preheader, mail?.preheader),
    from: mail?.from ?? '',
  }
  return (
    <div className={classes.heads}>
      <TextInput
        ref={input}
        label={t('subject')}
        readOnly={!mayChange}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={<Length text={seen.subject} units={SUBJECT_UNITS} isLong="inbox.subjectLong" />}
        rightSection={mayChange && <EmojiMenu insert={insert} />}
        {...form.field('subject')}
      />
      <TextInput
        label={t('preheader')}
        readOnly={!mayChange}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={<Length text={seen.preheader} units={PREHEADER_UNITS} isLong="inbox.preheaderLong" />}
        {...form.field('preheader')}
      />
      <InboxLine mail={seen} />
    </div>
  )
}

/** Tags are as long as what they say, which the preview knows a moment later; a text without any is its own. */
const saidBy = (typed: string, rendered: string | undefined): string =>
  /\{[{%]/.test(typed) ? (rendered ?? typed) : typed

function Length({
  text,
  units,
  isLong,
}: {
  text: string
  units: number
  isLong: 'inbox.subjectLong' | 'inbox.preheaderLong'
}) {
  const t = useWords('emails')
  // In signs of full width where it is a Japanese text, which is counted so.
  const isWide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
  const width = widthOf(text)
  const count = isWide ? Math.ceil(width / 2) : width
  const most = isWide ? units / 2 : units
  return (
    <span className={classes.length} data-long={width > units || undefined}>
      <span className={classes.count}>{t(isWide ? 'inbox.countWide' : 'inbox.count', { count, most })}</span>
      {width > units && <span> {t(isLong)}</span>}
    </span>
  )
}

/** As the list of a phone's email app shows it before it is opened. */
function InboxLine({
  mail: { subject, preheader, from },
}: {
  mail: { subject: string; preheader: string; from: string }
}) {
  const t = useWords('emails')
  const sender = from.replace(/\s*<[^<>]*>$/, '')
  return (
    <section className={classes.inbox} aria-label={t('inbox.line')}>
      <Text size="xs" c="dimmed" className={classes.inboxTitle}>
        {t('inbox.line')}
      </Text>
      <div className={classes.sender}>{sender || t('view.from')}</div>
      <div className={classes.subject}>
        <Cut text={subject} units={SUBJECT_UNITS} empty={t('view.noSubject')} />
      </div>
      <div className={classes.preheader}>
        <Cut text={preheader} units={PREHEADER_UNITS} empty={t('inbox.noPreheader')} />
      </div>
    </section>
  )
}

function Cut({ text, units, empty }: { text: string; units: number; empty: string }): ReactNode {
  if (text === '') return empty
  const { seen, cut } = cutAt(text, units)
  return cut === '' ? seen : `${seen.trimEnd()}…`
}
