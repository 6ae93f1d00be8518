import { getCustomer } from '@okaeri/contract/customers/routes'
import type { Routes } from '../../kernel/http.ts'
import { getProfile } from './profile.ts'

export function profileRoutes(on: Routes): void {
  on.merchant(getCustomer)(({ scope, params }) => getProfile(scope, params.id))
}
