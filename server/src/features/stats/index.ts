export {
  byChannel,
  type ChannelResults,
  type Measure,
  measures,
  noResults,
  type ProgramResults,
  type Results,
  rate,
  sumOfChannels,
} from './measure.ts'
export { campaignProgram, columnsOf, type Program, type WithColumns, withProgram } from './program.ts'
export {
  addStats,
  resultsOfCampaigns,
  resultsOfEmails,
  resultsOfScenarios,
  sentByScenarios,
  setSentCounts,
  type StatsIncrement,
} from './stats.ts'
export { sumByNode as resultsOfNodes } from './queries.ts'
