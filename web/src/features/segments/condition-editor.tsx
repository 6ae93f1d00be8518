import { ActionIcon, Button, Group as Row, SegmentedControl, Select, Text, Tooltip } from '@mantine/core'
import {
  type Condition,
  conditionCategories,
  findField,
  type Group,
  isOperatorOf,
  type Leaf,
  MAX_DEPTH,
  MAX_LEAVES,
  operatorsOf,
} from '@okaeri/contract/segments/condition'
import { IconCopy, IconFolderPlus, IconPlus, IconTrash } from '@tabler/icons-react'
import { createContext, use, useEffect, useRef } from 'react'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { fieldReasonText } from '../../app/reasons.ts'
import classes from './condition-editor.module.css'
import {
  added,
  duplicated,
  leavesOf,
  newGroup,
  newLeaf,
  removed,
  replaced,
  withField,
  withOperator,
} from './condition-tree.ts'
import { ConditionValue } from './condition-value.tsx'
import { nameOf } from './condition-words.ts'

interface Editing {
  root: Group
  change: (root: Group) => void
  /** By the path of the contract: `conditions.children.0.value`. */
  errors: Record<string, string>
  full: boolean
  /** The row that was just added takes the focus. */
  focusNext: { current: string | null }
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
}

/** Groups of comparisons within groups. */
export function ConditionEditor({ value, onChange, errors }: ConditionEditorProps) {
  const focusNext = useRef<string | null>(null)
  const full = leavesOf(value).length >= MAX_LEAVES
  return (
    <Context value={{ root: value, change: onChange, errors, full, focusNext }}>
      <GroupBox group={value} path="conditions" place="" depth={1} />
    </Context>
  )
}

interface PartProps {
  path: string
  /** `2-1`: the first part of the second part; empty for the whole. */
  place: string
}

function GroupBox({ group, path, place, depth }: PartProps & { group: Group; depth: number }) {
  const t = useWords('segments')
  const language = useLanguage()
  const { root, change, errors, full, focusNext } = useEditing()
  const outermost = place === ''
  const name = t('editor.group', { place })
  const add = (part: Condition) => {
    focusNext.current = part.type === 'group' ? (part.children[0]?.id ?? null) : part.id
    change(added(root, group, part))
  }
  const tooMany = full ? t('editor.tooMany', { max: MAX_LEAVES }) : null
  const tooDeep = depth >= MAX_DEPTH ? t('editor.tooDeep', { max: MAX_DEPTH }) : null
  const wrong = errors[`${path}.children`]

  return (
    <fieldset className={classes.group} data-nested={!outermost || undefined} data-wrong={wrong ? true : undefined}>
      <legend className="for-screen-readers">{outermost ? t('conditions') : name}</legend>
      <Row justify="space-between" gap={4}>
        <SegmentedControl
          size="xs"
          aria-label={outermost ? t('editor.match') : `${name}: ${t('editor.match')}`}
          value={group.operator}
          onChange={(operator) => change(replaced(root, { ...group, operator: operator === 'or' ? 'or' : 'and' }))}
          data={[
            { value: 'and', label: t('editor.and') },
            { value: 'or', label: t('editor.or') },
          ]}
        />
        {!outermost && <PartButtons id={group.id} name={name} />}
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

function PartButtons({ id, name }: { id: string; name: string }) {
  const t = useWords('segments')
  const { root, change, full } = useEditing()
  return (
    <div className={classes.buttons}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        disabled={full}
        aria-label={t('editor.duplicateRow', { row: name })}
        onClick={() => change(duplicated(root, id))}
      >
        <IconCopy size={17} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('editor.removeRow', { row: name })}
        onClick={() => change(removed(root, id))}
      >
        <IconTrash size={17} />
      </ActionIcon>
    </div>
  )
}

function LeafRow({ leaf, path, place }: PartProps & { leaf: Leaf }) {
  const t = useWords('segments')
  const language = useLanguage()
  const { root, change, errors, focusNext } = useEditing()
  const fieldInput = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focusNext.current !== leaf.id) return
    focusNext.current = null
    fieldInput.current?.focus()
  }, [focusNext, leaf.id])

  const name = t('editor.row', { place })
  const field = findField(leaf)
  const operators = field ? operatorsOf[field.type] : []
  const replace = (next: Leaf) => change(replaced(root, next))
  const errorAt = (key: string) => {
    const reason = errors[`${path}.${key}`]
    return reason ? fieldReasonText(reason, language) : undefined
  }

  return (
    <div className={classes.row} role="group" aria-label={name}>
      <div className={classes.inputs}>
        <Select
          ref={fieldInput}
          className={classes.field}
          aria-label={`${name}: ${t('editor.field')}`}
          data={conditionCategories.map((category) => ({
            group: nameOf(category, language),
            items: category.fields.map((one) => ({
              value: `${category.slug}.${one.name}`,
              label: nameOf(one, language),
            })),
          }))}
          value={`${leaf.category}.${leaf.name}`}
          searchable
          // What is typed takes the place of the name that stands there.
          onFocus={(event) => event.currentTarget.select()}
          maxDropdownHeight={320}
          error={errorAt('name')}
          onChange={(chosen) => {
            const [category = '', fieldName = ''] = chosen?.split('.') ?? []
            if (chosen) replace(withField(leaf, category, fieldName))
          }}
        />
        {operators.length > 1 && (
          <Select
            className={classes.operator}
            aria-label={`${name}: ${t('editor.operator')}`}
            data={operators.map((operator) => ({ value: operator, label: t(`operator.${operator}`) }))}
            value={field && isOperatorOf(field.type, leaf.operator) ? leaf.operator : null}
            maxDropdownHeight={320}
            error={errorAt('operator')}
            onChange={(operator) => operator && replace(withOperator(leaf, operator))}
          />
        )}
        {field && isOperatorOf(field.type, leaf.operator) && (
          <ConditionValue
            leaf={leaf}
            field={field}
            operator={leaf.operator}
            name={name}
            errors={errors}
            path={`${path}.value`}
            onChange={(value) => replace({ ...leaf, value })}
          />
        )}
      </div>
      <PartButtons id={leaf.id} name={name} />
    </div>
  )
}
