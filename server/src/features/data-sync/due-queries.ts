import { sql } from 'kysely'
import { amongAll, type DueWork, inAnHour } from '../../kernel/work/due-merchants.ts'
import { isFree } from '../../kernel/work/leases.ts'

// Due work here, over all merchants.

/** Redeliveries come within hours; older rows would only keep personal data. */
export const WEBHOOKS_KEPT_MS = 14 * 86_400_000

export const dueWebhooks: DueWork = {
  name: 'webhooks',
  merchants: ({ clock }) => sql`
    select distinct merchant_id from store_webhooks
    where processed_at is null and parked_at is null and next_attempt_at <= ${clock.now()}`,
  next: () => sql`
    select min(next_attempt_at) as at from store_webhooks where processed_at is null and parked_at is null`,
}

export const oldWebhooks: DueWork = {
  name: 'old_webhooks',
  merchants: ({ clock }) => sql`
    select distinct merchant_id from store_webhooks
    where received_at < ${new Date(clock.now().getTime() - WEBHOOKS_KEPT_MS)}
      and (processed_at is not null or parked_at is not null)`,
}

/** No pause is as long as an hour: a later time means that a clock was set back. */
export const dueSyncs: DueWork = {
  name: 'syncs',
  merchants: ({ clock }) => sql`
    select distinct merchant_id from sync_runs
    where status = 'running'
      and (next_step_at is null or next_step_at <= ${clock.now()} or next_step_at > ${inAnHour(clock.now())})
      and ${isFree}`,
  next: () => sql`select min(next_step_at) as at from sync_runs where status = 'running'`,
}

export const dueChecks: DueWork = {
  name: 'store_checks',
  merchants: ({ clock }, among = amongAll) => sql`
    select distinct w.merchant_id from store_watches w
    join store_connections c on c.merchant_id = w.merchant_id and c.status = 'connected'
    where w.compared_until is not null and (w.next_check_at <= ${clock.now()} or w.next_sweep_at <= ${clock.now()})
      and ${among('w.merchant_id')} and ${among('c.merchant_id')} and not exists (
        select from sync_runs r where r.merchant_id = w.merchant_id and r.status = 'running' and ${among('r.merchant_id')})`,
  next: () => sql`
    select least(min(w.next_check_at), min(w.next_sweep_at)) as at from store_watches w
    join store_connections c on c.merchant_id = w.merchant_id and c.status = 'connected'
    where w.compared_until is not null
      and not exists (select from sync_runs r where r.merchant_id = w.merchant_id and r.status = 'running')`,
}
