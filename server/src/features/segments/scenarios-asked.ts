import type { MerchantScope, TransactionScope } from '../../kernel/merchant-scope.ts'
import { lockScenariosAsked, selectWhetherScenariosAreAsked } from './queries.ts'

// Thousands may enter and leave scenarios in a second, so their customers are marked dirty only if a segment asks about scenarios (decision 24).

/**
 * Whether a segment asks about scenarios, so that customers who enter or leave one must be marked dirty. Until the caller's transaction ends
 * no such segment is calculated, so a segment created meanwhile sees what the caller wrote.
 */
export async function areScenariosAsked(scope: TransactionScope): Promise<boolean> {
  await lockScenariosAsked(scope, 'shared')
  return selectWhetherScenariosAreAsked(scope)
}

/** Before a segment is calculated: waits for transactions that found no segment asks about scenarios, so that their writes are seen. */
export async function waitForScenarios(scope: MerchantScope): Promise<void> {
  if (await selectWhetherScenariosAreAsked(scope))
    await scope.transaction((scope) => lockScenariosAsked(scope, 'alone'))
}
