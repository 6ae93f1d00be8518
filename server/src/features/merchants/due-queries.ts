import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { DueWork } from '../../kernel/work/due-merchants.ts'

// What is due here, over all merchants.

export const allMerchants: DueWork = {
  name: 'merchants',
  merchants: () => sql`select id as merchant_id from merchants`,
}

/** The last three in the morning there, of the merchant in the statement's row named so. */
export const lastNight = ({ clock }: Context, merchant: string): RawBuilder<Date> => {
  const timezone = sql.ref(`${merchant}.timezone`)
  return sql`(date_trunc('day', (${clock.now()}::timestamptz at time zone ${timezone}) - interval '3 hours') + interval '3 hours')
    at time zone ${timezone}`
}
