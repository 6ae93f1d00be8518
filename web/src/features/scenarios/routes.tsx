import { ChannelName, DeliveryStatus } from '@okaeri/contract/deliveries/delivery'
import { ExecutionStatus, StepError } from '@okaeri/contract/scenarios/execution-status'
import { ScenarioStatus } from '@okaeri/contract/scenarios/scenario'
import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { listSearch } from '../../ui/pages/list-state.ts'
import { scenarioTabs } from './scenario-tabs.ts'

export const ScenarioSearch = listSearch({
  sorts: ['created_at', 'name', 'execution_count', 'updated_at'],
  filters: { status: ScenarioStatus },
})

/** The open tab, the filters of its list, and the customer the page is asked about. */
export const ScenarioPageSearch = listSearch({
  sorts: ['created_at'],
  filters: {
    tab: z.enum(scenarioTabs),
    status: ExecutionStatus,
    /** Of failed executions. */
    error: StepError,
    /** Status of the deliveries. */
    sent: DeliveryStatus,
    channel: ChannelName,
    node: z.string().max(40),
    test: z.enum(['true', 'false']),
    customer: z.uuid(),
  },
})

/** Spec §2: the edit screen has a flow-editor mode. */
export const ScenarioEditSearch = z.object({ mode: z.literal('flow').optional().catch(undefined) })

export const scenarioRoutes = (shell: AnyRoute) => [
  createRoute({
    getParentRoute: () => shell,
    path: paths.scenarios.pattern,
    validateSearch: ScenarioSearch,
    component: lazyPage(() => import('./scenario-list.tsx'), 'ScenarioList'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.scenarioNew.pattern,
    component: lazyPage(() => import('./settings/scenario-gallery.tsx'), 'ScenarioGallery'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.scenarioCreate.pattern,
    component: lazyPage(() => import('./settings/scenario-form.tsx'), 'ScenarioCreate'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.scenario.pattern,
    validateSearch: ScenarioPageSearch,
    component: lazyPage(() => import('./scenario-page.tsx'), 'ScenarioPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.scenarioEdit.pattern,
    validateSearch: ScenarioEditSearch,
    component: lazyPage(() => import('./scenario-edit.tsx'), 'ScenarioEdit'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: paths.execution.pattern,
    component: lazyPage(() => import('./executions/execution-page.tsx'), 'ExecutionPage'),
  }),
]
