import type { Context } from './context.ts'
import type { Database, DatabaseTransaction } from './database.ts'

/** Who is asking, when, and through which connection. First parameter of every function on tenant data. */
export interface MerchantScope {
  readonly merchantId: string
  /** The member who asks; null for jobs and the outside. */
  readonly memberId: string | null
  /** One instant for the whole unit of work. */
  readonly now: Date
  /** The pool, or the transaction this scope is in. */
  readonly db: Database | DatabaseTransaction
  readonly context: Context
  /** Runs the work in a transaction; inside one already, in that one. */
  transaction<T>(work: (scope: TransactionScope) => Promise<T>): Promise<T>
}

/** A scope in a transaction: for what sets something until the end of it, or holds locks. */
export interface TransactionScope extends MerchantScope {
  readonly db: DatabaseTransaction
}

/** Of this moment, outside any transaction. `memberId`: the member who asks, null for jobs and the outside. */
export function merchantScope(context: Context, merchantId: string, memberId: string | null = null): MerchantScope {
  return scopeOn(context, context.db, { merchantId, memberId, now: context.clock.now() })
}

/** A scope on a transaction begun elsewhere (sign-up makes the merchant and its first rows together). */
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
