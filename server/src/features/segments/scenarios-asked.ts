import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { lockScenariosAsked, selectWhetherScenariosAreAsked } from './queries.ts'

// Thousands enter and leave scenarios in a second; their customers count as changed only where a segment asks about it (decision 24).

/**
 * Whether a segment asks about scenarios, so that a customer who enters or leaves one has changed. Until the caller's transaction ends no
 * such segment is calculated: one that was made since sees what the caller wrote.
 */
export async function areScenariosAsked(scope: TransactionScope): Promise<boolean> {
  await lockScenariosAsked(scope, 'shared')
  return selectWhetherScenariosAreAsked(scope)
}

/** Before a segment is calculated: those who found that none asks about scenarios have ended, and what they wrote is seen. */
export async function waitForScenarios(scope: MerchantScope): Promise<void> {
  if (await selectWhetherScenariosAreAsked(scope))
    await scope.transaction((scope) => lockScenariosAsked(scope, 'alone'))
}
