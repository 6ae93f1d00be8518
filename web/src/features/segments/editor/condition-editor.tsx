import { Button, Group as Row, SegmentedControl, Text, Tooltip } from '@mantine/core'
import {
  type Condition,
  type ConditionCategory,
  type Group,
  MAX_DEPTH,
  MAX_LEAVES,
  leavesOf,
} from '@okaeri/contract/segments/condition'
import { IconArrowBackUp, IconArrowForwardUp, IconFolderPlus, IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { fieldReasonText } from '../../../app/reasons.ts'
import {
  EditingContext,
  type Editing,
  type PartProps,
  useEditing,
  useFocusWhenAsked,
  useMoving,
} from './condition-editing.ts'
import classes from './condition-editor.module.css'
import type { NamesOf } from './condition-names.ts'
import { newGroup, newLeaf, replaced, withPart } from './condition-tree.ts'
import { LeafRow } from './leaf-row.tsx'
import { IconButton, PartButtons } from './part-buttons.tsx'
import { useHistory } from './use-history.ts'

interface ConditionEditorProps {
  value: Group
  onChange: (value: Group) => void
  /** Field reasons by path. */
  errors: Record<string, string>
  categories: readonly ConditionCategory[]
  names: NamesOf
  segmentId?: string | null
}

/** Edits a condition: sentences in nested groups. */
export function ConditionEditor({
  value,
  onChange,
  errors,
  categories,
  names,
  segmentId = null,
}: ConditionEditorProps) {
  const t = useWords('segments')
  const focusNext: Editing['focusNext'] = useRef(null)
  const [news, setNews] = useState('')
  const history = useHistory(value, onChange)
  const full = leavesOf(value).length >= MAX_LEAVES
  const editing = {
    root: value,
    categories,
    names,
    segmentId,
    change: history.change,
    errors,
    full,
    focusNext,
    say: setNews,
  }
  const step = (way: 'undo' | 'redo') => {
    history[way]()
    setNews(t(way === 'undo' ? 'editor.undone' : 'editor.redone'))
  }
  const keys = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'z') return
    event.preventDefault()
    step(event.shiftKey ? 'redo' : 'undo')
  }
  return (
    <EditingContext value={editing}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of all inputs within */}
      <div onKeyDown={keys}>
        <GroupBox
          group={value}
          path="conditions"
          place=""
          depth={1}
          buttons={
            <div className={classes.buttons}>
              {(['undo', 'redo'] as const).map((way) => (
                <IconButton
                  key={way}
                  label={t(`editor.${way}`)}
                  icon={way === 'undo' ? IconArrowBackUp : IconArrowForwardUp}
                  disabled={!history[way === 'undo' ? 'canUndo' : 'canRedo']}
                  onClick={() => step(way)}
                />
              ))}
            </div>
          }
        />
        <div className="for-screen-readers" role="status">
          {news}
        </div>
      </div>
    </EditingContext>
  )
}

const operators = ['and', 'or', 'not'] as const

function GroupBox({
  group,
  path,
  place,
  depth,
  buttons,
}: PartProps & { group: Group; depth: number; buttons?: ReactNode }) {
  const t = useWords('segments')
  const language = useLanguage()
  const { root, change, errors, full, focusNext } = useEditing()
  const box = useFocusWhenAsked(group.id, 'row')
  const outermost = place === ''
  const name = t('editor.group', { place })
  const add = (part: Condition) => {
    focusNext.current = { id: part.type === 'group' ? (part.children[0]?.id ?? part.id) : part.id, at: 'input' }
    change(withPart(root, group, part))
  }
  const tooMany = full ? t('editor.tooMany', { max: MAX_LEAVES }) : null
  const tooDeep = depth >= MAX_DEPTH ? t('editor.tooDeep', { max: MAX_DEPTH }) : null
  const wrong = errors[`${path}.children`]
  const move = useMoving(group.id, name)

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of the inputs within
    <fieldset
      ref={box}
      tabIndex={-1}
      className={classes.group}
      data-nested={!outermost || undefined}
      data-operator={group.operator}
      data-wrong={wrong ? true : undefined}
      onKeyDown={outermost ? undefined : move.keys}
    >
      <legend className="for-screen-readers">{outermost ? t('conditions') : name}</legend>
      <Row justify="space-between" gap={4} align="flex-start">
        <SegmentedControl
          size="xs"
          className={classes.match}
          aria-label={outermost ? t('editor.match') : `${name}: ${t('editor.match')}`}
          value={group.operator}
          onChange={(chosen) =>
            change(replaced(root, { ...group, operator: operators.find((each) => each === chosen) ?? 'and' }))
          }
          data={operators.map((operator) => ({ value: operator, label: t(`editor.${operator}`) }))}
        />
        {outermost ? buttons : <PartButtons part={group} name={name} />}
      </Row>
      <div className={classes.parts}>
        {group.children.map((child, at) => {
          const inner = { path: `${path}.children.${at}`, place: outermost ? `${at + 1}` : `${place}-${at + 1}` }
          return (
            <div key={child.id}>
              {at > 0 && (
                <div className={classes.joint} aria-hidden>
                  {t(group.operator === 'and' ? 'editor.joinAnd' : 'editor.joinOr')}
                </div>
              )}
              {child.type === 'group' ? (
                <GroupBox group={child} depth={depth + 1} {...inner} />
              ) : (
                <LeafRow leaf={child} {...inner} />
              )}
            </div>
          )
        })}
        {(wrong || group.children.length === 0) && (
          <Text size="sm" c={wrong ? 'error' : 'dimmed'} role={wrong ? 'alert' : undefined}>
            {wrong && wrong !== 'required' ? fieldReasonText(wrong, language) : t('editor.emptyGroup')}
          </Text>
        )}
      </div>
      <Row gap="xs">
        <AddButton label={t('editor.addRow')} icon={IconPlus} whyNot={tooMany} onClick={() => add(newLeaf())} />
        <AddButton
          label={t('editor.addGroup')}
          icon={IconFolderPlus}
          whyNot={tooDeep ?? tooMany}
          onClick={() => add({ ...newGroup(), operator: group.operator === 'and' ? 'or' : 'and' })}
        />
      </Row>
    </fieldset>
  )
}

interface AddButtonProps {
  label: string
  icon: typeof IconPlus
  whyNot: string | null
  onClick: () => void
}
/** Focusable while disabled, so that the reason can be read. */
const AddButton = ({ label, icon: Icon, whyNot, onClick }: AddButtonProps) => (
  <Tooltip label={whyNot ?? ''} disabled={!whyNot} events={{ hover: true, focus: true, touch: true }}>
    <Button
      size="compact-sm"
      variant="subtle"
      leftSection={<Icon size={16} aria-hidden />}
      data-disabled={whyNot ? true : undefined}
      aria-disabled={whyNot ? true : undefined}
      onClick={() => whyNot === null && onClick()}
    >
      {label}
    </Button>
  </Tooltip>
)
