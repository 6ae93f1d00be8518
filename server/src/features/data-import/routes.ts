import { Readable } from 'node:stream'
import * as contract from '@okaeri/contract/imports/routes'
import type { Routes } from '../../kernel/http/http.ts'
import { downloadErrors } from './downloads.ts'
import { cancelImport, changeImport, deleteImport, getImport, listImports, startImport } from './import.ts'
import { receiveUpload } from './upload.ts'

export function dataImportRoutes(on: Routes): void {
  on.merchant(contract.uploadImport)(async ({ scope, request }) => ({ import: await receiveUpload(scope, request) }))
  on.merchant(contract.listImports)(({ scope, query }) => listImports(scope, query))
  on.merchant(contract.getImport)(async ({ scope, params }) => ({ import: await getImport(scope, params.id) }))
  on.merchant(contract.changeImport)(async ({ scope, params, body }) => ({
    import: await changeImport(scope, params.id, body),
  }))
  on.merchant(contract.startImport)(async ({ scope, params }) => ({ import: await startImport(scope, params.id) }))
  on.merchant(contract.cancelImport)(async ({ scope, params }) => ({ import: await cancelImport(scope, params.id) }))
  on.merchant(contract.deleteImport)(async ({ scope, params }) => {
    await deleteImport(scope, params.id)
    return undefined
  })
  on.merchant(contract.downloadImportErrors)(async ({ scope, params, query, reply }) => {
    const { fileName, content } = await downloadErrors(scope, params.id, query.lang)
    const name = encodeURIComponent(fileName.toWellFormed()).replace(
      /['()*]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    )
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="errors.csv"; filename*=UTF-8''${name}`)
      .send(Readable.from(content, { objectMode: false }))
  })
}
