export { type FilledLine, fillLineMessages, type LinePerson } from './filling.ts'
export { type LineTracking, type PreparedLine, prepareLineMessages, variablesOfLine } from './preparation.ts'
export { findLineMessage, type LineMessageRow, listLineContents } from './queries.ts'
export { lineMessageRoutes } from './routes.ts'
