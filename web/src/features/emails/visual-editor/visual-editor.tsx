import { Paper } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import type { Design } from '@okaeri/contract/emails/design'
import type { Email } from '@okaeri/contract/emails/email'
import { IconCode } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { refresh } from '../../../api/queries.ts'
import { useWords, word } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { ActionButton } from '../../../ui/actions.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { toast } from '../../../ui/toast.ts'
import { EditorFrame, useSave } from '../editor/editor-frame.tsx'
import type { SeenAs } from '../editor/editor-panes.tsx'
import { useEditorSearch } from '../editor/editor-search.ts'
import type { EditorProps } from '../editor/editor-props.ts'
import { changeInLanguage, type EmailLanguage, inLanguage } from '../email-language.ts'
import { usePreview } from '../preview/use-preview.ts'
import { CanvasPane } from './canvas-pane.tsx'
import { type Draft, read, useDesignForm, written } from './design-form.ts'
import { useHistory } from './history.ts'
import { Outline, Palette } from './outline.tsx'
import { SettingsPane } from './settings-pane.tsx'
import { useBlocks } from './use-blocks.ts'
import classes from './visual-editor.module.css'

const PREVIEW_DELAY_MS = 300

/** An email made of blocks: its structure, the mail itself, and what can be set of the chosen block. */
export function VisualEditor({ email: whole, language, show, design: given }: EditorProps & { design: Design }) {
  const t = useWords('design')
  const emails = useWords('emails')
  const { mayChange } = useMerchant()
  const search = useEditorSearch()
  const [customer, setCustomer] = useState<SeenAs>(null)
  const { form, saved } = useDesignForm(whole, language, given)
  const { values, set, dirty } = form
  const design = useMemo(() => read(values.design), [values.design])
  const history = useHistory(values.design, (next) => set('design', next))
  const editing = useBlocks(design, (next, what) => mayChange && history.change(written(next), what), search.block)
  useKeys(useSave(form), history)
  const { preview, stale } = useDesignPreview(whole, language, values, customer)
  const toCode = useSwitchToCode(whole, language, dirty)

  return (
    <>
      <EditorFrame
        whole={whole}
        language={language}
        show={show}
        form={form}
        saved={saved}
        what="design"
        label={t('blocks')}
        mail={{ design }}
        preview={preview}
        customer={customer}
        actions={
          <ActionButton
            action={{
              label: t('toCode'),
              icon: <IconCode size={18} aria-hidden />,
              disabledReason: !mayChange && emails('readOnly'),
              onClick: () => void toCode(),
            }}
          />
        }
        findings={{ goToBlock: { nameOf: editing.nameOf, show: editing.select } }}
      >
        <div className={classes.workspace}>
          <Paper withBorder className={classes.side} component="section" aria-label={t('blocks')}>
            {mayChange && <Palette onAdd={editing.add} unavailable={editing.unavailable} />}
            <Outline
              design={design}
              selected={editing.selected}
              onSelect={editing.select}
              onMove={editing.move}
              onRemove={editing.remove}
              drop={editing.drop}
            />
          </Paper>
          <CanvasPane
            design={design}
            editing={editing}
            history={history}
            mail={preview.data}
            stale={stale}
            seenAs={customer}
            onSeeAs={setCustomer}
          />
          <SettingsPane editing={editing} design={design} />
        </div>
      </EditorFrame>
      <div className="for-screen-readers" role="status">
        {editing.news}
      </div>
    </>
  )
}

function useKeys(save: () => void, history: ReturnType<typeof useHistory>): void {
  useHotkeys(
    [
      ['mod+S', save],
      ['mod+Z', history.undo],
      ['mod+shift+Z', history.redo],
      ['mod+Y', history.redo],
    ],
    // Not while typing: there the field has its own.
    ['INPUT', 'TEXTAREA'],
  )
}

/** The mail as it would arrive; `stale` while it is from before the last change. */
function useDesignPreview(whole: Email, language: EmailLanguage, values: Draft, customer: SeenAs) {
  const { from_email, from_name } = inLanguage(whole, language)
  const [draft] = useDebouncedValue(values, PREVIEW_DELAY_MS)
  const preview = usePreview({
    subject: draft.subject,
    preheader: draft.preheader,
    content: '',
    design: useMemo(() => read(draft.design), [draft.design]),
    plain_text: draft.plain_text || null,
    language,
    variant_languages: whole.languages,
    from_email,
    from_name,
    customer_id: customer?.id ?? null,
  })
  return { preview, stale: preview.isFetching || draft !== values }
}

/** The blocks are lost by it, so it is asked; the content stays as it is. */
function useSwitchToCode(email: Email, language: EmailLanguage, dirty: boolean): () => Promise<void> {
  return async () => {
    if (dirty) return void toast.error(word('design', 'toCodeUnsaved'))
    const sure = await confirm({
      title: word('design', 'toCodeAsk'),
      body: word('design', 'toCodeBody'),
      confirmLabel: word('design', 'toCode'),
      danger: true,
    })
    if (!sure) return
    try {
      // Blocks that another member saved meanwhile are not dropped unseen.
      await changeInLanguage(email, language, { design: null, began: { design: inLanguage(email, language).design } })
      await refresh('emails')
    } catch (error) {
      toast.failed(error)
    }
  }
}
