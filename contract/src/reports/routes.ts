import { z } from 'zod'
import { AbGroup } from '../campaigns/ab-test.ts'
import { endpoint } from '../endpoint.ts'
import { Id, IdParams } from '../fields.ts'
import { Locale } from '../locale.ts'
import { PageQuery, pageOf } from '../paging.ts'
import { ChannelFigures } from './figures.ts'

const area = 'reports'

/** Spec §2 and §9. */
export const Timespan = z.enum(['30d', '3m', '1y'])
export type Timespan = z.output<typeof Timespan>
/** Spec §3. */
export const StatsUnit = z.enum(['hour', 'day', 'week', 'month', 'year'])
export type StatsUnit = z.output<typeof StatsUnit>

/**
 * Counts of one span of time in the merchant's zone, over all channels; rates in percent of sent; money in minor units of `currency`. Opens are
 * of emails alone, and their rate is of emails sent: LINE does not say who opened.
 */
const Figures = z
  .object({
    sent: z.int(),
    mails_sent: z.int(),
    opened: z.int(),
    clicked: z.int(),
    open_rate: z.number(),
    click_rate: z.number(),
    revenue: z.int(),
    orders: z.int(),
    unsubscribed: z.int(),
    bounced: z.int(),
  })
  .meta({ id: 'Figures' })
export type Figures = z.output<typeof Figures>

/** How many of the `orders` are in another currency than `currency`: their amounts are not in the `revenue`. */
const OtherCurrencies = z.int()

/** The figures of each channel; empty where there is nothing but mail. */
const ByChannel = z.array(ChannelFigures)

export const StatsPoint = Figures.extend({
  /** The local day (or the first of the week, month, year; with the hour for `hour`) in the merchant's zone. */
  at: z.string(),
}).meta({ id: 'StatsPoint' })
export type StatsPoint = z.output<typeof StatsPoint>

export const Dashboard = z.object({
  timespan: Timespan,
  timezone: z.string(),
  currency: z.string(),
  unit: StatsUnit,
  figures: Figures,
  orders_in_other_currencies: OtherCurrencies,
  /** As many days directly before; null where the merchant had not begun when they did. */
  previous: Figures.nullable(),
  by_channel: ByChannel,
  series: z.array(StatsPoint),
  customers: z.object({ total: z.int(), marketing_permitted: z.int() }),
  /** Things to look at, each a stable word the page explains. */
  alerts: z.array(
    z.enum([
      'test_mode',
      'sender_domain_not_custom',
      'sender_domain_unverified',
      'sender_domain_failing',
      'store_not_connected',
      'store_automations',
      'no_test_address',
      'campaign_waiting',
      'uncertain_deliveries',
      'line_webhook',
      'complaints_high',
      'complaints_over',
    ]),
  ),
  counted_at: z.iso.datetime(),
})
export type Dashboard = z.output<typeof Dashboard>

export const getDashboard = endpoint('GET', '/stats/dashboard', {
  area,
  summary: 'The figures of the dashboard for a time span, beside the span before, and the points of its chart',
  access: 'member',
  query: z.object({ timespan: Timespan.default('30d') }),
  reply: Dashboard,
})

export const getScenarioStats = endpoint('GET', '/stats/scenarios/{id}', {
  area,
  summary: 'The figures of one scenario for a time span, beside the span before',
  access: 'member',
  params: IdParams,
  query: z.object({ timespan: Timespan.default('30d') }),
  reply: z.object({
    timespan: Timespan,
    timezone: z.string(),
    currency: z.string(),
    figures: Figures,
    orders_in_other_currencies: OtherCurrencies,
    /** As many days directly before; null where the scenario was not there yet when they began. */
    previous: Figures.nullable(),
    by_channel: ByChannel,
    counted_at: z.iso.datetime(),
  }),
})

