import { Readable } from 'node:stream'
import * as endpoints from '@okaeri/contract/consent/routes'
import type { FastifyReply } from 'fastify'
import type { Routes } from '../../kernel/http.ts'
import { type ProofFile, proofPage, proofTable } from './proof.ts'
import { addSuppression, liftSuppressionById, listSuppressions } from './suppression.ts'

export function consentRoutes(on: Routes): void {
  on.merchant(endpoints.listSuppressions)(({ scope, query }) => listSuppressions(scope, query))
  on.merchant(endpoints.addSuppression)(async ({ scope, body }) => ({ suppression: await addSuppression(scope, body) }))
  on.merchant(endpoints.liftSuppression)(async ({ scope, params, body }) => ({
    suppression: await liftSuppressionById(scope, params.id, body.reason),
  }))
  on.merchant(endpoints.downloadConsentProof)(async ({ scope, query, reply }) =>
    sendFile(reply, await proofTable(scope, { customerId: null, language: query.lang })),
  )
  on.merchant(endpoints.downloadCustomerProof)(async ({ scope, params, query, reply }) => {
    const asked = { customerId: params.id, language: query.lang }
    return sendFile(reply, await (query.format === 'html' ? proofPage(scope, asked) : proofTable(scope, asked)))
  })
}

function sendFile(reply: FastifyReply, { fileName, mediaType, content }: ProofFile): FastifyReply {
  return reply
    .type(mediaType)
    .header('content-disposition', `attachment; filename="consent"; filename*=UTF-8''${encodeURIComponent(fileName)}`)
    .send(Readable.from(content, { objectMode: false }))
}
