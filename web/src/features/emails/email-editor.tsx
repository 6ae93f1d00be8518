import { Paper } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { type Email, EmailFields } from '@okaeri/contract/emails/email'
import { getEmail } from '@okaeri/contract/emails/routes'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { z } from 'zod'
import { queryOf } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { useEditForm } from '../../ui/edit-form.ts'
import { EditPageLoading, ErrorSummary, LeaveGuard } from '../../ui/edit-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'
import type { CodeEditorHandle } from './code-editor.tsx'
import classes from './email-editor.module.css'
import { CustomerVariant } from './customer-variant.tsx'
import { DraftNotice } from './draft-notice.tsx'
import { useTypedDraft } from './typed-draft.ts'
import { changeInLanguage, type EmailLanguage, inLanguage, pathOf } from './email-language.ts'
import { saveChanges, withoutClash } from './edit-conflict.ts'
import { EditConflictNotice } from './edit-conflict-notice.tsx'
import { CodePanes, EditorActions, Findings, type SeenAs } from './editor-panes.tsx'
import { InboxHeads } from './inbox-heads.tsx'
import { backFrom, backToEmail, useEditorSearch } from './editor-search.ts'
import { useLinkChecks } from './link-checks.ts'
import { LinkSummary } from './link-summary.tsx'
import { LanguageBar } from './language-bar.tsx'
import { PlainTextSection } from './plain-text-section.tsx'
import { isTextBehind, sayTextFits, withPlainText } from './plain-text.ts'
import { SizeMeter } from './size-meter.tsx'
import { SwitchToVisual } from './switch-to-visual.tsx'
import { TestSend } from './test-send.tsx'
import { useLanguageChange } from './use-language-change.ts'
import { usePreview } from './use-preview.ts'

// What texts and dragging take is larger than the rest of the page.
const VisualEditor = lazy(() =>
  import('./visual-editor/visual-editor.tsx').then((module) => ({ default: module.VisualEditor })),
)

const PREVIEW_DELAY_MS = 400
const { subject, preheader, content } = EmailFields
const Draft = z.object({ subject, preheader, content, plain_text: z.string() })
type Draft = z.output<typeof Draft>

export function EmailEditor() {
  const t = useWords('emails')
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const search = useEditorSearch()
  const back = backFrom(search, backToEmail(id))
  const navigate = useNavigate()
  const query = useQuery(queryOf(getEmail, { params: { id } }))
  if (!query.data) return <EditPageLoading title={t('editor.title')} back={back} query={query} />
  const { email } = query.data
  const language = email.languages.find((one) => one === search.language) ?? null
  const editor: EditorProps = {
    email,
    language,
    show: (next) => void navigate({ search: next === null ? {} : { language: next }, replace: true } as never),
  }
  const key = `${id} ${language ?? 'base'}`
  const { design } = inLanguage(email, language)
  if (!design) return <Editor key={key} {...editor} />
  return (
    <Suspense fallback={<EditPageLoading title={t('editor.title')} back={back} query={query} />}>
      <VisualEditor key={key} {...editor} design={design} />
    </Suspense>
  )
}

export interface EditorProps {
  email: Email
  /** Which of its languages is edited. */
  language: EmailLanguage
  show: (language: EmailLanguage) => void
}

function Editor({ email: whole, language, show }: EditorProps) {
  const email = inLanguage(whole, language)
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
    () => ({
      subject: email.subject,
      preheader: email.preheader,
      content: email.content,
      plain_text: email.plain_text ?? '',
    }),
    [email.subject, email.preheader, email.content, email.plain_text],
  )
  const form = useEditForm({
    values: saved,
    schema: Draft,
    fieldPrefix: pathOf(whole, language),
    save: (now, began) => {
      const seen = overwritten.current ?? began
      overwritten.current = null
      return saveChanges<Draft>((body) => changeInLanguage(whole, language, withPlainText(body)), { began, now, seen })
    },
  })
  const { values, set, setAll, dirty, saving } = form
  const kept = useTypedDraft({
    kind: 'email',
    id: email.id,
    language,
    updatedAt: email.updated_at,
    values,
    saved,
    dirty,
    mayChange,
  })
  const labels = {
    subject: t('subject'),
    preheader: t('preheader'),
    content: t('editor.code'),
    plain_text: t('plainText.title'),
  }

  const save = () => {
    if (mayChange && dirty) form.submit()
  }
  // An empty list of ignored tags: also while typing.
  useHotkeys([['mod+S', save]], [], true)

  const [draft] = useDebouncedValue(values, PREVIEW_DELAY_MS)
  const preview = usePreview({
    ...draft,
    plain_text: draft.plain_text || null,
    language,
    variant_languages: whole.languages,
    from_email: email.from_email,
    from_name: email.from_name,
    customer_id: customer?.id ?? null,
  })
  const switchTo = useLanguageChange(dirty, show)
  const { error: textError } = form.field('plain_text') as { error?: string }
  const rendering = preview.isFetching || draft !== values

  return (
    <div className={classes.editor}>
      <PageFrame
        title={email.name}
        back={backFrom(search, backToEmail(email.id))}
        description={email.sent_count > 0 ? t('editor.reservedKeep') : undefined}
        actions={
          <>
            <SwitchToVisual email={whole} language={language} dirty={dirty} />
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
        <LanguageBar email={whole} language={language} onChange={switchTo} dirty={dirty} />
        <CustomerVariant chosen={preview.data?.customer_variant} shown={language} onShow={switchTo} />
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
        <PlainTextSection
          value={values.plain_text}
          onChange={(text) => set('plain_text', text)}
          error={textError}
          mail={{ content: values.content }}
          shown={preview.data?.text}
          isBehind={isTextBehind({ email, values, saved, what: 'content' })}
          onFits={dirty ? null : () => void sayTextFits(whole, language)}
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
        languages={whole.languages}
        language={language}
      />
      <LeaveGuard form={form} />
    </div>
  )
}
