export { forgetImports, importFiles } from './forgetting.ts'
export { importPersonalData, importWithoutPersonalData } from './personal-data-queries.ts'
export { continueImport, mailImportEnd } from './jobs.ts'
export { dataImportRoutes } from './routes.ts'
