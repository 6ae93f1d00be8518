export { type Measure, measures, noResults, type Results, rate } from './measure.ts'
export { addStats, resultsOfCampaigns, resultsOfEmails, type StatsIncrement } from './stats.ts'
