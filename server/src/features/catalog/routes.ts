import { listProducts as listProductsEndpoint } from '@okaeri/contract/catalog/routes'
import type { Routes } from '../../kernel/http.ts'
import { listProducts } from './product.ts'

export function catalogRoutes(on: Routes): void {
  on.merchant(listProductsEndpoint)(({ scope, query }) => listProducts(scope, query))
}
