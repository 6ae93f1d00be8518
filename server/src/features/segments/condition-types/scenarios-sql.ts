import type { InScenarioValue, ScenariosValue } from '@okaeri/contract/segments/condition'
import { sql } from 'kysely'
import type { ConditionContext, ConditionTypeSql, FieldSql } from './field-sql.ts'
import { type CustomerRows, existenceField, inWindow, measuredField, ofCustomers, allOf } from './customer-rows-sql.ts'

const askedExecutions = { scenario_now: 'now', scenario_entered: 'entered', scenario_ended: 'ended' } as const

/** Executions that run, began or ended; those of the hold-out group count too. */
function scenariosFound(
  name: keyof typeof askedExecutions,
  value: InScenarioValue & Partial<ScenariosValue>,
  context: ConditionContext,
): CustomerRows {
  const { merchantId } = context
  const { scenarios, reasons = null, window = null } = value
  const { rows, customer, at } = context.executionRows({
    merchantId,
    what: askedExecutions[name],
    scenarios,
    reasons,
  })
  return {
    rows: sql`${rows} and ${allOf([ofCustomers(customer, context), inWindow(at, window, context)])}`,
    customer,
    at,
    measure: sql`count(*)`,
    counts: true,
    unit: 1,
    // Entries of a named scenario are read through another index, which is not in the order of customers (migration 0211).
    byCustomer: name === 'scenario_ended' || (name === 'scenario_entered' && scenarios === null),
  }
}

export const inScenario: ConditionTypeSql<'in_scenario'> = {
  fields: {
    scenario_now: existenceField<InScenarioValue>(
      (value, context) => scenariosFound('scenario_now', value, context),
      'has_not',
    ),
  },
}

const field = (name: keyof typeof askedExecutions): FieldSql =>
  measuredField<ScenariosValue>((value, context) => scenariosFound(name, value, context))

export const scenarios: ConditionTypeSql<'scenarios'> = {
  fields: { scenario_entered: field('scenario_entered'), scenario_ended: field('scenario_ended') },
}
