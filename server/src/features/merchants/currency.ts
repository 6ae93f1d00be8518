import { conflict } from '../../kernel/errors.ts'
import type { TransactionScope } from '../../kernel/merchant-scope.ts'
import { lockCurrency } from './currency-queries.ts'
import { getMerchant } from './merchant.ts'

/**
 * First in each transaction that saves amounts of money or lets them count: until it ends, the currency stays. `amounts`: those that are saved; without any
 * it does nothing. Throws `currency_changed_meanwhile` if the page that called shows another currency.
 */
export async function keepCurrency(scope: TransactionScope, amounts?: readonly number[]): Promise<void> {
  if (amounts?.length === 0) return
  await lockCurrency(scope, 'shared')
  const { currency } = await getMerchant(scope)
  if (scope.pageCurrency !== null && scope.pageCurrency !== currency)
    throw conflict('currency_changed_meanwhile', `amounts are in ${currency} now; the page shows ${scope.pageCurrency}`)
}
