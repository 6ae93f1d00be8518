import * as endpoints from '@okaeri/contract/customers/routes'
import { sendDownload } from '../../kernel/http/download.ts'
import type { Routes } from '../../kernel/http/http.ts'
import { changeCustomer, checkCustomer, createCustomer, deleteCustomer } from './customer.ts'
import { exportCustomers } from './customer-export.ts'
import { countCustomers, listCustomers } from './list/list.ts'
import { beginTagChange, listTagChanges } from './tags/tag-changes.ts'
import { changeView, createView, listViews, removeView } from './list/view.ts'

export function customerRoutes(on: Routes): void {
  on.merchant(endpoints.listCustomers)(({ scope, query }) => listCustomers(scope, query))
  on.merchant(endpoints.countCustomers)(async ({ scope, query }) => ({ total: await countCustomers(scope, query) }))
  on.merchant(endpoints.changeTags)(async ({ scope, body }) => ({ tag_change: await beginTagChange(scope, body) }))
  on.merchant(endpoints.listTagChanges)(async ({ scope }) => ({ tag_changes: await listTagChanges(scope) }))
  on.merchant(endpoints.exportCustomers)(async ({ scope, body, reply }) =>
    sendDownload(reply, await exportCustomers(scope, body.selection, body.lang)),
  )
  on.merchant(endpoints.checkCustomer)(({ scope, query }) => checkCustomer(scope, query.email))
  on.merchant(endpoints.createCustomer)(async ({ scope, body }) => ({ customer: await createCustomer(scope, body) }))
  on.merchant(endpoints.changeCustomer)(({ scope, params, body }) => changeCustomer(scope, params.id, body))
  on.merchant(endpoints.deleteCustomer)(async ({ scope, params }) => {
    await deleteCustomer(scope, params.id)
    return undefined
  })
  on.merchant(endpoints.listCustomerViews)(async ({ scope }) => ({ views: await listViews(scope) }))
  on.merchant(endpoints.createCustomerView)(async ({ scope, body }) => ({ view: await createView(scope, body) }))
  on.merchant(endpoints.changeCustomerView)(async ({ scope, params, body }) => ({
    view: await changeView(scope, params.id, body),
  }))
  on.merchant(endpoints.deleteCustomerView)(async ({ scope, params }) => {
    await removeView(scope, params.id)
    return undefined
  })
}
