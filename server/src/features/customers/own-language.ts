import type { Locale } from '@okaeri/contract/locale'
import { CUSTOMER_CHANGE, type CustomerChangeResult, globalId } from '../../integrations/shopify/sync-operations.ts'
import { retriedTransaction } from '../../kernel/database/deadlocks.ts'
import { AppError } from '../../kernel/errors.ts'
import { job } from '../../kernel/work/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findStore, getStoreClient } from '../stores/index.ts'
import { displayNameOf } from './derived-fields.ts'
import {
  lockNamed,
  markLanguageSent,
  selectUnsentLanguage,
  selectWithUnsentLanguage,
  writeLanguage,
} from './own-language-queries.ts'
import { readSyncCustomer, upsertStoreCustomers } from './incoming/store-customers.ts'

/**
 * The customer chose it. In force at once, however the store is; the store has it a little later, and until then no copy of the store takes it
 * back (`language_unsent`).
 */
export function setOwnLanguage(scope: MerchantScope, id: string, language: Locale): Promise<void> {
  return retriedTransaction(scope, async (scope) => {
    const known = await lockNamed(scope, id)
    if (!known || known.language === language) return
    await writeLanguage(scope, id, { language, displayName: displayNameOf({ ...known, language }) })
    await scope.context.publish(scope, 'customers.changed', { customerIds: [id] })
    await scope.context.jobs.later(scope, sendLanguage, { customerId: id })
  })
}

/** Sends the language that is there now. Without a store it waits for one. */
export const sendLanguage = job<{ customerId: string }>(
  'customers.send_language',
  ({ customerId }) => customerId,
  async (scope, { customerId }) => {
    const unsent = await selectUnsentLanguage(scope, customerId)
    if (!unsent || (await findStore(scope))?.status !== 'connected') return
    const { language, storeCustomerId } = unsent
    try {
      const store = await getStoreClient(scope)
      const { customerUpdate } = await store.graphql<CustomerChangeResult>(CUSTOMER_CHANGE, {
        input: { id: globalId('Customer', storeCustomerId), locale: language },
      })
      const { customer, userErrors } = customerUpdate
      // It goes on here alone: what they chose counts.
      if (!customer)
        return scope.context.log.warn(
          { merchantId: scope.merchantId, customerId, userErrors },
          'the store took no new language',
        )
      await retriedTransaction(scope, async (scope) => {
        await markLanguageSent(scope, storeCustomerId, language)
        await upsertStoreCustomers(scope, [readSyncCustomer(customer)])
      })
    } catch (error) {
      // Lost just now: sent when it is connected again.
      if (!(error instanceof AppError && error.reason === 'store_not_connected')) throw error
    }
  },
)

/** What customers chose while no store was connected. */
export async function sendUnsentLanguages(scope: MerchantScope): Promise<void> {
  for (const customerId of await selectWithUnsentLanguage(scope))
    await scope.context.jobs.later(scope, sendLanguage, { customerId })
}
