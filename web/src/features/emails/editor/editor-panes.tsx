import { Badge, Button, Group, Paper, Text } from '@mantine/core'
import { IconCircleCheck, IconDeviceFloppy, IconSend } from '@tabler/icons-react'
import { type ComponentProps, lazy, type RefObject, Suspense } from 'react'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { ActionButton } from '../../../ui/actions.tsx'
import { Loading, LoadFailed } from '../../../ui/states.tsx'
import { InsertPicture } from '../../media/insert-picture.tsx'
import type { CodeEditorHandle } from './code-editor.tsx'
import { CustomerPicker } from '../customer-picker.tsx'
import classes from './email-editor.module.css'
import { FindingList } from '../preview/finding-list.tsx'
import { MailPreview } from '../preview/mail-preview.tsx'
import { BlockMenu } from './block-menu.tsx'
import { TagMenu } from './tag-menu.tsx'
import type { usePreview } from '../preview/use-preview.ts'

// CodeMirror is larger than the rest of the page.
const CodeEditor = lazy(() => import('./code-editor.tsx').then((module) => ({ default: module.CodeEditor })))

/** The customer whose data fills the preview; null: an example's. */
export type SeenAs = { id: string; name: string } | null

interface CodePanesProps {
  content: string
  onChange: (html: string) => void
  handle: RefObject<CodeEditorHandle | null>
  labels: { code: string; field: string }
  preview: ReturnType<typeof usePreview>
  /** What of the preview is shown; all, where it is left out. */
  shown?: ComponentProps<typeof MailPreview>['mail']
  /** A newer preview is on its way. */
  stale: boolean
  customer: SeenAs
  setCustomer: (customer: SeenAs) => void
  /** The line shown first. */
  startAt?: number | undefined
}

/** What is typed, and beside it how a customer sees it. */
export function CodePanes(props: CodePanesProps) {
  const {
    content,
    onChange,
    handle,
    labels,
    preview,
    shown = preview.data,
    stale,
    customer,
    setCustomer,
    startAt,
  } = props
  const t = useWords('emails')
  const { mayChange } = useMerchant()
  return (
    <div className={classes.panes}>
      <Paper withBorder component="section" aria-label={labels.code} className={classes.pane}>
        <Group justify="space-between" gap="xs" mb={10} mih={30}>
          <Text fw={700} size="sm">
            {labels.code}
          </Text>
          {mayChange && (
            <Group gap="xs">
              <InsertPicture insert={(tag) => handle.current?.insert(tag)} />
              <BlockMenu insert={(text) => handle.current?.insert(text)} />
              <TagMenu insert={(tag) => handle.current?.insert(tag)} without={['line']} />
            </Group>
          )}
        </Group>
        <div className={classes.code}>
          <Suspense fallback={<Loading lines={8} />}>
            <CodeEditor
              label={labels.field}
              value={content}
              onChange={onChange}
              handle={handle}
              readOnly={!mayChange}
              startAt={startAt}
            />
          </Suspense>
        </div>
      </Paper>
      <Paper withBorder component="section" aria-label={t('preview')} className={classes.pane}>
        {preview.error && !preview.data ? (
          <LoadFailed error={preview.error} retry={() => void preview.refetch()} />
        ) : (
          <MailPreview
            mail={shown}
            stale={stale}
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
  )
}

interface EditorActionsProps {
  dirty: boolean
  saving: boolean
  save: () => void
  /** Left out: there is nothing to send. */
  onTest?: () => void
}
/** Whether all is saved, and the buttons of an editor. */
export function EditorActions({ dirty, saving, save, onTest }: EditorActionsProps) {
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
      {onTest && (
        <ActionButton
          action={{
            label: t('testSend'),
            icon: <IconSend size={18} aria-hidden />,
            disabledReason: !mayChange && t('readOnly'),
            onClick: onTest,
          }}
        />
      )}
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

/** What is found in the content. */
export function Findings({
  preview,
  ...ways
}: { preview: ReturnType<typeof usePreview> } & Pick<ComponentProps<typeof FindingList>, 'goToLine' | 'goToBlock'>) {
  const t = useWords('emails')
  return (
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
      {preview.data ? <FindingList findings={preview.data.findings} {...ways} /> : <Loading lines={2} />}
    </Paper>
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
