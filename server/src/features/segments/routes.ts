import * as endpoints from '@okaeri/contract/segments/routes'
import type { Routes } from '../../kernel/http.ts'
import { listCustomerViews } from '../customers/index.ts'
import { countTargets, listChosen, previewConditions, whoIsChosen } from './choosing.ts'
import {
  changeSegment,
  createSegment,
  deleteSegment,
  getSegment,
  listSegments,
  presentSegment,
  recountSegment,
} from './segment.ts'

export function segmentRoutes(on: Routes): void {
  on.merchant(endpoints.listSegments)(({ scope, query }) => listSegments(scope, query))
  on.merchant(endpoints.createSegment)(async ({ scope, body }) => ({
    customer_segment: await createSegment(scope, body),
  }))
  on.merchant(endpoints.getSegment)(async ({ scope, params }) => ({
    customer_segment: presentSegment(await getSegment(scope, params.id)),
    used_by: await scope.context.ports.campaignsUsingSegment(scope, params.id),
  }))
  on.merchant(endpoints.changeSegment)(async ({ scope, params, body }) => ({
    customer_segment: await changeSegment(scope, params.id, body),
  }))
  on.merchant(endpoints.deleteSegment)(async ({ scope, params }) => {
    await deleteSegment(scope, params.id)
    return undefined
  })
  on.merchant(endpoints.recountSegment)(async ({ scope, params, body }) => ({
    customer_segment: await recountSegment(scope, params.id, body),
  }))
  on.merchant(endpoints.getTargetCounts)(async ({ scope, params, query }) => {
    const { conditions } = await getSegment(scope, params.id)
    const where = await whoIsChosen(scope, conditions)
    return { target_counts: await countTargets(scope, where, { sendToAll: query.send_to_all }) }
  })
  on.merchant(endpoints.previewConditions)(async ({ scope, body }) => {
    const { counts, firstIds } = await previewConditions(scope, body.conditions)
    return { target_counts: counts, customers: await listCustomerViews(scope, firstIds) }
  })
  on.merchant(endpoints.listSegmentCustomers)(async ({ scope, params, query }) => {
    const { ids, total } = await listChosen(scope, params.id, query)
    return { data: await listCustomerViews(scope, ids), limit: query.limit, offset: query.offset, total }
  })
}
