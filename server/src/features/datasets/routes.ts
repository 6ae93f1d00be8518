import * as contract from '@okaeri/contract/datasets/routes'
import { toLocale } from '@okaeri/contract/locale'
import { sendDownload } from '../../kernel/http/download.ts'
import type { Routes } from '../../kernel/http/http.ts'
import { checkDataset, getDataset, getDatasetDetail, listDatasets, refetchDataset } from './dataset.ts'
import { downloadDataset } from './downloads.ts'

export function datasetRoutes(on: Routes): void {
  on.merchant(contract.listDatasets)(({ scope }) => listDatasets(scope))
  on.merchant(contract.getDataset)(({ scope, params }) => getDatasetDetail(scope, params.id))
  on.merchant(contract.refetchDataset)(async ({ scope, params }) => {
    await refetchDataset(scope, params.id)
    return { dataset: await getDataset(scope, params.id) }
  })
  on.merchant(contract.checkDataset)(async ({ scope, params }) => {
    await checkDataset(scope, params.id)
    return { dataset: await getDataset(scope, params.id) }
  })
  on.merchant(contract.downloadDataset)(async ({ scope, params, query, request, reply }) =>
    sendDownload(
      reply,
      await downloadDataset(scope, params.id, query.lang ?? toLocale(request.headers['accept-language'])),
    ),
  )
}
