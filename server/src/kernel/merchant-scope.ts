import type { Context } from './context.ts'
import type { Database, DatabaseTransaction } from './database/database.ts'

/** Merchant, member, time and connection. The first parameter of every function on tenant data. */
export interface MerchantScope {
  readonly merchantId: string
  /** The calling member; null for jobs and the outside. */
  readonly memberId: string | null
  /** One instant for the whole unit of work. */
  readonly now: Date
  /** The pool, or the transaction this scope is in. */
  readonly db: Database | DatabaseTransaction
  readonly context: Context
  /** Runs the work in a transaction; if there is one already, in that one. */
  transaction<T>(work: (scope: TransactionScope) => Promise<T>): Promise<T>
}

/** A scope in a transaction: for functions that change settings or hold locks until its end. */
export interface TransactionScope extends MerchantScope {
  readonly db: DatabaseTransaction
}

/** A scope at this moment, outside any transaction. `memberId`: the calling member, null for jobs and the outside. */
export function merchantScope(context: Context, merchantId: string, memberId: string | null = null): MerchantScope {
  return scopeOn(context, context.db, { merchantId, memberId, now: context.clock.now() })
}

/** A scope on a transaction begun elsewhere (sign-up creates the merchant and its first rows together). */
export function scopeIn(context: Context, transaction: DatabaseTransaction, merchantId: string): TransactionScope {
  return transactionScopeOn(context, transaction, { merchantId, memberId: null, now: context.clock.now() })
}

type Who = Pick<MerchantScope, 'merchantId' | 'memberId' | 'now'>

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
