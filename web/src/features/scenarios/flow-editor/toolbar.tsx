import { ActionIcon, Divider, Kbd, Popover, Tooltip } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconCircleCheck,
  IconClipboard,
  IconCopy,
  IconKeyboard,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconLayoutSidebarRightCollapse,
  IconLayoutSidebarRightExpand,
  IconSitemap,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { useWords } from '../../../app/i18n.ts'
import type { FlowEditing } from './editing.ts'
import classes from './flow-editor.module.css'
import { keyName } from './shortcuts.ts'
import type { StepEdits } from './step-edits.ts'

interface ToolbarProps {
  editing: FlowEditing
  edits: StepEdits
  readOnly: boolean
  onTidy: () => void
  folded: Folded
  onFold: (panel: keyof Folded) => void
  full: boolean
  onFull: () => void
}
/** Panels that are hidden to give the picture more room. */
interface Folded {
  palette: boolean
  settings: boolean
}

/** Above the picture: actions that also have keys, and whether everything is saved. */
export function Toolbar(props: ToolbarProps) {
  const { editing, edits, readOnly, onTidy, folded, onFold, full, onFull } = props
  const t = useWords('flow')
  const ui = useWords('ui')
  const { dirty, flow } = editing
  return (
    <div className={classes.tools} role="toolbar" aria-label={t('canvas')}>
      {!readOnly && (
        <>
          <Tool
            label={t('fold.palette')}
            icon={folded.palette ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse}
            open={!folded.palette}
            onClick={() => onFold('palette')}
          />
          <Divider orientation="vertical" />
          <Tool
            label={t('undo')}
            keys={keyName('Z')}
            icon={IconArrowBackUp}
            off={!editing.canUndo}
            onClick={edits.undo}
          />
          <Tool
            label={t('redo')}
            keys={keyName('Shift+Z')}
            icon={IconArrowForwardUp}
            off={!editing.canRedo}
            onClick={edits.redo}
          />
          <Divider orientation="vertical" />
          <Tool
            label={t('copy')}
            keys={keyName('C')}
            icon={IconCopy}
            off={edits.steps.length === 0}
            onClick={edits.copy}
          />
          <Tool label={t('paste')} keys={keyName('V')} icon={IconClipboard} off={false} onClick={edits.paste} />
          <Divider orientation="vertical" />
          <Tool label={t('tidy')} icon={IconSitemap} off={flow.nodes.length === 0} onClick={onTidy} />
        </>
      )}
      <Keys />
      <span role="status" className={classes.state} data-dirty={dirty || undefined}>
        {dirty ? (
          ui('unsaved')
        ) : (
          <>
            <IconCircleCheck size={16} aria-hidden /> {t('saved')}
          </>
        )}
      </span>
      <Divider orientation="vertical" />
      <Tool
        label={t(full ? 'fullScreen.leave' : 'fullScreen.enter')}
        icon={full ? IconArrowsMinimize : IconArrowsMaximize}
        onClick={onFull}
      />
      <Tool
        label={t('fold.settings')}
        icon={folded.settings ? IconLayoutSidebarRightExpand : IconLayoutSidebarRightCollapse}
        open={!folded.settings}
        onClick={() => onFold('settings')}
      />
    </div>
  )
}

interface ToolProps {
  label: string
  keys?: string
  icon: ComponentType<{ size?: number }>
  off?: boolean
  /** Of a button that hides something: whether that is shown. */
  open?: boolean
  onClick: () => void
}
const Tool = ({ label, keys, icon: Icon, off = false, open, onClick }: ToolProps) => (
  <Tooltip label={keys ? `${label}（${keys}）` : label}>
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      aria-expanded={open}
      data-disabled={off || undefined}
      aria-disabled={off || undefined}
      onClick={() => off || onClick()}
    >
      <Icon size={19} />
    </ActionIcon>
  </Tooltip>
)

function Keys() {
  const t = useWords('flow')
  const rows: [what: string, keys: readonly string[]][] = [
    [t('keys.move'), ['↑', '↓', '←', '→']],
    [t('keys.open'), ['Enter']],
    [t('keys.insert'), ['I']],
    [t('keys.remove'), ['Delete']],
    [t('keys.shift'), ['Shift + ↑↓←→']],
    [t('keys.undo'), [keyName('Z'), keyName('Shift+Z')]],
    [t('keys.copy'), [keyName('C'), keyName('V'), keyName('D')]],
    [t('keys.all'), [keyName('A')]],
    [t('keys.save'), [keyName('S')]],
    [t('keys.leave'), ['Esc']],
  ]
  return (
    <Popover position="bottom-start" shadow="md" trapFocus>
      <Popover.Target>
        <Tooltip label={t('keys.title')}>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('keys.title')}>
            <IconKeyboard size={20} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        <dl className={classes.keys}>
          {rows.map(([what, keys]) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </Popover.Dropdown>
    </Popover>
  )
}
