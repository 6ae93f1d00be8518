import { sql } from 'kysely'
import { datesOfYears, pastDays } from '../days.ts'
import { selectUnrecorded } from '../day-events-sql.ts'
import type { TriggerRules } from '../trigger-kind.ts'

export const birthday: TriggerRules<'birthday'> = {
  namesOnlyCustomer: true,
  daily: {
    daysUntil: ({ days_before }) => days_before,
    // One date for each birth year, so that an index answers.
    finder:
      async (scope, _, { day }) =>
      (eventKey) =>
        selectUnrecorded(
          scope,
          eventKey,
          sql`customers c where c.merchant_id = ${scope.merchantId} and c.birthday = any(${datesOfYears(day)}::date[])`,
        ),
  },
  async pastEvents(scope, { time, days_before }, asked) {
    const { rows } = await sql<{ customerId: string; day: string }>`
      select id as "customerId", to_char(birthday, 'MM-DD') as day from customers
      where merchant_id = ${scope.merchantId} and birthday is not null`.execute(scope.db)
    return pastDays(rows, { time, daysUntil: days_before, everyYear: true }, asked)
  },
}
