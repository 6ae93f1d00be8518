import { toLocale } from '@okaeri/contract/locale'
import * as endpoints from '@okaeri/contract/segments/routes'
import { sendDownload } from '../../kernel/http/download.ts'
import { runHeavyQuery } from '../../kernel/database/heavy-queries.ts'
import type { Routes } from '../../kernel/http/http.ts'
import { listCustomerViews } from '../customers/index.ts'
import { countTargets, previewConditions } from './conditions/condition-preview.ts'
import { downloadMembers } from './downloads.ts'
import { listMembers, membersSql } from './membership/members.ts'
import { presentRemoteSegments, resyncRemoteSegments } from './remote/remote.ts'
import {
  changeSegment,
  createSegment,
  deleteSegment,
  getSegment,
  getSegmentView,
  listSegments,
  refetchSegment,
} from './segment.ts'

export function segmentRoutes(on: Routes): void {
  on.merchant(endpoints.listSegments)(({ scope, query }) => listSegments(scope, query))
  on.merchant(endpoints.createSegment)(async ({ scope, body }) => ({
    customer_segment: await createSegment(scope, body),
  }))
  on.merchant(endpoints.getRemoteSegments)(async ({ scope }) => ({
    remote_segments: await presentRemoteSegments(scope),
  }))
  on.merchant(endpoints.resyncRemoteSegments)(async ({ scope, body }) => ({
    remote_segments: await resyncRemoteSegments(scope, body),
  }))
  on.merchant(endpoints.getSegment)(({ scope, params }) => getSegmentView(scope, params.id))
  on.merchant(endpoints.changeSegment)(async ({ scope, params, body }) => ({
    customer_segment: await changeSegment(scope, params.id, body),
  }))
  on.merchant(endpoints.deleteSegment)(async ({ scope, params }) => {
    await deleteSegment(scope, params.id)
    return undefined
  })
  on.merchant(endpoints.recountSegment)(async ({ scope, params, body }) => ({
    customer_segment: await refetchSegment(scope, params.id, body),
  }))
  on.merchant(endpoints.getTargetCounts)(({ scope, params, query, request }) =>
    runHeavyQuery(
      scope,
      () =>
        scope.transaction(async (scope) => {
          const where = await membersSql(scope, await getSegment(scope, params.id))
          return { target_counts: await countTargets(scope, where, { sendToAll: query.send_to_all }) }
        }),
      () => request.socket.destroyed,
    ),
  )
  on.merchant(endpoints.previewConditions)(async ({ scope, body, request }) => {
    const { counts, firstIds } = await runHeavyQuery(
      scope,
      () => previewConditions(scope, body.conditions),
      () => request.socket.destroyed,
    )
    return { target_counts: counts, customers: await listCustomerViews(scope, firstIds) }
  })
  on.merchant(endpoints.listSegmentCustomers)(async ({ scope, params, query }) =>
    listMembers(scope, await getSegment(scope, params.id), query),
  )
  on.merchant(endpoints.downloadSegmentMembers)(async ({ scope, params, query, request, reply }) => {
    const language = query.lang ?? toLocale(request.headers['accept-language'])
    return sendDownload(reply, await downloadMembers(scope, await getSegment(scope, params.id), language))
  })
}
