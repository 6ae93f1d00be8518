import type { Figures, StatsPoint, StatsUnit, Timespan } from '@okaeri/contract/reports/routes'
import { notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { recentComplaints } from '../deliverability/index.ts'
import { getMerchant, senderDomainIsPublic } from '../merchants/index.ts'
import { byChannel, type ChannelResults, type ProgramResults, rate, sumOfChannels } from '../stats/index.ts'
import { dashboardSpans, daySpan, labelOf, type LocalSpan, rangeSpan } from './local-span.ts'
import {
  countByPoint,
  countCustomers,
  countInOtherCurrencies,
  findBeginning,
  findConcerns,
  findScenarioBeginning,
} from './queries.ts'

type Alert =
  | 'test_mode'
  | 'sender_domain_not_custom'
  | 'sender_domain_unverified'
  | 'sender_domain_failing'
  | 'store_not_connected'
  | 'store_automations'
  | 'no_test_address'
  | 'campaign_waiting'
  | 'uncertain_deliveries'
  | 'line_webhook'
  | 'complaints_high'
  | 'complaints_over'

const withRates = (counts: ProgramResults): Figures => ({
  sent: counts.sent,
  mails_sent: counts.mails_sent,
  opened: counts.opened,
  clicked: counts.clicked,
  open_rate: rate(counts.opened, counts.mails_sent),
  click_rate: rate(counts.clicked, counts.sent),
  revenue: counts.revenue,
  orders: counts.orders,
  unsubscribed: counts.unsubscribed,
  bounced: counts.bounced,
})

/** The sums of a span and every one of its points, over all channels. */
async function figuresOf(scope: MerchantScope, span: LocalSpan, programId: string | null = null) {
  const rows: readonly (ChannelResults & { point: number })[] = await countByPoint(scope, span, programId)
  const counted = Map.groupBy(rows, ({ point }) => point)
  const series: StatsPoint[] = span.marks.map((mark, point) => ({
    at: labelOf(mark, span),
    ...withRates(sumOfChannels(counted.get(point) ?? [])),
  }))
  return { figures: withRates(sumOfChannels(rows)), by_channel: byChannel(rows), series }
}

/** The same, with the orders that its revenue leaves out. */
async function figuresWithOthers(
  scope: MerchantScope,
  span: LocalSpan,
  { currency, scenarioId = null }: { currency: string; scenarioId?: string | null },
) {
  return {
    ...(await figuresOf(scope, span, scenarioId)),
    orders_in_other_currencies: await countInOtherCurrencies(scope, span, { currency, scenarioId }),
  }
}

export async function getDashboard(scope: MerchantScope, timespan: Timespan) {
  const merchant = await getMerchant(scope)
  const { timezone, currency } = merchant
  const { current, previous } = dashboardSpans(timespan, scope.now, timezone)
  const ofNow = await figuresWithOthers(scope, current, { currency })
  const concerns = await findConcerns(scope)
  const { level } = await recentComplaints(scope)
  const isCustom = merchant.sender_email !== '' && !senderDomainIsPublic(merchant.sender_email)
  const domain = await scope.context.ports.senderDomainStatus(scope, merchant.sender_email)
  const shown: Record<Alert, boolean> = {
    test_mode: merchant.test_mode,
    no_test_address: merchant.test_mode && merchant.confirmed_test_emails.length === 0,
    sender_domain_not_custom: !isCustom,
    sender_domain_unverified: isCustom && (domain === null || domain === 'pending'),
    sender_domain_failing: domain === 'failing' || domain === 'lost',
    store_not_connected: !concerns.store_connected,
    // Spec §2: the platform cannot be asked whether its own automations are off, so merchants with a store see a notice.
    store_automations: concerns.store_connected,
    campaign_waiting: concerns.campaign_waiting,
    uncertain_deliveries: concerns.uncertain_deliveries,
    // Without it a block is not noticed, and friendship is the permission.
    line_webhook: concerns.line_webhook,
    complaints_high: level === 'high',
    complaints_over: level === 'over',
  }
  return {
    timespan,
    timezone,
    currency,
    unit: current.unit,
    ...ofNow,
    previous: (await findBeginning(scope)) > previous.start ? null : (await figuresOf(scope, previous)).figures,
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
  const { series: _left, ...ofNow } = await figuresWithOthers(scope, current, { currency, scenarioId: id })
  return {
    timespan,
    timezone,
    currency,
    ...ofNow,
    previous: began > previous.start ? null : (await figuresOf(scope, previous, id)).figures,
    counted_at: scope.now.toISOString(),
  }
}

export async function getDayStats(scope: MerchantScope, date: string) {
  const { timezone, currency } = await getMerchant(scope)
  return { date, timezone, currency, ...(await figuresWithOthers(scope, daySpan(date, timezone), { currency })) }
}

export async function getRangeStats(scope: MerchantScope, range: { from: string; to: string; unit: StatsUnit }) {
  const { timezone, currency } = await getMerchant(scope)
  return { ...range, timezone, currency, ...(await figuresWithOthers(scope, rangeSpan(range, timezone), { currency })) }
}
