export { checkClocks } from './clock.ts'
export { countOfDay, isDaily } from './daily-triggers.ts'
export { timeOn } from './days.ts'
export { recordPriceChanges, recordStockChanges, settleGoods } from './settled-goods.ts'
export { receiveFlowAction } from './flow-action.ts'
export { selectPast, selectPastOfTrigger } from './past-queries.ts'
export type { PastEvent, Span } from './trigger-kind.ts'
export { triggerRules } from './trigger-kinds/index.ts'
export {
  countRegisteredFavorites,
  readPastNotifiedByRegistration,
  selectNotifiedByRegistration,
} from './notified-by-registration.ts'
