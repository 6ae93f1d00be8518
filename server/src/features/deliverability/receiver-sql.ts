import { OTHERS } from '@okaeri/contract/deliverability/routes'
import { receiverDomains } from '@okaeri/contract/emails/receivers'
import { type RawBuilder, sql } from 'kysely'

/** Fewer people of a campaign at a domain of their own are not shown apart: two or three would be known by name. */
export const FEWEST_OF_A_DOMAIN = 50

/**
 * A row `d` that failed because of what the receiving server said. Its words about the mail itself (spam) stand under `content`, as what could not be
 * filled in does, which has no code.
 */
export const isRefused = sql<boolean>`(coalesce(d.reason in ('permanent', 'temporary', 'receiver_limit'), false)
  or (d.reason = 'content' and coalesce(d.detail ~ '^[45][0-9][0-9] ', false)))`

/** What is counted of rows `d` of the ledger. `hard` and the others as in a campaign's report (reports/queries.ts). */
const counted = {
  sent: sql`count(*) filter (where d.status = 'sent')`,
  waiting: sql`count(*) filter (where d.status in ('pending', 'sending'))`,
  refused: sql`count(*) filter (where d.status = 'failed' and ${isRefused})`,
  refused_hard: sql`count(*) filter (where d.status = 'failed' and ${isRefused} and d.bounced_at is not null and coalesce(d.bounce_kind, 'hard') = 'hard')`,
  failed: sql`count(*) filter (where d.status = 'failed' and not ${isRefused})`,
  uncertain: sql`count(*) filter (where d.status = 'uncertain')`,
  bounced_hard: sql`count(d.bounced_at) filter (where coalesce(d.bounce_kind, 'hard') = 'hard')`,
  bounced_soft: sql`count(d.bounced_at) filter (where d.bounce_kind in ('soft', 'full'))`,
  bounced_blocked: sql`count(d.bounced_at) filter (where d.bounce_kind = 'blocked')`,
  complained: sql`count(d.complained_at)`,
  opened: sql`count(d.opened_at)`,
  clicked: sql`count(d.clicked_at)`,
} satisfies Record<string, RawBuilder<unknown>>

export type Count = keyof typeof counted
export const counts = Object.keys(counted) as Count[]
export type Counts = Record<Count, number>

export interface ReceiverRow extends Counts {
  receiver: string
  first_sent_at: Date | null
  last_sent_at: Date | null
  peak_per_minute: number
}

const columns = (of: (count: Count) => RawBuilder<unknown>): RawBuilder<unknown> =>
  sql.join(counts.map((count) => sql`${of(count)} as ${sql.ref(count)}`))

/** The domain of an address as it is written, `''` where it is not known any more. */
export const domainOf = (address: RawBuilder<unknown>): RawBuilder<string> =>
  sql`coalesce(split_part(${address}, '@', -1), '')`

const lastLabels = (labels: 2 | 3): RawBuilder<string> =>
  sql`substring(k.domain from ${sql.lit(`${'[^.]+\\.'.repeat(labels - 1)}[^.]+$`)})`

const listed = (rows: typeof receiverDomains): RawBuilder<unknown> =>
  sql`select * from unnest(${rows.map(({ domain }) => domain)}::text[], ${rows.map(({ receiver }) => receiver)}::text[]) as l (domain, receiver)`

/**
 * Rows of the ledger by who takes them, as `receiverOf` says it, and by local day where `timezone` is given. `rows`: a select of deliveries with
 * `at`: the instant whose day is meant. `namesPeople`: each row is another person, so that the size of a domain is known.
 */
export const byReceiver = ({
  rows,
  timezone,
  namesPeople,
}: {
  rows: RawBuilder<unknown>
  timezone: string | null
  namesPeople: boolean
}): RawBuilder<ReceiverRow & { day: string | null }> => {
  const large = namesPeople
    ? sql`case when k.domain <> '' and k.people >= ${FEWEST_OF_A_DOMAIN} then k.domain end`
    : sql`null::text`
  return sql`
    with d as (${rows}), counted as materialized (
      select ${domainOf(sql`d.address`)} as domain, date_trunc('minute', d.at) as minute, count(*) as people,
        min(d.sent_at) as first_sent_at, max(d.sent_at) as last_sent_at, ${columns((count) => counted[count])}
      from d group by 1, 2
    ), exact as (${listed(receiverDomains)}), below as (${listed(receiverDomains.filter(({ below }) => below))}),
    -- Letters are made small of each domain, not of each row.
    written as (
      select domain as as_written, lower(domain) as domain, sum(sum(people)) over (partition by lower(domain)) as people from counted group by domain
    ), named as (
      select k.as_written, coalesce(exact.receiver, three.receiver, two.receiver, ${large}, ${OTHERS}) as receiver
      from written k
      left join exact on exact.domain = k.domain
      left join below three on three.domain = ${lastLabels(3)}
      left join below two on two.domain = ${lastLabels(2)}
    ), by_minute as (
      select n.receiver, c.minute, min(c.first_sent_at) as first_sent_at, max(c.last_sent_at) as last_sent_at,
        ${columns((count) => sql`sum(c.${sql.ref(count)})`)}
      from counted c join named n on n.as_written = c.domain group by 1, 2
    )
    select receiver, ${timezone === null ? sql`null` : sql`to_char(minute at time zone ${timezone}, 'YYYY-MM-DD')`} as day,
      min(first_sent_at) as first_sent_at, max(last_sent_at) as last_sent_at, coalesce(max(sent), 0)::int as peak_per_minute,
      ${columns((count) => sql`sum(${sql.ref(count)})::int`)}
    from by_minute group by 1, 2`
}
