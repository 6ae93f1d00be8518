import { Group, Paper, SegmentedControl, Text } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { listEmailComponents } from '@okaeri/contract/emails/component-routes'
import { type BlockKind, Design, MAX_BLOCKS } from '@okaeri/contract/emails/design'
import { type Email, EmailFields } from '@okaeri/contract/emails/email'
import {
  IconArrowBackUp,
  IconArrowDown,
  IconArrowForwardUp,
  IconArrowUp,
  IconCode,
  IconCopy,
  IconTrash,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { z } from 'zod'
import { queryOf, refresh } from '../../../api/queries.ts'
import { useWords, word } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { ActionButton } from '../../../ui/actions.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { useEditForm } from '../../../ui/edit-form.ts'
import { ErrorSummary, LeaveGuard } from '../../../ui/edit-page.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageFrame } from '../../../ui/page-frame.tsx'
import { toast } from '../../../ui/toast.ts'
import { CustomerPicker } from '../customer-picker.tsx'
import { CustomerVariant } from '../customer-variant.tsx'
import { DraftNotice } from '../draft-notice.tsx'
import { useTypedDraft } from '../typed-draft.ts'
import type { EditorProps } from '../email-editor.tsx'
import { changeInLanguage, type EmailLanguage, inLanguage, pathOf } from '../email-language.ts'
import { saveChanges, withoutClash } from '../edit-conflict.ts'
import { EditConflictNotice } from '../edit-conflict-notice.tsx'
import editor from '../email-editor.module.css'
import { EditorActions, Findings, type SeenAs } from '../editor-panes.tsx'
import { InboxHeads } from '../inbox-heads.tsx'
import { LanguageBar } from '../language-bar.tsx'
import { MailPreview } from '../mail-preview.tsx'
import { backFrom, backToEmail, useEditorSearch } from '../editor-search.ts'
import { useLinkChecks } from '../link-checks.ts'
import { LinkSummary } from '../link-summary.tsx'
import { PlainTextSection } from '../plain-text-section.tsx'
import { isTextBehind, sayTextFits, withPlainText } from '../plain-text.ts'
import { SizeMeter } from '../size-meter.tsx'
import { TestSend } from '../test-send.tsx'
import { useLanguageChange } from '../use-language-change.ts'
import { usePreview } from '../use-preview.ts'
import { BlockForm } from './block-form.tsx'
import { newBlock } from './block-kinds.ts'
import { Canvas } from './canvas.tsx'
import { type Drop, useDrops } from './dragging.ts'
import {
  type AnyBlock,
  changeBlock,
  duplicateBlock,
  endsOf,
  findBlock,
  insertAt,
  isFull,
  mayStandIn,
  moveBy,
  moveTo,
  placeAfter,
  placeOf,
  removeBlock,
} from './editing.ts'
import { IconButton } from './fields.tsx'
import { useHistory } from './history.ts'
import { LookForm } from './look-form.tsx'
import { Outline, Palette } from './outline.tsx'
import classes from './visual-editor.module.css'

const PREVIEW_DELAY_MS = 300
const { subject, preheader } = EmailFields
/** The design as JSON: so it is compared, and shown beside another member's, as a text. */
const Draft = z.object({ subject, preheader, design: z.string(), plain_text: z.string() })
type Draft = z.output<typeof Draft>
const written = (design: Design): string => JSON.stringify(design, null, 1)
const read = (text: string): Design => JSON.parse(text) as Design

/** An email made of blocks: its structure, the mail itself, and what can be set of the chosen block. */
export function VisualEditor({ email: whole, language, show, design: given }: EditorProps & { design: Design }) {
  const email = inLanguage(whole, language)
  const t = useWords('design')
  const e = useWords('emails')
  const { mayChange } = useMerchant()
  const search = useEditorSearch()
  const links = useLinkChecks(email.id, email.updated_at)
  const [customer, setCustomer] = useState<SeenAs>(null)
  const [testing, setTesting] = useState(false)
  const [mode, setMode] = useState<'edit' | 'preview'>('edit')
  /** What is about to be overwritten, which the person was shown. */
  const overwritten = useRef<Draft | null>(null)

  const saved = useMemo(
    // Parsed, so that the fields stand in the same order whoever wrote them.
    () => ({
      subject: email.subject,
      preheader: email.preheader,
      design: written(Design.parse(given)),
      plain_text: email.plain_text ?? '',
    }),
    [email.subject, email.preheader, email.plain_text, given],
  )
  const form = useEditForm({
    values: saved,
    schema: Draft,
    fieldPrefix: pathOf(whole, language),
    save: (now, began) => {
      const seen = overwritten.current ?? began
      overwritten.current = null
      return saveChanges<Draft>(
        (body) => {
          const {
            began: { design: begun, ...rest },
            design,
            ...changed
          } = withPlainText(body)
          return changeInLanguage(whole, language, {
            ...changed,
            ...(design !== undefined && { design: read(design) }),
            began: { ...rest, ...(begun !== undefined && { design: read(begun) }) },
          })
        },
        { began, now, seen },
      )
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
    subject: e('subject'),
    preheader: e('preheader'),
    design: t('blocks'),
    plain_text: e('plainText.title'),
  }
  const save = () => {
    if (mayChange && dirty) form.submit()
  }

  const design = useMemo(() => read(values.design), [values.design])
  const history = useHistory(values.design, (next) => set('design', next))
  const editing = useBlocks(design, (next, what) => mayChange && history.change(written(next), what), search.block)
  const { selected, select } = editing
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

  const [draft] = useDebouncedValue(values, PREVIEW_DELAY_MS)
  const preview = usePreview({
    subject: draft.subject,
    preheader: draft.preheader,
    content: '',
    design: useMemo(() => read(draft.design), [draft.design]),
    plain_text: draft.plain_text || null,
    language,
    variant_languages: whole.languages,
    from_email: email.from_email,
    from_name: email.from_name,
    customer_id: customer?.id ?? null,
  })
  const stale = preview.isFetching || draft !== values
  const toCode = useSwitchToCode(whole, language, dirty)
  const switchTo = useLanguageChange(dirty, show)
  const { error: textError } = form.field('plain_text') as { error?: string }

  return (
    <div className={editor.editor}>
      <PageFrame
        title={email.name}
        back={backFrom(search, backToEmail(email.id))}
        description={email.sent_count > 0 ? e('editor.reservedKeep') : undefined}
        actions={
          <>
            <ActionButton
              action={{
                label: t('toCode'),
                icon: <IconCode size={18} aria-hidden />,
                disabledReason: !mayChange && e('readOnly'),
                onClick: () => void toCode(),
              }}
            />
            <EditorActions dirty={dirty} saving={saving} save={save} onTest={() => setTesting(true)} />
          </>
        }
      >
        <ErrorSummary form={withoutClash(form)} labels={labels} />
        {!mayChange && <Notice>{e('readOnly')}</Notice>}
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
        <div className={classes.workspace}>
          <Paper withBorder className={classes.side} component="section" aria-label={t('blocks')}>
            {mayChange && <Palette onAdd={editing.add} unavailable={editing.unavailable} />}
            <Outline
              design={design}
              selected={selected}
              onSelect={select}
              onMove={editing.move}
              onRemove={editing.remove}
              drop={editing.drop}
            />
          </Paper>
          <Paper withBorder className={classes.middle} component="section" aria-label={t('canvas')}>
            <div className={classes.tools}>
              <SegmentedControl
                size="xs"
                aria-label={t('mode')}
                value={mode}
                onChange={(value) => setMode(value === 'preview' ? 'preview' : 'edit')}
                data={[
                  { value: 'edit', label: t('edit') },
                  { value: 'preview', label: t('preview') },
                ]}
              />
              <Group gap={4}>
                <IconButton label={t('undo')} onClick={history.undo} disabled={!history.canUndo}>
                  <IconArrowBackUp size={18} aria-hidden />
                </IconButton>
                <IconButton label={t('redo')} onClick={history.redo} disabled={!history.canRedo}>
                  <IconArrowForwardUp size={18} aria-hidden />
                </IconButton>
                <CustomerPicker
                  label={e('editor.previewAs')}
                  size="xs"
                  w={170}
                  value={customer?.id ?? null}
                  valueLabel={customer?.name}
                  onChange={(id, name) => setCustomer(id === null ? null : { id, name: name ?? '' })}
                />
              </Group>
            </div>
            {mode === 'edit' ? (
              <Canvas
                design={design}
                html={preview.data?.html}
                stale={stale}
                selected={selected}
                onSelect={select}
                drop={editing.drop}
              />
            ) : (
              <MailPreview mail={preview.data} stale={stale} fill />
            )}
          </Paper>
          <Settings editing={editing} design={design} />
        </div>
        <PlainTextSection
          value={values.plain_text}
          onChange={(text) => set('plain_text', text)}
          error={textError}
          mail={{ design }}
          shown={preview.data?.text}
          isBehind={isTextBehind({ email, values, saved, what: 'design' })}
          onFits={dirty ? null : () => void sayTextFits(whole, language)}
        />
        <div className={editor.below}>
          <Paper withBorder p="md">
            <SizeMeter sizeBytes={preview.data?.size_bytes} />
            <LinkSummary emailId={email.id} campaignId={search.campaign} checks={links} />
          </Paper>
          <Findings preview={preview} goToBlock={{ nameOf: editing.nameOf, show: select }} />
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
      <div className="for-screen-readers" role="status">
        {editing.news}
      </div>
    </div>
  )
}

type Editing = ReturnType<typeof useBlocks>

/** What can be done with the blocks, and which is chosen. */
function useBlocks(design: Design, change: (design: Design, what: string) => void, first: string | undefined) {
  const t = useWords('design')
  const [chosen, select] = useState<string | null>(first ?? null)
  const [drop, setDrop] = useState<Drop | null>(null)
  const [news, setNews] = useState('')
  const { data: components } = useQuery(
    queryOf(listEmailComponents, { query: { limit: 100, sort: 'name', direction: 'asc' } }),
  )
  // What was removed, or undone, is not chosen any more.
  const selected = findBlock(design, chosen) ? chosen : null
  const nameOf = (id: string): string | null => {
    const block = findBlock(design, id)
    return block && t(`kind.${block.kind}.name`)
  }
  const made = (kind: BlockKind): AnyBlock => {
    const block = newBlock(kind, design.language)
    const [first] = components?.data ?? []
    return block.kind === 'component' && first ? { ...block, key: first.key } : block
  }
  const put = (block: AnyBlock, at: ReturnType<typeof placeAfter>): void => {
    if (isFull(design)) return void toast.error(t('full', { max: MAX_BLOCKS }))
    change(insertAt(design, at, block), '')
    select(block.id)
    setNews(t('added', { name: t(`kind.${block.kind}.name`) }))
  }
  useDrops({
    onHover: setDrop,
    onDrop: (dragged, { id, edge }) => {
      const at = placeOf(design, id)
      if (!at) return
      const target = { place: at.place, index: edge === 'above' ? at.index : at.index + 1 }
      if (dragged.is === 'block') {
        change(moveTo(design, dragged.id, target), '')
        select(dragged.id)
        return
      }
      const block = made(dragged.kind)
      put(block, mayStandIn(target.place, block) ? target : placeAfter(design, id, block))
    },
  })
  return {
    selected,
    block: findBlock(design, selected),
    select,
    drop,
    news,
    nameOf,
    unavailable: (kind: BlockKind): string | null =>
      kind === 'component' && components?.total === 0 ? t('noComponents') : null,
    add: (kind: BlockKind) => {
      const block = made(kind)
      put(block, placeAfter(design, selected, block))
    },
    move: (id: string, by: -1 | 1) => {
      change(moveBy(design, id, by), '')
      setNews(t('moved', { name: nameOf(id) ?? '' }))
    },
    remove: (id: string) => {
      change(removeBlock(design, id), '')
      setNews(t('removed', { name: nameOf(id) ?? '' }))
    },
    duplicate: (id: string) => {
      if (isFull(design)) return void toast.error(t('full', { max: MAX_BLOCKS }))
      const { design: next, copyId } = duplicateBlock(design, id)
      change(next, '')
      select(copyId)
    },
    set: (id: string, part: Partial<AnyBlock>) =>
      change(changeBlock(design, id, part), `${id} ${Object.keys(part).join()}`),
    setWhole: (part: Partial<Design>) => change({ ...design, ...part }, 'look'),
  }
}

/** Of the chosen block, or of the whole mail. */
function Settings({ editing, design }: { editing: Editing; design: Design }) {
  const t = useWords('design')
  const { mayChange } = useMerchant()
  const { block } = editing
  const { isFirst, isLast } = block ? endsOf(design, block.id) : { isFirst: true, isLast: true }
  return (
    <Paper withBorder className={classes.side} component="section" aria-label={t('settings')}>
      <div className={classes.settingsHead}>
        <Text fw={700} size="sm">
          {block ? t(`kind.${block.kind}.name`) : t('look')}
        </Text>
        {block && mayChange && (
          <Group gap={2} wrap="nowrap">
            <IconButton label={t('moveUp')} onClick={() => editing.move(block.id, -1)} disabled={isFirst}>
              <IconArrowUp size={18} aria-hidden />
            </IconButton>
            <IconButton label={t('moveDown')} onClick={() => editing.move(block.id, 1)} disabled={isLast}>
              <IconArrowDown size={18} aria-hidden />
            </IconButton>
            <IconButton label={t('duplicate')} onClick={() => editing.duplicate(block.id)}>
              <IconCopy size={18} aria-hidden />
            </IconButton>
            <IconButton label={t('remove')} onClick={() => editing.remove(block.id)}>
              <IconTrash size={18} aria-hidden />
            </IconButton>
          </Group>
        )}
      </div>
      <fieldset disabled={!mayChange} className={classes.fields}>
        {block ? (
          <BlockForm
            key={block.id}
            block={block}
            look={design.look}
            onChange={(change) => editing.set(block.id, change)}
          />
        ) : (
          <LookForm design={design} onChange={editing.setWhole} />
        )}
      </fieldset>
    </Paper>
  )
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
      // Blocks that somebody saved meanwhile are not dropped unseen.
      await changeInLanguage(email, language, { design: null, began: { design: inLanguage(email, language).design } })
      await refresh('emails')
    } catch (error) {
      toast.failed(error)
    }
  }
}
