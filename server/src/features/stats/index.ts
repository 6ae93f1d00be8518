export { type Measure, noResults, type Results, rate } from './measure.ts'
export { addStats, resultsOfCampaigns, resultsOfEmails, setSentCounts, type StatsIncrement } from './stats.ts'
