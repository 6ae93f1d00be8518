import { sql } from 'kysely'
import { amongAll, type DueWork, inAnHour } from '../../kernel/work/due-merchants.ts'
import { isFree } from '../../kernel/work/leases.ts'

// Due work here, over all merchants.

/** Webhooks get lost, and some changes of metafields cause none. */
export const METAFIELDS_COMPARED_EVERY_MS = 86_400_000

/** New settings wait; all are compared once a day (backfill.ts). Not while some are being fetched. */
export const metafieldsToFill: DueWork = {
  name: 'metafields_to_fill',
  merchants: ({ clock }, among = amongAll) => sql`
    select distinct s.merchant_id from metafield_settings s
    join store_connections c on c.merchant_id = s.merchant_id and c.status = 'connected'
    where s.deleted_at is null and s.namespace_type = 'platform'
      and ${among('s.merchant_id')} and ${among('c.merchant_id')}
      and not exists (select from metafield_fills f where f.merchant_id = s.merchant_id and f.status = 'running' and ${among('f.merchant_id')})
      and (s.status = 'waiting' or not exists (
        select from metafield_fills f
        where f.merchant_id = s.merchant_id and ${among('f.merchant_id')} and f.started_at > ${new Date(clock.now().getTime() - METAFIELDS_COMPARED_EVERY_MS)}
      ))`,
}

/** No pause is as long as an hour: a later time means that a clock was set back. */
export const dueFills: DueWork = {
  name: 'metafield_fills',
  merchants: ({ clock }) => sql`
    select distinct merchant_id from metafield_fills
    where status = 'running'
      and (next_step_at is null or next_step_at <= ${clock.realNow()} or next_step_at > ${inAnHour(clock.realNow())})
      and ${isFree}`,
  next: () => sql`select min(next_step_at) as at from metafield_fills where status = 'running'`,
  clock: 'real',
}
