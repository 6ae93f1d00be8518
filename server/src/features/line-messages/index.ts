export { type FilledLine, fillLineMessages, type LinePerson } from './filling.ts'
export { type LineTracking, type PreparedLine, prepareLineMessages } from './preparation.ts'
export { findLineMessage, type LineMessageRow } from './queries.ts'
export { lineMessageRoutes } from './routes.ts'
