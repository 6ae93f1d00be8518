import { ActionIcon, Button, Group, Paper, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { lineLimits } from '@okaeri/contract/line-messages/limits'
import type { LineColumn, LineMessagePart, LinePartOf } from '@okaeri/contract/line-messages/message'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ComponentProps, ReactNode } from 'react'
import { useWords } from '../../app/i18n.ts'
import { toast } from '../../ui/toast.ts'
import { PickForLine } from '../media/pick-for-line.tsx'
import { ActionFields, ActionList } from './action-fields.tsx'
import { blankAction, blankColumn } from './blank-parts.ts'
import { FlexField } from './flex/flex-field.tsx'
import { type LineForm, replaced, without } from './line-form.ts'
import { TaggedAddress, TaggedText } from './tagged-text.tsx'

interface PartFieldsProps<Part extends LineMessagePart = LineMessagePart> {
  form: LineForm
  /** `messages.0` */
  path: string
  part: Part
  onChange: (part: LineMessagePart) => void
}

/** The form of one message, by its type. */
export function PartFields({ part, ...props }: PartFieldsProps) {
  const t = useWords('lineMessages')
  switch (part.type) {
    case 'text':
      return (
        <TaggedText
          form={props.form}
          path={`${props.path}.text`}
          label={t('field.text')}
          max={lineLimits.text}
          lines={4}
          emoji
        />
      )
    case 'image':
      return <ImageFields part={part} {...props} />
    case 'buttons':
      return <ButtonsFields part={part} {...props} />
    case 'confirm':
      return <ConfirmFields part={part} {...props} />
    case 'carousel':
      return <CarouselFields part={part} {...props} />
    case 'image_carousel':
      return <ImageCarouselFields part={part} {...props} />
    case 'flex':
      return (
        <Stack gap="sm">
          <AltText {...props} />
          <FlexField
            part={part}
            label={t('field.json')}
            error={props.form.errors[`${props.path}.json`]}
            onChange={(json) => props.onChange({ ...part, json })}
          />
        </Stack>
      )
  }
}

function AltText({ form, path, required = true }: { form: LineForm; path: string; required?: boolean }) {
  const t = useWords('lineMessages')
  return (
    <TaggedText
      form={form}
      path={`${path}.alt_text`}
      label={t('field.alt_text')}
      description={t('field.altHelp')}
      max={lineLimits.altText}
      required={required}
    />
  )
}

/** The address of a picture, written or chosen from those that are kept. `copy`: as wide as LINE takes it there. */
function PictureAddress({
  copy = 'line',
  ...props
}: Omit<ComponentProps<typeof TaggedAddress>, 'value'> & { copy?: 'full' | 'line' }) {
  return (
    <Stack gap={6}>
      <TaggedAddress value="picture" {...props} />
      <div>
        <PickForLine copy={copy} onPick={(url) => props.form.field(props.path).onChange(url)} />
      </div>
    </Stack>
  )
}

function ImageFields({ form, path, part, onChange }: PartFieldsProps<LinePartOf<'image'>>) {
  const t = useWords('lineMessages')
  const readRatio = () => {
    const picture = new Image()
    picture.onload = () => onChange({ ...part, ratio: `${picture.naturalWidth}:${picture.naturalHeight}` })
    picture.onerror = () => toast.error(t('field.ratioFailed'))
    picture.src = part.image_url
  }
  return (
    <Stack gap="sm">
      <PictureAddress
        form={form}
        path={`${path}.image_url`}
        label={t('field.image_url')}
        description={t('field.imageHelp')}
        copy="full"
        required
      />
      <TaggedAddress
        form={form}
        path={`${path}.link_url`}
        label={t('field.link_url')}
        description={t('field.linkHelp')}
      />
      {part.link_url === '' ? (
        <PictureAddress
          form={form}
          path={`${path}.preview_url`}
          label={t('field.preview_url')}
          description={t('field.previewHelp')}
        />
      ) : (
        <>
          <Group align="end" gap="xs">
            <TextInput label={t('field.ratio')} w={160} {...form.field(`${path}.ratio`)} />
            <Button variant="default" disabled={part.image_url === ''} onClick={readRatio}>
              {t('field.ratioRead')}
            </Button>
          </Group>
          <AltText form={form} path={path} />
        </>
      )}
    </Stack>
  )
}

