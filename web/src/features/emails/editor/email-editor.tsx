import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { EmailFields } from '@okaeri/contract/emails/email'
import { getEmail } from '@okaeri/contract/emails/routes'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { z } from 'zod'
import { queryOf } from '../../../api/queries.ts'
import { useWords } from '../../../app/i18n.ts'
import { useEditForm } from '../../../ui/edit/edit-form.ts'
import { EditPageLoading } from '../../../ui/pages/edit-page.tsx'
import type { CodeEditorHandle } from './code-editor.tsx'
import { saveChanges } from '../../../ui/edit/edit-conflict.ts'
import { EditorFrame, useSave } from './editor-frame.tsx'
import { CodePanes, type SeenAs } from './editor-panes.tsx'
import type { EditorProps } from './editor-props.ts'
import { backFrom, backToEmail, useEditorSearch } from './editor-search.ts'
import { changeInLanguage, inLanguage, pathOf } from '../email-language.ts'
import { withPlainText } from './plain-text.ts'
import { SwitchToVisual } from './switch-to-visual.tsx'
import { usePreview } from '../preview/use-preview.ts'

// What texts and dragging take is larger than the rest of the page.
const VisualEditor = lazy(() =>
  import('../visual-editor/visual-editor.tsx').then((module) => ({ default: module.VisualEditor })),
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
    <Suspense fallback={<EditPageLoading title={email.name} back={back} query={query} />}>
      <VisualEditor key={key} {...editor} design={design} />
    </Suspense>
  )
}

function Editor({ email: whole, language, show }: EditorProps) {
  const email = inLanguage(whole, language)
  const t = useWords('emails')
  const search = useEditorSearch()
  const code = useRef<CodeEditorHandle>(null)
  const [customer, setCustomer] = useState<SeenAs>(null)

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
    save: (now, began, seen) =>
      saveChanges<Draft>((body) => changeInLanguage(whole, language, withPlainText(body)), { began, now, seen }),
  })
  const { values, set, dirty } = form
  const save = useSave(form)
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

  return (
    <EditorFrame
      whole={whole}
      language={language}
      show={show}
      form={form}
      saved={saved}
      what="content"
      label={t('editor.code')}
      mail={{ content: values.content }}
      preview={preview}
      customer={customer}
      actions={<SwitchToVisual email={whole} language={language} dirty={dirty} />}
      findings={{ goToLine: (line) => code.current?.goToLine(line) }}
    >
      <CodePanes
        content={values.content}
        onChange={(html) => set('content', html)}
        handle={code}
        labels={{ code: t('editor.code'), field: t('editor.codeLabel') }}
        preview={preview}
        stale={preview.isFetching || draft !== values}
        customer={customer}
        setCustomer={setCustomer}
        startAt={search.line}
      />
    </EditorFrame>
  )
}
