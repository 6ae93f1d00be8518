import { channelsOf } from '@okaeri/contract/campaigns/campaign'
import type { CampaignReport } from '@okaeri/contract/campaigns/report'
import { notFound } from '../../kernel/errors.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findFrozenMail, findLineOpenings } from '../channels/index.ts'
import { balanceOf } from '../deliveries/index.ts'
import { renderSent } from '../emails/index.ts'
import { getMerchant } from '../merchants/index.ts'
import { rate, resultsOfCampaigns, resultsOfEmails } from '../stats/index.ts'
import { countLinkClicks } from '../tracking/index.ts'
import { testOfCampaign } from './ab-test-report.ts'
import { campaignSpan } from './local-span.ts'
import {
  countByChannel,
  countCampaign,
  countCampaignByPoint,
  type CampaignRow,
  findCampaign,
  findEmailName,
  listComparable,
  listFinishedBefore,
  listMessageIds,
  selectStartedCampaigns,
  sumConversions,
} from './queries.ts'

/** What came of one campaign, counted from its own rows; a test's figures are shown too, they only count nowhere else. */
export async function getCampaignReport(scope: MerchantScope, id: string): Promise<CampaignReport> {
  const campaign = await findCampaign(scope, id)
  if (!campaign) throw notFound()
  const { currency, timezone } = await getMerchant(scope)
  const { order_count, revenue, orders_in_other_currencies } = await sumConversions(scope, id, currency)
  const { mail_count, ...figures } = await countCampaign(scope, id)
  const comparable = campaign.tracking_enabled && !campaign.test_mode ? campaign.started_at : null
  return {
    id,
    name: campaign.name,
    status: campaign.status,
    send_type: campaign.send_type,
    test_mode: campaign.test_mode,
    channels: campaign.channels,
    ...figures,
    open_rate: rate(figures.open_count, mail_count),
    click_rate: rate(figures.click_count, figures.delivery_count),
    order_count,
    revenue: { amount: revenue, currency },
    orders_in_other_currencies,
    line_opens: await openingsOnLine(scope, id),
    tracking_enabled: campaign.tracking_enabled,
    by_channel: await resultsByChannel(scope, campaign, currency),
    ab_test: await testOfCampaign(scope, id, currency),
    usual: comparable ? await usualBefore(scope, { ...campaign, startedAt: comparable }) : null,
    before: comparable ? await campaignBefore(scope, id) : null,
    sent_at: campaign.sent_at?.toISOString() ?? null,
    balance: await balanceOf(scope, id),
    links: await linksOf(scope, id),
    series: campaign.started_at
      ? await seriesOf(scope, id, { startedAt: campaign.started_at, timezone, currency })
      : [],
    email: await emailOf(scope, campaign, currency),
    counted_at: scope.now.toISOString(),
  }
}

async function openingsOnLine(scope: MerchantScope, id: string): Promise<CampaignReport['line_opens']> {
  const found = await findLineOpenings(scope, id)
  if (!found) return null
  const { unit_refused, is_over, opened_count: people, opened_read_at: readAt } = found
  // Nothing of it was sent, or another account was connected before it was asked for.
  if (readAt === null && is_over && !unit_refused) return null
  const counted = people === null ? 'hidden' : 'counted'
  const status = unit_refused ? 'no_unit' : readAt === null ? 'waiting' : counted
  return { status, people, read_at: readAt?.toISOString() ?? null }
}

/** Nothing beside the whole where there is one channel. */
async function resultsByChannel(
  scope: MerchantScope,
  { id, channels }: CampaignRow,
  currency: string,
): Promise<CampaignReport['by_channel']> {
  if (channelsOf(channels).length < 2) return []
  const rows = await countByChannel(scope, id, currency)
  return rows.map(({ revenue, ...counts }) => ({
    ...counts,
    click_rate: rate(counts.click_count, counts.delivery_count),
    revenue: { amount: revenue, currency },
  }))
}

/** Fewer say how those few went, not what is usual. */
const USUAL_FROM = 3
const USUAL_OF = 10

