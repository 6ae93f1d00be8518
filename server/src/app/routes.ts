import { merchantRoutes } from '../features/merchants/index.ts'
import { segmentRoutes } from '../features/segments/index.ts'
import { trackingRoutes } from '../features/tracking/index.ts'
import type { Routes } from '../kernel/http.ts'
import { systemRoutes } from './system-routes.ts'

/** Every feature that answers requests. */
export const featureRoutes: readonly ((routes: Routes) => void)[] = [systemRoutes, merchantRoutes, segmentRoutes, trackingRoutes]
