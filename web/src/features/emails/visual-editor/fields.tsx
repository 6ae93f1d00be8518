import {
  ActionIcon,
  ColorInput,
  Group,
  SegmentedControl,
  Select,
  Slider,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { Align } from '@okaeri/contract/emails/design'
import { IconAlignCenter, IconAlignLeft, IconAlignRight } from '@tabler/icons-react'
import { type ReactNode, useId, useRef } from 'react'
import { useWords } from '../../../app/i18n.ts'
import { TagMenu } from '../editor/tag-menu.tsx'

interface FieldProps<T> {
  label: string
  value: T
  onChange: (value: T) => void
  help?: string
}

/** A line, or a few, into which tags may be put. */
export function TextField({
  label,
  value,
  onChange,
  help,
  lines = 1,
  max,
}: FieldProps<string> & { lines?: number; max: number }) {
  const input = useRef<HTMLTextAreaElement & HTMLInputElement>(null)
  const insert = (tag: string) => {
    const { selectionStart: start, selectionEnd: end } = input.current ?? { selectionStart: null, selectionEnd: null }
    onChange(value.slice(0, start ?? value.length) + tag + value.slice(end ?? value.length))
    input.current?.focus()
  }
  const common = {
    ref: input,
    label,
    value,
    description: help,
    maxLength: max,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  return (
    <Stack gap={4}>
      {lines === 1 ? <TextInput {...common} /> : <Textarea {...common} autosize minRows={lines} maxRows={12} />}
      <Group justify="flex-end">
        <TagMenu insert={insert} without={['line', 'components']} />
      </Group>
    </Stack>
  )
}

/** The address of a page, or a tag that is one. */
export function LinkField({
  label,
  value,
  onChange,
  help,
  kind = 'link',
}: FieldProps<string> & { kind?: 'link' | 'picture' }) {
  const t = useWords('design')
  return (
    <TextInput
      label={label}
      value={value}
      description={help ?? t('field.linkHelp')}
      placeholder="https://"
      maxLength={2000}
      onChange={(event) => onChange(event.currentTarget.value.replaceAll(/[\r\n\t]/g, ''))}
      rightSection={<TagMenu insert={onChange} without={['line']} within={{ value: kind, label }} />}
    />
  )
}

export function AlignField({ value, onChange }: Omit<FieldProps<Align>, 'label'>) {
  const t = useWords('design')
  const icons = { left: IconAlignLeft, center: IconAlignCenter, right: IconAlignRight }
  return (
    <Labelled label={t('field.align')}>
      {(label) => (
        <SegmentedControl
          aria-labelledby={label}
          value={value}
          onChange={(chosen) => onChange(chosen as Align)}
          data={(['left', 'center', 'right'] as const).map((one) => {
            const Icon = icons[one]
            return {
              value: one,
              label: (
                <span title={t(`aligns.${one}`)}>
                  <Icon size={18} aria-hidden style={{ verticalAlign: 'middle' }} />
                  <span className="for-screen-readers">{t(`aligns.${one}`)}</span>
                </span>
              ),
            }
          })}
        />
      )}
    </Labelled>
  )
}

export function ChoiceField<T extends string>({
  label,
  value,
  onChange,
  choices,
}: FieldProps<T> & { choices: readonly { value: T; label: string }[] }) {
  return (
    <Labelled label={label}>
      {(id) => (
        <SegmentedControl
          aria-labelledby={id}
          fullWidth
          value={value}
          onChange={(chosen) => onChange(chosen as T)}
          data={[...choices]}
        />
      )}
    </Labelled>
  )
}

export function SelectField<T extends string>({
  label,
  value,
  onChange,
  help,
  choices,
}: FieldProps<T> & { choices: readonly { value: T; label: string }[] }) {
  return (
    <Select
      label={label}
      description={help}
      value={value}
      data={[...choices]}
      allowDeselect={false}
      onChange={(chosen) => chosen !== null && onChange(chosen as T)}
    />
  )
}

const COLOUR = /^#[0-9a-f]{6}$/i

export function ColourField({ label, value, onChange, help }: FieldProps<string>) {
  return (
    <ColorInput
      label={label}
      description={help}
      value={value}
      // Half a colour is kept in the field alone.
      onChange={(typed) => COLOUR.test(typed) && onChange(typed.toLowerCase())}
      format="hex"
      swatches={['#ffffff', '#f4f4f2', '#1f2a2e', '#1d5c4d', '#7a2e2e', '#b5472f', '#c98a2b', '#2f5d8a', '#5b4a82']}
      swatchesPerRow={9}
    />
  )
}

/** A colour of its own, or the mail's. */
export function OwnColourField({
  label,
  toggle,
  value,
  otherwise,
  onChange,
}: FieldProps<string | null> & { toggle: string; otherwise: string }) {
  return (
    <Stack gap={6}>
      <Switch
        label={toggle}
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? otherwise : null)}
      />
      {value !== null && <ColourField label={label} value={value} onChange={onChange} />}
    </Stack>
  )
}

interface AmountProps extends FieldProps<number> {
  min: number
  max: number
  step?: number
  said: (n: number) => string
}
export function AmountField({ label, value, onChange, min, max, step = 1, said }: AmountProps) {
  return (
    <Labelled label={label} value={said(value)}>
      {() => (
        <Slider thumbLabel={label} label={said} value={value} onChange={onChange} min={min} max={max} step={step} />
      )}
    </Labelled>
  )
}

export function SwitchField({ label, value, onChange }: FieldProps<boolean>) {
  return <Switch label={label} checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
}

function Labelled({ label, value, children }: { label: string; value?: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text id={id} size="sm" fw={700}>
          {label}
        </Text>
        {value !== undefined && (
          <Text size="sm" c="dimmed">
            {value}
          </Text>
        )}
      </Group>
      {children(id)}
    </div>
  )
}

/** A small button of one icon, with its name. */
export function IconButton({
  label,
  onClick,
  disabled = false,
  children,
}: {
  label: string
  onClick: () => void
  disabled?: boolean
  children: ReactNode
}) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} onClick={onClick} disabled={disabled}>
      {children}
    </ActionIcon>
  )
}
