import { Button, Text } from '@mantine/core'
import type { Condition } from '@okaeri/contract/segments/condition'
import { IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useWords } from '../../../app/i18n.ts'
import { ConditionEditor } from '../../segments/editor/condition-editor.tsx'
import { useCategories, useConditionWords, useNames } from '../../segments/editor/condition-names.ts'
import { asGroup, newGroup, wrongIn, wrongSoFar } from '../../segments/editor/condition-tree.ts'
import classes from './flow-editor.module.css'

interface ConditionFieldProps {
  value: Condition | null
  onChange: (value: Condition | null, typing?: string) => void
  addLabel: string
  removeLabel: string
  /** Shows all errors, not only those of fields already used. */
  strict: boolean
}

const empty: Condition = { type: 'group', id: 'none', operator: 'and', children: [] }

/** The condition editor of segments, for a condition that may be absent. */
export function ConditionField({ value, onChange, addLabel, removeLabel, strict }: ConditionFieldProps) {
  const t = useWords('flow')
  const { categories, known } = useCategories()
  const group = useMemo(() => (value === null ? null : asGroup(value)), [value])
  const names = useNames(group ?? empty)
  const { sentence } = useConditionWords(names, categories)
  const wrong = useMemo(() => (group && known ? wrongIn(group, categories) : {}), [group, categories, known])
  if (!group)
    return (
      <Button
        variant="default"
        leftSection={<IconPlus size={18} aria-hidden />}
        onClick={() => onChange(newGroup())}
        data-first-field
      >
        {addLabel}
      </Button>
    )
  return (
    <div className={classes.condition}>
      <div className={classes.inWords}>
        <Text size="xs" c="dimmed" fw={600}>
          {t('inWords')}
        </Text>
        <Text size="sm" lh={1.7}>
          {sentence(group)}
        </Text>
      </div>
      <ConditionEditor
        value={group}
        onChange={(next) => onChange(next, 'condition')}
        errors={strict ? wrong : wrongSoFar(group, wrong)}
        categories={categories}
        names={names}
      />
      <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onChange(null)} mt="xs">
        {removeLabel}
      </Button>
    </div>
  )
}
