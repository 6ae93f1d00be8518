import { Button, Collapse, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type BlockKind, type Design, listBlocks } from '@okaeri/contract/emails/design'
import { IconPlus, IconSettings, IconUsers } from '@tabler/icons-react'
import { useWords } from '../../../app/i18n.ts'
import { blockIcons, offeredKinds } from './block-kinds.ts'
import { type Drop, useDragging } from './dragging.ts'
import type { AnyBlock } from './editing.ts'
import { useMarks } from './shown-to.tsx'
import classes from './visual-editor.module.css'

interface PaletteProps {
  onAdd: (kind: BlockKind) => void
  /** Why a kind cannot be added. */
  unavailable: (kind: BlockKind) => string | null
}

/** The kinds of blocks there are. */
export function Palette({ onAdd, unavailable }: PaletteProps) {
  const t = useWords('design')
  const [opened, { toggle }] = useDisclosure(true)
  return (
    <div>
      <Button
        fullWidth
        variant="light"
        leftSection={<IconPlus size={18} aria-hidden />}
        aria-expanded={opened}
        onClick={toggle}
      >
        {t('add')}
      </Button>
      <Collapse expanded={opened}>
        <Text size="xs" c="dimmed" my={8}>
          {t('addHelp')}
        </Text>
        <SimpleGrid cols={3} spacing={6}>
          {offeredKinds.map((kind) => (
            <KindButton key={kind} kind={kind} onAdd={() => onAdd(kind)} reason={unavailable(kind)} />
          ))}
        </SimpleGrid>
      </Collapse>
    </div>
  )
}

function KindButton({ kind, onAdd, reason }: { kind: BlockKind; onAdd: () => void; reason: string | null }) {
  const t = useWords('design')
  const ref = useDragging<HTMLButtonElement>(reason === null ? { drags: { is: 'new', kind } } : {})
  const Icon = blockIcons[kind]
  return (
    <UnstyledButton
      ref={ref}
      className={classes.kind}
      title={reason ?? t(`kind.${kind}.what`)}
      aria-disabled={reason !== null || undefined}
      onClick={() => reason === null && onAdd()}
    >
      <Icon size={22} stroke={1.6} aria-hidden />
      {t(`kind.${kind}.name`)}
    </UnstyledButton>
  )
}

interface OutlineProps {
  design: Design
  selected: string | null
  onSelect: (id: string | null) => void
  onMove: (id: string, by: -1 | 1) => void
  onRemove: (id: string) => void
  drop: Drop | null
}

/** The blocks in their order, as a list: all that can be done with the mouse upon the mail can be done here by keyboard. */
export function Outline({ design, selected, onSelect, onMove, onRemove, drop }: OutlineProps) {
  const t = useWords('design')
  const markOf = useMarks(listBlocks(design.blocks))
  const item = (block: AnyBlock) => (
    <OutlineItem
      block={block}
      mark={markOf(block.shown_to)}
      isSelected={block.id === selected}
      edge={drop?.id === block.id ? drop.edge : null}
      onSelect={() => onSelect(block.id)}
      onMove={(by) => onMove(block.id, by)}
      onRemove={() => onRemove(block.id)}
    />
  )
  return (
    <Stack gap={6} component="section" aria-label={t('outline')}>
      <Text fw={700} size="sm">
        {t('outline')}
      </Text>
      <UnstyledButton
        className={classes.item}
        data-selected={selected === null || undefined}
        aria-pressed={selected === null}
        onClick={() => onSelect(null)}
      >
        <IconSettings size={16} aria-hidden />
        <span className={classes.itemText}>{t('look')}</span>
      </UnstyledButton>
      {design.blocks.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('noBlocks')}
        </Text>
      )}
      <ol className={classes.list}>
        {design.blocks.map((block) => (
          <li key={block.id}>
            {item(block)}
            {block.kind === 'columns' &&
              block.columns.map((list, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name.
                <ol key={at} className={classes.inner} aria-label={t('column', { n: at + 1 })}>
                  {list.map((one) => (
                    <li key={one.id}>{item(one)}</li>
                  ))}
                </ol>
              ))}
          </li>
        ))}
      </ol>
    </Stack>
  )
}

interface OutlineItemProps {
  block: AnyBlock
  /** Who alone sees it. */
  mark: string | null
  isSelected: boolean
  edge: Drop['edge'] | null
  onSelect: () => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}
function OutlineItem({ block, mark, isSelected, edge, onSelect, onMove, onRemove }: OutlineItemProps) {
  const t = useWords('design')
  const ref = useDragging<HTMLButtonElement>({ drags: { is: 'block', id: block.id }, takes: block.id })
  const Icon = blockIcons[block.kind]
  const said = block.kind === 'product_rule' ? t(`rules.${block.rule}`) : wordsOf(block)
  return (
    <UnstyledButton
      ref={ref}
      className={classes.item}
      data-selected={isSelected || undefined}
      data-edge={edge ?? undefined}
      aria-pressed={isSelected}
      aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Delete"
      onClick={onSelect}
      onKeyDown={(event) => {
        if (event.altKey && event.key === 'ArrowUp') onMove(-1)
        else if (event.altKey && event.key === 'ArrowDown') onMove(1)
        else if (event.key === 'Delete') {
          focusNeighbour(event.currentTarget)
          onRemove()
        } else return
        event.preventDefault()
      }}
    >
      <Icon size={16} aria-hidden />
      <span className={classes.itemText}>
        {t(`kind.${block.kind}.name`)}
        {said !== '' && <span className={classes.said}> {said}</span>}
      </span>
      {mark !== null && (
        <span title={mark} className={classes.outlineMark}>
          <IconUsers size={15} aria-hidden />
          <span className="for-screen-readers"> {mark}</span>
        </span>
      )}
    </UnstyledButton>
  )
}

/** Where an entry goes, the keyboard goes on at the next one; at the one before where it was the last. */
function focusNeighbour(entry: HTMLElement): void {
  const gone = entry.closest('li')
  const entries = [...(entry.closest('section')?.querySelectorAll<HTMLElement>('li button') ?? [])]
  const [before, after] = [entries.slice(0, entries.indexOf(entry)), entries.slice(entries.indexOf(entry) + 1)]
  // What stands in its columns goes with it.
  const next = after.find((other) => !gone?.contains(other)) ?? before.at(-1)
  next?.focus()
}

/** The first words, to tell blocks of one kind apart. */
function wordsOf(block: AnyBlock): string {
  switch (block.kind) {
    case 'heading':
      return block.text
    case 'text':
      return block.html
        .replaceAll(/<[^>]*>/g, ' ')
        .trim()
        .slice(0, 60)
    case 'button':
      return block.label
    case 'picture':
      return block.alt
    case 'coupon':
      return block.code
    case 'component':
      return block.key
    default:
      return ''
  }
}
