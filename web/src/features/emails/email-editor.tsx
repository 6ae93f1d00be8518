import { Badge, Button, Group, Paper, Text, TextInput } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { type Email, EmailFields } from '@okaeri/contract/emails/email'
import { getEmail } from '@okaeri/contract/emails/routes'
import { IconCircleCheck, IconDeviceFloppy, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { z } from 'zod'
import { queryOf } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { ActionButton } from '../../ui/actions.tsx'
import { useEditForm } from '../../ui/edit-form.ts'
import { EditPageLoading, ErrorSummary, LeaveGuard } from '../../ui/edit-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'
import type { CodeEditorHandle } from './code-editor.tsx'
import { CustomerPicker } from './customer-picker.tsx'
import classes from './email-editor.module.css'
import { FindingList } from './finding-list.tsx'
import { MailPreview } from './mail-preview.tsx'
import { saveChanges, withoutClash } from './edit-conflict.ts'
import { EditConflictNotice } from './edit-conflict-notice.tsx'
import { SizeMeter } from './size-meter.tsx'
import { TagMenu } from './tag-menu.tsx'
import { TestSend } from './test-send.tsx'
import { usePreview } from './use-preview.ts'

// CodeMirror is larger than the rest of the page.
const CodeEditor = lazy(() => import('./code-editor.tsx').then((module) => ({ default: module.CodeEditor })))

const PREVIEW_DELAY_MS = 400
const { subject, preheader, content } = EmailFields
const Draft = z.object({ subject, preheader, content })
type Draft = z.output<typeof Draft>

export function EmailEditor() {
  const t = useWords('emails')
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const query = useQuery(queryOf(getEmail, { params: { id } }))
  if (!query.data)
    return (
      <EditPageLoading
        title={t('editor.title')}
        back={{ to: paths.email(id), label: t('backToEmail') }}
        query={query}
      />
    )
  return <Editor key={id} email={query.data.email} />
}

function Editor({ email }: { email: Email }) {
  const t = useWords('emails')
  const { mayChange } = useMerchant()
  const code = useRef<CodeEditorHandle>(null)
  const [customer, setCustomer] = useState<{ id: string; name: string } | null>(null)
  const [testing, setTesting] = useState(false)
  /** What is about to be overwritten, which the person was shown. */
  const overwritten = useRef<Draft | null>(null)

  const saved = useMemo(
    () => ({ subject: email.subject, preheader: email.preheader, content: email.content }),
    [email.subject, email.preheader, email.content],
  )
  const form = useEditForm({
    values: saved,
    schema: Draft,
    save: (now, began) => {
      const seen = overwritten.current ?? began
      overwritten.current = null
      return saveChanges(email.id, { began, now, seen })
    },
  })
  const { values, set, field, dirty, saving } = form
  const labels = { subject: t('subject'), preheader: t('preheader'), content: t('editor.code') }

  const save = () => {
    if (mayChange && dirty) form.submit()
  }
  // An empty list of ignored tags: also while typing.
  useHotkeys([['mod+S', save]], [], true)

  const [draft] = useDebouncedValue(values, PREVIEW_DELAY_MS)
  const preview = usePreview({
    ...draft,
    from_email: email.from_email,
    from_name: email.from_name,
    customer_id: customer?.id ?? null,
  })
  const rendering = preview.isFetching || draft !== values

  return (
    <div className={classes.editor}>
      <PageFrame
        title={email.name}
        back={{ to: paths.email(email.id), label: t('backToEmail') }}
        description={email.sent_count > 0 ? t('editor.reservedKeep') : undefined}
        actions={<Actions dirty={dirty} saving={saving} save={save} onTest={() => setTesting(true)} />}
      >
        <ErrorSummary form={withoutClash(form)} labels={labels} />
        {!mayChange && <Notice>{t('readOnly')}</Notice>}
        <EditConflictNotice
          form={form}
          saved={saved}
          labels={labels}
          overwrite={() => {
            overwritten.current = saved
            form.submit()
          }}
        />
        <div className={classes.heads}>
          <TextInput label={t('subject')} readOnly={!mayChange} {...field('subject')} />
          <TextInput label={t('preheader')} readOnly={!mayChange} {...field('preheader')} />
        </div>
        <div className={classes.panes}>
          <Paper withBorder component="section" aria-label={t('editor.code')} className={classes.pane}>
            <Group justify="space-between" gap="xs" mb={10} mih={30}>
              <Text fw={700} size="sm">
                {t('editor.code')}
              </Text>
              {mayChange && <TagMenu insert={(tag) => code.current?.insert(tag)} without="line" />}
            </Group>
            <div className={classes.code}>
              <Suspense fallback={<Loading lines={8} />}>
                <CodeEditor
                  label={t('editor.codeLabel')}
                  value={values.content}
                  onChange={(html) => set('content', html)}
                  handle={code}
                  readOnly={!mayChange}
                />
              </Suspense>
            </div>
          </Paper>
          <Paper withBorder component="section" aria-label={t('preview')} className={classes.pane}>
            {preview.error && !preview.data ? (
              <LoadFailed error={preview.error} retry={() => void preview.refetch()} />
            ) : (
              <MailPreview
                mail={preview.data}
                stale={rendering}
                fill
                controls={
                  <CustomerPicker
                    label={t('editor.previewAs')}
                    size="xs"
                    w={170}
                    value={customer?.id ?? null}
                    valueLabel={customer?.name}
                    onChange={(id, name) => setCustomer(id === null ? null : { id, name: name ?? '' })}
                  />
                }
              />
            )}
          </Paper>
        </div>
        <Findings preview={preview} goToLine={(line) => code.current?.goToLine(line)} />
      </PageFrame>
      <TestSend
        emailId={email.id}
        opened={testing}
        onClose={() => setTesting(false)}
        unsaved={dirty}
        customer={customer}
      />
      <LeaveGuard form={form} />
    </div>
  )
}

interface ActionsProps {
  dirty: boolean
  saving: boolean
  save: () => void
  onTest: () => void
}
function Actions({ dirty, saving, save, onTest }: ActionsProps) {
  const t = useWords('emails')
  const ui = useWords('ui')
  const { mayChange } = useMerchant()
  return (
    <>
      <span role="status" className={classes.state} data-dirty={dirty || undefined}>
        {dirty ? (
          ui('unsaved')
        ) : (
          <>
            <IconCircleCheck size={16} aria-hidden /> {t('editor.saved')}
          </>
        )}
      </span>
      <ActionButton
        action={{
          label: t('testSend'),
          icon: <IconSend size={18} aria-hidden />,
          disabledReason: !mayChange && t('readOnly'),
          onClick: onTest,
        }}
      />
      <Button
        leftSection={<IconDeviceFloppy size={18} aria-hidden />}
        loading={saving}
        data-disabled={!dirty || !mayChange || undefined}
        aria-disabled={!dirty || !mayChange || undefined}
        aria-keyshortcuts="Control+S Meta+S"
        title={t('editor.shortcut', { keys: saveKeys() })}
        onClick={save}
      >
        {ui('save')}
      </Button>
    </>
  )
}

/** How large it is, and what is found in it. */
function Findings({ preview, goToLine }: { preview: ReturnType<typeof usePreview>; goToLine: (line: number) => void }) {
  const t = useWords('emails')
  return (
    <div className={classes.below}>
      <Paper withBorder p="md">
        <SizeMeter sizeBytes={preview.data?.size_bytes} />
      </Paper>
      <Paper withBorder p="md" component="section" aria-label={t('findings.title')}>
        <Group gap="xs" mb="sm">
          <Text fw={700} size="sm">
            {t('findings.title')}
          </Text>
          <FindingCounts findings={preview.data?.findings ?? []} />
          {preview.error && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {t('previewFailed')}
            </Text>
          )}
        </Group>
        {preview.data ? <FindingList findings={preview.data.findings} goToLine={goToLine} /> : <Loading lines={2} />}
      </Paper>
    </div>
  )
}

const saveKeys = (): string => (/Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘S' : 'Ctrl+S')

function FindingCounts({ findings }: { findings: readonly { level: 'blocks' | 'warns' }[] }) {
  const t = useWords('emails')
  const blocks = findings.filter((finding) => finding.level === 'blocks').length
  const warns = findings.length - blocks
  return (
    <>
      {blocks > 0 && (
        <Badge color="red" variant="filled" tt="none">
          {t('findings.blocksCount', { count: blocks })}
        </Badge>
      )}
      {warns > 0 && (
        <Badge color="gray" variant="outline" tt="none" c="var(--mantine-color-text)">
          {t('findings.warnsCount', { count: warns })}
        </Badge>
      )}
    </>
  )
}
