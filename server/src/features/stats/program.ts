/**
 * What a message is sent for: a campaign, or a node of a scenario. Test sends are for nothing. Rows name it by `campaign_id`, or by
 * `scenario_id` and `node_id`, as unique keys need them ([decision 140](docs/decisions/0140-one-ledger-many-channels.md)); what maps the one
 * to the other is here.
 */
export interface Program {
  kind: 'campaign' | 'scenario'
  id: string
  /** Null for a campaign. */
  nodeId: string | null
}

export interface ProgramColumns {
  campaign_id: string | null
  scenario_id: string | null
  node_id: string | null
}

export const campaignProgram = (id: string): Program => ({ kind: 'campaign', id, nodeId: null })

export function programOf({ campaign_id, scenario_id, node_id }: ProgramColumns): Program | null {
  if (campaign_id !== null) return campaignProgram(campaign_id)
  return scenario_id === null ? null : { kind: 'scenario', id: scenario_id, nodeId: node_id }
}

export const columnsOf = (program: Program | null): ProgramColumns => ({
  campaign_id: program?.kind === 'campaign' ? program.id : null,
  scenario_id: program?.kind === 'scenario' ? program.id : null,
  node_id: program?.nodeId ?? null,
})
