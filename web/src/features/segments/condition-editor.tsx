import { ActionIcon, Button, Group as Row, Menu, SegmentedControl, Select, Text, Tooltip } from '@mantine/core'
import {
  type Condition,
  type ConditionCategory,
  type ConditionField,
  findField,
  type Group,
  type Leaf,
  MAX_DEPTH,
  MAX_LEAVES,
  type Operator,
  operatorsFor,
} from '@okaeri/contract/segments/condition'
import {
  IconArrowBackUp,
  IconArrowDown,
  IconArrowForwardUp,
  IconArrowUp,
  IconCopy,
  IconDots,
  IconFolderOff,
  IconFolderPlus,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react'
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { fieldReasonText } from '../../app/reasons.ts'
import classes from './condition-editor.module.css'
import { nameOf, type NamesOf } from './condition-names.ts'
import {
  added,
  depthOf,
  duplicated,
  grouped,
  leavesOf,
  moved,
  newGroup,
  newLeaf,
  parentOf,
  removed,
  replaced,
  ungrouped,
  withField,
  withOperator,
} from './condition-tree.ts'
import { ConditionValue } from './condition-value.tsx'
import { grammar } from './editor-words.ts'
import { ScenariosHelp } from './scenarios-help.tsx'
import { ScoresHelp } from './scores-help.tsx'
import { useHistory } from './use-history.ts'

interface Editing {
  root: Group
  categories: readonly ConditionCategory[]
  names: NamesOf
  /** The segment being edited. */
  segmentId: string | null
  /** `typing`: changes of one kind that follow each other are undone together. */
  change: (root: Group, typing?: string) => void
  /** By the path of the contract: `conditions.children.0.value`. */
  errors: Record<string, string>
  full: boolean
  /** Takes the focus once it is there: what was just added (its first input) or moved (its row). */
  focusNext: RefObject<{ id: string; at: 'input' | 'row' } | null>
  /** Told to those who do not see it. */
  say: (news: string) => void
}
const Context = createContext<Editing | null>(null)
function useEditing(): Editing {
  const editing = use(Context)
  if (!editing) throw new Error('only inside a ConditionEditor')
  return editing
}

interface ConditionEditorProps {
  value: Group
  onChange: (value: Group) => void
  /** Field reasons by path. */
  errors: Record<string, string>
  categories: readonly ConditionCategory[]
  names: NamesOf
  segmentId?: string | null
}

/** Sentences within groups within groups. */
export function ConditionEditor({
  value,
  onChange,
  errors,
  categories,
  names,
  segmentId = null,
}: ConditionEditorProps) {
  const t = useWords('segments')
  const focusNext = useRef<{ id: string; at: 'input' | 'row' } | null>(null)
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
    <Context value={editing}>
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
    </Context>
  )
}

