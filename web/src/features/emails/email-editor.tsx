import { Paper } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { type Email, EmailFields } from '@okaeri/contract/emails/email'
import { changeEmail, getEmail } from '@okaeri/contract/emails/routes'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { z } from 'zod'
import { call } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { useEditForm } from '../../ui/edit-form.ts'
import { EditPageLoading, ErrorSummary, LeaveGuard } from '../../ui/edit-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'
import type { CodeEditorHandle } from './code-editor.tsx'
import classes from './email-editor.module.css'
import { DraftNotice } from './draft-notice.tsx'
import { useTypedDraft } from './typed-draft.ts'
import { saveChanges, withoutClash } from './edit-conflict.ts'
import { EditConflictNotice } from './edit-conflict-notice.tsx'
import { CodePanes, EditorActions, Findings, type SeenAs } from './editor-panes.tsx'
import { InboxHeads } from './inbox-heads.tsx'
import { backFrom, backToEmail, useEditorSearch } from './editor-search.ts'
import { useLinkChecks } from './link-checks.ts'
import { LinkSummary } from './link-summary.tsx'
import { SizeMeter } from './size-meter.tsx'
import { SwitchToVisual } from './switch-to-visual.tsx'
import { TestSend } from './test-send.tsx'
import { usePreview } from './use-preview.ts'

// What texts and dragging take is larger than the rest of the page.
const VisualEditor = lazy(() =>
  import('./visual-editor/visual-editor.tsx').then((module) => ({ default: module.VisualEditor })),
)

const PREVIEW_DELAY_MS = 400
const { subject, preheader, content } = EmailFields
const Draft = z.object({ subject, preheader, content })
type Draft = z.output<typeof Draft>

export function EmailEditor() {
  const t = useWords('emails')
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const back = backFrom(useEditorSearch(), backToEmail(id))
  const query = useQuery(queryOf(getEmail, { params: { id } }))
  if (!query.data) return <EditPageLoading title={t('editor.title')} back={back} query={query} />
  const { email } = query.data
  if (!email.design) return <Editor key={id} email={email} />
  return (
    <Suspense fallback={<EditPageLoading title={t('editor.title')} back={back} query={query} />}>
      <VisualEditor key={id} email={email} design={email.design} />
    </Suspense>
  )
}

function Editor({ email }: { email: Email }) {
  const t = useWords('emails')
  const { mayChange } = useMerchant()
  const search = useEditorSearch()
  const links = useLinkChecks(email.id, email.updated_at)
  const code = useRef<CodeEditorHandle>(null)
  const [customer, setCustomer] = useState<SeenAs>(null)
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
      return saveChanges((body) => call(changeEmail, { params: { id: email.id }, body }), { began, now, seen })
    },
  })
  const { values, set, setAll, dirty, saving } = form
  const kept = useTypedDraft({
    kind: 'email',
    id: email.id,
    updatedAt: email.updated_at,
    values,
    saved,
    dirty,
    mayChange,
  })
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
        back={backFrom(search, backToEmail(email.id))}
        description={email.sent_count > 0 ? t('editor.reservedKeep') : undefined}
        actions={
          <>
            <SwitchToVisual email={email} dirty={dirty} />
            <EditorActions dirty={dirty} saving={saving} save={save} onTest={() => setTesting(true)} />
          </>
        }
      >
        <ErrorSummary form={withoutClash(form)} labels={labels} />
        {!mayChange && <Notice>{t('readOnly')}</Notice>}
        <DraftNotice draft={kept} onTake={setAll} />
        <EditConflictNotice
          form={form}
          saved={saved}
          labels={labels}
          overwrite={() => {
            overwritten.current = saved
            form.submit()
          }}
        />
        <InboxHeads form={form} mail={preview.data} />
        <CodePanes
          content={values.content}
          onChange={(html) => set('content', html)}
          handle={code}
          labels={{ code: t('editor.code'), field: t('editor.codeLabel') }}
          preview={preview}
          stale={rendering}
          customer={customer}
          setCustomer={setCustomer}
          startAt={search.line}
        />
        <div className={classes.below}>
          <Paper withBorder p="md">
            <SizeMeter sizeBytes={preview.data?.size_bytes} />
            <LinkSummary emailId={email.id} campaignId={search.campaign} checks={links} />
          </Paper>
          <Findings preview={preview} goToLine={(line) => code.current?.goToLine(line)} />
        </div>
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
