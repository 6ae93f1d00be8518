import { sql } from 'kysely'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { addDays, startOfDay } from '../../segments/index.ts'
import { datesOfYears, pastDays } from '../days.ts'
import { selectUnrecorded } from '../day-events-sql.ts'
import type { TriggerRules } from '../trigger-kind.ts'

/** A metafield by its id or its `namespace.key`; null if it does not exist. */
async function findDateSetting(
  scope: MerchantScope,
  named: string | null,
): Promise<{ id: string; value_type: string } | null> {
  if (!named) return null
  const { rows } = await sql<{ id: string; value_type: string }>`
    select id, value_type from metafield_settings
    where merchant_id = ${scope.merchantId} and deleted_at is null and (id::text = lower(${named}) or namespace || '.' || key = ${named})
    order by created_at limit 1`.execute(scope.db)
  return rows[0] ?? null
}

/** The zone of a metafield's days: a date without a time is stored as midnight UTC. */
const zoneOfDates = ({ value_type }: { value_type: string }, timezone: string): string =>
  value_type === 'date' ? 'utc' : timezone

export const metafieldDate: TriggerRules<'metafield_date'> = {
  namesOnlyCustomer: true,
  daily: {
    daysUntil: ({ offset_days }) => -offset_days,
    async finder(scope, { metafield, every_year }, { day, timezone }) {
      const setting = await findDateSetting(scope, metafield)
      if (!setting) return null
      const zone = zoneOfDates(setting, timezone)
      const dates = every_year ? datesOfYears(day) : [day]
      const [from, to] = [0, 1].map((more) => dates.map((date) => startOfDay(addDays(date, more), zone)))
      return (eventKey) =>
        selectUnrecorded(
          scope,
          eventKey,
          sql`unnest(${from}::timestamptz[], ${to}::timestamptz[]) as span (from_at, to_at)
            cross join lateral (
              select m.customer_id, m.updated_at from customer_metafields m
              where m.merchant_id = ${scope.merchantId} and m.metafield_setting_id = ${setting.id}
                and m.value_at >= span.from_at and m.value_at < span.to_at
            ) m
            join customers c on c.merchant_id = ${scope.merchantId} and c.id = m.customer_id
            where true`,
          setting.value_type === 'date' ? null : sql`m.updated_at`,
        )
    },
  },
  async pastEvents(scope, { metafield, offset_days, every_year, time }, asked) {
    const setting = await findDateSetting(scope, metafield)
    if (!setting) return []
    const { rows } = await sql<{ customerId: string; day: string }>`
      select customer_id as "customerId", to_char(value_at at time zone ${zoneOfDates(setting, asked.timezone)}, 'YYYY-MM-DD') as day
      from customer_metafields
      where merchant_id = ${scope.merchantId} and metafield_setting_id = ${setting.id} and value_at is not null`.execute(
      scope.db,
    )
    return pastDays(rows, { time, daysUntil: -offset_days, everyYear: every_year }, asked)
  },
}
