import { Text } from '@mantine/core'
import {
  type Condition,
  type ConditionCategory,
  type ConditionField,
  findField,
} from '@okaeri/contract/segments/condition'
import type { Explanation, ReadValue } from '@okaeri/contract/segments/condition-routes'
import { IconCircleCheckFilled, IconCircleX } from '@tabler/icons-react'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { nameOf, type NamesOf, useConditionWords } from './condition-names.ts'
import classes from './outline.module.css'

interface OutlineProps {
  conditions: Condition
  categories: readonly ConditionCategory[]
  names: NamesOf
  /** Marks each line as true or false for one customer, with their values. */
  explanation?: Explanation | undefined
}

/** The conditions in words, as a list within lists. */
export function Outline({ conditions, categories, names, explanation }: OutlineProps) {
  const { leaf } = useConditionWords(names, categories)
  const parts = new Map(explanation?.parts.map((part) => [part.path, part]))
  return <Part part={conditions} path="conditions" leaf={leaf} categories={categories} parts={parts} />
}

interface PartProps {
  part: Condition
  path: string
  leaf: ReturnType<typeof useConditionWords>['leaf']
  categories: readonly ConditionCategory[]
  parts: ReadonlyMap<string, Explanation['parts'][number]>
  /** Inside "none of these" a true line excludes the customer. */
  against?: boolean
}
function Part({ part, path, leaf, categories, parts, against = false }: PartProps) {
  const t = useWords('segments')
  const result = parts.get(path)
  if (part.type === 'condition')
    return (
      <div className={classes.line}>
        {result && <Mark holds={result.holds} good={result.holds !== against} />}
        <div>
          <Text size="sm">{leaf(part)}</Text>
          {result?.value && (
            <Text size="sm" c="dimmed">
              {t('why.value')} <Read value={result.value} field={findField(part, categories)} />
            </Text>
          )}
        </div>
      </div>
    )
  const alone = part.children.length === 1 && part.operator !== 'not'
  return (
    <div>
      {!alone && (
        <div className={classes.line}>
          {result && <Mark holds={result.holds} good={result.holds !== against} />}
          <Text size="sm" fw={600} c="dimmed">
            {t(part.operator === 'and' ? 'matchAnd' : part.operator === 'or' ? 'matchOr' : 'matchNot')}
          </Text>
        </div>
      )}
      <ul className={classes.list} data-alone={alone || undefined}>
        {part.children.map((child, at) => (
          <li key={child.id}>
            <Part
              part={child}
              path={`${path}.children.${at}`}
              leaf={leaf}
              categories={categories}
              parts={parts}
              against={part.operator === 'not' ? !against : against}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Mark({ holds, good }: { holds: boolean; good: boolean }) {
  const t = useWords('segments')
  const Icon = holds ? IconCircleCheckFilled : IconCircleX
  return (
    <span className={classes.mark} data-good={good}>
      <Icon size={18} aria-hidden />
      <span className="for-screen-readers">{t(holds ? 'why.holds' : 'why.holdsNot')}</span>
    </span>
  )
}

/** The customer's value. */
function Read({ value, field }: { value: ReadValue; field: ConditionField | null }) {
  const t = useWords('segments')
  const format = useFormat()
  const none = t('why.none')
  switch (value.kind) {
    case 'none':
      return none
    case 'text':
      return value.text === '' ? none : t('why.quoted', { value: value.text })
    case 'number': {
      const unit = format.language === 'ja' ? (field?.unit_ja ?? '') : ''
      return `${format.decimal(value.number)}${unit}`
    }
    case 'money':
      return format.money({ amount: value.amount, currency: value.currency })
    case 'boolean':
      return t(value.boolean ? 'why.yes' : 'why.no')
    case 'day':
      return value.day.startsWith('1004-')
        ? value.day.slice(5).replace('-', '/')
        : format.date(`${value.day}T12:00:00Z`)
    case 'instant':
      return format.dateTime(value.at)
    case 'texts': {
      if (value.count === 0) return none
      const more = value.count - value.texts.length
      const listed = value.texts
        .map((text) => t('why.quoted', { value: text }))
        .join(format.language === 'ja' ? '' : ', ')
      return more > 0 ? `${listed} ${t('why.more', { count: more, total: format.number(more) })}` : listed
    }
    case 'choice': {
      const choice = field?.choices?.find((each) => each.value === value.choice)
      return choice ? nameOf(choice, format.language) : value.choice
    }
    case 'found': {
      const found = t('why.found', { count: value.number, total: format.decimal(value.number) })
      return value.last_at ? t('why.last', { found, at: format.dateTime(value.last_at) }) : found
    }
  }
}
