import type { Figures, StatsPoint, StatsUnit, Timespan } from '@okaeri/contract/reports/routes'
import { notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { getMerchant, senderDomainIsPublic } from '../merchants/index.ts'
import { rate } from '../stats/index.ts'
import { dashboardSpans, daySpan, labelOf, type LocalSpan, rangeSpan } from './local-span.ts'
import {
  type Counts,
  countByPoint,
  countCustomers,
  findBeginning,
  findConcerns,
  findScenarioBeginning,
} from './queries.ts'

type Alert =
  | 'test_mode'
  | 'sender_domain_not_custom'
  | 'store_not_connected'
  | 'store_automations'
  | 'no_test_address'
  | 'campaign_waiting'
  | 'uncertain_deliveries'

const NOTHING: Counts = { sent: 0, opened: 0, clicked: 0, unsubscribed: 0, bounced: 0, orders: 0, revenue: 0 }

const withRates = (counts: Counts): Figures => ({
  sent: counts.sent,
  opened: counts.opened,
  clicked: counts.clicked,
  open_rate: rate(counts.opened, counts.sent),
  click_rate: rate(counts.clicked, counts.sent),
  revenue: counts.revenue,
  orders: counts.orders,
  unsubscribed: counts.unsubscribed,
  bounced: counts.bounced,
})

/** The sums of a span and every one of its points, for mail. */
async function figuresOf(
  scope: MerchantScope,
  span: LocalSpan,
  programId: string | null = null,
): Promise<{ figures: Figures; series: StatsPoint[] }> {
  const counted = new Map(
    (await countByPoint(scope, span, { channel: 'email', programId })).map((row) => [row.point, row]),
  )
  const total = { ...NOTHING }
  const keys = Object.keys(NOTHING) as (keyof Counts)[]
  for (const row of counted.values()) for (const key of keys) total[key] += row[key]
  const series = span.marks.map((mark, point) => ({
    at: labelOf(mark, span),
    ...withRates(counted.get(point) ?? NOTHING),
  }))
  return { figures: withRates(total), series }
}

export async function getDashboard(scope: MerchantScope, timespan: Timespan) {
  const merchant = await getMerchant(scope)
  const { timezone, currency } = merchant
  const { current, previous } = dashboardSpans(timespan, scope.now, timezone)
  const { figures, series } = await figuresOf(scope, current)
  const concerns = await findConcerns(scope)
  const shown: Record<Alert, boolean> = {
    test_mode: merchant.test_mode,
    no_test_address: merchant.test_mode && merchant.confirmed_test_emails.length === 0,
    sender_domain_not_custom: merchant.sender_email === '' || senderDomainIsPublic(merchant.sender_email),
    store_not_connected: !concerns.store_connected,
    // Spec §2: the platform cannot be asked whether its own automations are off, so merchants with a store see a notice.
    store_automations: concerns.store_connected,
    campaign_waiting: concerns.campaign_waiting,
    uncertain_deliveries: concerns.uncertain_deliveries,
  }
  return {
    timespan,
    timezone,
    currency,
    unit: current.unit,
    figures,
    previous: (await findBeginning(scope)) > previous.start ? null : (await figuresOf(scope, previous)).figures,
    series,
    customers: await countCustomers(scope),
    alerts: (Object.keys(shown) as Alert[]).filter((alert) => shown[alert]),
    counted_at: scope.now.toISOString(),
  }
}

/** What one scenario brought in a span, beside the span before. */
export async function getScenarioStats(scope: MerchantScope, id: string, timespan: Timespan) {
  const began = await findScenarioBeginning(scope, id)
  if (!began) throw notFound()
  const { timezone, currency } = await getMerchant(scope)
  const { current, previous } = dashboardSpans(timespan, scope.now, timezone)
  return {
    timespan,
    timezone,
    currency,
    figures: (await figuresOf(scope, current, id)).figures,
    previous: began > previous.start ? null : (await figuresOf(scope, previous, id)).figures,
    counted_at: scope.now.toISOString(),
  }
}

export async function getDayStats(scope: MerchantScope, date: string) {
  const { timezone, currency } = await getMerchant(scope)
  return { date, timezone, currency, ...(await figuresOf(scope, daySpan(date, timezone))) }
}

export async function getRangeStats(scope: MerchantScope, range: { from: string; to: string; unit: StatsUnit }) {
  const { timezone, currency } = await getMerchant(scope)
  return { ...range, timezone, currency, ...(await figuresOf(scope, rangeSpan(range, timezone))) }
}
