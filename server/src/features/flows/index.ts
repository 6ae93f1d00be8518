export { createFlowCheck, needsFlowEditor, problemsOf, refuseIncomplete } from './completeness.ts'
export { type AbandonmentTrigger, dueAt, isAbandonment } from './entry-times.ts'
export {
  type EntryLimitState,
  type EnteredRow,
  type RunningScenarioRow,
  type ScenarioChange,
  type ScenarioRow,
  type ScenarioWithFlow,
  clearEntryLimit,
  findPresentVersion,
  findScenarioName,
  findScenarioStatus,
  getScenarioForUpdate,
  getScenarioRow,
  holdActive,
  insertScenario,
  insertVersion,
  listScenariosNaming,
  isNotDeleted,
  limitEntriesOfWaiting,
  selectActiveOf,
  selectAnsweringChannels,
  selectChosen,
  selectFlows,
  selectRunning,
  selectScenariosOf,
  selectTimezone,
  updateEntryLimits,
  updateScenario,
  scenariosWithFlow,
} from './queries.ts'
export { type EarlierEntries, mayEnterAgain } from './reentry.ts'
export { refuseForeignReferences } from './references.ts'
export { getTemplate, makeFlow, templates } from './templates/index.ts'
export { findNeed } from './templates/needs.ts'
export type { Template } from './templates/template.ts'
export { listScenarioUses, refuseWhileUsed } from './uses.ts'
export { refuseUnlessAllowed } from './verbs.ts'
export { flowsOf, readFlows } from './versions.ts'
export { endOfLimit, endOfWait } from './waiting-times.ts'
