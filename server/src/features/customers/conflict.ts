import type { CustomerConflict } from '@okaeri/contract/customers/customer'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { selectConflicts } from './conflict-queries.ts'

const SHOWN = 20

/** Changes of this customer that newer ones prevented, the newest first. */
export const listConflicts = (scope: MerchantScope, customerId: string): Promise<CustomerConflict[]> =>
  selectConflicts(scope, customerId, SHOWN)
