import { Paper, Text } from '@mantine/core'
import type { RenderedEmail } from '@okaeri/contract/emails/email'
import { Fragment, useMemo } from 'react'
import { useWords } from '../../../app/i18n.ts'
import { MailPreview } from '../preview/mail-preview.tsx'
import { differenceOf, type Line, piecesOf, withGaps } from './text-difference.ts'
import classes from './version-comparison.module.css'

interface VersionComparisonProps {
  before: RenderedEmail | undefined
  now: RenderedEmail | undefined
}

/** What is added to each link when it is sent is not part of the text that was written. */
const TRACKING =
  /\?utm_source=okaeri&utm_medium=email&utm_content=preview|&utm_(?:source|medium|content)=(?:okaeri|email|preview)\b/g
const written = ({ text }: RenderedEmail): string => text.replaceAll(TRACKING, '')

/** A version beside what the email says now: what changed in its texts, and how both look. */
export function VersionComparison({ before, now }: VersionComparisonProps) {
  const t = useWords('emails')
  if (!before || !now) return null
  const isSame = (['subject', 'preheader', 'text'] as const).every((part) => before[part] === now[part])
  return (
    <div className={classes.comparison}>
      {isSame ? (
        <Text size="sm">{t('versions.sameText')}</Text>
      ) : (
        <>
          <Heads label={t('subject')} before={before.subject} now={now.subject} />
          <Heads label={t('preheader')} before={before.preheader} now={now.preheader} />
          <Texts before={written(before)} now={written(now)} />
        </>
      )}
      <div className={classes.both}>
        <section aria-label={t('versions.before')}>
          <Text fw={700} size="sm" mb={6}>
            {t('versions.before')}
          </Text>
          <MailPreview mail={before} />
        </section>
        <section aria-label={t('versions.now')}>
          <Text fw={700} size="sm" mb={6}>
            {t('versions.now')}
          </Text>
          <MailPreview mail={now} />
        </section>
      </div>
    </div>
  )
}

function Heads({ label, before, now }: { label: string; before: string; now: string }) {
  if (before === now) return null
  return (
    <section aria-label={label}>
      <Text fw={700} size="sm" mb={4}>
        {label}
      </Text>
      <Paper withBorder className={classes.lines}>
        {before !== '' && <LineRow line={{ kind: 'removed', pieces: piecesOf(before, now) }} />}
        {now !== '' && <LineRow line={{ kind: 'added', pieces: piecesOf(now, before) }} />}
      </Paper>
    </section>
  )
}

function Texts({ before, now }: { before: string; now: string }) {
  const t = useWords('emails')
  const lines = useMemo(() => withGaps(differenceOf(before, now)), [before, now])
  if (before === now) return null
  return (
    <section aria-label={t('versions.body')}>
      <Text fw={700} size="sm" mb={4}>
        {t('versions.body')}
      </Text>
      <Paper withBorder className={classes.lines}>
        {lines.map((line, at) =>
          line.kind === 'gap' ? (
            <div key={`gap ${at}`} className={classes.gap}>
              {t('versions.unchanged', { count: line.count })}
            </div>
          ) : (
            <LineRow key={`line ${at}`} line={line} />
          ),
        )}
      </Paper>
    </section>
  )
}

const marks = { same: ' ', removed: '−', added: '+' } as const

function LineRow({ line: { kind, pieces } }: { line: Line }) {
  const t = useWords('emails')
  const Element = { same: Fragment, removed: 'del', added: 'ins' }[kind]
  const text = pieces.map(({ text, changed }, at) =>
    // In a line that changed as a whole no part is marked.
    changed && pieces.length > 1 ? (
      <mark key={`${at}`} className={classes.changed}>
        {text}
      </mark>
    ) : (
      <Fragment key={`${at}`}>{text}</Fragment>
    ),
  )
  return (
    <div className={classes.line} data-kind={kind}>
      <span aria-hidden className={classes.mark}>
        {marks[kind]}
      </span>
      {kind !== 'same' && <span className="for-screen-readers">{t(`versions.${kind}`)}</span>}
      <Element>{text}</Element>
    </div>
  )
}