interface PartProps {
  path: string
  /** `2-1`: the first part of the second part; empty for the whole. */
  place: string
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
    change(added(root, group, part))
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
/** Reachable while it is off, so that the reason can be read. */
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

interface IconButtonProps {
  label: string
  icon: typeof IconPlus
  disabled?: boolean
  onClick: () => void
}
const IconButton = ({ label, icon: Icon, disabled, onClick }: IconButtonProps) => (
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

/** A step up or down, by the menu or by Alt and an arrow. */
function useMoving(id: string, name: string) {
  const t = useWords('segments')
  const { root, change, focusNext, say } = useEditing()
  const to = (way: 'up' | 'down') => {
    const next = moved(root, id, way)
    // A group that would come to stand too deep stays where it is.
    if (!next || depthOf(next) > MAX_DEPTH) return
    focusNext.current = { id, at: 'row' }
    change(next)
    say(t(way === 'up' ? 'editor.movedUp' : 'editor.movedDown', { row: name }))
  }
  const keys = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    event.stopPropagation()
    to(event.key === 'ArrowUp' ? 'up' : 'down')
  }
  return { to, keys }
}

function PartButtons({ part, name }: { part: Condition; name: string }) {
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

/** The ref of what takes the focus when it was asked for by its id. */
function useFocusWhenAsked<E extends HTMLElement = HTMLFieldSetElement>(id: string, at: 'input' | 'row') {
  const { focusNext } = useEditing()
  const element = useRef<E>(null)
  useEffect(() => {
    if (focusNext.current?.id !== id || focusNext.current.at !== at) return
    focusNext.current = null
    element.current?.focus()
  })
  return element
}

/** Their values say when, of what and how many: the comparison stands somewhere within. */
const wholeSentences: readonly ConditionField['type'][] = ['ordered', 'mails', 'things', 'in_scenario', 'scenarios']

function LeafRow({ leaf, path, place }: PartProps & { leaf: Leaf }) {
  const t = useWords('segments')
  const language = useLanguage()
  const { root, change, errors, categories, names, segmentId } = useEditing()
  const fieldInput = useFocusWhenAsked<HTMLInputElement>(leaf.id, 'input')
  const row = useFocusWhenAsked<HTMLDivElement>(leaf.id, 'row')
  const name = t('editor.row', { place })
  const move = useMoving(leaf.id, name)
  const field = findField(leaf, categories)
  const operator = field ? operatorsFor(field).find((each) => each === leaf.operator) : undefined
  const replace = (next: Leaf, typing?: string) => change(replaced(root, next), typing)
  const errorAt = (key: string) => {
    const wanted = `${path}.${key}`
    const reason = errors[wanted] ?? errors[Object.keys(errors).find((each) => each.startsWith(`${wanted}.`)) ?? '']
    return reason ? fieldReasonText(reason, language) : undefined
  }
  const operatorInput = field && (
    <OperatorInput
      field={field}
      operator={operator}
      label={`${name}: ${t('editor.operator')}`}
      error={errorAt('operator')}
      onChange={(chosen) => replace(withOperator(leaf, chosen, categories))}
    />
  )
  const valueInput = field && operator && (
    <ConditionValue
      leaf={leaf}
      field={field}
      operator={operator}
      name={name}
      names={names}
      errorAt={(key) => errorOf(errors, `${path}.value${key}`, language)}
      segmentId={segmentId}
      operatorInput={operatorInput}
      onChange={(value) => replace({ ...leaf, value }, leaf.id)}
    />
  )
  const isWholeSentence = field !== null && wholeSentences.includes(field.type)
  const { particle: particles, behind: behinds } = grammar[language]
  const particle = operator ? particles[particleOf(field, operator)] : ''
  const behind = operator && operator in behinds ? behinds[operator as keyof typeof behinds] : ''

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of the inputs within
    <div
      ref={row}
      tabIndex={-1}
      className={classes.row}
      role="group"
      aria-label={name}
      data-wrong={Object.keys(errors).some((each) => each.startsWith(`${path}.`)) || undefined}
      onKeyDown={move.keys}
    >
      <div className={classes.sentence}>
        <FieldInput
          input={fieldInput}
          leaf={leaf}
          label={`${name}: ${t('editor.field')}`}
          error={errorAt('name')}
          onChange={(category, fieldName) => replace(withField(leaf, category, fieldName, categories))}
        />
        {leaf.category === 'scores' && <ScoresHelp />}
        {leaf.category === 'scenarios' && <ScenariosHelp />}
        {particle && <span className={classes.word}>{particle}</span>}
        {isWholeSentence ? (
          valueInput
        ) : language === 'ja' ? (
          <>
            {valueInput}
            {operatorInput}
          </>
        ) : (
          <>
            {operatorInput}
            {valueInput}
            {behind && <span className={classes.word}>{behind}</span>}
          </>
        )}
      </div>
      <PartButtons part={leaf} name={name} />
    </div>
  )
}

/** What is wrong there, else with something within: an item of a list. */
function errorOf(errors: Record<string, string>, path: string, language: ReturnType<typeof useLanguage>) {
  const within = Object.keys(errors).find((each) => /^\.\d+$/.test(each.slice(path.length)) && each.startsWith(path))
  const reason = errors[path] ?? (within && errors[within])
  return reason ? fieldReasonText(reason, language) : undefined
}

/** Which little word stands behind the field, in Japanese. */
function particleOf(field: ConditionField | null, operator: Operator): 'ga' | 'ni' | 'no' | 'none' | 'colon' {
  if (!field) return 'none'
  if (wholeSentences.includes(field.type)) return 'colon'
  if (field.name === 'suppressed') return 'none'
  if (operator === 'is_set' || operator === 'is_not_set' || field.type === 'segment') return 'no'
  const holds = ['contains', 'not_contains', 'has', 'has_all', 'has_not', 'bought', 'not_bought']
  return holds.includes(operator) ? 'ni' : 'ga'
}
function FieldInput(props: {
  input: RefObject<HTMLInputElement | null>
  leaf: Leaf
  label: string
  error: string | undefined
  onChange: (category: string, field: string) => void
}) {
  const { input, leaf, label, error, onChange } = props
  const t = useWords('segments')
  const language = useLanguage()
  const { categories } = useEditing()
  const known = findField(leaf, categories)
  const keyOf = (category: string, field: string) => `${category}.${field}`
  const value = keyOf(leaf.category, leaf.name)
  return (
    <Select
      ref={input}
      className={classes.field}
      size="sm"
      aria-label={label}
      data={[
        ...categories.map((category) => ({
          group: nameOf(category, language),
          items: category.fields.map((one) => ({
            value: keyOf(category.slug, one.name),
            label: nameOf(one, language),
          })),
        })),
        ...(known ? [] : [{ value, label: t('editor.goneField') }]),
      ]}
      value={value}
      searchable
      // What is typed takes the place of the name that stands there.
      onFocus={(event) => event.currentTarget.select()}
      // By the field's name in both languages, and by its category's.
      filter={({ options, search }) => {
        const wanted = search.normalize('NFKC').trim().toLowerCase()
        if (known && wanted === nameOf(known, language).toLowerCase()) return options
        return options.flatMap((option) => {
          if (!('group' in option)) return []
          const category = categories.find((each) => nameOf(each, language) === option.group)
          const whole = `${category?.name_ja} ${category?.name_en}`.toLowerCase().includes(wanted)
          const items = option.items.filter((item) => {
            const one = category?.fields.find((each) => keyOf(category.slug, each.name) === item.value)
            return whole || `${one?.name_ja} ${one?.name_en}`.toLowerCase().includes(wanted)
          })
          return items.length > 0 ? [{ ...option, items }] : []
        })
      }}
      nothingFoundMessage={t('editor.noField')}
      maxDropdownHeight={340}
      comboboxProps={{ width: 280, position: 'bottom-start' }}
      error={error}
      onChange={(chosen) => {
        const at = chosen?.indexOf('.') ?? -1
        if (chosen && at > 0) onChange(chosen.slice(0, at), chosen.slice(at + 1))
      }}
    />
  )
}

function OperatorInput(props: {
  field: ConditionField
  operator: Operator | undefined
  label: string
  error: string | undefined
  onChange: (operator: string) => void
}) {
  const { field, operator, label, error, onChange } = props
  const t = useWords('segments')
  const all = operatorsFor(field)
  if (all.length < 2 && operator) return null
  const text = (each: Operator) =>
    (field.type === 'things' || field.type === 'in_scenario') && (each === 'has' || each === 'has_not')
      ? t(`operator.${field.type}_${each}`)
      : t(`operator.${each}`)
  return (
    <Select
      className={classes.operator}
      size="sm"
      aria-label={label}
      data={all.map((each) => ({ value: each, label: text(each) }))}
      value={operator ?? null}
      maxDropdownHeight={340}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      error={error}
      onChange={(chosen) => chosen && onChange(chosen)}
    />
  )
}
