import { Readable } from 'node:stream'
import { getCampaignReport as reportEndpoint } from '@okaeri/contract/campaigns/routes'
import { type Locale, toLocale } from '@okaeri/contract/locale'
import * as contract from '@okaeri/contract/reports/routes'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Routes } from '../../kernel/http.ts'
import { getCampaignReport, listReports } from './campaign-report.ts'
import { type Download, downloadClicks, downloadRecipients } from './downloads.ts'
import { getDashboard, getDayStats, getRangeStats } from './figures.ts'

export function reportRoutes(on: Routes): void {
  on.merchant(contract.getDashboard)(async ({ scope, query }) => getDashboard(scope, query.timespan))
  on.merchant(contract.getDayStats)(async ({ scope, query }) => getDayStats(scope, query.date))
  on.merchant(contract.getRangeStats)(async ({ scope, query }) => getRangeStats(scope, query))
  on.merchant(contract.listReports)(async ({ scope, query }) => listReports(scope, query))
  on.merchant(reportEndpoint)(async ({ scope, params }) => ({ report: await getCampaignReport(scope, params.id) }))
  on.merchant(contract.downloadRecipients)(async ({ scope, params, query, request, reply }) =>
    sendFile(reply, await downloadRecipients(scope, params.id, languageOf(request, query.lang))),
  )
  on.merchant(contract.downloadClicks)(async ({ scope, params, query, request, reply }) =>
    sendFile(reply, await downloadClicks(scope, params.id, languageOf(request, query.lang))),
  )
}

const languageOf = (request: FastifyRequest, asked: Locale | undefined): Locale =>
  asked ?? toLocale(request.headers['accept-language'])

function sendFile(reply: FastifyReply, { fileName, content }: Download): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="report.csv"; filename*=UTF-8''${rfc5987(fileName)}`)
    .send(Readable.from(content, { objectMode: false }))
}

const rfc5987 = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
