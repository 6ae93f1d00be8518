interface RunningScenario {
  running_count: number
  execution_count_exact: boolean
}

export interface RunningSummary {
  scenarios: number
  people: number
  /** More people than were counted. */
  isAtLeast: boolean
}

/** How many people enabled scenarios write to once test mode is off; null where no scenario is enabled. */
export function underwayIn(shown: readonly RunningScenario[], total: number): RunningSummary | null {
  if (total === 0) return null
  return {
    scenarios: total,
    people: shown.reduce((sum, { running_count }) => sum + running_count, 0),
    isAtLeast: shown.length < total || shown.some(({ execution_count_exact }) => !execution_count_exact),
  }
}
