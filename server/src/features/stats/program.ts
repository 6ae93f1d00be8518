/**
 * What a message is sent for: a campaign, or a node of a scenario. Test sends have none. Rows name it by `campaign_id`, or by `scenario_id` and
 * `node_id`, as their unique keys need them (docs/decisions, 140). The mapping is here.
 */
export interface Program {
  kind: 'campaign' | 'scenario'
  id: string
  /** Null for a campaign. */
  nodeId: string | null
}
interface ProgramColumns {
  campaign_id: string | null
  scenario_id: string | null
  node_id: string | null
}
/** Such a row with the columns of the database. */
export type WithColumns<Row extends { program: Program | null }> = Omit<Row, 'program'> & ProgramColumns

export const campaignProgram = (id: string): Program => ({ kind: 'campaign', id, nodeId: null })

export function withProgram<Row extends ProgramColumns>({ campaign_id, scenario_id, node_id, ...row }: Row) {
  const scenario = scenario_id === null ? null : ({ kind: 'scenario', id: scenario_id, nodeId: node_id } as const)
  const program: Program | null = campaign_id === null ? scenario : campaignProgram(campaign_id)
  return { ...row, program }
}

export const columnsOf = (program: Program | null): ProgramColumns => ({
  campaign_id: program?.kind === 'campaign' ? program.id : null,
  scenario_id: program?.kind === 'scenario' ? program.id : null,
  node_id: program?.nodeId ?? null,
})
