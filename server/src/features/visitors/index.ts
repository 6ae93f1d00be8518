export { allowShopPages, answerPreflights } from './cors.ts'
export { visitorRoutes } from './routes.ts'
export { lookAtShopAgain } from './status.ts'
export { type Visitor, visitorOf } from './visitor.ts'
