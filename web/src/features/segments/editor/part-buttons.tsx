import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { type Condition, MAX_DEPTH } from '@okaeri/contract/segments/condition'
import {
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconDots,
  IconFolderOff,
  IconFolderPlus,
  type IconPlus,
  IconTrash,
} from '@tabler/icons-react'
import { useWords } from '../../../app/i18n.ts'
import { useEditing, useMoving } from './condition-editing.ts'
import classes from './condition-editor.module.css'
import { depthOf, duplicated, grouped, moved, parentOf, removed, ungrouped } from './condition-tree.ts'

interface IconButtonProps {
  label: string
  icon: typeof IconPlus
  disabled?: boolean
  onClick: () => void
}
export const IconButton = ({ label, icon: Icon, disabled, onClick }: IconButtonProps) => (
  <Tooltip label={label}>
    <ActionIcon
      variant="subtle"
      color="gray"
      size="md"
      disabled={disabled ?? false}
      aria-label={label}
      onClick={onClick}
    >
      <Icon size={17} />
    </ActionIcon>
  </Tooltip>
)

/** Buttons of a row or a group: copy, remove, move, group. */
export function PartButtons({ part, name }: { part: Condition; name: string }) {
  const t = useWords('segments')
  const { root, change, full, focusNext, say } = useEditing()
  const move = useMoving(part.id, name)
  const icon = { size: 16, 'aria-hidden': true } as const
  const copy = () => {
    const { root: next, copyId } = duplicated(root, part.id)
    focusNext.current = { id: copyId, at: 'row' }
    change(next)
  }
  const remove = () => {
    const siblings = parentOf(root, part.id)?.children ?? []
    const at = siblings.findIndex(({ id }) => id === part.id)
    const next = siblings[at + 1] ?? siblings[at - 1]
    if (next) focusNext.current = { id: next.id, at: 'row' }
    change(removed(root, part.id))
    say(t('editor.removed', { row: name }))
  }
  const group = () => {
    const next = grouped(root, part.id)
    if (depthOf(next) > MAX_DEPTH) return say(t('editor.tooDeep', { max: MAX_DEPTH }))
    focusNext.current = { id: part.id, at: 'row' }
    change(next)
  }
  const ungroup = () => {
    const [first] = part.type === 'group' ? part.children : []
    if (first) focusNext.current = { id: first.id, at: 'row' }
    change(ungrouped(root, part.id))
  }
  return (
    <div className={classes.buttons}>
      <IconButton label={t('editor.duplicateRow', { row: name })} icon={IconCopy} disabled={full} onClick={copy} />
      <IconButton label={t('editor.removeRow', { row: name })} icon={IconTrash} onClick={remove} />
      <Menu position="bottom-end" withinPortal returnFocus={false}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="md" aria-label={t('editor.moreFor', { row: name })}>
            <IconDots size={17} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconArrowUp {...icon} />}
            rightSection={<kbd className={classes.keys}>Alt ↑</kbd>}
            disabled={moved(root, part.id, 'up') === null}
            onClick={() => move.to('up')}
          >
            {t('editor.moveUp')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowDown {...icon} />}
            rightSection={<kbd className={classes.keys}>Alt ↓</kbd>}
            disabled={moved(root, part.id, 'down') === null}
            onClick={() => move.to('down')}
          >
            {t('editor.moveDown')}
          </Menu.Item>
          <Menu.Item leftSection={<IconFolderPlus {...icon} />} onClick={group}>
            {t('editor.putInGroup')}
          </Menu.Item>
          {part.type === 'group' && (
            <Menu.Item leftSection={<IconFolderOff {...icon} />} onClick={ungroup}>
              {t('editor.ungroup')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
