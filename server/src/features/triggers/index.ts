export { findDateSetting } from './clock-queries.ts'
export { lookAtClocks } from './clock.ts'
export { type DailyTrigger, countOfDay, datesOfYears, isDaily, timeOn, zoneOfDates } from './daily-triggers.ts'
export { receiveFlowAction } from './flow-action.ts'
