import * as contract from '@okaeri/contract/visitors/routes'
import type { Routes } from '../../kernel/http.ts'
import { allowOwnPages } from './cors.ts'
import { STATUS_SECONDS, statusOf } from './status.ts'
import { connectPage, convertPageToken, tokenOfShopper } from './visitor.ts'

export function visitorRoutes(on: Routes): void {
  on.open(contract.connectVisitor)(async ({ context, request, query }) => ({
    connection: await connectPage(context, request, query),
  }))

  on.open(contract.getVisitorToken)(async ({ context, request, query }) => ({
    token: await tokenOfShopper(context, request, query),
  }))

  on.open(contract.convertToken)(async ({ context, request, body }) => ({
    token: await convertPageToken(context, request, { guestToken: body.guest_id }),
  }))

  on.lean(contract.getFrontendStatus)(async ({ context, request, reply, query }) => {
    const shopDomain = query.shop.toLowerCase()
    const { body, etag } = await statusOf(context, shopDomain)
    await allowOwnPages(context, request, reply)
    reply.header('cache-control', `public, max-age=${STATUS_SECONDS}`).header('etag', etag)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').serializer(asItIs).send(body)
  })
}

const asItIs = (body: unknown): string => String(body)