async function usualBefore(
  scope: MerchantScope,
  campaign: Pick<CampaignRow, 'id' | 'channels'> & { startedAt: Date },
): Promise<CampaignReport['usual']> {
  const ids = await listFinishedBefore(scope, campaign, USUAL_OF)
  const sent = [...(await resultsOfCampaigns(scope, ids)).values()].filter((results) => results.sent > 0)
  if (sent.length < USUAL_FROM) return null
  return {
    campaigns: sent.length,
    open_rate: median(sent.map((of) => rate(of.opened, of.mails_sent))),
    click_rate: median(sent.map((of) => rate(of.clicked, of.sent))),
    revenue_per_message: median(sent.map((of) => of.revenue / of.sent)),
  }
}

/** If the first few sent nothing (all were skipped), the next message is taken. */
async function campaignBefore(scope: MerchantScope, id: string): Promise<CampaignReport['before']> {
  const candidates = await listComparable(scope, id, USUAL_OF)
  const results = await resultsOfCampaigns(
    scope,
    candidates.map((candidate) => candidate.id),
  )
  for (const { sent_at, ...candidate } of candidates) {
    const of = results.get(candidate.id)
    if (!of || of.sent === 0) continue
    return {
      ...candidate,
      sent_at: sent_at?.toISOString() ?? null,
      open_rate: rate(of.opened, of.mails_sent),
      click_rate: rate(of.clicked, of.sent),
      revenue_per_message: of.revenue / of.sent,
    }
  }
  return null
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1)
  return middle.reduce((sum, one) => sum + one, 0) / middle.length
}

async function seriesOf(
  scope: MerchantScope,
  id: string,
  of: { startedAt: Date; timezone: string; currency: string },
): Promise<CampaignReport['series']> {
  const span = campaignSpan(of.startedAt, scope.now, of.timezone)
  const counted = new Map(
    (await countCampaignByPoint(scope, id, of.currency, span)).map(({ point, ...counts }) => [point, counts]),
  )
  return span.marks.map((mark, point) => ({
    at: mark.toISOString(),
    ...(counted.get(point) ?? { opens: 0, clicks: 0, revenue: 0 }),
  }))
}

/** Each address once, though the mail may contain it several times; unclicked ones too. */
async function linksOf(scope: MerchantScope, id: string): Promise<CampaignReport['links']> {
  const messages = await listMessageIds(scope, id)
  const messageIds = messages.map((message) => message.id)
  const clicks = new Map((await countLinkClicks(scope, messageIds)).map((counts) => [counts.url, counts]))
  return [...new Set(messages.flatMap(({ links }) => links))]
    .map((url) => ({
      url,
      click_count: clicks.get(url)?.human ?? 0,
      machine_click_count: clicks.get(url)?.machine ?? 0,
    }))
    .sort((a, b) => b.click_count - a.click_count)
}

/** The mail as it was sent, filled in for someone invented, under the name the email has now. */
async function emailOf(
  scope: MerchantScope,
  campaign: CampaignRow,
  currency: string,
): Promise<CampaignReport['email']> {
  if (!campaign.email_id) return null
  const email = await findEmailName(scope, campaign.email_id)
  if (!email) return null
  const mail = campaign.message_id ? await findFrozenMail(scope, campaign.message_id) : null
  const sent = mail
    ? await renderSent(scope, { ...mail, sender: { name: mail.from_name, email: mail.from_email } })
    : null
  const results = (await resultsOfEmails(scope, [campaign.email_id])).get(campaign.email_id)
  return {
    id: campaign.email_id,
    name: email.name,
    subject: sent?.subject ?? '',
    html: sent?.html ?? '',
    data: null,
    status: email.deleted_at ? 'deleted' : 'active',
    sent_count: results?.sent ?? 0,
    revenue: { amount: results?.revenue ?? 0, currency },
    created_at: email.created_at.toISOString(),
  }
}

/** One report for each campaign that went out. */
export async function listReports(scope: MerchantScope, page: { limit: number; offset: number }) {
  const { rows, total } = await selectStartedCampaigns(scope, page)
  return {
    data: rows.map(({ id, name, sent_at, delivery_count, test_mode }) => ({
      id,
      name,
      type: 'campaign' as const,
      sent_at: sent_at?.toISOString() ?? null,
      delivery_count,
      test_mode,
    })),
    ...page,
    total,
  }
}
