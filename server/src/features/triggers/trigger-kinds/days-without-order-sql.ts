import { sql } from 'kysely'
import { addDays, localDay, startOfDay } from '../../segments/index.ts'
import { isWithin, timeOn } from '../days.ts'
import { ms, selectUnrecorded } from '../day-events-sql.ts'
import type { PastEvent, TriggerRules } from '../trigger-kind.ts'

export const daysWithoutOrder: TriggerRules<'days_without_order'> = {
  namesOnlyCustomer: true,
  daily: {
    needsOrders: true,
    daysUntil: ({ days }) => -days,
    finder:
      async (scope, _, { day, timezone }) =>
      (eventKey) =>
        selectUnrecorded(
          scope,
          eventKey,
          sql`customers c where c.merchant_id = ${scope.merchantId}
          and c.last_order_at >= ${startOfDay(day, timezone)} and c.last_order_at < ${startOfDay(addDays(day, 1), timezone)}`,
          sql`c.last_order_at`,
        ),
  },
  // Every order without another one within these days, if the end of the days is in the span.
  async pastEvents(scope, { days, time }, asked) {
    const { span, timezone } = asked
    const { rows } = await sql<PastEvent>`
      select o.customer_id as "customerId", ${ms(sql`o.processed_at`)} as at
      from (
        select customer_id, processed_at, lead(processed_at) over (partition by customer_id order by processed_at) as next_at
        from orders where merchant_id = ${scope.merchantId} and customer_id is not null and cancelled_at is null
          and processed_at >= ${span.from}::timestamptz - make_interval(days => ${days + 1}::int)
      ) o
      where o.processed_at < ${span.until}::timestamptz - make_interval(days => ${days}::int)
        and (o.next_at is null or o.next_at > o.processed_at + make_interval(days => ${days}::int))
      order by o.processed_at, o.customer_id`.execute(scope.db)
    return rows
      .map(({ customerId, at }) => {
        const day = addDays(localDay(new Date(at), timezone), days)
        return { customerId, at: timeOn(day, time, timezone).getTime() }
      })
      .filter((event) => isWithin(asked, event))
      .sort((one, other) => one.at - other.at)
  },
}
