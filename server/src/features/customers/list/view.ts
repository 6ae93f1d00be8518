import { type CustomerView, CustomerViewSearch, MAX_VIEWS } from '@okaeri/contract/customers/view'
import { conflict, notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { MerchantScope } from '../../../kernel/merchant-scope.ts'
import { keepCurrency } from '../../merchants/index.ts'
import {
  countViews,
  deleteView,
  insertView,
  selectViews,
  updateView,
  type ViewRow,
  type ViewFields,
} from './view-queries.ts'

const amountsOf = ({ search }: ViewFields): number[] =>
  [search.sales_min, search.sales_max].filter((amount) => amount !== undefined)

/** The member's own and the shared ones, by name. */
export const listViews = async (scope: MerchantScope): Promise<CustomerView[]> =>
  (await selectViews(scope)).map(present)

export async function createView(scope: MerchantScope, fields: ViewFields): Promise<CustomerView> {
  return scope.transaction(async (scope) => {
    await keepCurrency(scope, amountsOf(fields))
    if ((await countViews(scope)) >= MAX_VIEWS) throw conflict('too_many_views', `at most ${MAX_VIEWS} views`)
    return present(await insertView(scope, newId(), fields))
  })
}

/** A shared view may be changed by every member with that right; another member's own view is not found. */
export async function changeView(scope: MerchantScope, id: string, fields: ViewFields): Promise<CustomerView> {
  return scope.transaction(async (scope) => {
    await keepCurrency(scope, amountsOf(fields))
    const row = await updateView(scope, id, fields)
    if (!row) throw notFound('there is no such view')
    return present(row)
  })
}

export async function removeView(scope: MerchantScope, id: string): Promise<void> {
  if (!(await deleteView(scope, id))) throw notFound('there is no such view')
}

const present = (row: ViewRow): CustomerView => ({
  id: row.id,
  name: row.name,
  // Filters of an older version that are unknown now are dropped.
  search: CustomerViewSearch.catch({}).parse(row.search),
  shared: row.memberId === null,
  created_at: row.createdAt.toISOString(),
})
