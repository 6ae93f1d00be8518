import { Paper } from '@mantine/core'
import type { Email } from '@okaeri/contract/emails/email'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import type { useEditForm } from '../../../ui/edit/edit-form.ts'
import { ErrorSummary, LeaveGuard } from '../../../ui/pages/edit-page.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageFrame } from '../../../ui/pages/page-frame.tsx'
import { CustomerVariant } from '../preview/customer-variant.tsx'
import { DraftNotice } from './draft-notice.tsx'
import { withoutClash } from '../../../ui/edit/edit-conflict.ts'
import { EditConflictNotice } from '../../../ui/edit/edit-conflict-notice.tsx'
import { EditorActions, Findings, type SeenAs } from './editor-panes.tsx'
import { backFrom, backToEmail, useEditorSearch } from './editor-search.ts'
import classes from './email-editor.module.css'
import { type EmailLanguage, inLanguage } from '../email-language.ts'
import { InboxHeads } from './inbox-heads.tsx'
import { LanguageBar } from '../language-bar.tsx'
import { useLinkChecks } from '../links/link-checks.ts'
import { LinkSummary } from '../links/link-summary.tsx'
import { PlainTextSection } from './plain-text-section.tsx'
import { isTextBehind, sayTextFits } from './plain-text.ts'
import { SizeMeter } from '../preview/size-meter.tsx'
import { TestSend } from '../test-send.tsx'
import { useTypedDraft } from './typed-draft.ts'
import { useLanguageChange } from './use-language-change.ts'
import type { usePreview } from '../preview/use-preview.ts'

/** What a mail is made of. */
type Made = 'content' | 'design'
type Typed<What extends Made> = Record<What | 'subject' | 'preheader' | 'plain_text', string>

/** Of the editor of code, and of the one of blocks. */
export interface EditorProps {
  email: Email
  /** Which of its languages is edited. */
  language: EmailLanguage
  show: (language: EmailLanguage) => void
}

interface EditorFrameProps<What extends Made> {
  /** In all its languages. */
  whole: Email
  /** The one that is edited. */
  language: EmailLanguage
  show: (language: EmailLanguage) => void
  form: ReturnType<typeof useEditForm<Typed<What>>>
  saved: Typed<What>
  what: What
  /** What it is called on the page. */
  label: string
  mail: ComponentProps<typeof PlainTextSection>['mail']
  preview: ReturnType<typeof usePreview>
  customer: SeenAs
  actions: ReactNode
  findings: Omit<ComponentProps<typeof Findings>, 'preview'>
  /** The editor itself. */
  children: ReactNode
}

/** The page of an email that is edited, around the editor of its content. */
export function EditorFrame<What extends Made>(props: EditorFrameProps<What>) {
  const { whole, language, show, form, saved, what, label, mail, preview, customer, actions, findings, children } =
    props
  const email = inLanguage(whole, language)
  const t = useWords('emails')
  const { mayChange } = useMerchant()
  const search = useEditorSearch()
  const links = useLinkChecks(email.id, email.updated_at)
  const [testing, setTesting] = useState(false)
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
    [what]: label,
    plain_text: t('plainText.title'),
  }
  const save = useSave(form)
  const switchTo = useLanguageChange(dirty, show)
  const { error: textError } = form.field('plain_text') as { error?: string }
  return (
    <div className={classes.editor}>
      <PageFrame
        title={email.name}
        back={backFrom(search, backToEmail(email.id))}
        description={email.sent_count > 0 ? t('editor.reservedKeep') : undefined}
        actions={
          <>
            {actions}
            <EditorActions dirty={dirty} saving={saving} save={save} onTest={() => setTesting(true)} />
          </>
        }
      >
        <ErrorSummary form={withoutClash(form)} labels={labels} />
        {!mayChange && <Notice>{t('readOnly')}</Notice>}
        <DraftNotice draft={kept} onTake={setAll} />
        <EditConflictNotice form={form} saved={saved} labels={labels} overwrite={form.overwrite} />
        <LanguageBar email={whole} language={language} onChange={switchTo} dirty={dirty} />
        <CustomerVariant chosen={preview.data?.customer_variant} shown={language} onShow={switchTo} />
        <InboxHeads form={form} mail={preview.data} />
        {children}
        <PlainTextSection
          value={values.plain_text}
          onChange={(text) => set('plain_text', text)}
          error={textError}
          mail={mail}
          shown={preview.data?.text}
          isBehind={isTextBehind({ email, values, saved, what })}
          onFits={dirty ? null : () => void sayTextFits(whole, language)}
        />
        <div className={classes.below}>
          <Paper withBorder p="md">
            <SizeMeter sizeBytes={preview.data?.size_bytes} />
            <LinkSummary emailId={email.id} campaignId={search.campaign} checks={links} />
          </Paper>
          <Findings preview={preview} {...findings} />
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

/** For the button, and the key that does the same. */
export function useSave({ dirty, submit }: { dirty: boolean; submit: () => void }): () => void {
  const { mayChange } = useMerchant()
  return () => {
    if (mayChange && dirty) submit()
  }
}
