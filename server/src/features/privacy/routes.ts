import * as consent from '@okaeri/contract/consent/routes'
import * as contract from '@okaeri/contract/privacy/routes'
import type { FastifyReply } from 'fastify'
import { sendDownload } from '../../kernel/http/download.ts'
import type { Routes } from '../../kernel/http/http.ts'
import { proofPage, proofTable } from './consent-proof.ts'
import { receiveRequest } from './request-intake.ts'
import { eraseCustomer, listRequests } from './request.ts'
import { exportCustomer, type FileAnswer, readFile } from './personal-data-export.ts'

export function privacyRoutes(on: Routes): void {
  on.open(contract.receiveCustomerRedact)(({ context, request: { headers }, body }) =>
    receiveRequest(context, 'customer_redact', { headers, body }),
  )
  on.open(contract.receiveDataRequest)(({ context, request: { headers }, body }) =>
    receiveRequest(context, 'data_request', { headers, body }),
  )
  on.open(contract.receiveShopRedact)(({ context, request: { headers }, body }) =>
    receiveRequest(context, 'shop_redact', { headers, body }),
  )
  on.merchant(contract.listPrivacyRequests)(({ scope, query }) => listRequests(scope, query))
  on.merchant(contract.downloadPrivacyFile)(async ({ scope, params, query, reply }) =>
    sendFile(reply, await readFile(scope, params.id, query)),
  )
  on.merchant(contract.exportCustomer)(async ({ scope, params, query, reply }) =>
    sendFile(reply, await exportCustomer(scope, params.id, query)),
  )
  on.merchant(contract.eraseCustomer)(async ({ scope, params }) => ({
    privacy_request: await eraseCustomer(scope, params.id),
  }))
  on.merchant(consent.downloadConsentProof)(async ({ scope, query, reply }) =>
    sendDownload(reply, await proofTable(scope, { customerId: null, language: query.lang })),
  )
  on.merchant(consent.downloadCustomerProof)(async ({ scope, params, query, reply }) => {
    const asked = { customerId: params.id, language: query.lang }
    return sendDownload(reply, await (query.format === 'html' ? proofPage(scope, asked) : proofTable(scope, asked)))
  })
}

/** As a download, never shown by the browser, because it contains text that people wrote. */
const sendFile = (reply: FastifyReply, { name, mediaType, text }: FileAnswer): FastifyReply =>
  reply
    .headers({ 'content-disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}` })
    .type(mediaType)
    .serializer(String)
    .send(text)
