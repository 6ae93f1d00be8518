import { type RawBuilder, sql } from 'kysely'
import type { CopiedKind } from '../../integrations/shopify/sync-operations.ts'
import { newId } from '../../kernel/ids.ts'
import { isFree, leaseEnd } from '../../kernel/work/leases.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

const HOUR_MS = 3_600_000
/** A webhook for a change this recent may still be on its way: the change was not missed. */
export const ON_ITS_WAY_MS = 30_000
/** How often changes are compared with the store. */
export const CHECK_EVERY_MS = HOUR_MS
/** How often all ids are exported. */
export const SWEEP_EVERY_MS = 24 * HOUR_MS

const inMs = (scope: MerchantScope, ms: number): Date => new Date(scope.context.clock.now().getTime() + ms)

/** Begins with the first copy; kinds already watched stay unchanged. */
export async function startWatching(scope: MerchantScope, kinds: readonly CopiedKind[]): Promise<void> {
  await sql`
    insert into store_watches (merchant_id, kind, next_check_at, next_sweep_at)
    select ${scope.merchantId}, kind, ${inMs(scope, CHECK_EVERY_MS)}, ${inMs(scope, SWEEP_EVERY_MS)}
    from unnest(${[...kinds]}::text[]) as kind
    on conflict (merchant_id, kind) do nothing
  `.execute(scope.db)
}

/** A kind was copied: the next window begins with the export. After later copies a sweep looks for deletions. */
export async function watchCopied(
  scope: MerchantScope,
  kind: CopiedKind,
  { since, sweepNow }: { since: Date | null; sweepNow: boolean },
): Promise<void> {
  await sql`
    update store_watches set compared_until = ${since ?? scope.now}, next_check_at = ${inMs(scope, CHECK_EVERY_MS)},
      next_sweep_at = case when ${sweepNow} or has_another_stores_rows then ${scope.context.clock.now()} else next_sweep_at end
    where merchant_id = ${scope.merchantId} and kind = ${kind}
  `.execute(scope.db)
}

export async function watchSwept(scope: MerchantScope, kind: CopiedKind): Promise<void> {
  await sql`
    update store_watches set next_sweep_at = ${inMs(scope, SWEEP_EVERY_MS)}, has_another_stores_rows = false
    where merchant_id = ${scope.merchantId} and kind = ${kind}
  `.execute(scope.db)
}

/** Another store was connected than before. The next sweep of each kind removes what only the earlier one had. */
export async function markAnotherStoresRows(scope: MerchantScope, kinds: readonly CopiedKind[]): Promise<void> {
  await sql`
    update store_watches set has_another_stores_rows = true
    where merchant_id = ${scope.merchantId} and kind = any(${[...kinds]}::text[])
  `.execute(scope.db)
}

