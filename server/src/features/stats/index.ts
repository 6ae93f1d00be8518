export { type Measure, noResults, type Results, rate } from './measure.ts'
export { campaignProgram, columnsOf, type Program, type WithColumns, withProgram } from './program.ts'
export {
  addStats,
  resultsOfCampaigns,
  resultsOfEmails,
  resultsOfNodes,
  resultsOfScenarios,
  sentByScenarios,
  setSentCounts,
  type StatsIncrement,
} from './stats.ts'
