import { ActionIcon, Button, Group, Menu, Paper, Stack, Text } from '@mantine/core'
import { lineLimits } from '@okaeri/contract/line-messages/limits'
import type { LineMessagePart } from '@okaeri/contract/line-messages/message'
import { IconArrowDown, IconArrowUp, IconGripVertical, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { blankPart, partTypes } from './blank-parts.ts'
import { type LineForm, moved, replaced, without } from './line-form.ts'
import classes from './line-editor.module.css'
import { PartFields } from './part-fields.tsx'

/** The messages in their order: moved by dragging, or by the buttons beside, from the keyboard too. */
export function PartList({ form }: { form: LineForm }) {
  const t = useWords('lineMessages')
  const { mayChange, setting } = useMerchant()
  const { messages } = form.values
  const keys = useStableKeys(messages.length)
  const [held, setHeld] = useState<number | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const [said, setSaid] = useState('')
  const set = (changed: LineMessagePart[]) => form.set('messages', changed)
  const move = (from: number, to: number) => {
    if (from === to || to < 0 || to >= messages.length) return
    keys.move(from, to)
    form.setErrors({})
    set(moved(messages, from, to))
    setSaid(t('editor.moved', { number: to + 1 }))
  }
  const remove = (at: number) => {
    keys.remove(at)
    form.setErrors({})
    set(without(messages, at))
  }
  return (
    <Stack gap="md">
      <p className="for-screen-readers" role="status">
        {said}
      </p>
      {messages.map((part, at) => (
        <Part
          key={keys.of(at)}
          number={at + 1}
          type={part.type}
          isOver={over === at && held !== null && held !== at}
          onHold={(holding) => {
            setHeld(holding ? at : null)
            setOver(null)
          }}
          {...(held !== null && {
            onOver: () => setOver(at),
            onDrop: () => {
              move(held, at)
              setHeld(null)
              setOver(null)
            },
          })}
          {...(mayChange &&
            messages.length > 1 && {
              ...(at > 0 && { onUp: () => move(at, at - 1) }),
              ...(at < messages.length - 1 && { onDown: () => move(at, at + 1) }),
              onRemove: () => remove(at),
            })}
        >
          <PartFields
            form={form}
            path={`messages.${at}`}
            part={part}
            onChange={(changed) => set(replaced(messages, at, changed))}
          />
        </Part>
      ))}
      {mayChange && messages.length < lineLimits.messages ? (
        <AddPart
          add={(type) => {
            keys.add()
            set([...messages, blankPart(type, setting.language)])
          }}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {mayChange && t('editor.full')}
        </Text>
      )}
    </Stack>
  )
}

interface PartProps {
  /** From 1. */
  number: number
  type: LineMessagePart['type']
  /** Another one is held above it. */
  isOver: boolean
  onHold: (holding: boolean) => void
  /** Present while one is held. */
  onOver?: () => void
  onDrop?: () => void
  /** Absent at the top and at the bottom. */
  onUp?: () => void
  onDown?: () => void
  /** Absent where it is the only one, or may not be changed. */
  onRemove?: () => void
  children: ReactNode
}
function Part({ number, type, isOver, onHold, onOver, onDrop, onUp, onDown, onRemove, children }: PartProps) {
  const t = useWords('lineMessages')
  const label = t('editor.part', { number, type: t(`type.${type}.name`) })
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-label={label}
      className={classes.part}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!onOver) return
        event.preventDefault()
        onOver()
      }}
      onDrop={(event) => {
        if (!onDrop) return
        event.preventDefault()
        onDrop()
      }}
    >
      <Group justify="space-between" mb="sm" wrap="nowrap">
        <Group gap={6} wrap="nowrap">
          {onRemove && (
            // biome-ignore lint/a11y/noStaticElementInteractions: for the mouse alone; keys use the buttons beside
            <span
              className={classes.grip}
              draggable
              title={t('editor.drag')}
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move'
                event.dataTransfer.setData('text/plain', label)
                onHold(true)
              }}
              onDragEnd={() => onHold(false)}
            >
              <IconGripVertical size={20} aria-hidden />
            </span>
          )}
          <Text fw={700}>{label}</Text>
        </Group>
        {onRemove && (
          <Group gap={2} wrap="nowrap">
            <ActionIcon variant="subtle" color="gray" aria-label={t('editor.up')} disabled={!onUp} onClick={onUp}>
              <IconArrowUp size={18} aria-hidden />
            </ActionIcon>
            <ActionIcon variant="subtle" color="gray" aria-label={t('editor.down')} disabled={!onDown} onClick={onDown}>
              <IconArrowDown size={18} aria-hidden />
            </ActionIcon>
            <ActionIcon variant="subtle" color="red" aria-label={t('editor.remove')} onClick={onRemove}>
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </Group>
        )}
      </Group>
      {children}
    </Paper>
  )
}

function AddPart({ add }: { add: (type: LineMessagePart['type']) => void }) {
  const t = useWords('lineMessages')
  return (
    <Menu position="bottom-start" shadow="md">
      <Menu.Target>
        <Button variant="default" leftSection={<IconPlus size={18} aria-hidden />}>
          {t('editor.addPart')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {partTypes.map((type) => (
          <Menu.Item key={type} onClick={() => add(type)}>
            {t(`type.${type}.name`)}
            <Text size="xs" c="dimmed">
              {t(`type.${type}.about`)}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** What a part is known by while it moves: its editor and focus move with it. */
function useStableKeys(count: number) {
  const next = useRef(count)
  const [keys, setKeys] = useState(() => Array.from({ length: count }, (_, at) => at))
  // The form may follow what was saved elsewhere.
  const known = keys.length === count ? keys : Array.from({ length: count }, (_, at) => keys[at] ?? `new ${at}`)
  return {
    of: (at: number) => known[at] ?? at,
    add: () => setKeys((before) => [...before, next.current++]),
    remove: (at: number) => setKeys((before) => without(before, at)),
    move: (from: number, to: number) => setKeys((before) => moved(before, from, to)),
  }
}
