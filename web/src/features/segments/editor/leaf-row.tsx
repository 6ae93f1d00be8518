import { Select } from '@mantine/core'
import {
  type ConditionField,
  findField,
  type Leaf,
  type Operator,
  operatorsFor,
  valueShapeOf,
} from '@okaeri/contract/segments/condition'
import { createElement, type RefObject } from 'react'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import { fieldReasonText } from '../../../app/reasons.ts'
import { type PartProps, useEditing, useFocusWhenAsked, useMoving } from './condition-editing.ts'
import classes from './condition-editor.module.css'
import { nameOf } from './condition-names.ts'
import { isBlank, replaced, withField, withOperator } from './condition-tree.ts'
import { editedTypes } from '../condition-types/index.ts'
import { grammar } from './editor-words.ts'
import { PartButtons } from './part-buttons.tsx'
import { ScenariosHelp } from '../scenarios-help.tsx'
import { ScoresHelp } from '../scores-help.tsx'

/** One condition as a sentence. */
export function LeafRow({ leaf, path, place }: PartProps & { leaf: Leaf }) {
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
  const hasValue = field && operator && valueShapeOf(field.type, operator) !== 'none'
  const valueInput =
    hasValue &&
    createElement(editedTypes[field.type].Value, {
      leaf,
      field,
      operator,
      name,
      names,
      errorAt: (key) => errorOf(errors, `${path}.value${key}`, language),
      segmentId,
      operatorInput,
      onChange: (value) => replace({ ...leaf, value }, leaf.id),
    })
  const isWholeSentence = field !== null && Boolean(editedTypes[field.type].isSentence)
  const particle = operator ? grammar.particle[particleOf(field, operator)][language] : ''
  const behind =
    operator && operator in grammar.behind && grammar.behind[operator as keyof typeof grammar.behind][language]

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
          error={errorAt('name') && isBlank(leaf) ? t('editor.blankRow') : errorAt('name')}
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

/** The error at this path, or of something within it, such as an item of a list. */
function errorOf(errors: Record<string, string>, path: string, language: ReturnType<typeof useLanguage>) {
  const within = Object.keys(errors).find((each) => /^\.\d+$/.test(each.slice(path.length)) && each.startsWith(path))
  const reason = errors[path] ?? (within && errors[within])
  return reason ? fieldReasonText(reason, language) : undefined
}

/** The Japanese particle after the field. */
function particleOf(field: ConditionField | null, operator: Operator): 'ga' | 'ni' | 'no' | 'none' | 'colon' {
  if (!field) return 'none'
  const { isSentence, particle } = editedTypes[field.type]
  if (isSentence) return 'colon'
  const own = particle?.(field)
  if (own) return own
  if (operator === 'is_set' || operator === 'is_not_set') return 'no'
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
        ...(known || isBlank(leaf) ? [] : [{ value, label: t('editor.goneField') }]),
      ]}
      value={isBlank(leaf) ? null : value}
      placeholder={t('editor.chooseField')}
      searchable
      // Typing replaces the name that is there.
      onFocus={(event) => event.currentTarget.select()}
      // Searches the names of the field and its category in both languages.
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
  const text = (each: Operator) => t(`operator.${editedTypes[field.type].operatorWords?.[each] ?? each}`)
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
