import { merchantRoutes } from '../features/merchants/index.ts'
import type { Routes } from '../kernel/http.ts'
import { systemRoutes } from './system-routes.ts'

/** Every feature that answers requests. */
export const featureRoutes: readonly ((routes: Routes) => void)[] = [systemRoutes, merchantRoutes]
