import type { MailsValue, Window } from '@okaeri/contract/segments/condition'
import type { MailsChannel } from '@okaeri/contract/segments/condition-types/mails'
import { type RawBuilder, sql } from 'kysely'
import { addDays, startOfDay } from '../membership/local-day.ts'
import { startOfDaysAgo } from './comparison-sql.ts'
import type { ConditionContext, ConditionTypeSql, FieldSql } from './field-sql.ts'
import { type CustomerRows, inWindow, storedNewest, measuredField, ofCustomers, allOf } from './customer-rows-sql.ts'

const mailColumns = {
  emails_received: { at: 'sent_at', newest: 'last_sent_at', total: 'email_sent_count', times: 'sent' },
  emails_opened: { at: 'opened_at', newest: 'last_opened_at', total: 'opened_count', times: 'opened' },
  emails_clicked: { at: 'clicked_at', newest: 'last_clicked_at', total: 'clicked_count', times: 'clicked' },
} as const

/** The number of a customer's mails in the window. `width_bucket` counts the ascending values up to the given one. */
function mailTimes(
  times: 'sent' | 'opened' | 'clicked',
  window: Exclude<Window, null>,
  context: ConditionContext,
): Pick<CustomerRows, 'rows' | 'customer' | 'measure'> {
  const column = sql.ref(`t.${times}`)
  const before = (at: Date): RawBuilder<number> => {
    const minute = Math.floor(at.getTime() / 60_000) - 1
    return sql`width_bucket(${Math.max(-MAX_MINUTE, Math.min(MAX_MINUTE, minute))}::int, ${column})`
  }
  const { timezone } = context
  return {
    rows: sql`from customer_mail_times t where t.merchant_id = ${context.merchantId} and ${ofCustomers(sql`t.customer_id`, context)}`,
    customer: sql`t.customer_id`,
    measure:
      'within_days' in window
        ? sql`cardinality(${column}) - ${before(startOfDaysAgo(window.within_days, context))}`
        : sql`${before(startOfDay(addDays(window.to, 1), timezone))} - ${before(startOfDay(window.from, timezone))}`,
  }
}
/** Of PostgreSQL's int. */
const MAX_MINUTE = 2 ** 31 - 1

/** Messages of a channel that were sent, or opened or clicked by people (columns of the ledger). Tests never count. */
function messagesFound(
  channel: MailsChannel,
  at: 'sent_at' | 'opened_at' | 'clicked_at',
  { campaigns, window }: MailsValue,
  context: ConditionContext,
): CustomerRows {
  const column = sql.ref<Date>(`d.${at}`)
  return {
    rows: sql`from deliveries d where ${allOf([
      sql`d.merchant_id = ${context.merchantId} and ${ofCustomers(sql`d.customer_id`, context)} and ${column} is not null
        and d.status = 'sent' and d.channel = ${sql.lit(channel)} and d.kind <> 'test' and not d.test_mode`,
      campaigns ? sql`d.campaign_id = any(${campaigns}::uuid[])` : null,
      inWindow(column, window, context),
    ])}`,
    customer: sql`d.customer_id`,
    at: column,
    measure: sql`count(*)`,
    counts: true,
    unit: 1,
  }
}

function mailsFound(name: keyof typeof mailColumns, value: MailsValue, context: ConditionContext): CustomerRows {
  const { at, newest, total, times } = mailColumns[name]
  const { campaigns, window } = value
  return {
    ...messagesFound('email', at, value, context),
    stored: campaigns
      ? {}
      : {
          ...(window === null
            ? { total: sql.ref<number>(`c.${total}`) }
            : { summed: mailTimes(times, window, context) }),
          ...storedNewest(sql.ref(`c.${newest}`), window, context),
        },
  }
}

const field = (name: keyof typeof mailColumns): FieldSql =>
  measuredField<MailsValue>((value, context) => mailsFound(name, value, context))

/** No times are stored per customer for LINE. An index contains only LINE messages, in the order of customers. */
function lineFound(at: 'sent_at' | 'clicked_at', value: MailsValue, context: ConditionContext): CustomerRows {
  const { campaigns, window } = value
  return {
    ...messagesFound('line', at, value, context),
    byCustomer: campaigns === null,
    stored: at === 'sent_at' && !campaigns && window === null ? { total: sql.ref<number>('c.line_sent_count') } : {},
  }
}
const lineField = (at: 'sent_at' | 'clicked_at'): FieldSql =>
  measuredField<MailsValue>((value, context) => lineFound(at, value, context))

export const mails: ConditionTypeSql<'mails'> = {
  fields: {
    emails_received: field('emails_received'),
    emails_opened: field('emails_opened'),
    emails_clicked: field('emails_clicked'),
    line_received: lineField('sent_at'),
    line_clicked: lineField('clicked_at'),
  },
}
