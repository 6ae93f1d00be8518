export { segmentPersonalData } from './personal-data-queries.ts'
export { countTargets, describeChosen } from './condition-preview.ts'
export { listCategories, refuseUnusable } from './condition-context.ts'
export { conditionRoutes } from './condition-routes.ts'
export { explainCustomers } from './explanation.ts'
export { markCustomersDirty, segmentWork } from './incremental-membership.ts'
export { calculateAllLater, calculateAllSegments, calculateSegment, membersSql } from './members.ts'
export { addDays, localDay, startOfDay } from './local-day.ts'
export type { AskedOfScenarios, FoundInScenarios } from './condition-types/field-sql.ts'
export { listSegmentsNamingScenario, listSegmentsUsingMetafield } from './segment-references.ts'
export { findSegment, type SegmentRow } from './queries.ts'
export {
  fetchLater,
  fetchRemoteMembers,
  forgetDeletedSegment,
  listRemoteSegments,
  listRemoteSegmentsDaily,
  listRemoteSegmentsLater,
} from './remote.ts'
export { selectMembersAmong as membersAmong } from './members-queries.ts'
export { areScenariosAsked } from './scenarios-asked.ts'
export { scoreCustomers, scoreEachNight } from './scores.ts'
export { segmentRoutes } from './routes.ts'
export { getSegment } from './segment.ts'
