import {
  changeCustomer as changeCustomerEndpoint,
  checkCustomer as checkCustomerEndpoint,
  createCustomer as createCustomerEndpoint,
  deleteCustomer as deleteCustomerEndpoint,
  listCustomers as listCustomersEndpoint,
} from '@okaeri/contract/customers/routes'
import type { Routes } from '../../kernel/http.ts'
import { changeCustomer, checkCustomer, createCustomer, deleteCustomer, listCustomers } from './customer.ts'

export function customerRoutes(on: Routes): void {
  on.merchant(listCustomersEndpoint)(({ scope, query }) => listCustomers(scope, query))
  on.merchant(checkCustomerEndpoint)(({ scope, query }) => checkCustomer(scope, query.email))
  on.merchant(createCustomerEndpoint)(async ({ scope, body }) => ({ customer: await createCustomer(scope, body) }))
  on.merchant(changeCustomerEndpoint)(async ({ scope, params, body }) => ({
    customer: await changeCustomer(scope, params.id, body),
  }))
  on.merchant(deleteCustomerEndpoint)(async ({ scope, params }) => {
    await deleteCustomer(scope, params.id)
    return undefined
  })
}
