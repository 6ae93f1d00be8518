/** The tabs of a scenario's page, in order. */
export const scenarioTabs = ['overview', 'people', 'messages', 'rehearsal', 'settings'] as const
export type ScenarioTab = (typeof scenarioTabs)[number]

interface Asked {
  tab?: ScenarioTab | undefined
  q?: string | undefined
  page?: number | undefined
  status?: string | undefined
  node?: string | undefined
  test?: string | undefined
  customer?: string | undefined
}

/** The tab of an address. One without `tab` that filters executions or names a customer means the people. */
export const tabOf = ({ tab, q, page, status, node, test, customer }: Asked): ScenarioTab =>
  tab ?? ([q, page, status, node, test, customer].some((asked) => asked !== undefined) ? 'people' : 'overview')
