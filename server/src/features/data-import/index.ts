export { forgetImports, importFiles } from './import-erasure.ts'
export { importPersonalData, importWithoutPersonalData } from './personal-data-queries.ts'
export { continueImport, mailImportEnd } from './jobs.ts'
export { dataImportRoutes } from './routes.ts'
