import * as contract from '@okaeri/contract/deliverability/routes'
import { type Locale, toLocale } from '@okaeri/contract/locale'
import type { FastifyRequest } from 'fastify'
import { sendDownload } from '../../kernel/http/download.ts'
import type { Routes } from '../../kernel/http/http.ts'
import { getCampaignReceivers, getDeliverability } from './deliverability.ts'
import { downloadCampaignReceivers, downloadDeliverability } from './downloads.ts'

export function deliverabilityRoutes(on: Routes): void {
  on.merchant(contract.getDeliverability)(async ({ scope, query }) => getDeliverability(scope, query.days))
  on.merchant(contract.getCampaignReceivers)(async ({ scope, params }) => getCampaignReceivers(scope, params.id))
  on.merchant(contract.downloadDeliverability)(async ({ scope, query, request, reply }) =>
    sendDownload(reply, await downloadDeliverability(scope, query.days, languageOf(request, query.lang))),
  )
  on.merchant(contract.downloadCampaignReceivers)(async ({ scope, params, query, request, reply }) =>
    sendDownload(reply, await downloadCampaignReceivers(scope, params.id, languageOf(request, query.lang))),
  )
}

const languageOf = (request: FastifyRequest, asked: Locale | undefined): Locale =>
  asked ?? toLocale(request.headers['accept-language'])
