import { List, Paper, Text, TextInput } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { type EmailComponent, EmailComponentFields, type EmailComponentUses } from '@okaeri/contract/emails/component'
import {
  changeEmailComponent,
  getEmailComponent,
  previewEmailComponent,
} from '@okaeri/contract/emails/component-routes'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { z } from 'zod'
import { call } from '../../../api/call.ts'
import { queryOf } from '../../../api/queries.ts'
import { useWords, word } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { paths } from '../../../app/paths.ts'
import { confirm, type Use } from '../../../ui/confirm.tsx'
import { NOT_SAVED, useEditForm } from '../../../ui/edit/edit-form.ts'
import { EditPageLoading, ErrorSummary, LeaveGuard } from '../../../ui/pages/edit-page.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { type Back, PageFrame } from '../../../ui/pages/page-frame.tsx'
import type { CodeEditorHandle } from '../editor/code-editor.tsx'
import { backFrom, useEditorSearch } from '../editor/editor-search.ts'
import { CopyTag } from './component-tag.tsx'
import { DraftNotice } from '../editor/draft-notice.tsx'
import { saveChanges, withoutClash } from '../../../ui/edit/edit-conflict.ts'
import { EditConflictNotice } from '../../../ui/edit/edit-conflict-notice.tsx'
import { CodePanes, EditorActions, Findings, type SeenAs } from '../editor/editor-panes.tsx'
import classes from '../editor/email-editor.module.css'
import { asUse } from '../program-uses.tsx'
import { useTypedDraft } from '../editor/typed-draft.ts'

const PREVIEW_DELAY_MS = 400
/** More make a question too long to read. */
const PROGRAMS_NAMED = 10
const Draft = z.object(EmailComponentFields)
type Draft = z.output<typeof Draft>

export function ComponentEditor() {
  const t = useWords('emails')
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const query = useQuery(queryOf(getEmailComponent, { params: { id } }))
  const back = useBack()
  if (!query.data) return <EditPageLoading title={t('components.title')} back={back} query={query} />
  return <Editor key={id} component={query.data.email_component} uses={query.data.used_by} />
}

function useBack(): Back {
  const t = useWords('emails')
  return backFrom(useEditorSearch(), { to: paths.emailComponents(), label: t('components.back') })
}

function Editor({ component, uses }: { component: EmailComponent; uses: EmailComponentUses }) {
  const t = useWords('emails')
  const { mayChange } = useMerchant()
  const code = useRef<CodeEditorHandle>(null)
  const [customer, setCustomer] = useState<SeenAs>(null)
  const { id, name, content } = component
  const saved = useMemo(() => ({ name, content }), [name, content])
  const form = useEditForm({
    values: saved,
    schema: Draft,
    save: async (now, began, seen) => {
      if (now.content !== began.content && !(await askWhatChanges(id))) return NOT_SAVED
      return saveChanges((body) => call(changeEmailComponent, { params: { id }, body }), { began, now, seen })
    },
  })
  const { values, set, setAll, field, dirty, saving } = form
  const kept = useTypedDraft({
    kind: 'component',
    id,
    updatedAt: component.updated_at,
    values,
    saved,
    dirty,
    mayChange,
  })
  const labels = { name: t('components.name'), content: t('components.code') }
  const save = () => {
    if (mayChange && dirty) form.submit()
  }
  // An empty list of ignored tags: also while typing.
  useHotkeys([['mod+S', save]], [], true)
  const [draft] = useDebouncedValue(values.content, PREVIEW_DELAY_MS)
  const preview = useComponentPreview({ content: draft, customer_id: customer?.id ?? null })
  return (
    <div className={classes.editor}>
      <PageFrame
        title={component.name}
        back={useBack()}
        description={t('components.tagHelp')}
        actions={<EditorActions dirty={dirty} saving={saving} save={save} />}
      >
        <CopyTag tag={component.tag} />
        <ErrorSummary form={withoutClash(form)} labels={labels} />
        {!mayChange && <Notice>{t('readOnly')}</Notice>}
        <DraftNotice draft={kept} onTake={setAll} />
        <EditConflictNotice form={form} saved={saved} labels={labels} overwrite={form.overwrite} />
        <TextInput label={t('components.name')} readOnly={!mayChange} maw={480} {...field('name')} />
        <CodePanes
          content={values.content}
          onChange={(html) => set('content', html)}
          handle={code}
          labels={{ code: t('components.code'), field: t('components.codeLabel') }}
          preview={preview}
          shown={preview.data && { subject: values.name, html: preview.data.html, text: preview.data.text }}
          stale={preview.isFetching || draft !== values.content}
          customer={customer}
          setCustomer={setCustomer}
        />
        <div className={classes.below}>
          <Uses uses={uses} />
          <Findings preview={preview} goToLine={(line) => code.current?.goToLine(line)} />
        </div>
      </PageFrame>
      <LeaveGuard form={form} />
    </div>
  )
}

function useComponentPreview(asked: { content: string; customer_id: string | null }) {
  return useQuery({
    queryKey: [previewEmailComponent.area, previewEmailComponent.path, asked],
    queryFn: async ({ signal }) => (await call(previewEmailComponent, { body: asked, signal })).rendered,
    placeholderData: keepPreviousData,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  })
}

/** Before it reaches customers: how many emails change with it, and what sends them. */
async function askWhatChanges(id: string): Promise<boolean> {
  const { used_by } = await call(getEmailComponent, { params: { id } })
  const { email_count: count, emails } = used_by
  if (count === 0) return true
  const programs = new Map<string, Use>(emails.flatMap(({ used_by }) => used_by.map((use) => [use.id, asUse(use)])))
  return confirm({
    title: word('emails', 'components.saveAsk', { count }),
    body: word('emails', 'components.saveBody'),
    confirmLabel: word('emails', 'components.save'),
    usedBy: [...programs.values()].slice(0, PROGRAMS_NAMED),
  })
}

/** Emails and components in which it stands, each with a way there. */
function Uses({ uses: { emails, email_count: count, components } }: { uses: EmailComponentUses }) {
  const t = useWords('emails')
  return (
    <Paper withBorder p="md" component="section" aria-label={t('components.uses.title')}>
      <Text fw={700} size="sm" mb="sm">
        {t('components.uses.title')}
      </Text>
      {count === 0 && components.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('components.uses.none')}
        </Text>
      )}
      <List size="sm" spacing={6} listStyleType="none">
        {components.map(({ id, name }) => (
          <List.Item key={id}>
            <TextLink to={paths.emailComponent(id)}>{t('components.uses.component', { name })}</TextLink>
          </List.Item>
        ))}
        {emails.map(({ id, name, direct }) => (
          <List.Item key={id}>
            <TextLink to={paths.email(id)}>{t('components.uses.email', { name })}</TextLink>
            {!direct && t('components.uses.through')}
          </List.Item>
        ))}
      </List>
      {count > emails.length && (
        <Text size="sm" c="dimmed" mt={6}>
          {t('components.uses.more', { count: count - emails.length })}
        </Text>
      )}
    </Paper>
  )
}
