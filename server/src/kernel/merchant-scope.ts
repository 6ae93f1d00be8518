import type { Context, MerchantScope, TransactionScope } from './context.ts'
import type { Database, DatabaseTransaction } from './database/database.ts'

export type { MerchantScope, TransactionScope } from './context.ts'

/** A scope at this moment, outside any transaction. `memberId`: the calling member, null for jobs and the outside. */
export function merchantScope(
  context: Context,
  merchantId: string,
  memberId: string | null = null,
  pageCurrency: string | null = null,
): MerchantScope {
  return scopeOn(context, context.db, { merchantId, memberId, pageCurrency, now: context.clock.now() })
}

/** A scope on a transaction begun elsewhere (sign-up creates the merchant and its first rows together). */
export function scopeIn(context: Context, transaction: DatabaseTransaction, merchantId: string): TransactionScope {
  return transactionScopeOn(context, transaction, {
    merchantId,
    memberId: null,
    pageCurrency: null,
    now: context.clock.now(),
  })
}

type Who = Pick<MerchantScope, 'merchantId' | 'memberId' | 'pageCurrency' | 'now'>

const scopeOn = (context: Context, db: Database, who: Who): MerchantScope => ({
  ...who,
  db,
  context,
  transaction: (work) => db.transaction().execute((transaction) => work(transactionScopeOn(context, transaction, who))),
})

function transactionScopeOn(context: Context, db: DatabaseTransaction, who: Who): TransactionScope {
  const scope: TransactionScope = { ...who, db, context, transaction: (work) => work(scope) }
  return scope
}