interface ShapeProps {
  part: LinePartOf<'buttons'> | LinePartOf<'carousel'>
  onChange: (part: LineMessagePart) => void
}
function PictureShape({ part, onChange }: ShapeProps) {
  const t = useWords('lineMessages')
  return (
    <Group gap="md">
      <Choice
        label={t('field.image_ratio')}
        value={part.image_ratio}
        choices={[
          { value: 'rectangle', label: t('field.rectangle') },
          { value: 'square', label: t('field.square') },
        ]}
        onChange={(value) => onChange({ ...part, image_ratio: value === 'square' ? 'square' : 'rectangle' })}
      />
      <Choice
        label={t('field.image_fit')}
        value={part.image_fit}
        choices={[
          { value: 'cover', label: t('field.cover') },
          { value: 'contain', label: t('field.contain') },
        ]}
        onChange={(value) => onChange({ ...part, image_fit: value === 'contain' ? 'contain' : 'cover' })}
      />
    </Group>
  )
}

function Choice(props: {
  label: string
  value: string
  choices: { value: string; label: string }[]
  onChange: (value: string) => void
}) {
  const { label, value, choices, onChange } = props
  return (
    <div>
      <Text size="sm" fw={700} mb={4}>
        {label}
      </Text>
      <SegmentedControl size="xs" aria-label={label} value={value} data={choices} onChange={onChange} />
    </div>
  )
}

interface CardFieldsProps {
  form: LineForm
  path: string
  card: Pick<LineColumn, 'image_url' | 'title'>
  limits: { text: number; textBesideTitleOrPicture: number; title: number }
}
function CardFields({ form, path, card, limits }: CardFieldsProps) {
  const t = useWords('lineMessages')
  const isBeside = card.image_url !== '' || card.title !== ''
  return (
    <>
      <PictureAddress
        form={form}
        path={`${path}.image_url`}
        label={t('field.image_url')}
        description={t('field.imageHelp')}
      />
      <TaggedText
        form={form}
        path={`${path}.title`}
        label={t('field.title')}
        max={limits.title}
        count="graphemes"
        required={false}
      />
      <TaggedText
        form={form}
        path={`${path}.text`}
        label={t('field.text')}
        max={isBeside ? limits.textBesideTitleOrPicture : limits.text}
        count="graphemes"
        lines={2}
      />
      <TaggedAddress
        form={form}
        path={`${path}.link_url`}
        label={t('field.link_url')}
        description={t('field.linkHelp')}
      />
    </>
  )
}

function ButtonsFields({ form, path, part, onChange }: PartFieldsProps<LinePartOf<'buttons'>>) {
  return (
    <Stack gap="sm">
      <CardFields form={form} path={path} card={part} limits={lineLimits.buttons} />
      {part.image_url !== '' && <PictureShape part={part} onChange={onChange} />}
      <AltText form={form} path={path} />
      <ActionList
        form={form}
        path={`${path}.actions`}
        actions={part.actions}
        onChange={(actions) => onChange({ ...part, actions })}
        min={1}
        max={lineLimits.buttons.actions}
      />
    </Stack>
  )
}

function ConfirmFields({ form, path, part, onChange }: PartFieldsProps<LinePartOf<'confirm'>>) {
  const t = useWords('lineMessages')
  const { text, actions } = lineLimits.confirm
  return (
    <Stack gap="sm">
      <TaggedText form={form} path={`${path}.text`} label={t('field.text')} max={text} count="graphemes" lines={2} />
      <AltText form={form} path={path} />
      <ActionList
        form={form}
        path={`${path}.actions`}
        actions={part.actions}
        onChange={(changed) => onChange({ ...part, actions: changed })}
        min={actions}
        max={actions}
      />
    </Stack>
  )
}

