import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { fieldReasonText, useErrorText } from '../../app/reasons.ts'
import { Dialog } from '../dialog.tsx'
import type { EditForm } from '../edit/edit-form.ts'
import classes from './edit-page.module.css'
import { inOrderOf } from '../edit/field-errors.ts'
import { Form } from '../form.tsx'
import { Notice } from '../notice.tsx'
import { type Back, PageFrame } from './page-frame.tsx'
import { Loading, LoadFailed } from '../states.tsx'

interface EditBodyProps {
  /** From `useEditForm`. */
  form: EditForm
  /** Labels of the fields by path, for the summary of errors. */
  labels: Record<string, string>
  /** The save button's label if it is not 'Save'. */
  saveLabel?: string
  /** Another button next to the save button: a save that leads elsewhere. */
  secondary?: { label: string; onClick: () => void }
  /** Always shows the bar, not only with unsaved changes: for creating something. */
  always?: boolean
  /** Where 'Cancel' goes; without it the bar offers to discard the changes. */
  onCancel?: () => void
  /** Why nothing can be changed here; the fields are then disabled. */
  readOnlyReason?: string | false
  /** `EditSection`s. */
  children: ReactNode
  /** More sections, which are not disabled as a whole because they contain more than fields. */
  below?: ReactNode
}
interface EditPageProps extends EditBodyProps {
  title: string
  back?: Back
  description?: ReactNode
  badge?: ReactNode
  /** Buttons of the page itself, at the top. */
  actions?: ReactNode
}

/** The edit page: sections, a summary of errors, a save bar that stays visible, and a question before leaving. */
export const EditPage = ({ title, back, description, badge, actions, ...body }: EditPageProps) => (
  <PageFrame title={title} back={back} badge={badge} description={description} actions={actions} narrow>
    <EditBody {...body} />
  </PageFrame>
)

/** The edit page below its title, for pages with more than one form. */
export function EditBody(props: EditBodyProps) {
  const { form, labels, saveLabel, secondary, always, onCancel, readOnlyReason, children, below } = props
  return (
    <Form onSubmit={() => form.submit()}>
      <Stack gap="lg">
        <ErrorSummary form={form} labels={labels} />
        {readOnlyReason && <Notice>{readOnlyReason}</Notice>}
        <fieldset disabled={Boolean(readOnlyReason)} className={classes.fields}>
          <Stack gap="lg">{children}</Stack>
        </fieldset>
        {below}
      </Stack>
      {!readOnlyReason && (
        <SaveBar form={form} saveLabel={saveLabel} secondary={secondary} always={always} onCancel={onCancel} />
      )}
      <LeaveGuard form={form} />
    </Form>
  )
}

/** Shown until an edit page has its data. */
export const EditPageLoading = (props: {
  title: string
  back?: Back
  query: { error: Error | null; refetch: () => unknown }
}) => (
  <PageFrame title={props.title} back={props.back} narrow>
    <Paper withBorder p="lg" mih={320}>
      {props.query.error ? (
        <LoadFailed error={props.query.error} retry={() => void props.query.refetch()} />
      ) : (
        <Loading lines={7} />
      )}
    </Paper>
  </PageFrame>
)

/** Fields that belong together, with a short description. */
export const EditSection = ({
  title,
  description,
  children,
}: {
  title: string
  description?: ReactNode
  children: ReactNode
}) => (
  <Paper withBorder p="lg" component="section" aria-label={title}>
    <Title order={2} size="h4">
      {title}
    </Title>
    {description && (
      <Text size="sm" c="dimmed" mt={4}>
        {description}
      </Text>
    )}
    <Stack gap="md" mt="md">
      {children}
    </Stack>
  </Paper>
)

