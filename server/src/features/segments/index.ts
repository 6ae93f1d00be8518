export { segmentPersonalData } from './personal-data-queries.ts'
export { countTargets, conditionsSql } from './conditions/condition-preview.ts'
export { listCategories, refuseUnusable } from './conditions/condition-context.ts'
export { conditionRoutes } from './conditions/condition-routes.ts'
export { explainCustomers } from './conditions/explanation.ts'
export { markCustomersDirty, segmentWork } from './membership/incremental-membership.ts'
export { calculateAllLater, calculateAllSegments, calculateSegment, membersSql } from './membership/members.ts'
export { addDays, localDay, startOfDay } from './membership/local-day.ts'
export type { AskedExecutions, ExecutionRows } from './condition-types/field-sql.ts'
export { listSegmentsReferencingScenario, listSegmentsUsingMetafield } from './segment-references.ts'
export { findSegment, type SegmentRow } from './queries.ts'
export {
  fetchLater,
  fetchRemoteMembers,
  forgetDeletedSegment,
  listRemoteSegments,
  listRemoteSegmentsDaily,
  listRemoteSegmentsLater,
} from './remote/remote.ts'
export { selectMembersAmong as membersAmong } from './membership/members-queries.ts'
export { areScenariosAsked } from './scenarios-asked.ts'
export { scoreCustomers, scoreEachNight } from './scores.ts'
export { segmentRoutes } from './routes.ts'
export { getSegment } from './segment.ts'
