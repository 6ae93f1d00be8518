export { type Measure, noResults, type Results, rate } from './measure.ts'
export {
  addStats,
  type Program,
  resultsOfCampaigns,
  resultsOfEmails,
  resultsOfNodes,
  resultsOfScenarios,
  setSentCounts,
  type StatsIncrement,
} from './stats.ts'
