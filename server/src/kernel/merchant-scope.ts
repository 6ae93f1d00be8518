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
  transaction<T>(work: (scope: MerchantScope) => Promise<T>): Promise<T>
}

export function merchantScope(context: Context, merchantId: string, memberId: string | null = null): MerchantScope {
  return scopeOn(context, context.db, { merchantId, memberId, now: context.clock.now() })
}

/** A scope on a transaction begun elsewhere (sign-up makes the merchant and its first rows together). */
export function scopeIn(context: Context, transaction: DatabaseTransaction, merchantId: string): MerchantScope {
  return scopeOn(context, transaction, { merchantId, memberId: null, now: context.clock.now() })
}

function scopeOn(
  context: Context,
  db: Database | DatabaseTransaction,
  who: { merchantId: string; memberId: string | null; now: Date },
): MerchantScope {
  const scope: MerchantScope = {
    ...who,
    db,
    context,
    transaction: (work) =>
      db.isTransaction
        ? work(scope)
        : db.transaction().execute((transaction) => work(scopeOn(context, transaction, who))),
  }
  return scope
}
