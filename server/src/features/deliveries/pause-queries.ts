import type { ChannelName } from '@okaeri/contract/deliveries/delivery'
import { type RawBuilder, sql } from 'kysely'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'

/**
 * Whether a pause was stored before the clock was set back: it ends later than any pause can. The longest is 15 minutes, or the rest of a
 * month where that is used up; clocks of machines differ a little.
 */
const isFromBeforeClockReset = ({ now }: MerchantScope): RawBuilder<boolean> => {
  const inMinutes = (minutes: number): Date => new Date(now.getTime() + minutes * 60_000)
  return sql`channel_pauses.until > case when channel_pauses.by_quota then ${inMinutes(32 * 24 * 60)}::timestamptz
    else ${inMinutes(16)}::timestamptz end`
}

/** `ifSoleLease`: only while this lease is the only one of the merchant. */
export async function insertPause(
  scope: MerchantScope,
  pause: {
    channel: ChannelName
    route: string
    until: Date
    detail: string
    byQuota: boolean
    ifSoleLease?: number | null
  },
): Promise<void> {
  const { ifSoleLease = null } = pause
  if (ifSoleLease !== null && (await hasOtherLease(scope, ifSoleLease))) return
  await sql`insert into channel_pauses (merchant_id, channel, route, until, detail, by_quota)
    values (${scope.merchantId}, ${pause.channel}, ${pause.route}, ${pause.until}, ${pause.detail}, ${pause.byQuota})
    on conflict (merchant_id, channel, route) do update
      set until = excluded.until, detail = excluded.detail, by_quota = excluded.by_quota
      where ${isFromBeforeClockReset(scope)} or excluded.until > channel_pauses.until`.execute(scope.db)
}

async function hasOtherLease(scope: MerchantScope, leaseId: number): Promise<boolean> {
  const { rows } = await sql`select from delivery_leases
    where merchant_id = ${scope.merchantId} and id <> ${leaseId} limit 1`.execute(scope.db)
  return rows.length > 0
}

/** A person says that there are messages again. */
export async function resumeAfterQuota(scope: MerchantScope, channel: ChannelName): Promise<void> {
  await sql`delete from channel_pauses
    where merchant_id = ${scope.merchantId} and channel = ${channel} and by_quota`.execute(scope.db)
}

export async function selectPause(
  scope: MerchantScope,
  { channel, route }: { channel: ChannelName; route: string },
): Promise<{ until: Date; detail: string | null; by_quota: boolean } | null> {
  const { rows } = await sql<{ until: Date; detail: string | null; by_quota: boolean }>`
    select until, detail, by_quota from channel_pauses
    where merchant_id = ${scope.merchantId} and channel = ${channel} and route = ${route} and until > ${scope.now}
      and not ${isFromBeforeClockReset(scope)}`.execute(scope.db)
  return rows[0] ?? null
}
