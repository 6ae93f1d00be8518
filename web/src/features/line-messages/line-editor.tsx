import { Button, Paper, Text, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { lineLimits } from '@okaeri/contract/line-messages/limits'
import { hasSampleLeft, SAMPLE_PICTURE } from '@okaeri/contract/line-messages/samples'
import type { CheckedByLine } from '@okaeri/contract/line-messages/routes'
import { IconCircleCheck, IconDeviceFloppy, IconDeviceMobile } from '@tabler/icons-react'
import { type ReactNode, useMemo, useRef } from 'react'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { ErrorSummary, LeaveGuard } from '../../ui/pages/edit-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type Back, PageFrame } from '../../ui/pages/page-frame.tsx'
import { ActionList } from './action-fields.tsx'
import { useFieldLabels } from './field-labels.ts'
import classes from './line-editor.module.css'
import type { LineForm } from './line-form.ts'
import { LinePreview } from './phone/line-preview.tsx'
import { PartList } from './part-list.tsx'

interface LineEditorProps {
  title: string
  back: Back
  form: LineForm
  /** Nothing is there yet: it may be saved unchanged. */
  isNew?: boolean
  /** Whether LINE looked at what was saved last. */
  checked?: CheckedByLine | null
  /** Beside saving. */
  actions?: ReactNode
  /** Above the fields. */
  notice?: ReactNode
  /** The notice shows the failure. */
  hidesFailure?: boolean
}

/** A LINE message beside the phone that shows it. */
export function LineEditor(props: LineEditorProps) {
  const { title, back, form, isNew = false, checked, notice, hidesFailure = false } = props
  const t = useWords('lineMessages')
  const { mayChange } = useMerchant()
  const labelOf = useFieldLabels()
  const { values, dirty } = form
  const labels = Object.fromEntries(
    ['name', ...Object.keys(form.errors), 'messages', 'quick_replies'].map((path) => [path, labelOf(path)]),
  )
  const mayChangeNow = mayChange && (dirty || isNew)
  const save = () => {
    if (mayChangeNow) form.submit()
  }
  // An empty list of ignored tags: also while typing.
  useHotkeys([['mod+S', save]], [], true)
  const content = useMemo(
    () => ({ messages: values.messages, quick_replies: values.quick_replies }),
    [values.messages, values.quick_replies],
  )
  const hasSample = useMemo(() => hasSampleLeft(content), [content])
  const saveButton = (
    <Button
      leftSection={<IconDeviceFloppy size={18} aria-hidden />}
      loading={form.saving}
      data-disabled={!mayChangeNow || undefined}
      aria-disabled={!mayChangeNow || undefined}
      aria-keyshortcuts="Control+S Meta+S"
      title={t('editor.shortcut', { keys: saveKeys() })}
      onClick={save}
    >
      <SaveLabel isNew={isNew} />
    </Button>
  )
  const preview = useRef<HTMLElement>(null)
  const showPreview = () => {
    preview.current?.scrollIntoView()
    preview.current?.focus({ preventScroll: true })
  }
  return (
    <div className={classes.editor}>
      <PageFrame
        title={title}
        back={back}
        actions={
          <>
            <SavedState form={form} isNew={isNew} />
            {props.actions}
            <span className={classes.wide}>{saveButton}</span>
          </>
        }
      >
        <ErrorSummary form={hidesFailure ? { ...form, failure: null } : form} labels={labels} />
        {!mayChange && <Notice>{t('readOnly')}</Notice>}
        {notice}
        {checked && checked !== 'accepted' && !dirty && <Notice tone="warning">{t(`checked.${checked}`)}</Notice>}
        {hasSample && <Notice>{t('editor.samplePicture', { address: new URL(SAMPLE_PICTURE).host })}</Notice>}
        <div className={classes.panes}>
          <fieldset disabled={!mayChange} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
            <Paper withBorder p="md" mb="md">
              <TextInput label={t('name')} description={t('nameHelp')} withAsterisk {...form.field('name')} />
            </Paper>
            <Text size="sm" c="dimmed" mb="xs">
              {t('editor.partsHelp')}
            </Text>
            <PartList form={form} />
            <Paper withBorder p="md" mt="md" component="section" aria-label={t('field.quick_replies')}>
              <Text fw={700}>{t('field.quick_replies')}</Text>
              <Text size="sm" c="dimmed" mb="sm">
                {t('quick.about')}
              </Text>
              <ActionList
                form={form}
                path="quick_replies"
                actions={values.quick_replies}
                onChange={(replies) => form.set('quick_replies', replies)}
                min={0}
                max={mayChange ? lineLimits.quickReplies : 0}
                words="quick"
              />
            </Paper>
          </fieldset>
          <section ref={preview} tabIndex={-1} className={classes.preview} aria-label={t('editor.preview')}>
            <LinePreview content={content} />
          </section>
        </div>
        <div className={classes.bar}>
          <Button variant="default" leftSection={<IconDeviceMobile size={18} aria-hidden />} onClick={showPreview}>
            {t('editor.preview')}
          </Button>
          {saveButton}
        </div>
      </PageFrame>
      <LeaveGuard form={form} />
    </div>
  )
}

function SavedState({ form: { dirty }, isNew }: { form: LineForm; isNew: boolean }) {
  const t = useWords('lineMessages')
  const ui = useWords('ui')
  return (
    <span role="status" className={classes.state} data-dirty={dirty || undefined}>
      {dirty
        ? ui('unsaved')
        : !isNew && (
            <>
              <IconCircleCheck size={16} aria-hidden /> {t('editor.saved')}
            </>
          )}
    </span>
  )
}

function SaveLabel({ isNew }: { isNew: boolean }) {
  const t = useWords('lineMessages')
  const ui = useWords('ui')
  return isNew ? t('editor.create') : ui('save')
}

const saveKeys = (): string => (/Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘S' : 'Ctrl+S')
