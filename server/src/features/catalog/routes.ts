import * as contract from '@okaeri/contract/catalog/routes'
import type { Routes } from '../../kernel/http/http.ts'
import { listCollections } from './collection.ts'
import { listProducts, listVariants } from './product.ts'
import { listStoreValues } from './store-value.ts'

export function catalogRoutes(on: Routes): void {
  on.merchant(contract.listProducts)(({ scope, query }) => listProducts(scope, query))
  on.merchant(contract.listCollections)(({ scope, query }) => listCollections(scope, query))
  on.merchant(contract.listVariants)(({ scope, query }) => listVariants(scope, query))
  on.merchant(contract.listStoreValues)(({ scope, params, query }) => listStoreValues(scope, params.field, query))
}
