import * as endpoints from '@okaeri/contract/bounces/routes'
import type { Routes } from '../../kernel/http/http.ts'
import { listCustomerBounces } from './bounce.ts'
import { receiveSendgrid, receiveSes } from './webhooks.ts'

export function bounceRoutes(on: Routes): void {
  on.merchant(endpoints.listCustomerBounces)(({ scope, params }) => listCustomerBounces(scope, params.id))
  on.open(endpoints.receiveSesNotice)(({ context, body }) => receiveSes(context, body, null))
  on.open(endpoints.receiveSendgridEvents)(({ context, request, body }) =>
    receiveSendgrid(context, { headers: request.headers, body }, null),
  )
  on.open(endpoints.receiveSesNoticeOfMerchant)(({ context, params, body }) =>
    receiveSes(context, body, params.merchantId),
  )
  on.open(endpoints.receiveSendgridEventsOfMerchant)(({ context, request, params, body }) =>
    receiveSendgrid(context, { headers: request.headers, body }, params.merchantId),
  )
}
