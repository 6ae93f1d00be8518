import type { Localized } from '../../locale.ts'
import type { ConditionType, References } from './condition-type.ts'
import { checkCount, compared, counted, isNone, type MeasuredValue, measuredOperators } from './measured.ts'
import { checkList, checkObject, one, partsOf, whyNotChoice, whyNotUsedId, type ValueErrors } from './value-checks.ts'
import { checkWindow, inWindow, type Window } from './window.ts'
import { isSeveral, list } from './wording.ts'
import { choiceName, named, plain } from './phrases.ts'

/** Any of these scenarios (ids, in lower case); null: every scenario. */
export interface InScenarioValue {
  scenarios: string[] | null
}
/**
 * Each time a customer entered or ended a scenario. `reasons`: for any of these choices of the field; null: for every reason, and for a
 * field without reasons.
 */
export interface ScenariosValue extends InScenarioValue {
  value: MeasuredValue
  reasons: string[] | null
  window: Window
}

const checkScenarios = (ids: unknown): ValueErrors => (ids === null ? [] : checkList(ids, whyNotUsedId))
const scenarioReferences = (value: unknown): References[] => [
  { kind: 'scenarios', ids: partsOf<InScenarioValue>(value).scenarios ?? [], key: '.scenarios' },
]

/** With listed scenarios, or, for an empty list, any scenario. */
const nowPhrases = {
  in: (list: string) => ({
    ja: list ? `シナリオ${list}に参加中` : 'いずれかのシナリオに参加中',
    en: `the customer is in ${list ? `scenario ${list}` : 'a scenario'}`,
  }),
  notIn: (list: string, several: boolean) => ({
    ja: `シナリオ${list}${several ? 'のいずれにも参加中ではない' : 'に参加中ではない'}`,
    en: `the customer is not in scenario ${list}`,
  }),
  inNone: { ja: 'どのシナリオにも参加中ではない', en: 'the customer is in no scenario' },
}

/** In one of these scenarios now, or in any. */
export const inScenario = {
  operators: { has: 'in_scenario', has_not: 'in_scenario' },
  check: (value) => checkObject(value, { scenarios: checkScenarios }),
  say({ operator, value, reading }) {
    const { scenarios } = partsOf<InScenarioValue>(value)
    const { locale, say } = reading
    if (operator === 'has') return nowPhrases.in(scenarios ? named(reading, 'scenarios', scenarios) : '')[locale]
    if (!scenarios) return nowPhrases.inNone[locale]
    return nowPhrases.notIn(named(reading, 'scenarios', scenarios, say.inList), isSeveral(scenarios))[locale]
  },
  references: scenarioReferences,
} as const satisfies ConditionType

const scenarioOf = (list: string): string => (list ? `scenario ${list}` : 'a scenario')
const some: Record<string, (list: string, why: string, amount: string) => Localized> = {
  scenario_entered: (list, _why, amount) => ({
    ja: `シナリオ${list}への参加が${amount}`,
    en: `${scenarioOf(list)} was entered ${counted(amount, 'time')}`,
  }),
  scenario_ended: (list, why, amount) => ({
    ja: `シナリオ${list}の終了${why}が${amount}`,
    en: `${scenarioOf(list)} ended${why} ${counted(amount, 'time')}`,
  }),
}
const none: Record<string, (list: string, why: string) => Localized> = {
  scenario_entered: (list) => ({
    ja: `シナリオ${list}への参加がない（0回）`,
    en: list ? `scenario ${list} was not entered (0)` : 'no scenario was entered (0)',
  }),
  scenario_ended: (list, why) => ({
    ja: `シナリオ${list}の終了${why}がない（0回）`,
    en: list ? `scenario ${list} did not end${why} (0)` : `no scenario ended${why} (0)`,
  }),
}
const becauseOf = (list: string): Localized => ({ ja: `（理由：${list}）`, en: ` (${list})` })

/** How many times scenarios (some or any) were entered or ended, in a window. */
export const scenarios = {
  operators: measuredOperators('scenarios'),
  check: (value, field, operator) =>
    checkObject(value, {
      value: (item) => checkCount(item, operator),
      scenarios: checkScenarios,
      reasons: (items) => {
        if (items === null) return []
        return field.choices ? checkList(items, whyNotChoice(field)) : one('not_allowed')
      },
      window: checkWindow,
    }),
  say({ field, operator, value, reading }) {
    const { say, locale } = reading
    const given = partsOf<ScenariosValue>(value)
    const which = given.scenarios ? named(reading, 'scenarios', given.scenarios) : ''
    const why = given.reasons
      ? becauseOf(list(say, given.reasons, (each) => choiceName(field, String(each), locale)))[locale]
      : ''
    const amount = compared(operator, given.value, reading, (each) => say.number(plain(each, reading), '回'))
    const what = isNone(operator, given.value) ? none[field.name]?.(which, why) : some[field.name]?.(which, why, amount)
    return inWindow(given.window, what?.[locale] ?? say.missing, reading)
  },
  references: scenarioReferences,
} as const satisfies ConditionType
