import { type AnyRoute, createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../app/lazy-page.ts'
import { paths } from '../../app/paths.ts'
import { ScenarioSearch, ScenarioPageSearch, ScenarioEditSearch } from './search.ts'

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