/** Whether what the store says of its customers is known until then. Where it is not it is due to be compared now. */
export async function askForCustomersSince(scope: MerchantScope, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update store_watches set next_check_at = ${scope.context.clock.now()}
    where merchant_id = ${scope.merchantId} and kind = 'customers' and compared_until < ${at} returning kind`.execute(
    scope.db,
  )
  return rows.length === 0
}

export interface Check {
  kind: CopiedKind
  method: 'window' | 'sweep' | 'copy'
  from: Date | null
  until: Date
  checked: number
  missing: number
  outdated: number
  consent: number
  gone: number
  startedAt: Date
}

/** Records a finished comparison. */
export async function recordCheck(scope: MerchantScope, check: Check): Promise<void> {
  await sql`
    insert into store_checks (merchant_id, id, kind, method, from_at, until_at, status, checked_count, missing_count, outdated_count,
      consent_count, gone_count, started_at, finished_at)
    values (${scope.merchantId}, ${newId()}, ${check.kind}, ${check.method}, ${check.from}, ${check.until}, 'done', ${check.checked},
      ${check.missing}, ${check.outdated}, ${check.consent}, ${check.gone}, ${check.startedAt}, ${scope.context.clock.now()})
  `.execute(scope.db)
}

export interface Watch {
  kind: CopiedKind
  comparedUntil: Date
}

/** Claims the kind whose comparison is due the longest, until the lease ends; null if none is due. */
export async function claimDueWatch(scope: MerchantScope, lease: { id: string; ms: number }): Promise<Watch | null> {
  const { rows } = await sql<Watch>`
    update store_watches set lease_id = ${lease.id}, lease_expires_at = ${leaseEnd(lease.ms)}
    where merchant_id = ${scope.merchantId} and kind = (
      select kind from store_watches
      where merchant_id = ${scope.merchantId} and next_check_at <= ${scope.context.clock.now()} and compared_until is not null
        and ${isFree}
      order by next_check_at limit 1 for update skip locked)
    returning kind, compared_until as "comparedUntil"
  `.execute(scope.db)
  return rows[0] ?? null
}

/** Renews the lease; false if another worker has taken over. */
export async function holdWatch(
  scope: MerchantScope,
  kind: CopiedKind,
  lease: { id: string; ms: number },
): Promise<boolean> {
  const { rows } = await sql`
    update store_watches set lease_expires_at = ${leaseEnd(lease.ms)}
    where merchant_id = ${scope.merchantId} and kind = ${kind} and lease_id = ${lease.id} returning kind
  `.execute(scope.db)
  return rows.length > 0
}

/** `comparedUntil` null: the window is not finished yet. */
export async function releaseWatch(
  scope: MerchantScope,
  kind: CopiedKind,
  next: { leaseId: string; comparedUntil: Date | null; nextCheckAt: Date },
): Promise<void> {
  await sql`
    update store_watches set lease_id = null, lease_expires_at = null, next_check_at = ${next.nextCheckAt},
      compared_until = coalesce(${next.comparedUntil}, compared_until),
      -- The job is done; if the comparison continues at once, its next job is queued already.
      asked_at = case when ${next.nextCheckAt} > ${scope.context.clock.now()} then null else asked_at end
    where merchant_id = ${scope.merchantId} and kind = ${kind} and lease_id = ${next.leaseId}
  `.execute(scope.db)
}

/** Whether a check is due and no job was enqueued for it since; marks it as enqueued now. Real time. */
export async function askForChecks(scope: MerchantScope, unlessAskedSince: Date): Promise<boolean> {
  const { rows } = await sql`
    update store_watches set asked_at = ${scope.context.clock.realNow()}
    where merchant_id = ${scope.merchantId} and next_check_at <= ${scope.context.clock.now()} and compared_until is not null
      and (asked_at is null or asked_at < ${unlessAskedSince})
      and ${isFree}
    returning kind
  `.execute(scope.db)
  return rows.length > 0
}

/** A sweep that was ended early is repeated, but not at once. */
export async function postponeSweeps(scope: MerchantScope, kinds: readonly CopiedKind[]): Promise<void> {
  await sql`
    update store_watches set next_sweep_at = ${inMs(scope, HOUR_MS)}
    where merchant_id = ${scope.merchantId} and kind = any(${[...kinds]}::text[])
  `.execute(scope.db)
}

/** Makes the comparison due now. */
export async function makeCheckDue(scope: MerchantScope, kinds: readonly CopiedKind[]): Promise<void> {
  await sql`
    update store_watches set next_check_at = ${scope.context.clock.now()}, asked_at = null
    where merchant_id = ${scope.merchantId} and kind = any(${[...kinds]}::text[])
  `.execute(scope.db)
}

export async function listDueSweeps(scope: MerchantScope): Promise<CopiedKind[]> {
  const { rows } = await sql<{ kind: CopiedKind }>`
    select kind from store_watches
    where merchant_id = ${scope.merchantId} and next_sweep_at <= ${scope.context.clock.now()} and compared_until is not null
  `.execute(scope.db)
  return rows.map(({ kind }) => kind)
}

export interface WindowCheck {
  id: string
  from: Date
  until: Date
  cursor: string | null
  checked: number
}

export async function findRunningWindow(scope: MerchantScope, kind: CopiedKind): Promise<WindowCheck | null> {
  const { rows } = await sql<WindowCheck>`
    select id, from_at as "from", until_at as until, cursor, checked_count as checked from store_checks
    where merchant_id = ${scope.merchantId} and kind = ${kind} and status = 'running' and method = 'window'
  `.execute(scope.db)
  return rows[0] ?? null
}

export async function insertWindow(
  scope: MerchantScope,
  kind: CopiedKind,
  window: { id: string; from: Date; until: Date },
): Promise<void> {
  await sql`
    insert into store_checks (merchant_id, id, kind, method, from_at, until_at, status, started_at)
    values (${scope.merchantId}, ${window.id}, ${kind}, 'window', ${window.from}, ${window.until}, 'running', ${scope.context.clock.now()})
  `.execute(scope.db)
}

export async function addToWindow(
  scope: MerchantScope,
  id: string,
  page: { cursor: string | null; checked: number; missing: number; outdated: number; consent: number },
): Promise<void> {
  await sql`
    update store_checks set cursor = ${page.cursor}, checked_count = checked_count + ${page.checked},
      missing_count = missing_count + ${page.missing}, outdated_count = outdated_count + ${page.outdated},
      consent_count = consent_count + ${page.consent}
    where merchant_id = ${scope.merchantId} and id = ${id}
  `.execute(scope.db)
}

export async function endWindow(scope: MerchantScope, id: string, status: 'done' | 'failed'): Promise<void> {
  await sql`
    update store_checks set status = ${status}, finished_at = ${scope.context.clock.now()}
    where merchant_id = ${scope.merchantId} and id = ${id} and status = 'running'
  `.execute(scope.db)
}

export async function deleteOldChecks(scope: MerchantScope, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from store_checks where merchant_id = ${scope.merchantId} and id in (
      select id from store_checks
      where merchant_id = ${scope.merchantId} and started_at < ${before} and status <> 'running'
        and missing_count + outdated_count + consent_count + gone_count = 0
      limit ${limit}
    ) returning id
  `.execute(scope.db)
  return rows.length
}

