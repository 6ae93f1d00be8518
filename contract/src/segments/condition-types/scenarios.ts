import type { ConditionType, NamedIds } from './condition-type.ts'
import { checkCount, compared, counted, isNone, type Measured, measuredOperators } from './measured.ts'
import { checkList, checkObject, one, partsOf, whyNotChoice, whyNotUsedId, type Wrong } from './value-checks.ts'
import { checkWindow, inWindow, type Window } from './window.ts'
import { choiceName, type In, isSeveral, list, named, plain } from './wording.ts'

/** Any of these scenarios (ids, in lower case); null: whatever scenario. */
export interface InScenarioValue {
  scenarios: string[] | null
}
/**
 * Each time a customer entered or ended a scenario. `reasons`: for any of these choices of the field; null: for whatever reason, and
 * where the field has none.
 */
export interface ScenariosValue extends InScenarioValue {
  value: Measured
  reasons: string[] | null
  window: Window
}

const checkScenarios = (ids: unknown): Wrong => (ids === null ? [] : checkList(ids, whyNotUsedId))
const scenariosNamed = (value: unknown): NamedIds[] => [
  { kind: 'scenarios', ids: partsOf<InScenarioValue>(value).scenarios ?? [], key: '.scenarios' },
]

/** Of some scenarios that are listed, or, where the list is empty, of any. */
const nowPhrases: In<{ in: (list: string) => string; not: (list: string, several: boolean) => string }> = {
  ja: {
    in: (list) => (list ? `シナリオ${list}に参加中` : 'いずれかのシナリオに参加中'),
    not(list, several) {
      if (!list) return 'どのシナリオにも参加中ではない'
      return several ? `シナリオ${list}のいずれにも参加中ではない` : `シナリオ${list}に参加中ではない`
    },
  },
  en: {
    in: (list) => `the customer is in ${list ? `scenario ${list}` : 'a scenario'}`,
    not: (list) => (list ? `the customer is not in scenario ${list}` : 'the customer is in no scenario'),
  },
}

/** In one of some scenarios now, or in any. */
export const inScenario = {
  operators: { has: 'in_scenario', has_not: 'in_scenario' },
  check: (value) => checkObject(value, { scenarios: checkScenarios }),
  say({ operator, value, reading }) {
    const { scenarios } = partsOf<InScenarioValue>(value)
    const say = nowPhrases[reading.locale]
    if (operator === 'has') return say.in(scenarios ? named(reading, 'scenarios', scenarios) : '')
    return say.not(scenarios ? named(reading, 'scenarios', scenarios, reading.say.inList) : '', isSeveral(scenarios))
  },
  named: scenariosNamed,
} as const satisfies ConditionType

interface Phrases {
  some: Record<string, (list: string, why: string, amount: string) => string>
  none: Record<string, (list: string, why: string) => string>
  becauseOf: (list: string) => string
}
const scenarioOf = (list: string): string => (list ? `scenario ${list}` : 'a scenario')
const phrases: In<Phrases> = {
  ja: {
    some: {
      scenario_entered: (list, _why, amount) => `シナリオ${list}への参加が${amount}`,
      scenario_ended: (list, why, amount) => `シナリオ${list}の終了${why}が${amount}`,
    },
    none: {
      scenario_entered: (list) => `シナリオ${list}への参加がない（0回）`,
      scenario_ended: (list, why) => `シナリオ${list}の終了${why}がない（0回）`,
    },
    becauseOf: (list) => `（理由：${list}）`,
  },
  en: {
    some: {
      scenario_entered: (list, _why, amount) => `${scenarioOf(list)} was entered ${counted(amount, 'time')}`,
      scenario_ended: (list, why, amount) => `${scenarioOf(list)} ended${why} ${counted(amount, 'time')}`,
    },
    none: {
      scenario_entered: (list) => (list ? `scenario ${list} was not entered (0)` : 'no scenario was entered (0)'),
      scenario_ended: (list, why) => (list ? `scenario ${list} did not end${why} (0)` : `no scenario ended${why} (0)`),
    },
    becauseOf: (list) => ` (${list})`,
  },
}

/** How many times scenarios, some or any, were entered or ended, in a window. */
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
    const { some, none, becauseOf } = phrases[locale]
    const which = given.scenarios ? named(reading, 'scenarios', given.scenarios) : ''
    const why = given.reasons
      ? becauseOf(list(say, given.reasons, (each) => choiceName(field, String(each), locale)))
      : ''
    const amount = compared(operator, given.value, reading, (each) => say.number(plain(each, reading), '回'))
    const what = isNone(operator, given.value) ? none[field.name]?.(which, why) : some[field.name]?.(which, why, amount)
    return inWindow(given.window, what ?? say.missing, reading)
  },
  named: scenariosNamed,
} as const satisfies ConditionType
