import * as endpoints from '@okaeri/contract/segments/condition-routes'
import type { Routes } from '../../../kernel/http/http.ts'
import { runHeavyQuery } from '../../../kernel/database/heavy-queries.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { notFound } from '../../../kernel/errors.ts'
import { listCustomerViews } from '../../customers/index.ts'
import { listCategories } from './condition-context.ts'
import { explainConditions, explainSegment } from './explanation.ts'
import { getSegment } from '../segment.ts'

export function conditionRoutes(on: Routes): void {
  on.merchant(endpoints.getConditionParams)(async ({ scope }) => ({ categories: await listCategories(scope) }))
  on.merchant(endpoints.explainSegment)(async ({ scope, params, query, request }) => ({
    explanation: await runHeavyQuery(
      scope,
      async () => explainSegment(scope, await getSegment(scope, params.id), query.customer_id),
      () => request.socket.destroyed,
    ),
    customer: await getCustomer(scope, query.customer_id),
  }))
  on.merchant(endpoints.explainConditions)(async ({ scope, body, request }) => ({
    explanation: await runHeavyQuery(
      scope,
      () => explainConditions(scope, body.conditions, body.customer_id),
      () => request.socket.destroyed,
    ),
    customer: await getCustomer(scope, body.customer_id),
  }))
}

async function getCustomer(scope: MerchantScope, id: string) {
  const [customer] = await listCustomerViews(scope, [id])
  if (!customer) throw notFound('there is no such customer')
  return customer
}
