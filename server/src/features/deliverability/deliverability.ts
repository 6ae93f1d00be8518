import { COMPLAINT_DAYS, complaintLevel, complaintRate } from '@okaeri/contract/deliverability/complaints'
import type { CampaignReceivers, ComplaintPoint, Deliverability } from '@okaeri/contract/deliverability/routes'
import { DateTime } from 'luxon'
import { notFound } from '../../kernel/errors.ts'
import { runHeavyQuery } from '../../kernel/database/heavy-queries.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant } from '../merchants/index.ts'
import { answersBy } from './answers.ts'
import { presentReceiver, ranked, ratesOf, type ReceiverSum, sumOf, triedOf } from './figures.ts'
import { JUDGED_DAYS, judgeReceivers, openedBeforeOf } from './judgment.ts'
import {
  countCampaign,
  countComplaints,
  findLastCount,
  findReportedCampaign,
  listCampaignAnswers,
  listFigures,
  type StoredRow,
} from './queries.ts'

/** All receivers of a campaign, counted now from its own rows, so that they agree with its report. */
export async function countCampaignReceivers(
  scope: MerchantScope,
  id: string,
): Promise<{ name: string; rows: ReceiverSum[] }> {
  const campaign = await findReportedCampaign(scope, id)
  if (!campaign) throw notFound()
  if (!campaign.started_at) return { name: campaign.name, rows: [] }
  const rows = await runHeavyQuery(scope, () => countCampaign(scope, id))
  const hasRefusals = rows.some(
    (row) => row.refused + row.waiting + row.bounced_soft + row.bounced_blocked + row.bounced_hard > 0,
  )
  const said = hasRefusals ? await runHeavyQuery(scope, () => listCampaignAnswers(scope, id)) : []
  const answers = answersBy(said, (_, receiver) => receiver, new Set(rows.map(({ receiver }) => receiver)))
  return { name: campaign.name, rows: rows.map((row) => ({ ...row, answers: answers.get(row.receiver) ?? [] })) }
}

export async function getCampaignReceivers(scope: MerchantScope, id: string): Promise<CampaignReceivers> {
  const { rows } = await countCampaignReceivers(scope, id)
  return { receivers: ranked(rows).map(presentReceiver), counted_at: scope.now.toISOString() }
}

/** What is usual is said of so many days before the span. */
const USUAL_DAYS = 90
const FEWEST_USUAL = 200

const isoDay = (day: DateTime): string => day.toISODate() ?? ''

/** The last days, today included. */
export async function spanOf(scope: MerchantScope, days: number) {
  const { timezone } = await getMerchant(scope)
  const today = DateTime.fromJSDate(scope.now, { zone: timezone }).startOf('day')
  return { timezone, today, first: today.minus({ days: days - 1 }).startOf('day') }
}

const asSummed = (row: StoredRow): ReceiverSum & { day: string } => ({ ...row, waiting: 0 })

/** Rows by receiver, over all their days. */
const byReceiver = (rows: readonly ReceiverSum[]): Map<string, ReceiverSum> =>
  new Map(
    [...Map.groupBy(rows, ({ receiver }) => receiver)].map(([receiver, theirs]) => [receiver, sumOf(receiver, theirs)]),
  )

export async function getDeliverability(scope: MerchantScope, days: number): Promise<Deliverability> {
  const { timezone, today, first } = await spanOf(scope, days)
  const usualFrom = first.minus({ days: USUAL_DAYS })
  const rows = (await listFigures(scope, { from: isoDay(usualFrom), to: isoDay(today) })).map(asSummed)
  const from = isoDay(first)
  const current = [...byReceiver(rows.filter(({ day }) => day >= from)).values()]
  const before = byReceiver(rows.filter(({ day }) => day < from))
  const usualOf = (receiver: string) => {
    const usual = before.get(receiver)
    return usual && triedOf(usual) >= FEWEST_USUAL ? ratesOf(usual) : null
  }
  const daysAgo = (count: number): string => isoDay(today.minus({ days: count }))
  return {
    days,
    from,
    to: isoDay(today),
    timezone,
    receivers: ranked(current).map((row) => ({ ...presentReceiver(row), usual: usualOf(row.receiver) })),
    total: presentReceiver(sumOf('total', current)),
    hints: judgeReceivers(rows, {
      judgedFrom: daysAgo(JUDGED_DAYS - 1),
      openedBefore: openedBeforeOf(daysAgo),
      usualFrom: isoDay(today.minus({ days: USUAL_DAYS })),
    }),
    complaints: await complaintsOf(scope, { first, today, unit: days > 30 ? 'week' : 'day' }),
    counted_at: (await findLastCount(scope))?.toISOString() ?? null,
  }
}

const withRate = (of: { delivered: number; complained: number }) => ({
  delivered: of.delivered,
  complained: of.complained,
  rate: complaintRate(of.complained, of.delivered),
})

async function complaintsOf(
  scope: MerchantScope,
  { first, today, unit }: { first: DateTime; today: DateTime; unit: 'day' | 'week' },
): Promise<Deliverability['complaints']> {
  const end = today.plus({ days: 1 }).startOf('day')
  // A week is seven days whose last is today, so that no point is of a week that has just begun.
  const length = unit === 'week' ? 7 : 1
  const count = Math.ceil((Math.round(today.diff(first, 'days').days) + 1) / length)
  const points = Array.from({ length: count }, (_, at) =>
    today.minus({ days: length * (count - at) - 1 }).startOf('day'),
  )
  const start = points[0] ?? first
  const marks = points.map((point) => point.toJSDate())
  const counted = new Map(
    (await countComplaints(scope, { start: start.toJSDate(), end: end.toJSDate(), marks })).map((row) => [
      row.point,
      row,
    ]),
  )
  const series: ComplaintPoint[] = points.map((point, at) => ({
    at: isoDay(point),
    ...withRate(counted.get(at) ?? { delivered: 0, complained: 0 }),
  }))
  return { unit, series, recent: await recentComplaints(scope) }
}

/** The last seven days, to this moment. */
export async function recentComplaints(scope: MerchantScope): Promise<Deliverability['complaints']['recent']> {
  const start = new Date(scope.now.getTime() - COMPLAINT_DAYS * 86_400_000)
  // The quarter of an hour that has begun belongs to them.
  const end = new Date(scope.now.getTime() + 1)
  const [row] = await countComplaints(scope, { start, end, marks: [start] })
  const sums = row ?? { delivered: 0, complained: 0 }
  return { ...withRate(sums), level: complaintLevel(sums) }
}
