export { answerRequests, endBoughtRequests, endUnknownRequests, holdRequests, releaseRequests } from './answering.ts'
export {
  type AwaitedItem,
  lockFreeRequests,
  lockWaiting,
  selectAwaited as listAwaited,
  selectEverythingAwaited as listEverythingAwaited,
  type WaitingRequest,
} from './answering-queries.ts'
export { restockCounting } from './counting.ts'
export { restockPersonalData } from './personal-data-queries.ts'
export {
  addRestockRequests,
  detachRestocksOf,
  endRegistrationsOf,
  joinRestocks,
  mergeRestocks,
  type RestockRegistration,
} from './restock.ts'
export {
  type AskedGood,
  selectActive as findRegistration,
  selectRegistered as listRegistered,
  selectRequestsOf as listRegistrationsOf,
  selectVariantsOf as listVariantsAwaited,
} from './queries.ts'
export { restockRoutes } from './routes.ts'
