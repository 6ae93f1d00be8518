import { Button, Group, Popover, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type Count, countOf, hasTags, withEmojiSigns, withoutTags } from '@okaeri/contract/line-messages/limits'
import { IconMoodSmile } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useWords } from '../../app/i18n.ts'
import { TagMenu } from '../emails/editor/tag-menu.tsx'
import type { LineForm } from './line-form.ts'

interface TaggedTextProps {
  form: LineForm
  /** `messages.0.text` */
  path: string
  label: string
  description?: string
  max: number
  count?: Count
  lines?: number
  required?: boolean
  emoji?: boolean
}

/** Writes where the cursor is. */
function useInsertion(text: string, onChange: (text: string) => void) {
  const ref = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const insert = (words: string) => {
    const field = ref.current
    const from = field?.selectionStart ?? text.length
    const to = field?.selectionEnd ?? text.length
    onChange(text.slice(0, from) + words + text.slice(to))
    // Once the value is in the field.
    requestAnimationFrame(() => {
      field?.focus()
      field?.setSelectionRange(from + words.length, from + words.length)
    })
  }
  return { ref, insert }
}

interface TaggedAddressProps extends Pick<TaggedTextProps, 'form' | 'path' | 'label' | 'description' | 'required'> {
  /** What is there: a page that a tap opens, or a picture. */
  value?: 'link' | 'picture'
}

/** An address, which may be a content tag or hold one. */
export function TaggedAddress(props: TaggedAddressProps) {
  const { form, path, label, description, required = false, value: place = 'link' } = props
  const { value, onChange, ...field } = form.field(path)
  const { ref, insert } = useInsertion(typeof value === 'string' ? value : '', onChange)
  return (
    <TextInput
      ref={ref}
      label={label}
      description={description}
      withAsterisk={required}
      placeholder="https://"
      {...field}
      value={value}
      onChange={onChange}
      rightSection={<TagMenu insert={insert} without={['links']} within={{ value: place, label }} />}
    />
  )
}

/** Words with content tags, and how long they are as LINE counts. */
export function TaggedText(props: TaggedTextProps) {
  const { form, path, label, description, max, count = 'units', lines = 1, required = true, emoji = false } = props
  const t = useWords('lineMessages')
  const { value, onChange, ...field } = form.field(path)
  const text = typeof value === 'string' ? value : ''
  const length = countOf(withEmojiSigns(withoutTags(text)), count)
  const said = { count: length.toLocaleString(), max: max.toLocaleString() }
  const { ref, insert } = useInsertion(text, onChange)
  return (
    <div>
      <Textarea
        ref={ref}
        label={label}
        description={description}
        withAsterisk={required}
        autosize
        minRows={lines}
        maxRows={Math.max(lines * 3, 3)}
        {...field}
        value={text}
        onChange={onChange}
      />
      <Group gap="xs" mt={4} justify="space-between">
        <Group gap="xs">
          <TagMenu insert={insert} without={['links', 'components']} />
          {emoji && <EmojiInsert insert={insert} />}
        </Group>
        <Text size="xs" c={length > max ? 'var(--mantine-color-error)' : 'dimmed'}>
          {hasTags(text) ? t('editor.countWithTags', said) : t('editor.count', said)}
        </Text>
      </Group>
    </div>
  )
}

/** The first product of LINE's list. */
const PRODUCT = '5ac1bfd5040ab15980c9b435'

function EmojiInsert({ insert }: { insert: (words: string) => void }) {
  const t = useWords('lineMessages')
  const [opened, setOpened] = useState(false)
  const [product, setProduct] = useState(PRODUCT)
  const [number, setNumber] = useState('001')
  const isWhole = /^[0-9a-f]{1,40}$/.test(product) && /^\d{1,5}$/.test(number)
  const add = () => {
    setOpened(false)
    insert(`[emoji:${product}:${number}]`)
  }
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" width={300} trapFocus>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconMoodSmile size={16} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
          {t('emoji.insert')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <TextInput
            size="xs"
            label={t('emoji.product')}
            value={product}
            onChange={(event) => setProduct(event.currentTarget.value.trim())}
          />
          <TextInput
            size="xs"
            label={t('emoji.number')}
            value={number}
            onChange={(event) => setNumber(event.currentTarget.value.trim())}
          />
          <Text size="xs" c="dimmed">
            {t('emoji.help')}
          </Text>
          <Button size="xs" disabled={!isWhole} onClick={add}>
            {t('emoji.add')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
