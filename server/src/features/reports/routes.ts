import { getCampaignReport as reportEndpoint } from '@okaeri/contract/campaigns/routes'
import { listDiscounts } from '@okaeri/contract/coupons/routes'
import { listEmailHistories as historiesEndpoint } from '@okaeri/contract/emails/routes'
import * as lineMessages from '@okaeri/contract/line-messages/routes'
import { type Locale, toLocale } from '@okaeri/contract/locale'
import * as contract from '@okaeri/contract/reports/routes'
import type { FastifyRequest } from 'fastify'
import { sendDownload } from '../../kernel/http/download.ts'
import type { Routes } from '../../kernel/http/http.ts'
import { getCampaignReport, listReports } from './campaign-report.ts'
import { getClickMap, getStepClickMap } from './click-map.ts'
import { downloadClicks, downloadRecipients } from './downloads.ts'
import { listCoupons } from './coupon-list.ts'
import { getDashboard, getDayStats, getRangeStats, getScenarioStats } from './figures.ts'
import { downloadLineHistories, listEmailHistories, listLineHistories } from './history.ts'

export function reportRoutes(on: Routes): void {
  on.merchant(contract.getDashboard)(async ({ scope, query }) => getDashboard(scope, query.timespan))
  on.merchant(contract.getScenarioStats)(async ({ scope, params, query }) =>
    getScenarioStats(scope, params.id, query.timespan),
  )
  on.merchant(contract.getDayStats)(async ({ scope, query }) => getDayStats(scope, query.date))
  on.merchant(contract.getRangeStats)(async ({ scope, query }) => getRangeStats(scope, query))
  on.merchant(contract.listReports)(async ({ scope, query }) => listReports(scope, query))
  on.merchant(reportEndpoint)(async ({ scope, params }) => ({ report: await getCampaignReport(scope, params.id) }))
  on.merchant(contract.getClickMap)(async ({ scope, params, query }) => getClickMap(scope, params.id, query))
  on.merchant(historiesEndpoint)(({ scope, query }) => listEmailHistories(scope, query))
  on.merchant(lineMessages.listLineHistories)(({ scope, query }) => listLineHistories(scope, query))
  on.merchant(lineMessages.downloadLineHistories)(async ({ scope, query: { lang, ...filter }, request, reply }) =>
    sendDownload(reply, await downloadLineHistories(scope, filter, languageOf(request, lang))),
  )
  on.merchant(listDiscounts)(({ scope, query }) => listCoupons(scope, query))
  on.merchant(contract.getStepClickMap)(async ({ scope, params, query }) => getStepClickMap(scope, params.id, query))
  on.merchant(contract.downloadRecipients)(async ({ scope, params, query, request, reply }) =>
    sendDownload(reply, await downloadRecipients(scope, params.id, languageOf(request, query.lang))),
  )
  on.merchant(contract.downloadClicks)(async ({ scope, params, query, request, reply }) =>
    sendDownload(reply, await downloadClicks(scope, params.id, languageOf(request, query.lang))),
  )
}

const languageOf = (request: FastifyRequest, asked: Locale | undefined): Locale =>
  asked ?? toLocale(request.headers['accept-language'])
