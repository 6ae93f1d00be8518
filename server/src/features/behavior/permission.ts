import type { Facts } from '../../kernel/facts.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { lockPermitted } from './recording-queries.ts'

/** Who took back the permission for keeping looks. Looks are kept only of those who gave it, so a first copy of a store concerns no one. */
export const withdrawnCustomers = ({ kind, changes }: Facts['consent.changed']): string[] =>
  kind === 'marketing'
    ? changes.flatMap(({ customerId, from, to }) => (from === 'granted' && to !== 'granted' ? [customerId] : []))
    : []

/** Whether what this customer looked at may be kept; it stays so until the transaction ends. */
export const mayKeepLooks = async (scope: MerchantScope, customerId: string): Promise<boolean> =>
  (await lockPermitted(scope, [customerId])).has(customerId)