interface ColumnProps {
  at: number
  count: number
  onRemove: () => void
  children: ReactNode
}
/** A card among others; the last one stays. */
function Column({ at, count, onRemove, children }: ColumnProps) {
  const t = useWords('lineMessages')
  const label = t('column.number', { number: at + 1 })
  return (
    <Paper withBorder p="sm" component="section" aria-label={label}>
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={700}>
          {label}
        </Text>
        {count > 1 && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('column.remove', { number: at + 1 })}
            onClick={onRemove}
          >
            <IconX size={18} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      <Stack gap="sm">{children}</Stack>
    </Paper>
  )
}

function AddColumn({ count, max, add }: { count: number; max: number; add: () => void }) {
  const t = useWords('lineMessages')
  if (count >= max) return null
  return (
    <div>
      <Button size="xs" variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
        {t('column.add')}
      </Button>
    </div>
  )
}

const withButtons = (column: LineColumn, count: number): LineColumn => ({
  ...column,
  actions: Array.from({ length: count }, (_, at) => column.actions[at] ?? blankAction()),
})

function CarouselFields({ form, path, part, onChange }: PartFieldsProps<LinePartOf<'carousel'>>) {
  const t = useWords('lineMessages')
  const { columns } = part
  const buttons = columns[0]?.actions.length ?? 1
  const change = (changed: LineColumn[]) => onChange({ ...part, columns: changed })
  return (
    <Stack gap="sm">
      <AltText form={form} path={path} />
      <Group gap="md">
        <Choice
          label={t('column.buttons')}
          value={String(buttons)}
          choices={['1', '2', '3'].map((value) => ({ value, label: value }))}
          onChange={(value) => change(columns.map((column) => withButtons(column, Number(value))))}
        />
        {columns.some(({ image_url }) => image_url !== '') && <PictureShape part={part} onChange={onChange} />}
      </Group>
      {columns.map((column, at) => (
        <Column
          // biome-ignore lint/suspicious/noArrayIndexKey: fields hold nothing but what the form holds
          key={at}
          at={at}
          count={columns.length}
          onRemove={() => change(without(columns, at))}
        >
          <CardFields form={form} path={`${path}.columns.${at}`} card={column} limits={lineLimits.carousel} />
          <ActionList
            form={form}
            path={`${path}.columns.${at}.actions`}
            actions={column.actions}
            onChange={(actions) => change(replaced(columns, at, { ...column, actions }))}
            min={column.actions.length}
            max={column.actions.length}
          />
        </Column>
      ))}
      <AddColumn
        count={columns.length}
        max={lineLimits.carousel.columns}
        add={() => change([...columns, blankColumn(buttons)])}
      />
    </Stack>
  )
}

function ImageCarouselFields({ form, path, part, onChange }: PartFieldsProps<LinePartOf<'image_carousel'>>) {
  const t = useWords('lineMessages')
  const { columns } = part
  const change = (changed: typeof columns) => onChange({ ...part, columns: changed })
  return (
    <Stack gap="sm">
      <AltText form={form} path={path} />
      {columns.map((column, at) => (
        <Column
          // biome-ignore lint/suspicious/noArrayIndexKey: fields hold nothing but what the form holds
          key={at}
          at={at}
          count={columns.length}
          onRemove={() => change(without(columns, at))}
        >
          <PictureAddress
            form={form}
            path={`${path}.columns.${at}.image_url`}
            label={t('field.image_url')}
            description={t('field.imageHelp')}
            required
          />
          <ActionFields
            form={form}
            path={`${path}.columns.${at}.action`}
            action={column.action}
            label={t('field.action')}
            labelMax={lineLimits.imageCarousel.label}
            labelNeeded={false}
            onChange={(action) => change(replaced(columns, at, { ...column, action }))}
          />
        </Column>
      ))}
      <AddColumn
        count={columns.length}
        max={lineLimits.imageCarousel.columns}
        add={() => change([...columns, { image_url: '', action: blankAction() }])}
      />
    </Stack>
  )
}
