import { MultiSelect } from '@mantine/core'
import type { InScenarioValue, ScenariosValue } from '@okaeri/contract/segments/condition'
import { useLanguage, useWords } from '../../../app/i18n.ts'
import classes from '../editor/condition-editor.module.css'
import { nameOf } from '../editor/condition-names.ts'
import { NamedPicker } from '../editor/pickers.tsx'
import { AnyOf, CountedWithin, objectOf, type ValueProps, DEFAULT_DAYS, emptyCount } from '../editor/value-parts.tsx'
import type { EditedType } from './edited-type.ts'

/** Chosen scenarios, or any. */
function Which({
  name,
  names,
  errorAt,
  value,
  onChange,
}: Pick<ValueProps, 'name' | 'names' | 'errorAt'> & {
  value: string[] | null
  onChange: (ids: string[] | null) => void
}) {
  const t = useWords('segments')
  return (
    <AnyOf
      label={`${name}: ${t('editor.pick.scenarios')}`}
      any={t('editor.anyScenario')}
      some={t('editor.someScenarios')}
      value={value}
      onChange={onChange}
    >
      {(ids) => (
        <NamedPicker
          kind="scenarios"
          label={`${name}: ${t('editor.scenarios')}`}
          placeholder={t('editor.pick.scenarios')}
          names={names}
          value={ids}
          error={errorAt('.scenarios')}
          onChange={onChange}
        />
      )}
    </AnyOf>
  )
}

/** In which scenarios a customer is now. */
function InScenarioInput(props: ValueProps) {
  const { leaf, onChange, operatorInput } = props
  const language = useLanguage()
  const { scenarios = null } = objectOf(leaf.value) as Partial<InScenarioValue>
  const which = <Which {...props} value={scenarios} onChange={(ids) => onChange({ scenarios: ids })} />
  return language === 'ja' ? (
    <>
      {which}
      {operatorInput}
    </>
  ) : (
    <>
      {operatorInput}
      {which}
    </>
  )
}

/** How many times which scenarios were entered or ended, for what reason, and when. */
function ScenariosInput(props: ValueProps) {
  const { leaf, field, name, errorAt, onChange } = props
  const t = useWords('segments')
  const language = useLanguage()
  const given = objectOf(leaf.value) as Partial<ScenariosValue>
  const { scenarios = null, reasons = null, window = null } = given
  const put = (change: object) => onChange({ scenarios, reasons, window, value: given.value ?? 1, ...change })
  const which = (
    <>
      <Which {...props} value={scenarios} onChange={(ids) => put({ scenarios: ids })} />
      {field.choices && (
        <AnyOf
          label={`${name}: ${t('editor.pick.reasons')}`}
          any={t('editor.anyReason')}
          some={t('editor.someReasons')}
          value={reasons}
          onChange={(chosen) => put({ reasons: chosen })}
        >
          {(chosen) => (
            <MultiSelect
              className={classes.picker}
              size="sm"
              aria-label={`${name}: ${t('editor.reasons')}`}
              placeholder={chosen.length > 0 ? '' : t('editor.pick.reasons')}
              hidePickedOptions
              maxDropdownHeight={300}
              data={(field.choices ?? []).map((choice) => ({ value: choice.value, label: nameOf(choice, language) }))}
              value={chosen}
              error={errorAt('.reasons')}
              onChange={(next) => put({ reasons: next })}
            />
          )}
        </AnyOf>
      )}
    </>
  )
  return (
    <CountedWithin
      {...props}
      given={{ value: given.value, window }}
      which={which}
      unit={t('editor.timesUnit')}
      put={put}
    />
  )
}

export const inScenario: EditedType = {
  Value: InScenarioInput,
  empty: () => ({ scenarios: null }),
  isSentence: true,
  operatorWords: { has: 'in_scenario_has', has_not: 'in_scenario_has_not' },
}
export const scenarios: EditedType = {
  Value: ScenariosInput,
  empty: (operator) => ({
    value: emptyCount(operator),
    scenarios: null,
    reasons: null,
    window: { within_days: DEFAULT_DAYS },
  }),
  isSentence: true,
  ofOneField: true,
}
