import { ActionIcon, Button, Group, Paper, Select, Stack, Text, TextInput } from '@mantine/core'
import { type Count, lineLimits } from '@okaeri/contract/line-messages/limits'
import type { LineAction } from '@okaeri/contract/line-messages/message'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useWords } from '../../app/i18n.ts'
import { fieldReasonText } from '../../app/reasons.ts'
import { blankAction } from './blank-parts.ts'
import { type LineForm, replaced, without } from './line-form.ts'
import { TaggedAddress, TaggedText } from './tagged-text.tsx'

interface ActionFieldsProps {
  form: LineForm
  /** `messages.0.actions.1` */
  path: string
  action: LineAction
  onChange: (action: LineAction) => void
  label: string
  labelMax?: number
  labelNeeded?: boolean
  onRemove?: { label: string; remove: () => void } | undefined
}
const isType = (value: string | null): value is LineAction['type'] =>
  value === 'uri' || value === 'message' || value === 'postback'
const graphemes: Count = 'graphemes'

/** What a tap does, and what the button says. */
export function ActionFields(props: ActionFieldsProps) {
  const {
    form,
    path,
    action,
    onChange,
    label,
    labelMax = lineLimits.action.label,
    labelNeeded = true,
    onRemove,
  } = props
  const t = useWords('lineMessages')
  return (
    <Paper withBorder p="sm" component="section" aria-label={label}>
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={700}>
          {label}
        </Text>
        {onRemove && (
          <ActionIcon variant="subtle" color="gray" aria-label={onRemove.label} onClick={onRemove.remove}>
            <IconX size={18} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      <Stack gap="sm">
        <Select
          label={t('action.type')}
          data={(['uri', 'message', 'postback'] as const).map((value) => ({ value, label: t(`action.${value}`) }))}
          value={action.type}
          allowDeselect={false}
          onChange={(type) => isType(type) && type !== action.type && onChange(blankAction(type, action.label))}
        />
        <TaggedText
          form={form}
          path={`${path}.label`}
          label={t('field.label')}
          max={labelMax}
          count={graphemes}
          required={labelNeeded}
        />
        {action.type === 'uri' && <TaggedAddress form={form} path={`${path}.uri`} label={t('field.uri')} required />}
        {action.type === 'message' && (
          <TaggedText
            form={form}
            path={`${path}.text`}
            label={t('field.said')}
            max={lineLimits.action.text}
            count={graphemes}
          />
        )}
        {action.type === 'postback' && (
          <>
            <TextInput
              label={t('field.data')}
              description={t('field.dataHelp')}
              withAsterisk
              {...form.field(`${path}.data`)}
            />
            <TextInput label={t('field.display_text')} {...form.field(`${path}.display_text`)} />
          </>
        )}
      </Stack>
    </Paper>
  )
}

interface ActionListProps {
  form: LineForm
  /** `messages.0.actions` */
  path: string
  actions: readonly LineAction[]
  onChange: (actions: LineAction[]) => void
  min: number
  max: number
  /** How one of them, its adding and its removing are called. */
  words?: 'action' | 'quick'
}

/** Buttons in their order; `min` of them stay. */
export function ActionList({ form, path, actions, onChange, min, max, words = 'action' }: ActionListProps) {
  const t = useWords('lineMessages')
  const error = form.errors[path]
  return (
    <Stack gap="sm">
      {actions.map((action, at) => (
        <ActionFields
          // biome-ignore lint/suspicious/noArrayIndexKey: fields hold nothing but what the form holds
          key={at}
          form={form}
          path={`${path}.${at}`}
          action={action}
          label={t(`${words}.number`, { number: at + 1 })}
          onChange={(changed) => onChange(replaced(actions, at, changed))}
          onRemove={
            actions.length > min
              ? {
                  label: t(`${words}.remove`, { number: at + 1 }),
                  remove: () => onChange(without(actions, at)),
                }
              : undefined
          }
        />
      ))}
      {error && (
        <Text size="sm" c="var(--mantine-color-error)">
          {fieldReasonText(error)}
        </Text>
      )}
      {actions.length < max && (
        <div>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => onChange([...actions, blankAction()])}
          >
            {t(`${words}.add`)}
          </Button>
        </div>
      )}
    </Stack>
  )
}
