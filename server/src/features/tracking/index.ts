export { creditOrder, forgetTracked, lowerOrder, type PlacedOrder, withdrawOrder } from './attribution.ts'
export { countOutcomes, judgeHits } from './judging.ts'
export { countLinkClicks } from './queries.ts'
export { trackingRoutes } from './routes.ts'
