import type { DeliveryView } from '@okaeri/contract/deliveries/delivery'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import {
  type DeliveryRow,
  selectDeliveriesByIds,
  selectDeliveriesOfCampaign,
  selectDeliveriesOfScenario,
} from './reading-queries.ts'

/** A delivery as pages show it. The name of the campaign or scenario is the caller's to know. */
export function presentDelivery(row: DeliveryRow, programName: string | null): DeliveryView {
  const iso = (at: Date | null): string | null => at?.toISOString() ?? null
  return {
    ...row,
    campaign_name: row.campaign_id === null ? null : programName,
    scenario_name: row.scenario_id === null ? null : programName,
    created_at: row.created_at.toISOString(),
    sent_at: iso(row.sent_at),
    opened_at: iso(row.opened_at),
    clicked_at: iso(row.clicked_at),
    bounced_at: iso(row.bounced_at),
  }
}

/** Deliveries of one campaign, by status, channel, or words in name and address. */
export async function listCampaignDeliveries(
  scope: MerchantScope,
  campaign: { id: string; name: string },
  query: Parameters<typeof selectDeliveriesOfCampaign>[2],
): Promise<{ data: DeliveryView[]; total: number }> {
  const { rows, total } = await selectDeliveriesOfCampaign(scope, campaign.id, query)
  return { data: rows.map((row) => presentDelivery(row, campaign.name)), total }
}

/** These deliveries of one scenario, by their ids. */
export async function deliveriesOfSteps(
  scope: MerchantScope,
  scenario: { name: string },
  ids: readonly string[],
): Promise<Map<string, DeliveryView>> {
  if (ids.length === 0) return new Map()
  const { rows } = await selectDeliveriesByIds(scope, ids)
  return new Map(rows.map((row) => [row.id, presentDelivery(row, scenario.name)]))
}

/** Deliveries of one scenario, by status, channel or node. */
export async function listScenarioDeliveries(
  scope: MerchantScope,
  scenario: { id: string; name: string },
  query: Parameters<typeof selectDeliveriesOfScenario>[2],
): Promise<{ data: DeliveryView[]; total: number }> {
  const { rows, total } = await selectDeliveriesOfScenario(scope, scenario.id, query)
  return { data: rows.map((row) => presentDelivery(row, scenario.name)), total }
}