/** All errors, at the top of the form. */
export function ErrorSummary({
  form,
  labels,
}: {
  form: Pick<EditForm, 'errors' | 'failure'>
  labels: Record<string, string>
}) {
  const t = useWords('ui')
  const language = useLanguage()
  const errorText = useErrorText()
  const wrong = inOrderOf(labels, form.errors)
  if (wrong.length === 0 && !form.failure) return null
  const title = wrong.some(([, reason]) => reason === 'required') ? t('required') : t('fixErrors')
  return (
    <Notice tone="danger" title={wrong.length > 0 ? title : errorText(form.failure)}>
      {wrong.length > 0 && (
        <ul className={classes.errors}>
          {wrong.map(([path, reason]) => (
            <li key={path}>
              {t('labelled', { label: labelOf(path, labels), value: fieldReasonText(reason, language) })}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  )
}

/** `test_emails.2` has the label of `test_emails`. */
function labelOf(path: string, labels: Record<string, string>): string {
  const parts = path.split('.')
  while (parts.length > 0) {
    const label = labels[parts.join('.')]
    if (label) return label
    parts.pop()
  }
  return path
}

interface SaveBarProps {
  form: EditForm
  saveLabel?: string | undefined
  secondary?: EditBodyProps['secondary'] | undefined
  always?: boolean | undefined
  onCancel?: (() => void) | undefined
}

/** At the bottom of the window while there is something to save. */
export function SaveBar({ form, saveLabel, secondary, always, onCancel }: SaveBarProps) {
  const t = useWords('ui')
  /** Of the two saves, the one that runs says so. */
  const [pressed, setPressed] = useState<'save' | 'secondary'>('save')
  const buttons = useRef<HTMLDivElement>(null)
  const wasSaving = useRef(false)
  // A button that is disabled loses the focus, and a dialog opened meanwhile cannot give it back.
  useEffect(() => {
    const isOver = wasSaving.current && !form.saving
    wasSaving.current = form.saving
    const active = document.activeElement
    if (!isOver || (active !== document.body && !active?.closest('[role="dialog"]'))) return
    buttons.current?.querySelector<HTMLElement>(`[data-save-button="${pressed}"]`)?.focus({ preventScroll: true })
  }, [form.saving, pressed])
  if (!form.dirty && !always && !form.saving) return null
  return (
    <div className={classes.bar} data-save-bar>
      <Group justify="space-between" gap="sm" className={classes.barInner}>
        <Text size="sm" fw={600} role="status" className={classes.status}>
          {form.dirty ? t('unsaved') : ''}
        </Text>
        <Group gap="xs" ml="auto" className={classes.buttons} ref={buttons}>
          {onCancel ? (
            <Button variant="default" onClick={onCancel} disabled={form.saving}>
              {t('cancel')}
            </Button>
          ) : (
            <Button variant="default" onClick={form.reset} disabled={form.saving || !form.dirty}>
              {t('discard')}
            </Button>
          )}
          {secondary && (
            <Button
              variant="default"
              data-save-button="secondary"
              onClick={() => {
                setPressed('secondary')
                secondary.onClick()
              }}
              loading={form.saving && pressed === 'secondary'}
              disabled={form.saving}
            >
              {secondary.label}
            </Button>
          )}
          {/* The Enter key in a field presses this one too. */}
          <Button
            type="submit"
            data-save-button="save"
            onClick={() => setPressed('save')}
            loading={form.saving && pressed === 'save'}
            disabled={form.saving}
          >
            {saveLabel ?? t('save')}
          </Button>
        </Group>
      </Group>
    </div>
  )
}

/** The question when a page with unsaved changes is left. */
export function LeaveGuard({ form }: { form: Pick<EditForm, 'guard'> }) {
  const t = useWords('ui')
  const { guard } = form
  return (
    <Dialog opened={guard.status === 'blocked'} onClose={() => guard.reset?.()} title={t('leave.title')}>
      <Text size="sm">{t('leave.body')}</Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={() => guard.proceed?.()}>
          {t('leave.leave')}
        </Button>
        <Button data-autofocus onClick={() => guard.reset?.()}>
          {t('leave.stay')}
        </Button>
      </Group>
    </Dialog>
  )
}