/** After this the store is not waited for. */
const OPT_OUTS_WAITED_MS = 15 * 60_000
/** A little after the outage, so that one comparison reaches beyond its end. */
const AFTER_OUTAGE_MS = ON_ITS_WAY_MS + 1000

const optOutsUnknown = (scope: MerchantScope): RawBuilder<boolean> => sql<boolean>`(
  kind = 'customers' and compared_until < opt_outs_unknown_at and opt_outs_unknown_at <= ${scope.context.clock.now()}
  and opt_outs_unknown_at > ${inMs(scope, -OPT_OUTS_WAITED_MS)})`

/** Okaeri was away until now. The comparison of customers is due first. Returns whether there is one. */
export async function markOptOutsUnknown(scope: MerchantScope): Promise<boolean> {
  const { rows } = await sql`
    update store_watches set opt_outs_unknown_at = ${scope.context.clock.now()}, next_check_at = ${inMs(scope, AFTER_OUTAGE_MS)}
    where merchant_id = ${scope.merchantId} and kind = 'customers' and compared_until is not null returning kind`.execute(
    scope.db,
  )
  return rows.length > 0
}

/** Of customers. `optOutsUnknownSince`: it is not known who opted out in the store, and was not waited for long enough. */
export async function findReasonsToWait(
  scope: MerchantScope,
): Promise<{ hasAnotherStoresRows: boolean; optOutsUnknownSince: Date | null }> {
  const { rows } = await sql<{ another: boolean; since: Date | null }>`
    select has_another_stores_rows as another, case when ${optOutsUnknown(scope)} then opt_outs_unknown_at end as since
    from store_watches where merchant_id = ${scope.merchantId} and kind = 'customers'`.execute(scope.db)
  return { hasAnotherStoresRows: rows[0]?.another ?? false, optOutsUnknownSince: rows[0]?.since ?? null }
}

/** A comparison ended before the end of the outage, because a webhook of that time waited: the next one comes soon. */
export async function checkSoonAfterOutage(scope: MerchantScope): Promise<void> {
  await sql`
    update store_watches set next_check_at = least(next_check_at, ${inMs(scope, AFTER_OUTAGE_MS)})
    where merchant_id = ${scope.merchantId} and ${optOutsUnknown(scope)}`.execute(scope.db)
}
