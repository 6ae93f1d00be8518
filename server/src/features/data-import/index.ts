export { forgetImports, importFiles } from './forgetting.ts'
export { importHoldings, importHoldsNobody } from './held-queries.ts'
export { continueImport, mailImportEnd } from './jobs.ts'
export { dataImportRoutes } from './routes.ts'