const LocalDate = z.iso.date('not_a_date')
export const getDayStats = endpoint('GET', '/stats/day', {
  area,
  summary: 'One local day by the hour',
  access: 'member',
  query: z.object({ date: LocalDate }),
  reply: z.object({
    date: z.string(),
    timezone: z.string(),
    currency: z.string(),
    figures: Figures,
    orders_in_other_currencies: OtherCurrencies,
    by_channel: ByChannel,
    series: z.array(StatsPoint),
  }),
})
export const getRangeStats = endpoint('GET', '/stats/range', {
  area,
  summary: 'A range of local days, both ends included, by a unit of time',
  access: 'member',
  query: z.object({ from: LocalDate, to: LocalDate, unit: StatsUnit.default('day') }),
  reply: z.object({
    from: z.string(),
    to: z.string(),
    unit: StatsUnit,
    timezone: z.string(),
    currency: z.string(),
    figures: Figures,
    orders_in_other_currencies: OtherCurrencies,
    by_channel: ByChannel,
    series: z.array(StatsPoint),
  }),
})

/** A report's id is its campaign's. */
const ReportSummary = z
  .object({
    id: z.uuid(),
    name: z.string(),
    type: z.literal('campaign'),
    sent_at: z.iso.datetime().nullable(),
    delivery_count: z.int(),
    test_mode: z.boolean(),
  })
  .meta({ id: 'ReportSummary' })
export type ReportSummary = z.output<typeof ReportSummary>
export const listReports = endpoint('GET', '/reports', {
  area,
  summary: 'The reports: one for each campaign that was sent',
  access: 'member',
  query: PageQuery,
  reply: pageOf(ReportSummary),
})
/** A campaign's email as it was sent, and the clicks on each of its links. */
const ClickMap = z
  .object({
    /** Filled in for a sample customer; null where nothing was sent yet. In its HTML, link n leads to `#{mark}{n}` and nowhere else. */
    mail: z.object({ subject: z.string(), html: z.string() }).nullable(),
    mark: z.string(),
    tracking_enabled: z.boolean(),
    test_mode: z.boolean(),
    /**
     * Every tracked link, in the order they stand in the email: an address that stands there twice is two. Counted are the emails on which
     * a human clicked it, and those on which only bots did.
     */
    links: z.array(
      z.object({ position: z.int(), url: z.string(), click_count: z.int(), machine_click_count: z.int() }),
    ),
    /** For an email with variants: the language that is drawn, and all there are; null: the base. */
    language: Locale.nullable(),
    languages: z.array(Locale.nullable()),
    counted_at: z.iso.datetime(),
  })
  .meta({ id: 'ClickMap' })
export type ClickMap = z.output<typeof ClickMap>
export const getClickMap = endpoint('GET', '/reports/{id}/click-map', {
  area,
  summary: 'A campaign’s email as it was sent, and the clicks on each of its links',
  access: 'member',
  params: IdParams,
  /** `group`: of its A/B test; of the rest, once it is decided. */
  query: z.object({ group: AbGroup.optional(), language: Locale.optional() }),
  reply: ClickMap,
})
/** The same of a step of a scenario. Its email, changed while the scenario runs, is another message. */
const StepClickMap = ClickMap.extend({
  /** The one drawn; null where nothing was sent yet. */
  message_id: z.uuid().nullable(),
  /** What the step sent so far, the newest first; no more than the last twenty. */
  messages: z.array(z.object({ id: z.uuid(), from: z.iso.datetime() })),
}).meta({ id: 'StepClickMap' })
export type StepClickMap = z.output<typeof StepClickMap>
export const getStepClickMap = endpoint('GET', '/actions/{id}/click-map', {
  area,
  summary: 'An email of a scenario’s step as it was sent, and the clicks on each of its links',
  access: 'member',
  params: IdParams,
  query: z.object({ node_id: z.string().max(40), message_id: Id.optional(), language: Locale.optional() }),
  reply: StepClickMap,
})
/** The language of the header row; the browser's where none is given. */
const FileQuery = z.object({ lang: Locale.optional() })
export const downloadRecipients = endpoint('GET', '/reports/{id}/download', {
  area,
  summary: 'CSV of a campaign’s recipients: state, reason, opens, clicks, revenue',
  access: 'member',
  params: IdParams,
  query: FileQuery,
  replyKind: 'file',
  mediaTypes: ['text/csv'],
})
export const downloadClicks = endpoint('GET', '/reports/{id}/download-clicks', {
  area,
  summary: 'CSV of a campaign’s clicks, each with its verdict',
  access: 'member',
  params: IdParams,
  query: FileQuery,
  replyKind: 'file',
  mediaTypes: ['text/csv'],
})
